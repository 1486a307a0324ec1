"""Real searches for parts of the goal, and for the task without some condition: what only a search can tell.

In, out      goals, and places of conditions to drop → Attempt: a plan, a proof that there is none, or neither in time
Proofs       grounding shows the goal out of reach, or a complete search with exact numbers has seen every state
Cost         one grounding and one search each, at most SECONDS and MEMORY; nothing at all when the clock says so
Not here     explanations in the relaxed task (causes)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from numbat.errors import Span, TooLarge
from numbat.explain.budget import Budget
from numbat.explain.rules import Need, RuleModel
from numbat.ground import ground_with_report
from numbat.search.options import SearchOptions
from numbat.search.outcome import EXHAUSTED_COMPLETE, SOLVED
from numbat.search.registry import configuration
from numbat.search.run import Limits, core_task, run

SECONDS = 10.0
MEMORY = 1 << 30
SEARCH = "M(3h)"


class Solvable(Enum):
    """Is there a plan?"""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    answer: Solvable
    plan: tuple[str, ...] = ()
    states: int = 0  # looked at by a search that proves that there is no plan


class Attempts:
    """Searches on one task, each made once."""

    def __init__(self, model: RuleModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._made: dict[tuple[tuple[Need, ...], frozenset[Span]], Attempt] = {}

    def __call__(self, goals: Iterable[int], dropped: frozenset[Span] = frozenset()) -> Attempt:
        return self.meet((need for goal in sorted({*goals}) for need in self._model.goals[goal].needs), dropped)

    def meet(self, wanted: Iterable[Need], dropped: frozenset[Span] = frozenset()) -> Attempt:
        """The same for conditions that need not be goals of the task."""
        question = (tuple(wanted), dropped)
        if question not in self._made:
            if self._budget.spent:
                return Attempt(Solvable.UNKNOWN)
            self._made[question] = self._search(*question)
        return self._made[question]

    def _search(self, wanted: tuple[Need, ...], dropped: frozenset[Span]) -> Attempt:
        try:
            task, report = ground_with_report(self._model.subtask(wanted, dropped), MEMORY)
        except TooLarge:
            return Attempt(Solvable.UNKNOWN)
        if not report.goal_reachable:
            return Attempt(Solvable.NO)
        search = configuration(SEARCH).searches[0]
        outcome = run(core_task(task), search, SearchOptions(), Limits(min(SECONDS, self._budget.left), MEMORY))
        if outcome.status == SOLVED:
            return Attempt(Solvable.YES, tuple(task.operator_names[operator] for operator in outcome.plan))
        if outcome.status == EXHAUSTED_COMPLETE and task.exact:
            return Attempt(Solvable.NO, states=int(outcome.statistics["expanded"]))
        return Attempt(Solvable.UNKNOWN)

    def smallest_conflict(self, goals: Iterable[int]) -> list[int]:
        """Goals that cannot be reached together, and no longer so without any of them, as far as searches tell."""
        conflict = sorted(goals)
        for goal in list(conflict):
            fewer = [other for other in conflict if other != goal]
            if fewer and self(fewer).answer is Solvable.NO:
                conflict = fewer
        return conflict
