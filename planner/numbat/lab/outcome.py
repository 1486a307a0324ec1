"""What a run's evidence means: one outcome, and a sentence where something is wrong with it.

In, out      how the process ended, what the referee said of its plan -> Finding
Order        the plan counts first, then the limit the lab enforced, then the planner's own words, then its exit code
Unexplained  whatever nobody expects of a sound planner: a crash, an invalid plan, success without a plan, a limit that
             the planner was told and did not keep, processes left behind
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import Final

from numbat.errors import ExitCode
from numbat.lab.planners import Planner
from numbat.lab.process import Measured

SOLVED: Final = "solved"
INVALID: Final = "invalid"
UNJUDGED: Final = "unjudged"
UNSOLVABLE: Final = "unsolvable"
INCOMPLETE: Final = "incomplete"
OUT_OF_TIME: Final = "out-of-time"
OUT_OF_MEMORY: Final = "out-of-memory"
UNSUPPORTED: Final = "unsupported"
NO_PLAN: Final = "no-plan"
CRASH: Final = "crash"

OUTCOMES: Final = {
    SOLVED: "a valid plan within the limits",
    INVALID: "a plan that the referee rejects",
    UNJUDGED: "a plan that the referee could not judge, for a reason that is not the plan's",
    UNSOLVABLE: "the planner says that there is no plan",
    INCOMPLETE: "the planner gave up without a proof",
    OUT_OF_TIME: "the CPU time or the wall-clock time was used up",
    OUT_OF_MEMORY: "the memory was used up",
    UNSUPPORTED: "the planner does not support the task",
    NO_PLAN: "the planner reports success without a plan",
    CRASH: "the planner ended in an error",
}

PLAN_FOUND = frozenset({0, 1, 2, 3})
_BY_EXIT_CODE: Final = {
    ExitCode.TRANSLATE_UNSOLVABLE: UNSOLVABLE,
    ExitCode.SEARCH_UNSOLVABLE: UNSOLVABLE,
    ExitCode.SEARCH_UNSOLVED_INCOMPLETE: INCOMPLETE,
    ExitCode.TRANSLATE_OUT_OF_MEMORY: OUT_OF_MEMORY,
    ExitCode.TRANSLATE_OUT_OF_TIME: OUT_OF_TIME,
    ExitCode.SEARCH_OUT_OF_MEMORY: OUT_OF_MEMORY,
    ExitCode.SEARCH_OUT_OF_TIME: OUT_OF_TIME,
    ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME: OUT_OF_TIME,
    ExitCode.SEARCH_UNSUPPORTED: UNSUPPORTED,
    ExitCode.DRIVER_UNSUPPORTED: UNSUPPORTED,
}
_BY_LIMIT: Final = {"cpu": OUT_OF_TIME, "wall": OUT_OF_TIME, "memory": OUT_OF_MEMORY}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the referee said of a plan; `valid` is None if it could not judge."""

    valid: bool | None
    reason: str
    length: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a run, and why it is unexplained if it is."""

    outcome: str
    unexplained: str = ""


def classify(planner: Planner, measured: Measured, judgement: Judgement | None, *, time: float, output: str) -> Finding:
    """The finding on a run under a limit of `time` CPU seconds; `judgement` is None if there was no plan."""
    complaints = _complaints(planner, measured)
    if judgement is not None:
        if not judgement.valid:
            outcome = UNJUDGED if judgement.valid is None else INVALID
            return Finding(outcome, "; ".join([judgement.reason, *complaints]))
        if not measured.stopped and measured.exit_code not in PLAN_FOUND:
            complaints.append(f"a valid plan, yet {_describe(measured.exit_code)}")
        return Finding(SOLVED if plan_seconds(measured) <= time else OUT_OF_TIME, "; ".join(complaints))
    if measured.stopped:
        return Finding(_BY_LIMIT[measured.stopped], "; ".join(complaints))
    for pattern, outcome in planner.says.items():
        if re.search(pattern, output):
            return Finding(outcome, "; ".join(complaints))
    finding = _by_exit_code(planner, measured.exit_code)
    return Finding(finding.outcome, "; ".join(filter(None, [finding.unexplained, *complaints])))


def plan_seconds(measured: Measured) -> float:
    """CPU seconds used when the plan was there; one that was not seen earlier came at the end."""
    return measured.cpu if measured.appeared is None else measured.appeared


def _complaints(planner: Planner, measured: Measured) -> list[str]:
    """What is wrong with the way the process ended, whatever it found."""
    complaints = []
    if measured.left_behind:
        complaints.append(f"left {measured.left_behind} processes behind")
    if measured.stopped == "wall":
        complaints.append(f"killed after {measured.wall:.1f} s of wall-clock time and {measured.cpu:.1f} s of CPU time")
    elif measured.stopped and planner.limits_itself:
        complaints.append(
            f"killed for going over its {measured.stopped} limit"
            f" ({measured.cpu:.1f} s CPU, {measured.memory / 2**20:.0f} MB)"
        )
    return complaints


def _by_exit_code(planner: Planner, code: int) -> Finding:
    if code in PLAN_FOUND and (code == 0 or planner.exit_codes):
        return Finding(NO_PLAN, f"{_describe(code)}, but no plan")
    if planner.exit_codes and code in _BY_EXIT_CODE:
        return Finding(_BY_EXIT_CODE[ExitCode(code)])
    return Finding(CRASH, _describe(code))


def _describe(code: int) -> str:
    if code < 0:
        try:
            return f"ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"ended by signal {-code}"
    return f"exit code {code}"
