"""One search through the compiled core: arrays and a Search in, an Outcome out.

Parts        a task may come as independent parts: they are searched one after the other by the same search
Notation     numbat.search.notation; the core knows only queues, strings and numbers
Cost         core_task checks and copies the arrays once; children share it by copy-on-write
Not here     processes, limits of the whole tree, names of operators (numbat.portfolio)
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields

from numbat import _core
from numbat.search.notation import Search
from numbat.search.options import SearchOptions
from numbat.search.outcome import SOLVED, Outcome
from numbat.task.grounded import Doubles, GroundedTask, Ints

# What is for people, and what only Python asks about; everything else goes to the core under its own name.
_NOT_FOR_THE_CORE = ("operator_names", "fact_names", "variable_names", "has_metric")


def core_task(task: GroundedTask) -> _core.Task:
    """The task as the core keeps it."""
    names = (field.name for field in fields(task) if field.name not in _NOT_FOR_THE_CORE)
    return _core.Task(**{name: getattr(task, name) for name in names})


@dataclass(frozen=True, slots=True)
class Part:
    """An independent part of a task; `operators` are the numbers its operators have in the whole."""

    core: _core.Task
    operators: Ints


@dataclass(frozen=True, slots=True)
class Limits:
    """What one search may use: CPU seconds, bytes, and the cost its plan must stay below."""

    time: float
    memory: int
    bound: float = math.inf


def run(
    task: _core.Task, search: Search, options: SearchOptions, limits: Limits, board: Doubles | None = None
) -> Outcome:
    """Run one search to its end in this process."""
    queues = [
        _core.Queue(q.heuristic, helpful=q.helpful, jumps=q.jumps, feature=q.feature, measure=q.measure, k=q.k)
        for q in search.queues
    ]
    result = _core.search(
        task,
        queues,
        time=limits.time,
        memory=limits.memory,
        tie_breaking=options.ties,
        seed=options.seed,
        patience=options.patience,
        metric_cost=options.heuristic_cost == "metric",
        compat=options.variant == "compat",
        bound=limits.bound,
        board=board,
    )
    return Outcome(result.status, tuple(result.plan), dict(result.statistics), tuple(result.history))


def run_parts(
    parts: Sequence[Part], search: Search, options: SearchOptions, limits: Limits, board: Doubles | None = None
) -> Outcome:
    """Search each part in turn; the plans in a row are a plan, and a part without one ends it."""
    begin = time.process_time()
    plan: list[int] = []
    statistics: dict[str, float] = {}
    for part in parts:
        left = Limits(limits.time - (time.process_time() - begin), limits.memory, limits.bound)
        outcome = run(part.core, search, options, left, board)
        statistics = _added(statistics, outcome.statistics)
        if outcome.status != SOLVED:
            return Outcome(outcome.status, (), statistics, outcome.history)
        plan += part.operators[list(outcome.plan)].tolist()
    return Outcome(SOLVED, tuple(plan), statistics, outcome.history)


def _added(before: dict[str, float], more: dict[str, float]) -> dict[str, float]:
    """Counts add up; memory is given back between the parts."""
    sums = {name: before.get(name, 0) + value for name, value in more.items()}
    sums["memory"] = max(before.get("memory", 0), more["memory"])
    sums["evaluations_per_second"] = sums["evaluated"] / sums["seconds"] if sums["seconds"] > 0 else 0.0
    return sums
