"""One search through the compiled core: arrays and a Search in, a SearchResult out.

Boundary     what is asked for crosses into the core as one record, made here and nowhere else (_core.SearchOptions)
Cost         core_task checks and copies the arrays once; children share it by copy-on-write
Not here     processes, limits of the whole tree, names of operators (numbat.run), parts and bounds (numbat.engines)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from numbat import _core
from numbat.analyse.saturation import last_values
from numbat.search.bounds import Bounds
from numbat.search.costs import integer_costs
from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions
from numbat.search.outcome import SearchResult
from numbat.search.variations import variations
from numbat.task.grounded import Doubles, GroundedTask
from numbat.task.symmetry import Swap

# What is for people, and what only Python asks about; everything else goes to the core under its own name.
_NAMES = ("operator_names", "fact_names", "variable_names")
_NOT_FOR_THE_CORE = (*_NAMES, "variable_unit", "has_metric", "cost_whole", "cost_unit", "cost_start", "cost_term_whole")


def core_arrays(task: GroundedTask) -> dict[str, Any]:
    """What the core is told of a task."""
    names = (field.name for field in fields(task) if field.name not in _NOT_FOR_THE_CORE)
    last = last_values(task)
    return {
        **{name: getattr(task, name) for name in names},
        "integer_costs": integer_costs(task).costs,
        "last_value_variable": last.variable,
        "last_value_rises": last.rises,
        "last_value": last.value,
    }


def core_task(task: GroundedTask) -> _core.Task:
    """The task as the core keeps it."""
    return _core.Task(**core_arrays(task))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one search may use: CPU seconds, bytes, and the cost its plan must stay below.

    integer_bound   that cost for A(...), in the task's integer costs (numbat.search.costs); 0: none
    bounds          what all searches for a cheapest plan know of its cost, shared by them
    swaps           interchangeable objects, for A(...), which then searches one state of each orbit
    cost_elsewhere  how much of those bounds is not for this task: the cost of other parts of the whole
    """

    time: float
    memory: int
    bound: float = math.inf
    integer_bound: int = 0
    bounds: Bounds | None = None
    cost_elsewhere: int = 0
    swaps: tuple[Swap, ...] = ()


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
                "joins_at": variation.joins_at,
                "weight": variation.search.weight,
            }
            for variation in variations(search, options)
        ],
        "patience": options.patience,
        "time": float(limits.time),
        "memory": limits.memory,
        "metric_cost": options.heuristic_cost == "metric",
        "plus_one": options.heuristic_cost == "plusone",
        "compat": options.variant == "compat",
        "bound": float(limits.bound),
        "integer_bound": limits.integer_bound,
        "bounds": limits.bounds.row if limits.bounds else None,
        "cost_elsewhere": limits.cost_elsewhere,
        "stubborn": "stubborn" in options.pruning,
        "dominance": "dominance" in options.pruning,
        "swaps": [{"facts": s.facts, "variables": s.variables, "operators": s.operators} for s in limits.swaps],
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
) -> SearchResult:
    """Run one search to its end in this process."""
    result = _core.search(task, core_options(search, options, limits, board))
    return SearchResult(
        result.status,
        tuple(result.plan),
        dict(result.statistics),
        tuple(result.history),
        proved_optimal=result.proved_optimal,
        lower_bound=result.lower_bound,
    )
