"""What a run amounts to: one exit code and one true sentence, from what is known at its end.

Exit codes   numbat.errors.ExitCode, Fast Downward's groups. A member that used up the memory it could have makes a
             code of the memory family, the time limit or a signal one of the time family, both together one of both.
Not here     errors in the input or the options (numbat.cli)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from numbat.engines.outcome import Proof, Status, left_exact_range
from numbat.errors import ExitCode
from numbat.portfolio.record import CRASHED, MemberRecord
from numbat.portfolio.runner import Ending
from numbat.task.plan import Plan, decimal

_WITH_PLAN = (Status.SOLVED.value, Status.IMPROVED.value, Status.OPTIMAL.value)


@dataclass(frozen=True, slots=True)
class RunEnd:
    """What is known at the end of a search.

    ending        why it ended; `signal` says which signal or limit it was, if it was one
    proof         that there is no plan
    refused       how many plans the referee did not accept
    unjudged      members whose plan the referee could not judge in time
    exact         all numbers of the task were exact at the start
    bounds        of a search for an optimal plan: what is known of its cost, in words
    """

    plan: Plan | None
    ending: Ending
    signal: str
    records: list[MemberRecord]
    anytime: bool = False
    proof: Proof | None = None
    refused: int = 0
    unjudged: frozenset[int] = frozenset()
    exact: bool = True
    bounds: str = ""

    @property
    def in_time(self) -> bool:
        return self.ending in (Ending.STOPPED, Ending.ALL_ENDED)

    @property
    def short_of_memory(self) -> bool:
        return any(record.memory_ran_out for record in self.records)

    @property
    def rounded(self) -> bool:
        """Somebody had to round numbers, so that a plan may be refused and a part of the states be missed."""
        return not self.exact or any(left_exact_range(record.statistics) for record in self.records)

    @property
    def failed(self) -> bool:
        refused = self.refused > 0 and not self.rounded
        return refused or any(record.status == CRASHED for record in self.records)


def exit_code(end: RunEnd) -> ExitCode:
    if end.plan is not None:
        if not end.anytime:
            return ExitCode.SUCCESS
        if end.plan.optimal:
            return ExitCode.SUCCESS
        if end.in_time:
            return ExitCode.PLAN_FOUND_OUT_OF_MEMORY if end.short_of_memory else ExitCode.SUCCESS
        both, time = ExitCode.PLAN_FOUND_OUT_OF_MEMORY_AND_TIME, ExitCode.PLAN_FOUND_OUT_OF_TIME
        return both if end.short_of_memory else time
    if end.proof:
        return ExitCode.SEARCH_UNSOLVABLE
    if not end.in_time:
        both, time = ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME, ExitCode.SEARCH_OUT_OF_TIME
        return both if end.short_of_memory else time
    if end.short_of_memory:
        return ExitCode.SEARCH_OUT_OF_MEMORY
    return ExitCode.SEARCH_CRITICAL_ERROR if end.failed else ExitCode.SEARCH_UNSOLVED_INCOMPLETE


def sentence(end: RunEnd, found_by: str, found_after: float, wall: float, cpu: float) -> str:
    """The last line on standard error."""
    spent = f"{wall:.2f} s, {cpu:.2f} s CPU in all"
    if end.plan is not None:
        return f"{described(end.plan)}, found by {found_by} after {found_after:.2f} s; {_why(end)}{spent}"
    if end.proof:
        return f"the task is unsolvable: {end.proof.basis.value}; {spent}"
    members = Counter(_status(end, member) for member in range(len(end.records)))
    details = ", ".join(f"{count} {status}" for status, count in members.items())
    outcome = f"no plan is proved optimal, {end.bounds}" if end.bounds else "no plan found"
    return f"{outcome} ({_why(end)}members: {details}); {spent}"


def described(plan: Plan) -> str:
    steps = "1 step" if len(plan.steps) == 1 else f"{len(plan.steps)} steps"
    kind = "optimal plan" if plan.optimal else "plan"
    cost = "the metric has no value" if plan.cost is None else f"cost {decimal(plan.cost)}"
    return f"{kind} with {steps}, {cost}"


def _status(end: RunEnd, member: int) -> str:
    record = end.records[member]
    if record.status not in _WITH_PLAN:
        return record.reason if record.status == Status.GAVE_UP.value and record.reason else record.status
    # It found a plan, and yet there is none: too late for the referee, refused, or not proved optimal.
    if member in end.unjudged:
        return Status.OUT_OF_TIME.value
    return "refused by the referee" if end.refused else record.status


def _why(end: RunEnd) -> str:
    if not end.in_time:
        return f"{end.signal or 'time limit reached'}; "
    beyond = end.plan is None and end.rounded
    return "numbers beyond the exact range were met; " if beyond else ""
