"""What actions cost, in exact integers: constants or linear forms over the state, for improving plans.

In, out      GroundedTask → Prices, or None if no common unit turns the costs into integers of moderate size
Exact        a coefficient is read as the fraction with the least denominator, up to a million, that has this double as
             its nearest; all are scaled by their least common multiple. The referee counts again (numbat.run.publish)
Not here     the costs of searches that prove optimality (numbat.search.costs)
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from numbat import _core
from numbat.task.grounded import GroundedTask

LARGEST_DENOMINATOR = 10**6
# Sums of as many costs as plans have steps must fit into 64 bits.
LARGEST_PRICE = 1 << 46


def prices(task: GroundedTask, *, nonnegative: bool) -> _core.Prices | None:
    """See the module's docstring. `nonnegative`: no action can cost less than nothing."""
    numbers = np.concatenate([task.cost_constant, task.cost_term_coefficient])
    values, places = np.unique(numbers, return_inverse=True)
    exact = [Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values.tolist()]
    if any(float(fraction) != value for fraction, value in zip(exact, values.tolist(), strict=True)):
        return None
    scale = math.lcm(*(fraction.denominator for fraction in exact))
    integers = [int(fraction * scale) for fraction in exact]
    if any(abs(integer) > LARGEST_PRICE for integer in integers):
        return None
    scaled = np.array(integers, dtype=np.int64)[places.reshape(-1)]
    operators = len(task.cost_constant)
    return {
        "constant": np.ascontiguousarray(scaled[:operators]),
        "start": task.cost_term_start,
        "variable": task.cost_term_variable,
        "coefficient": np.ascontiguousarray(scaled[operators:]),
        "nonnegative": nonnegative,
    }
