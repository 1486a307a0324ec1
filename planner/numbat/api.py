"""The planner as Python functions.

    from numbat import plans, solve, validate

    solution = solve("domain.pddl", "problem.pddl", timeout=60)
    if solution.plan is not None:
        print(solution.cost, *solution.plan, sep="\\n")

    for plan in plans("domain.pddl", "problem.pddl", timeout=60):
        print(plan.cost)

    better = improve("domain.pddl", "problem.pddl", solution.plan, timeout=60)

A domain or problem is a path, or its text: a str that begins with a parenthesis or a comment, or has several lines.
The planner runs as a process of its own (child), so that the limits, signals and memory of the caller stay the
caller's, and may be called from several threads, from a notebook, and inside a running event loop (solve_async).

Not here     what the planner does (numbat.cli and below)
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbat import inputs
from numbat.arguments import parse_improve, parse_solve
from numbat.child import Child, ChildFailed
from numbat.errors import ConfigurationError, ExitCode, PlannerError, Span
from numbat.inputs import PlanText, Text
from numbat.task.plan import Plan, Step
from numbat_validate import InputError as RefereeInputError
from numbat_validate import Unsupported as RefereeUnsupported
from numbat_validate import Verdict, check

if TYPE_CHECKING:
    from numbat.explain.explanation import Explanation
    from numbat.run.inspection import Inspection


class PlanningError(PlannerError):
    """The planner refused the input or broke down: what it said, and where in the input, if it was there."""

    def __init__(self, exit_code: ExitCode, message: str, span: Span | None = None, **details: str | None) -> None:
        super().__init__(message, span, **details)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from other processes whole."""
        return type(self), (self.exit_code, self.message), self.__dict__


class Status(Enum):
    """How a call ended. Only UNSOLVABLE is a proof that there is no plan."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    NO_PLAN_FOUND = "no plan found"  # not everything was searched
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"


_STATUS = {
    ExitCode.TRANSLATE_UNSOLVABLE: Status.UNSOLVABLE,
    ExitCode.SEARCH_UNSOLVABLE: Status.UNSOLVABLE,
    ExitCode.SEARCH_UNSOLVED_INCOMPLETE: Status.NO_PLAN_FOUND,
    ExitCode.TRANSLATE_OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
    ExitCode.SEARCH_OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
    ExitCode.TRANSLATE_OUT_OF_TIME: Status.OUT_OF_TIME,
    ExitCode.SEARCH_OUT_OF_TIME: Status.OUT_OF_TIME,
    ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME: Status.OUT_OF_TIME,
}


@dataclass(frozen=True, slots=True)
class Solution:
    """What came of a call.

    status       how it ended
    plan         the best plan: its steps, each with name and arguments; None if there is none or none was found
    exit_code    as the command line has it: numbat.errors.ExitCode
    summary      the same in a sentence
    statistics   everything that `numbat solve --json` tells
    log          what the planner said on the way: warnings, news, how it ended
    """

    status: Status
    plan: Plan | None
    exit_code: ExitCode
    summary: str
    statistics: dict[str, Any]
    log: tuple[str, ...] = ()

    @property
    def cost(self) -> Fraction | None:
        """The metric's value, or the number of steps, exactly; None without a plan."""
        return self.plan.cost if self.plan is not None else None

    @property
    def unsolvable(self) -> bool:
        """Is it proved that there is no plan?"""
        return self.status is Status.UNSOLVABLE

    @property
    def proved_optimal(self) -> bool:
        """Is it proved that no plan is better?"""
        return self.plan is not None and self.statistics.get("optimal") is True


class Plans(Iterator[Plan]):
    """Ever better plans, while the planner runs. `solution` tells how it ended, when it has."""

    def __init__(self, call: _Call) -> None:
        self._call = call
        self._found = call.plans()
        self.solution: Solution | None = None

    def __next__(self) -> Plan:
        try:
            return next(self._found)
        except StopIteration as done:
            self.solution = done.value or self.solution
            raise

    def close(self) -> None:
        """End the planner and everything it has started."""
        self._call.close()
        self._found.close()

    def __enter__(self) -> Plans:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def solve(
    domain: Text,
    problem: Text,
    *,
    timeout: float | None = None,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    anytime: bool = False,
    optimal: bool = False,
    options: Sequence[str] = (),
) -> Solution:
    """Plan for a domain and a problem: the first plan, with `anytime` the best one that is found in the time, with
    `optimal` one of which it is proved that no plan is cheaper.

    timeout   seconds until the call ends, whatever happens
    time      seconds that the planner may use, wall and CPU; default the timeout, or as on the command line
    memory    bytes, or text such as "4G"
    search    a configuration of `numbat list`
    options   anything else `numbat solve` understands, word by word, such as ("--seed", "3"); no files
    """
    words = _words(options, time=_first(time, timeout), memory=memory, search=search, anytime=anytime, optimal=optimal)
    with _Call(domain, problem, words, timeout) as call:
        return call.solution()


