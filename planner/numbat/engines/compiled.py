"""The compiled search as an engine: one search of the notation, on the task, its parts, or with its cost as a goal.

Parts        are searched one after the other; a bound is on the cost of the whole, so with one nothing is parted
Bound        where costs never fall, states that have reached it are pruned; where they can, staying below it becomes
             part of the goal
Proof        no plan: an exact task without a bound, all of whose states were seen. No better plan: the search kept a
             lower bound on every plan's cost and reached it, on an exact task whose costs are those of the metric
Not here     the search itself (numbat.search, the core)
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from fractions import Fraction

from numbat import _core
from numbat.analyse.cost_goal import below
from numbat.engines.board import Board
from numbat.engines.outcome import Basis, Outcome, Proof, Status
from numbat.engines.problem import Problem
from numbat.search import outcome as core
from numbat.search.bounds import LARGEST
from numbat.search.costs import integer_costs
from numbat.search.notation import Search
from numbat.search.options import SearchOptions
from numbat.search.outcome import SearchResult
from numbat.search.registry import proving_algorithms, weighted_algorithms
from numbat.search.run import Limits, core_task, run


@dataclass(frozen=True, slots=True)
class CompiledSearch:
    """One search with its options."""

    search: Search
    options: SearchOptions

    @property
    def name(self) -> str:
        return str(self.search)

    def declines(self, problem: Problem) -> str | None:
        if not self._counts_whole_costs:
            return None
        return integer_costs(problem.grounded).refusal or None

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        if limits.bound < math.inf:
            return self._better(problem, limits, board)
        if len(problem.parts) > 1:
            return self._part_by_part(problem, limits, board)
        swaps = problem.swaps if self._reduces else ()
        return self._outcome(problem, self._run(problem.compiled, replace(limits, swaps=swaps), board))

    @property
    def _counts_whole_costs(self) -> bool:
        return self.search.algorithm in (*proving_algorithms(), *weighted_algorithms())

    @property
    def _reduces(self) -> bool:
        """Does it search one state of each orbit?"""
        return self.search.algorithm in proving_algorithms() and "symmetries" in self.options.pruning

    def _run(self, task: _core.Task, limits: Limits, board: Board) -> SearchResult:
        return run(task, self.search, self.options, limits, board.slots)

    def _better(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        if problem.costs_can_fall:
            task = core_task(below(problem.cost_goal, limits.bound))
            result = self._run(task, replace(limits, bound=math.inf), board)
        else:
            if self.search.algorithm in weighted_algorithms():
                bound = integer_costs(problem.grounded).bound(Fraction(limits.bound))
                limits = replace(limits, integer_bound=min(bound, LARGEST))
            result = self._run(problem.compiled, limits, board)
        if result.status == core.SOLVED:
            return _with_plan(Status.IMPROVED, problem, result)
        return _without_plan(result)

    def _part_by_part(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        begin = time.process_time()
        plan: list[int] = []
        statistics: dict[str, float] = {}
        proved = True
        all_swaps = problem.swaps_of_parts if self._reduces else ((),) * len(problem.parts)
        for part, task, swaps in zip(problem.parts, problem.compiled_parts, all_swaps, strict=True):
            left = replace(limits, time=limits.time - (time.process_time() - begin), swaps=swaps)
            result = self._run(task, left, board)
            statistics = _added(statistics, result.statistics)
            if result.status != core.SOLVED:
                return self._outcome(problem, replace(result, statistics=statistics))
            plan += part.restore_plan(result.plan)
            proved &= result.proved_optimal
            # Without a proof of this part, nothing is known of the rest that bounds the whole.
            elsewhere = limits.cost_elsewhere + result.lower_bound
            if proved and elsewhere <= LARGEST:
                limits = replace(limits, cost_elsewhere=elsewhere)
            else:
                limits = replace(limits, cost_elsewhere=0, bounds=None)
        whole = replace(result, plan=tuple(plan), statistics=statistics, proved_optimal=proved)
        return self._outcome(problem, whole)

    def _outcome(self, problem: Problem, result: SearchResult) -> Outcome:
        """Of a search without a bound."""
        if result.status == core.SOLVED:
            return _with_plan(Status.SOLVED, problem, result)
        if result.status == core.EXHAUSTED_COMPLETE and problem.grounded.exact:
            proof = Proof(Basis.EXHAUSTION)
            return Outcome(Status.UNSOLVABLE, proof=proof, statistics=result.statistics, history=result.history)
        return _without_plan(result)


_STATUS = {core.OUT_OF_TIME: Status.OUT_OF_TIME, core.OUT_OF_MEMORY: Status.OUT_OF_MEMORY}


def _with_plan(status: Status, problem: Problem, result: SearchResult) -> Outcome:
    proof = None
    if result.proved_optimal and problem.grounded.exact and problem.costs_exact and not problem.costs_can_fall:
        status, proof = Status.OPTIMAL, Proof(Basis.BOUND)
    return Outcome(status, result.plan, proof, statistics=result.statistics, history=result.history)


def _without_plan(result: SearchResult) -> Outcome:
    status = _STATUS.get(result.status, Status.GAVE_UP)
    reason = result.status if status is Status.GAVE_UP else ""
    return Outcome(status, reason=reason, statistics=result.statistics, history=result.history)


def _added(before: dict[str, float], more: dict[str, float]) -> dict[str, float]:
    """Counts add up; memory is given back between the parts."""
    sums = {name: before.get(name, 0) + value for name, value in more.items()}
    sums["memory"] = max(before.get("memory", 0), more["memory"])
    sums["evaluations_per_second"] = sums["evaluated"] / sums["seconds"] if sums["seconds"] > 0 else 0.0
    return sums
