"""Operator costs as integers, for searches that prove optimality.

In, out      GroundedTask → IntegerCosts: one integer per operator and what one unit of them is worth, or why not
Exact        a cost is read as the fraction with the least denominator, up to a million, that has this double as its
             nearest; all are scaled by the least common multiple and divided by the greatest common divisor
Refused      costs that depend on the state, negative ones, and those that no common integer scale fits: a search that
             proves optimality then says so instead of proving something else
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from numbat.errors import ConfigurationError
from numbat.task.grounded import GroundedTask

LARGEST_DENOMINATOR = 10**6
# The core's own limit: as many steps as there are states, and sums still fit into 64 bits.
LARGEST_COST = 1 << 30


@dataclass(frozen=True, slots=True)
class IntegerCosts:
    """cost of operator o = costs[o] * unit; without costs, `refusal` says why there are none."""

    costs: NDArray[np.int64]
    unit: Fraction
    refusal: str = ""

    def bound(self, cost: Fraction) -> int:
        """The least integer cost that is not below a cost in the user's numbers."""
        return math.ceil(cost / self.unit)


def integer_costs(task: GroundedTask) -> IntegerCosts:
    """See the module's docstring."""
    if len(task.cost_term_variable):
        return _refused("the cost of an action depends on the state")
    values, operators = np.unique(task.cost_constant, return_inverse=True)
    if len(values) and values[0] < 0:
        return _refused("an action has a negative cost")
    exact = [Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values.tolist()]
    if any(float(fraction) != value for fraction, value in zip(exact, values.tolist(), strict=True)):
        return _refused("the costs are no multiples of a common unit")
    scale = math.lcm(*(fraction.denominator for fraction in exact))
    integers = [int(fraction * scale) for fraction in exact]
    divisor = math.gcd(*integers) or 1
    if integers and max(integers) // divisor > LARGEST_COST:
        return _refused("the costs are too far apart for a common unit")
    scaled = np.array([integer // divisor for integer in integers], dtype=np.int64)
    return IntegerCosts(scaled[operators], Fraction(divisor, scale))


def require_integer_costs(task: GroundedTask) -> IntegerCosts:
    """The costs, or an error that says why a search for optimal plans is not possible."""
    costs = integer_costs(task)
    if costs.refusal:
        raise ConfigurationError(f"no search for optimal plans: {costs.refusal}")
    return costs


def _refused(reason: str) -> IntegerCosts:
    return IntegerCosts(np.empty(0, dtype=np.int64), Fraction(1), reason)