def plans(
    domain: Text,
    problem: Text,
    *,
    timeout: float | None = None,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    options: Sequence[str] = (),
) -> Plans:
    """Every plan that is better than those before it, as soon as it is found; see `solve`."""
    words = _words(options, time=_first(time, timeout), memory=memory, search=search, anytime=True)
    return Plans(_Call(domain, problem, words, timeout))


def improve(
    domain: Text,
    problem: Text,
    plan: PlanText,
    *,
    timeout: float | None = None,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    options: Sequence[str] = (),
) -> Solution:
    """Make a plan, a file or a sequence of steps, better: the best one that is found in the time, see `solve`.

    A plan that the referee refuses raises PlanningError.
    """
    words = _words(options, "improve", time=_first(time, timeout), memory=memory, search=search)
    with _Call(domain, problem, words, timeout, plan) as call:
        return call.solution()


def improvements(
    domain: Text,
    problem: Text,
    plan: PlanText,
    *,
    timeout: float | None = None,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    options: Sequence[str] = (),
) -> Plans:
    """The plan itself, then every plan that is better than those before it, as soon as it is found; see `improve`."""
    words = _words(options, "improve", time=_first(time, timeout), memory=memory, search=search)
    return Plans(_Call(domain, problem, words, timeout, plan))


async def solve_async(
    domain: Text,
    problem: Text,
    *,
    timeout: float | None = None,
    time: float | None = None,
    memory: str | int | None = None,
    search: str | None = None,
    anytime: bool = False,
    optimal: bool = False,
    options: Sequence[str] = (),
) -> Solution:
    """As `solve`, without blocking the event loop; cancelling it ends the planner."""
    import asyncio

    words = _words(options, time=_first(time, timeout), memory=memory, search=search, anytime=anytime, optimal=optimal)
    with _Call(domain, problem, words, timeout) as call:
        # leaving the block, also by cancellation, ends the process, and with it the thread that reads from it
        return await asyncio.get_running_loop().run_in_executor(None, call.solution)


def validate(domain: Text, problem: Text, plan: PlanText) -> Verdict:
    """Judge a plan, a file, its text or a sequence of steps, by the referee. In this process."""
    given = zip(("<domain>", "<problem>"), (domain, problem), strict=True)
    files = [
        (name, inputs.encoded(text)) if inputs.is_text(text) else inputs.not_standard_input(text)
        for name, text in given
    ]
    steps: str | Path | Sequence[str]
    if isinstance(plan, str):
        steps = plan.splitlines() if inputs.is_text(plan) else inputs.not_standard_input(plan)
    else:
        steps = plan if isinstance(plan, Path) else tuple(plan)
    try:
        return check(files[0], files[1], steps)
    except (RefereeInputError, RefereeUnsupported) as error:
        unsupported = isinstance(error, RefereeUnsupported)
        code = ExitCode.SEARCH_UNSUPPORTED if unsupported else ExitCode.TRANSLATE_INPUT_ERROR
        raise PlanningError(code, error.message, Span(*error.place) if error.place else None) from error


def why(domain: Text, problem: Text, *, timeout: float = 60.0) -> Explanation:
    """Why there is no plan: the goals out of reach, and what keeps them there (numbat.explain). In this process."""
    from numbat.explain.why import why as explain

    with _planning_errors():
        return explain(*inputs.in_memory(domain, problem), timeout)


def inspect(domain: Text, problem: Text) -> Inspection:
    """What a task consists of, before and after grounding, and what making it cost. In this process."""
    from numbat.run.inspection import inspect as look

    with _planning_errors():
        return look(*inputs.in_memory(domain, problem))


# --- the call ---------------------------------------------------------------------------------------------------------


def _first(time: float | None, timeout: float | None) -> float | None:
    """The planner's time: what is said about it, or the time of the whole call."""
    return timeout if time is None else time


