"""The planner as a Python function.

    from numbat import solve
    solution = solve("domain.pddl", "problem.pddl", time=60)
    if solution.plan is not None:
        print(*solution.plan, sep="\\n")

It runs `numbat solve` as a process of its own, so that the limits, signals and memory of the caller stay the caller's.
Not here     what the planner does (numbat.cli and below)
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbat.errors import ExitCode, PlannerError
from numbat.isolated import command
from numbat_validate import Verdict, check

_FIRST_ERROR = ExitCode.TRANSLATE_CRITICAL_ERROR


class PlanningError(PlannerError):
    """The planner refused the input or broke down; the message is what it said."""

    def __init__(self, exit_code: ExitCode, message: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class Solution:
    """What came of a call.

    plan         the steps, as in a plan file; None if there is no plan or none was found
    cost         the metric's value, or the number of steps; None without a plan
    exit_code    why it ended: numbat.errors.ExitCode
    summary      the same in a sentence
    statistics   everything that `numbat solve --json` tells
    """

    plan: tuple[str, ...] | None
    cost: float | None
    exit_code: ExitCode
    summary: str
    statistics: dict[str, Any]

    @property
    def unsolvable(self) -> bool:
        """Is it proved that there is no plan?"""
        return self.exit_code in (ExitCode.TRANSLATE_UNSOLVABLE, ExitCode.SEARCH_UNSOLVABLE)


def validate(domain: str | Path, problem: str | Path, plan: str | Path | Sequence[str]) -> Verdict:
    """Judge a plan, a file or a sequence of steps, by the referee."""
    return check(domain, problem, plan)


def solve(
    domain: str | Path,
    problem: str | Path,
    *,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    options: tuple[str, ...] = (),
) -> Solution:
    """Plan for a domain and a problem file.

    time      seconds, wall and CPU; default as on the command line
    memory    bytes, or text such as "4G"
    search    a configuration of `numbat list`
    options   anything else `numbat solve` understands, such as ("--anytime",)
    """
    call = [*command("numbat"), "solve", "--json", *options]
    for name, value in (("--time", time), ("--memory", memory), ("--search", search)):
        if value is not None:
            call += [name, str(value)]
    call += ["--", str(domain), str(problem)]  # whatever the files are called
    done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode < 0:
        raise PlanningError(ExitCode.DRIVER_CRITICAL_ERROR, f"the planner was ended by signal {-done.returncode}")
    code = ExitCode(done.returncode)
    if code >= _FIRST_ERROR or not done.stdout:
        raise PlanningError(code, done.stderr.strip().removeprefix("numbat: "))
    report = json.loads(done.stdout)
    plan = report.get("plan")
    return Solution(tuple(plan) if plan is not None else None, report.get("cost"), code, report["summary"], report)
