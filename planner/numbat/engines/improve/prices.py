"""What actions cost, in exact integers: constants or linear forms over the state, for improving plans.

In, out      GroundedTask → Prices
Otherwise    every action costs 1: where no common unit turns the costs into integers of moderate size, or where they
             depend on rounded numbers
Exact        a coefficient is read as the fraction with the least denominator, up to a million, that has this double as
             its nearest; all are scaled by their least common multiple. The referee counts again (numbat.run.publish)
Not here     the costs of searches that prove optimality (numbat.search.costs)
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from numbat import _core
from numbat.task.grounded import Doubles, GroundedTask

LARGEST_DENOMINATOR = 10**6
# Sums of as many costs as plans have steps must fit into 64 bits.
LARGEST_PRICE = 1 << 46


def prices(task: GroundedTask, *, nonnegative: bool) -> _core.Prices:
    """See the module's docstring. `nonnegative`: no action can cost less than nothing."""
    operators = len(task.cost_constant)
    integers = _integers(np.concatenate([task.cost_constant, task.cost_term_coefficient]))
    if integers is None or (len(task.cost_term_variable) and not task.exact):
        return _steps_only(operators)
    return {
        "constant": np.ascontiguousarray(integers[:operators]),
        "start": task.cost_term_start,
        "variable": task.cost_term_variable,
        "coefficient": np.ascontiguousarray(integers[operators:]),
        "nonnegative": nonnegative,
    }


def _integers(numbers: Doubles) -> NDArray[np.int64] | None:
    """Multiples of a common unit."""
    values, places = np.unique(numbers, return_inverse=True)
    exact = [Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values.tolist()]
    if any(float(fraction) != value for fraction, value in zip(exact, values.tolist(), strict=True)):
        return None
    scale = math.lcm(*(fraction.denominator for fraction in exact))
    integers = [int(fraction * scale) for fraction in exact]
    if any(abs(integer) > LARGEST_PRICE for integer in integers):
        return None
    return np.array(integers, dtype=np.int64)[places.reshape(-1)]


def _steps_only(operators: int) -> _core.Prices:
    return {
        "constant": np.ones(operators, dtype=np.int64),
        "start": np.zeros(operators + 1, dtype=np.int32),
        "variable": np.zeros(0, dtype=np.int32),
        "coefficient": np.zeros(0, dtype=np.int64),
        "nonnegative": True,
    }
