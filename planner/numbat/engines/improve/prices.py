"""What actions cost, in exact integers: constants or linear forms over the state, for improving plans.

In, out      GroundedTask → Prices
Otherwise    every action costs 1: where no common unit turns the costs into integers of moderate size, or where they
             depend on rounded numbers
Exact        constants are multiples of a unit already (GroundedTask.cost_whole). Coefficients are doubles: one is read
             as the fraction with the least denominator, up to a million, that has this double as its nearest.
             The referee counts again (numbat.run.publish)
Not here     the costs of searches that prove optimality (numbat.search.costs)
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from numbat import _core
from numbat.task.grounded import Doubles, GroundedTask

LARGEST_DENOMINATOR = 10**6
# Sums of as many costs as plans have steps must fit into 64 bits.
LARGEST_PRICE = 1 << 46


def prices(task: GroundedTask, *, nonnegative: bool) -> _core.Prices:
    """See the module's docstring. `nonnegative`: no action can cost less than nothing."""
    operators = len(task.operator_precondition)
    coefficients = _fractions(task.cost_term_coefficient)
    if len(task.cost_whole) != operators or coefficients is None or (coefficients and not task.exact):
        return _steps_only(operators)
    scale = math.lcm(task.cost_unit.denominator, *(coefficient.denominator for coefficient in coefficients))
    unit, scaled = int(task.cost_unit * scale), [int(coefficient * scale) for coefficient in coefficients]
    largest = unit * int(np.abs(task.cost_whole).max(initial=0))
    if max((largest, *map(abs, scaled))) > LARGEST_PRICE:
        return _steps_only(operators)
    return {
        "constant": task.cost_whole * unit,
        "start": task.cost_term_start,
        "variable": task.cost_term_variable,
        "coefficient": np.array(scaled, dtype=np.int64),
        "nonnegative": nonnegative,
    }


def _fractions(numbers: Doubles) -> list[Fraction] | None:
    """What the doubles stand for, if all have small denominators."""
    values, places = np.unique(numbers, return_inverse=True)
    exact = [Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values.tolist()]
    if any(float(fraction) != value for fraction, value in zip(exact, values.tolist(), strict=True)):
        return None
    return [exact[place] for place in places.reshape(-1).tolist()]


def _steps_only(operators: int) -> _core.Prices:
    return {
        "constant": np.ones(operators, dtype=np.int64),
        "start": np.zeros(operators + 1, dtype=np.int32),
        "variable": np.zeros(0, dtype=np.int32),
        "coefficient": np.zeros(0, dtype=np.int64),
        "nonnegative": True,
    }
