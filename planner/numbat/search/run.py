"""One search through the compiled core: arrays and a Search in, an Outcome out.

Parts        a task may come as independent parts: they are searched one after the other by the same search
Boundary     what is asked for crosses into the core as one record, made here and nowhere else (_core.SearchOptions)
Cost         core_task checks and copies the arrays once; children share it by copy-on-write
Not here     processes, limits of the whole tree, names of operators (numbat.portfolio)
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from numbat import _core
from numbat.search.costs import integer_costs, require_integer_costs
from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions
from numbat.search.outcome import SOLVED, Outcome
from numbat.search.registry import proving_algorithms
from numbat.search.variations import variations
from numbat.task.grounded import Doubles, GroundedTask, Ints

# What is for people, and what only Python asks about; everything else goes to the core under its own name.
_NOT_FOR_THE_CORE = ("operator_names", "fact_names", "variable_names", "variable_unit", "has_metric")


def core_arrays(task: GroundedTask) -> dict[str, Any]:
    """What the core is told of a task."""
    names = (field.name for field in fields(task) if field.name not in _NOT_FOR_THE_CORE)
    return {**{name: getattr(task, name) for name in names}, "integer_costs": integer_costs(task).costs}


def core_task(task: GroundedTask) -> _core.Task:
    """The task as the core keeps it."""
    return _core.Task(**core_arrays(task))


@dataclass(frozen=True, slots=True)
class Part:
    """An independent part of a task; `operators` are the numbers its operators have in the whole."""

    core: _core.Task
    operators: Ints


@dataclass(frozen=True, slots=True)
class Limits:
    """What one search may use: CPU seconds, bytes, and the cost its plan must stay below.

    integer_bound   that cost for A(...), in the task's integer costs (numbat.search.costs); 0: none
    """

    time: float
    memory: int
    bound: float = math.inf
    integer_bound: int = 0


def core_options(
    search: Search, options: SearchOptions, limits: Limits, board: Doubles | None = None
) -> _core.SearchOptions:
    """What is asked of the core."""
    return {
        "variations": [
            {
                "algorithm": variation.search.algorithm,
                "queues": [_core_queue(queue) for queue in variation.search.queues],
                "ties": list(variation.ties),
                "seed": variation.seed(search, options.seed),
                "kept": variation.kept,
                "share": variation.share,
            }
            for variation in variations(search, options)
        ],
        "patience": options.patience,
        "time": float(limits.time),
        "memory": limits.memory,
        "metric_cost": options.heuristic_cost == "metric",
        "compat": options.variant == "compat",
        "bound": float(limits.bound),
        "integer_bound": limits.integer_bound,
        "board": board,
    }


def _core_queue(queue: Queue) -> _core.Queue:
    return {
        "heuristic": queue.heuristic,
        "helpful": queue.helpful,
        "jumps": queue.jumps,
        "feature": queue.feature,
        "measure": queue.measure,
        "k": queue.k,
    }


def run(
    task: _core.Task, search: Search, options: SearchOptions, limits: Limits, board: Doubles | None = None
) -> Outcome:
    """Run one search to its end in this process."""
    result = _core.search(task, core_options(search, options, limits, board))
    return Outcome(
        result.status,
        tuple(result.plan),
        dict(result.statistics),
        tuple(result.history),
        proved_optimal=result.proved_optimal,
        lower_bound=result.lower_bound,
    )


def require_costs(task: GroundedTask, searches: Iterable[Search]) -> None:
    """An error that says why, if one of the searches proves optimality and the task's costs are none for that."""
    if any(search.algorithm in proving_algorithms() for search in searches):
        require_integer_costs(task)


def run_parts(
    parts: Sequence[Part], search: Search, options: SearchOptions, limits: Limits, board: Doubles | None = None
) -> Outcome:
    """Search each part in turn; the plans in a row are a plan, and a part without one ends it."""
    begin = time.process_time()
    plan: list[int] = []
    statistics: dict[str, float] = {}
    proved = True
    for part in parts:
        left = Limits(limits.time - (time.process_time() - begin), limits.memory, limits.bound)
        outcome = run(part.core, search, options, left, board)
        statistics = _added(statistics, outcome.statistics)
        if outcome.status != SOLVED:
            return Outcome(outcome.status, (), statistics, outcome.history)
        plan += part.operators[list(outcome.plan)].tolist()
        proved &= outcome.proved_optimal
    return Outcome(SOLVED, tuple(plan), statistics, outcome.history, proved_optimal=proved)


def _added(before: dict[str, float], more: dict[str, float]) -> dict[str, float]:
    """Counts add up; memory is given back between the parts."""
    sums = {name: before.get(name, 0) + value for name, value in more.items()}
    sums["memory"] = max(before.get("memory", 0), more["memory"])
    sums["evaluations_per_second"] = sums["evaluated"] / sums["seconds"] if sums["seconds"] > 0 else 0.0
    return sums
