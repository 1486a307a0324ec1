"""An integer solver as an engine that makes plans cheaper: how often each run of the plan is executed is open.

Declines     without CP-SAT, with numbers that are not exact integers, with costs that can fall, with more operators or
             a longer plan than a formula should have
Pauses       like the improver it ends with a better plan now and then. If somebody else has found one, it goes
             on with that one at once: a new start would take as long as several questions
Process      the solver works in a worker of its own (engines.patterns.worker)
Not here     which formulas are asked (engines.patterns.recount)
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from numbat.engines.board import Board
from numbat.engines.improve.engine import LONGEST_SHARED, NOTHING_LEFT, Start
from numbat.engines.improve.prices import prices
from numbat.engines.outcome import Outcome, Status
from numbat.engines.patterns.backends import available
from numbat.engines.patterns.reduce import Form, Model, alike, reduce
from numbat.engines.patterns.worker import Died, OutOfMemory, OutOfTime, contain
from numbat.engines.problem import Problem
from numbat.search.run import Limits

if TYPE_CHECKING:
    from numbat.engines.patterns.recount import Plan

NAME = "recount"
MOST_OPERATORS = 20_000
# It ends with a better plan after so many seconds, at first; later after a part of the time it has had.
FIRST_PAUSE, LATER_PAUSE, LONGEST_PAUSE = 0.1, 0.1, 2.0


class Recounting(Start):
    """See the module's docstring."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return NAME

    def declines(self, problem: Problem) -> str | None:
        task = problem.grounded
        if "cpsat" not in available():
            return "CP-SAT is not installed: pip install numbat-planner[patterns]"
        if not task.exact:
            return "the task's numbers are not exact integers"
        if problem.costs_can_fall:
            return "costs can fall"
        if len(task.operator_names) > MOST_OPERATORS:
            return f"more than {MOST_OPERATORS} operators"
        return None

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        plan = self.incumbent.plan
        if len(plan) > LONGEST_SHARED:
            return Outcome(Status.GAVE_UP, reason=f"more than {LONGEST_SHARED} steps")
        found: list[tuple[int, ...]] = []
        result = contain(partial(self._work, problem), limits, found.append)
        notes = result.notes if isinstance(result, _Ended) else self.known
        statistics = {"seconds": result.seconds} if isinstance(result, _Ended) else {}
        if found:
            return Outcome(Status.IMPROVED, found[-1], statistics=statistics, notes=notes)
        reason = result.reason if isinstance(result, _Ended | Died) else ""
        return Outcome(_STATUS.get(type(result), Status.GAVE_UP), reason=reason, statistics=statistics, notes=notes)

    def _work(self, problem: Problem, report: Callable[[tuple[int, ...]], None]) -> _Ended:
        """In the worker."""
        from numbat.engines.patterns.recount import Recount, unrolled  # imports the solver

        began, progress = time.process_time(), False
        model = reduce(problem.grounded)
        cheapest = _cheapest(problem, model)
        action_of = {operator: number for number, group in enumerate(cheapest.groups) for operator in group}
        recount = Recount(model, cheapest.costs, self.seed, pickle.loads(self.known) if self.known else ())
        pause = min(FIRST_PAUSE + LATER_PAUSE * self.used, LONGEST_PAUSE)
        seen = -1.0

        def newest() -> list[int] | None:
            nonlocal seen
            plan = self.incumbent.newest()
            if plan is None or plan[0] == seen:
                return None
            seen = plan[0]
            return [action_of[operator] for operator in plan[1]]

        def tell(plan: Plan) -> None:
            nonlocal progress
            progress = True
            report(tuple(cheapest.operators[action] for action in unrolled(plan)))

        recount.run(newest, lambda: progress and time.process_time() - began > pause, tell)
        return _Ended(pickle.dumps(recount.lanes), time.process_time() - began, NOTHING_LEFT)


class _Ended(NamedTuple):
    """What a start says at its end, besides its plans."""

    notes: bytes
    seconds: float
    reason: str


_STATUS = {OutOfTime: Status.OUT_OF_TIME, OutOfMemory: Status.OUT_OF_MEMORY}


class _Cheapest(NamedTuple):
    """For each action of the model: all operators that it stands for, the cheapest of them, and what that costs."""

    groups: list[list[int]]
    operators: list[int]
    costs: list[Form]


def _cheapest(problem: Problem, model: Model) -> _Cheapest:
    price = prices(problem.grounded, nonnegative=True)
    start, constants = price["start"].tolist(), price["constant"].tolist()
    terms = list(zip(price["variable"].tolist(), price["coefficient"].tolist(), strict=True))
    forms = [Form(tuple(terms[begin:end]), c) for (begin, end), c in zip(pairwise(start), constants, strict=True)]
    groups = alike(problem.grounded, model)
    # of several whose costs depend on the state none is known to be the cheapest one; any will do
    operators = [min(group, key=lambda operator: forms[operator].constant) for group in groups]
    return _Cheapest(groups, operators, [forms[operator] for operator in operators])
