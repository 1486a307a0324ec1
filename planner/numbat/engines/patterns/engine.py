"""Symbolic pattern planning as an engine: when it declines, which solver, part by part, in a worker.

Declines     without a solver, with numbers that are not exact integers, with more operators than a formula may have
Solvers      the first that is installed; if its process dies, the next one has the rest of the time
Parts        independent parts are planned for one after the other
Proof        no plan: the relaxed fixpoint of a part misses its goal
Bound        it does not know costs, so it gives up at once where a better plan is wanted
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import partial

from numbat import _core
from numbat.engines.board import Board, PatternProgress
from numbat.engines.outcome import Basis, Outcome, Proof, Status
from numbat.engines.patterns.backends import available, load
from numbat.engines.patterns.reduce import reduce
from numbat.engines.patterns.search import GaveUp, Solved, Unsolvable
from numbat.engines.patterns.worker import Died, OutOfTime, ReportProgress, Result, run
from numbat.engines.problem import Problem
from numbat.search.options import SearchOptions
from numbat.search.run import Limits
from numbat.task.grounded import GroundedTask

MOST_OPERATORS = 100_000


@dataclass(frozen=True, slots=True)
class Patterns:
    """See numbat.engines.engine; none of the searches' options concerns it."""

    options: SearchOptions
    name: str = "patterns"

    def declines(self, problem: Problem) -> str | None:
        if not available():
            return "no solver is installed: pip install numbat-planner[patterns]"
        if not problem.grounded.exact:
            return "the task's numbers are not exact integers"
        if len(problem.grounded.operator_names) > MOST_OPERATORS:
            return f"more than {MOST_OPERATORS} operators"
        return None

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        if limits.bound < math.inf:
            return Outcome(Status.GAVE_UP, reason="patterns know no costs")
        end = _cpu_seconds() + limits.time
        report = partial(_post, board)
        if len(problem.parts) < 2:
            return _outcome(plan(problem.grounded, Limits(end - _cpu_seconds(), limits.memory), report))
        whole: list[int] = []
        for part in problem.parts:
            result = plan(part.task, Limits(end - _cpu_seconds(), limits.memory), report)
            if not isinstance(result, Solved):
                return _outcome(result)
            whole += part.restore_plan(result.operators)
        return Outcome(Status.SOLVED, tuple(whole))


def plan(task: GroundedTask, limits: Limits, report: ReportProgress) -> Result:
    """Search until there is a result; operators are ids of this task, and have been replayed with exact integers."""
    end = _cpu_seconds() + limits.time
    model = reduce(task)
    result: Result = Died("no solver is installed")
    for solver in available():
        result = run(model, partial(load, solver), Limits(end - _cpu_seconds(), limits.memory), report)
        if not isinstance(result, Died):
            break
    return result


def _outcome(result: Result) -> Outcome:
    match result:
        case Solved(operators):
            return Outcome(Status.SOLVED, operators)
        case Unsolvable():
            return Outcome(Status.UNSOLVABLE, proof=Proof(Basis.RELAXED_FIXPOINT))
        case GaveUp(reason) | Died(reason):
            return Outcome(Status.GAVE_UP, reason=reason)
        case OutOfTime():
            return Outcome(Status.OUT_OF_TIME)
    return Outcome(Status.OUT_OF_MEMORY)


def _post(board: Board, progress: PatternProgress) -> None:
    """Formulas asked, positions of the last one, subgoals that do not hold in the best state."""
    board.slots[_core.BOARD_EVALUATED] += 1
    board.slots[_core.BOARD_EXPANDED] = progress.pattern_length
    board.slots[_core.BOARD_BEST_H] = progress.of_subgoals - progress.subgoals
    board.pattern = progress


def _cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])
