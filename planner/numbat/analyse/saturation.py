"""Numbers that have gone too far to matter: the last value of every variable that goes in one direction only.

Definition   a variable that operators can only increase, or only decrease, by constants, and that every condition looks
             at alone, has a last threshold: beyond it no condition changes any more, whatever happens. States that
             differ only beyond it are equal for every plan, so a search brings the number back to just beyond it
In, out      GroundedTask → LastValues
Exact        a task that is not exact has none: rounding could move a threshold
Cost         linear in the arrays
Not here     bringing the numbers back (core/task.h)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numbat.task.grounded import Bytes, GroundedTask, Ints

_LARGEST = 2**63 - 1  # that the core keeps


@dataclass(frozen=True, slots=True)
class LastValues:
    """Columns: a variable, whether it rises (1) or falls (0), and the value beyond which all are alike."""

    variable: Ints
    rises: Bytes
    value: NDArray[np.int64]


def last_values(task: GroundedTask) -> LastValues:
    rises, falls = _directions(task)
    one_way = (rises != falls) & ~_entangled(task) & task.exact
    thresholds = {v: [int(task.init_values[v])] for v in np.flatnonzero(one_way).tolist()}
    for condition in np.flatnonzero(np.diff(task.condition_start) == 1).tolist():
        term = task.condition_start[condition]
        variable = int(task.condition_variable[term])
        if variable in thresholds:
            below = -int(task.condition_constant[condition]) // int(task.condition_coefficient[term])
            thresholds[variable].append(below + int(rises[variable]))
    last = {v: max(values) + 1 if rises[v] else min(values) - 1 for v, values in thresholds.items()}
    kept = {v: value for v, value in last.items() if abs(value) <= _LARGEST}
    variables = np.array(list(kept), dtype=np.int32)
    return LastValues(variables, rises[variables].astype(np.uint8), np.array(list(kept.values()), dtype=np.int64))


def _directions(task: GroundedTask) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which variables some effect increases, and which some effect decreases."""
    rises, falls = np.zeros((2, len(task.init_values)), dtype=bool)
    rises[task.numeric_variable[task.numeric_constant > 0]] = True
    falls[task.numeric_variable[task.numeric_constant < 0]] = True
    return rises, falls


def _entangled(task: GroundedTask) -> NDArray[np.bool_]:
    """Variables that are changed or read in another way than alone, by constants."""
    entangled = np.zeros(len(task.init_values), dtype=bool)
    sizes = np.diff(task.condition_start)
    entangled[task.condition_variable[np.repeat(sizes > 1, sizes)]] = True
    by_others = (task.numeric_assign != 0) | (np.diff(task.numeric_term_start) > 0)
    entangled[task.numeric_variable[by_others]] = True
    entangled[task.numeric_term_variable] = True
    entangled[task.cost_term_variable] = True
    return entangled
