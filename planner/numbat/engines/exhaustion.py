"""A proof that no plan costs less, where A* has none: costs that can fall, or that depend on the state.

In, out      a bound on the cost → a plan below it, or the proof that there is none
How          the cost so far is one more number of the state, and staying below the bound one more goal; a search that
             sees every state of this task without a plan is the proof. It ends if there are finitely many states that
             differ in anything that matters, cost included, and that are no dead ends
Not here     costs that A* counts (compiled)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from numbat.analyse.cost_goal import LARGEST, below, stopped_at_bound
from numbat.engines.board import Board
from numbat.engines.outcome import Basis, Outcome, Proof, Status
from numbat.engines.problem import Problem
from numbat.search import outcome as core
from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions
from numbat.search.run import Limits, core_task, run

# Where there are more operators the states are too many in any case.
MOST_OPERATORS = 20_000
SEARCH = Search((Queue("hadd"),))


@dataclass(frozen=True, slots=True)
class Exhaustion:
    """One search below a bound on what a plan's operators cost, a multiple of the unit of costs."""

    options: SearchOptions
    bound: Fraction

    name = "exhaustion"

    def declines(self, problem: Problem) -> str | None:
        if len(problem.grounded.operator_names) > MOST_OPERATORS:
            return "too many operators"
        if not problem.costs_exact:
            return "what actions cost is not known exactly"
        return None if problem.cost_goal.exact else "costs or numbers cannot be kept as integers"

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        units = self.bound / problem.cost_goal.cost_unit
        if units.denominator != 1 or abs(units) >= LARGEST:
            return Outcome(Status.GAVE_UP, reason="the bound cannot be kept exactly")
        task = below(problem.cost_goal, self.bound)
        if not problem.costs_can_fall:
            task = stopped_at_bound(task)
        result = run(core_task(task), SEARCH, replace(self.options, patience=0), limits, board.slots)
        if result.status == core.SOLVED:
            return Outcome(Status.IMPROVED, result.plan, statistics=result.statistics, history=result.history)
        if result.status == core.EXHAUSTED_COMPLETE and problem.cost_goal.exact and problem.costs_exact:
            proof = Proof(Basis.EXHAUSTION)
            return Outcome(Status.NONE_BETTER, proof=proof, statistics=result.statistics, history=result.history)
        return Outcome(Status.GAVE_UP, reason=result.status, statistics=result.statistics, history=result.history)
