"""One more member of an anytime run: A* that searches below the best plan, to prove that nothing is there.

In, out      the best plan so far → a lower bound on what plans cost; when that reaches the plan's, the plan is optimal
Where        the conditions of --optimal hold (require_optimality_possible); elsewhere there is no such member
Memory       a part of the run's: the searches and the improver need theirs
Not here     the search (core), plans and their publication (anytime)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from numbat.engines.board import Board
from numbat.engines.compiled import CompiledSearch
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.errors import ConfigurationError
from numbat.portfolio.member import Work
from numbat.run.optimal import require_optimality_possible
from numbat.run.pursuit import Team
from numbat.search.bounds import LARGEST, Bounds
from numbat.search.costs import require_integer_costs
from numbat.search.notation import Queue, Search
from numbat.search.run import Limits
from numbat.task.plan import Plan

SEARCH = Search((Queue("blind"),), "A")
MEMORY_SHARE = 4


def possible(problem: Problem) -> bool:
    """Can plans of this task be proved optimal, if the metric is to be minimized?"""
    try:
        require_optimality_possible(problem, str(SEARCH), maximize=False)
    except ConfigurationError:
        return False
    return True


class Prover:
    """What the run knows of the cost of a cheapest plan."""

    name = str(SEARCH)

    def __init__(self, team: Team) -> None:
        self._team = team
        self._costs = require_integer_costs(team.problem.grounded)
        self._bounds = Bounds()
        self._best: Fraction | None = None  # cost of the plan that the upper bound is of

    def work(self) -> Work:
        engine = CompiledSearch(SEARCH, self._team.options)

        def work(board: Board, seconds: float) -> Outcome:
            limits = Limits(seconds, self._team.memory // MEMORY_SHARE, bounds=self._bounds)
            outcome = engine.run(self._team.problem, limits, board)
            if outcome.status is not Status.OUT_OF_MEMORY:
                return outcome
            # no reason to start again, or to say that the run was short of memory
            return replace(outcome, status=Status.GAVE_UP, reason="the proof needs more memory")

        return work

    def note(self, operators: Sequence[int], plan: Plan) -> None:
        """A plan that was accepted: only what is cheaper is still searched for."""
        cost = sum(int(self._costs.costs[operator]) for operator in operators)
        in_metric = self._team.problem.grounded.cost_start + cost * self._costs.unit
        if plan.cost == in_metric and cost <= LARGEST and (self._bounds.upper is None or cost < self._bounds.upper):
            self._bounds.upper, self._best = cost, plan.cost

    def proves(self, plan: Plan) -> bool:
        """Is it known that no plan is cheaper?"""
        upper = self._bounds.upper
        return upper is not None and plan.cost == self._best and self._bounds.lower >= upper
