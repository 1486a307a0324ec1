"""Symbolic pattern planning as an engine: who declines, which solver, in a worker.

Declines     without a solver, with numbers that are not exact integers, with more actions than a formula may have
Solvers      the first that is installed; if its process dies, the next one has the rest of the time
In, out      GroundedTask, Limits → Result; found plans are operator ids, replayed with exact integers
"""

from __future__ import annotations

import os
from functools import partial

from numbat.engines.patterns.backends import available, load
from numbat.engines.patterns.reduce import reduce
from numbat.engines.patterns.worker import Died, Limits, Report, Result, run
from numbat.task.grounded import GroundedTask

NAME = "patterns"
SUMMARY = "patterns of actions with unknown repetitions, by an integer solver"
MOST_OPERATORS = 100_000


def declines(task: GroundedTask) -> str | None:
    """Why it cannot plan for the task; None if it can. Imports no solver."""
    if not available():
        return "no solver is installed: pip install numbat-planner[patterns]"
    if not task.exact:
        return "the task's numbers are not exact integers"
    if len(task.operator_names) > MOST_OPERATORS:
        return f"more than {MOST_OPERATORS} operators"
    return None


def plan(task: GroundedTask, limits: Limits, report: Report) -> Result:
    """Search until there is a result; not to be called where it declines."""
    end = _cpu_seconds() + limits.time
    model = reduce(task)
    result: Result = Died("no solver is installed")
    for solver in available():
        result = run(model, partial(load, solver), Limits(end - _cpu_seconds(), limits.memory), report)
        if not isinstance(result, Died):
            break
    return result


def _cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])
