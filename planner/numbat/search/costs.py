"""Operator costs as integers, for searches that prove optimality.

In, out      GroundedTask → IntegerCosts: one integer per operator and what one unit of them is worth, or why not
Exact        the grounder adds up fractions and finds the unit (GroundedTask.cost_whole, cost_unit), without doubles.
             Parts of a task have the unit of the whole, so that their costs add up
Refused      costs that depend on the state, negative ones, and those that no common 64-bit scale fits: a search that
             proves optimality then says so instead of proving something else
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from numbat.errors import UnsuitedSearch
from numbat.task.grounded import GroundedTask


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
    if len(task.cost_whole) != len(task.operator_precondition):
        return _refused("the costs are too far apart for a common unit")
    if (task.cost_whole < 0).any():
        return _refused("an action has a negative cost")
    return IntegerCosts(task.cost_whole, task.cost_unit)


def require_integer_costs(task: GroundedTask) -> IntegerCosts:
    """The costs, or an error that says why a search for optimal plans is not possible."""
    costs = integer_costs(task)
    if costs.refusal:
        raise UnsuitedSearch(f"no search for optimal plans: {costs.refusal}")
    return costs


def _refused(reason: str) -> IntegerCosts:
    return IntegerCosts(np.empty(0, dtype=np.int64), Fraction(1), reason)
