"""One more member of an anytime run: a search below the best plan, to prove that nothing is there.

BoundProver       A*, which raises a lower bound on what plans cost; when that reaches the plan's, the plan is optimal.
                  Where the conditions of --optimal hold (require_optimality_possible)
ExhaustionProver  elsewhere, if costs are integers of moderate size all the same: where they can fall, or depend on the
                  state, and for metrics to be maximized. When a search has seen all states below the plan's cost, the
                  plan is optimal
Memory            a part of the run's: the searches and the improver need theirs
Not here          the searches (core, engines), plans and their publication (anytime)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from numbat.engines.board import Board
from numbat.engines.compiled import CompiledSearch
from numbat.engines.engine import Engine
from numbat.engines.exhaustion import Exhaustion
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.errors import ConfigurationError
from numbat.portfolio.member import Work
from numbat.run.optimal import require_optimality_possible
from numbat.run.pursuit import Team
from numbat.search.bounds import LARGEST, Bounds
from numbat.search.costs import require_integer_costs
from numbat.search.notation import Queue, Search
from numbat.search.run import Limits, core_task
from numbat.search.simulate import Simulator
from numbat.task.plan import Plan

SEARCH = Search((Queue("blind"),), "A")
MEMORY_SHARE = 4


class Prover(Protocol):
    """What an anytime run asks of one."""

    name: str

    def work(self) -> Work:
        """What the member does from now on."""

    def note(self, operators: Sequence[int], plan: Plan) -> bool:
        """A plan was accepted: only what is cheaper is still searched for. False: there is nothing to search below."""

    def goes_on(self, outcome: Outcome) -> bool:
        """The member has ended, and its plan is noted if it was accepted. Does it start again?"""

    def proves(self, plan: Plan) -> bool:
        """Is it known that no plan is cheaper?"""


def prover(team: Team, *, maximize: bool) -> Prover | None:
    """For the task and metric at hand, if there is one."""
    if not maximize and possible(team.problem):
        return BoundProver(team)
    decline = Exhaustion(team.options, Fraction(0)).declines(team.problem)
    return ExhaustionProver(team, maximize=maximize) if team.problem.grounded.has_metric and decline is None else None


def possible(problem: Problem) -> bool:
    """Can A* prove plans of this task optimal, if the metric is to be minimized?"""
    try:
        require_optimality_possible(problem, str(SEARCH), maximize=False)
    except ConfigurationError:
        return False
    return True


def _work(team: Team, engine: Engine, bounds: Bounds | None = None) -> Work:
    def work(board: Board, seconds: float) -> Outcome:
        limits = Limits(seconds, team.memory // MEMORY_SHARE, bounds=bounds)
        outcome = engine.run(team.problem, limits, board)
        if outcome.status is not Status.OUT_OF_MEMORY:
            return outcome
        # no reason to start again, or to say that the run was short of memory
        return replace(outcome, status=Status.GAVE_UP, reason="the proof needs more memory")

    return work


class BoundProver:
    """What the run knows of the cost of a cheapest plan."""

    name = str(SEARCH)

    def __init__(self, team: Team) -> None:
        self._team = team
        self._costs = require_integer_costs(team.problem.grounded)
        self._bounds = Bounds()
        self._best: Fraction | None = None  # cost of the plan that the upper bound is of

    def work(self) -> Work:
        return _work(self._team, CompiledSearch(SEARCH, self._team.options), self._bounds)

    def note(self, operators: Sequence[int], plan: Plan) -> bool:
        cost = sum(int(self._costs.costs[operator]) for operator in operators)
        in_metric = self._team.problem.grounded.cost_start + cost * self._costs.unit
        if plan.cost == in_metric and cost <= LARGEST and (self._bounds.upper is None or cost < self._bounds.upper):
            self._bounds.upper, self._best = cost, plan.cost
        return True

    def goes_on(self, outcome: Outcome) -> bool:
        return False

    def proves(self, plan: Plan) -> bool:
        upper = self._bounds.upper
        return upper is not None and plan.cost == self._best and self._bounds.lower >= upper


class ExhaustionProver:
    """Below which cost there is no plan."""

    name = Exhaustion.name

    def __init__(self, team: Team, *, maximize: bool) -> None:
        self._team = team
        self._sign = -1 if maximize else 1
        task = team.problem.cost_goal
        self._simulator = Simulator(task, core_task(task))
        self._best: Fraction | None = None  # what the operators of the best plan come to
        self._cost: Fraction | None = None  # and what the referee says of it
        self._asked: Fraction | None = None  # below this the member searches
        self._proved: Fraction | None = None  # and below this there is nothing

    def work(self) -> Work:
        assert self._best is not None
        self._asked = self._best
        return _work(self._team, Exhaustion(self._team.options, self._asked))

    def note(self, operators: Sequence[int], plan: Plan) -> bool:
        task, end = self._team.problem.cost_goal, self._simulator.run(operators)
        paid = Fraction(int(end.values[-1])) * task.cost_unit if end else None
        counted = paid is not None and plan.cost == task.cost_start + self._sign * paid
        if paid is not None and counted and (self._best is None or paid < self._best):
            self._best, self._cost = paid, plan.cost
        return self._best is not None

    def goes_on(self, outcome: Outcome) -> bool:
        if outcome.status is Status.NONE_BETTER:
            self._proved = self._asked
        return outcome.has_plan and self._best != self._asked

    def proves(self, plan: Plan) -> bool:
        return self._proved is not None and self._proved == self._best and plan.cost == self._cost
