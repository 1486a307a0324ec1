"""What a run amounts to: one exit code and one true sentence, from the facts at its end.

Exit codes   numbat.errors.ExitCode, Fast Downward's groups. A member that used up the memory it could have makes a
             code of the memory family, the time limit or a signal one of the time family, both together one of both.
Not here     errors in the input or the options (numbat.cli)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from numbat.errors import ExitCode
from numbat.portfolio.runner import Ending, Record
from numbat.search.outcome import CRASHED, OUT_OF_TIME, SOLVED
from numbat.task.plan import Plan, decimal


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known at the end of a search.

    ending        why it ended; `signal` says which signal or limit it was, if it was one
    unsolvable    a complete search with exact numbers has seen every state
    refused       how many plans the referee did not accept
    unjudged      members whose plan the referee could not judge in time
    exact         all numbers of the task were exact at the start
    """

    plan: Plan | None
    ending: Ending
    signal: str
    records: list[Record]
    anytime: bool = False
    unsolvable: bool = False
    refused: int = 0
    unjudged: frozenset[int] = frozenset()
    exact: bool = True

    @property
    def in_time(self) -> bool:
        return self.ending in (Ending.STOPPED, Ending.ALL_ENDED)

    @property
    def short_of_memory(self) -> bool:
        return any(record.memory_ran_out for record in self.records)

    @property
    def rounded(self) -> bool:
        """Somebody had to round numbers, so that a plan may be refused and a part of the states be missed."""
        return not self.exact or any(record.outcome.left_exact_range for record in self.records)

    @property
    def failed(self) -> bool:
        refused = self.refused > 0 and not self.rounded
        return refused or any(record.outcome.status == CRASHED for record in self.records)


def exit_code(facts: Facts) -> ExitCode:
    if facts.plan is not None:
        if not facts.anytime:
            return ExitCode.SUCCESS
        if facts.in_time:
            return ExitCode.PLAN_FOUND_OUT_OF_MEMORY if facts.short_of_memory else ExitCode.SUCCESS
        both, time = ExitCode.PLAN_FOUND_OUT_OF_MEMORY_AND_TIME, ExitCode.PLAN_FOUND_OUT_OF_TIME
        return both if facts.short_of_memory else time
    if facts.unsolvable:
        return ExitCode.SEARCH_UNSOLVABLE
    if not facts.in_time:
        both, time = ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME, ExitCode.SEARCH_OUT_OF_TIME
        return both if facts.short_of_memory else time
    if facts.short_of_memory:
        return ExitCode.SEARCH_OUT_OF_MEMORY
    return ExitCode.SEARCH_CRITICAL_ERROR if facts.failed else ExitCode.SEARCH_UNSOLVED_INCOMPLETE


def sentence(facts: Facts, found_by: str, found_after: float, wall: float, cpu: float) -> str:
    """The last line on standard error."""
    spent = f"{wall:.2f} s, {cpu:.2f} s CPU in all"
    if facts.plan is not None:
        return f"{described(facts.plan)}, found by {found_by} after {found_after:.2f} s; {_why(facts)}{spent}"
    if facts.unsolvable:
        return f"the task is unsolvable: every reachable state was searched; {spent}"
    members = Counter(_status(facts, member) for member in range(len(facts.records)))
    details = ", ".join(f"{count} {status}" for status, count in members.items())
    return f"no plan found ({_why(facts)}members: {details}); {spent}"


def described(plan: Plan) -> str:
    steps = "1 step" if len(plan.steps) == 1 else f"{len(plan.steps)} steps"
    return f"plan with {steps}" + (f", cost {decimal(plan.cost)}" if plan.cost is not None else "")


def _status(facts: Facts, member: int) -> str:
    status = facts.records[member].outcome.status
    if status != SOLVED:
        return status
    # It solved the task, and yet there is no plan.
    return OUT_OF_TIME if member in facts.unjudged else "refused by the referee"


def _why(facts: Facts) -> str:
    if not facts.in_time:
        return f"{facts.signal or 'time limit reached'}; "
    beyond = facts.plan is None and facts.rounded
    return "numbers beyond the exact range were met; " if beyond else ""