def _words(options: Sequence[str], command: str = "solve", **values: object) -> list[str]:
    """Options as a command of the command line takes them, checked by its own parser."""
    if isinstance(options, str):
        raise PlanningError(ExitCode.DRIVER_INPUT_ERROR, f"options are a sequence of words, not one text: {options!r}")
    words = [str(word) for word in options]
    for name, value in values.items():
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words.append(f"--{name}={value}")
    try:
        if "--" in words:
            raise ConfigurationError("'--' is not an option")
        parse = parse_solve if command == "solve" else parse_improve
        places = ["DOMAIN", "PROBLEM", "PLAN"][: 2 if command == "solve" else 3]
        if files := parse([*words, "--", *places], help_wanted=False).files:
            raise ConfigurationError(f"options name a file, {files[0]!r}; the plan is in what solve returns")
    except ConfigurationError as error:
        raise PlanningError(error.exit_code, str(error)) from error
    return [command, "--stream", "--until-eof", *words]


@contextlib.contextmanager
def _planning_errors() -> Iterator[None]:
    """Errors of a call in this process, as those of a child."""
    try:
        yield
    except PlannerError as error:
        details = {"expected": error.expected, "got": error.got}
        raise PlanningError(error.exit_code, error.message, error.span, **details) from error


class _Call:
    """One run of the planner, from its files to its answer."""

    def __init__(
        self,
        domain: Text,
        problem: Text,
        words: Sequence[str],
        timeout: float | None,
        plan: PlanText | None = None,
    ) -> None:
        self._resources = contextlib.ExitStack()
        files = self._resources.enter_context(inputs.files(domain, problem))
        named = zip(("<domain>", "<problem>"), (domain, problem), files, strict=True)
        # files that only we know, and what the caller calls them
        self._texts = {file: name for name, given, file in named if inputs.is_text(given)}
        call = [*words, "--", *files]
        if plan is not None:
            folder = self._resources.enter_context(tempfile.TemporaryDirectory(prefix="numbat-"))
            call.append(inputs.plan_file(plan, folder))
            self._texts[str(Path(folder, "plan"))] = "<plan>"
        try:
            self._child = self._resources.enter_context(Child("numbat", call, timeout))
        except ChildFailed as error:
            self.close()
            raise PlanningError(ExitCode.DRIVER_INPUT_ERROR, str(error)) from error

    def __enter__(self) -> _Call:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._resources.close()

    def solution(self) -> Solution:
        """Wait until the planner has ended."""
        found = self.plans()
        while True:
            try:
                next(found)
            except StopIteration as done:
                solution: Solution = done.value
                return solution

    def plans(self) -> Generator[Plan, None, Solution]:
        """Its plans, and in the end the solution."""
        best: Plan | None = None
        for message in self._child.messages():
            if "exit_code" in message:
                return self._solution(message)
            best = _plan(message)
            yield best
        if self._child.timed_out:
            status = Status.OUT_OF_TIME if best is None else Status.SOLVED
            code = ExitCode.SEARCH_OUT_OF_TIME if best is None else ExitCode.PLAN_FOUND_OUT_OF_TIME
            return Solution(status, best, code, "ended by the caller's timeout", {}, self._log())
        text = self._child.last_words() or f"the planner gave no answer ({self._child.ending()})"
        raise PlanningError(ExitCode.DRIVER_CRITICAL_ERROR, text)

    def _solution(self, report: dict[str, Any]) -> Solution:
        # Where the caller ignores SIGCHLD the process's own exit code is lost, so it is in the report.
        code = ExitCode(report["exit_code"])
        if "error" in report:
            raise self._error(code, report)
        plan = None if report["plan"] is None else _plan(report)
        status = Status.SOLVED if plan is not None else _STATUS[code]
        return Solution(status, plan, code, report["summary"], report, self._log())

    def _log(self) -> tuple[str, ...]:
        return tuple(line.removeprefix("numbat: ") for line in self._child.last_words().splitlines())

    def _error(self, code: ExitCode, report: dict[str, Any]) -> PlanningError:
        if "message" not in report:
            return PlanningError(code, report["error"])
        file = report.get("file")
        span = Span(self._texts.get(file, file), report["line"], report["column"]) if file else None
        return PlanningError(code, report["message"], span, expected=report["expected"], got=report["got"])


def _plan(message: dict[str, Any]) -> Plan:
    cost, optimal = message["exact_cost"], message.get("optimal") is True
    return Plan(tuple(map(Step, message["plan"])), None if cost is None else Fraction(cost), optimal)
