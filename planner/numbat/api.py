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
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from numbat.arguments import parse_solve
from numbat.errors import ConfigurationError, ExitCode, PlannerError
from numbat.isolated import command
from numbat_validate import Verdict, check


class PlanningError(PlannerError):
    """The planner refused the input or broke down; the message is what it said."""

    def __init__(self, exit_code: ExitCode, message: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class Solution:
    """What came of a call.

    plan         the steps, as in a plan file; None if there is no plan or none was found
    cost         the metric's value, or the number of steps: exact if it is an integer, else the nearest float, or a
                 fraction where no float comes near; None without a plan
    exit_code    why it ended: numbat.errors.ExitCode
    summary      the same in a sentence
    statistics   everything that `numbat solve --json` tells
    """

    plan: tuple[str, ...] | None
    cost: float | Fraction | None
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
    options: Sequence[str] = (),
) -> Solution:
    """Plan for a domain and a problem file.

    time      seconds, wall and CPU; default as on the command line
    memory    bytes, or text such as "4G"
    search    a configuration of `numbat list`
    options   anything else `numbat solve` understands, word by word, such as ("--anytime",); no files
    """
    words = _words(options, {"--time": time, "--memory": memory, "--search": search})
    call = [*command("numbat"), "solve", "--json", *words, "--", str(domain), str(problem)]
    try:
        done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except (OSError, ValueError) as error:  # too long, or with a character that no word may have
        raise PlanningError(ExitCode.DRIVER_INPUT_ERROR, f"the planner cannot be started: {error}") from error
    return _solution(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _words(options: Sequence[str], values: dict[str, object]) -> list[str]:
    """Options as the command line takes them, checked by its own parser."""
    if isinstance(options, str):
        raise PlanningError(ExitCode.DRIVER_INPUT_ERROR, f"options are a sequence of words, not one text: {options!r}")
    words = [str(word) for word in options]
    for name, value in values.items():
        if value is not None:
            words.append(f"{name}={value}")
    try:
        if "--" in words:
            raise ConfigurationError("'--' is not an option")
        if files := parse_solve([*words, "--", "DOMAIN", "PROBLEM"], help_wanted=False).files:
            raise ConfigurationError(f"options name a file, {files[0]!r}; the plan is in what solve returns")
    except ConfigurationError as error:
        raise PlanningError(error.exit_code, str(error)) from error
    return words


def _solution(status: int, answer: bytes, said: str) -> Solution:
    try:
        report = json.loads(answer, parse_int=_integer)
    except ValueError:
        how = f"ended by signal {-status}" if status < 0 else f"exit code {status}"
        text = said.strip().removeprefix("numbat: ") or f"the planner gave no answer ({how})"
        raise PlanningError(ExitCode.DRIVER_CRITICAL_ERROR, text) from None
    # Where the caller ignores SIGCHLD the process's own exit code is lost.
    code = ExitCode(report["exit_code"])
    if "error" in report:
        raise PlanningError(code, report["error"])
    plan, cost = report["plan"], report["cost"]
    return Solution(
        plan=None if plan is None else tuple(plan),
        cost=Fraction(cost) if isinstance(cost, str) else cost,
        exit_code=code,
        summary=report["summary"],
        statistics=report,
    )


def _integer(digits: str) -> int:
    """An integer of any length; Python's own reading of them has a limit."""
    return int(Decimal(digits))
