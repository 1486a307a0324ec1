"""What actions cost, in exact integers: constants or linear forms over the state, for improving plans.

In, out      GroundedTask → Prices
Otherwise    every action costs 1: where no common unit turns the costs into integers of moderate size, or where they
             depend on rounded numbers
Not here     the costs of searches that prove optimality (numbat.search.costs)
"""

from __future__ import annotations

import numpy as np

from numbat import _core
from numbat.task.grounded import GroundedTask

# Sums of as many costs as plans have steps must fit into 64 bits.
LARGEST_PRICE = 1 << 46


def prices(task: GroundedTask, *, nonnegative: bool) -> _core.Prices:
    """See the module's docstring. `nonnegative`: no action can cost less than nothing."""
    operators = len(task.operator_precondition)
    terms = len(task.cost_term_variable)
    if len(task.cost_whole) != operators or len(task.cost_term_whole) != terms or (terms and not task.exact):
        return _steps_only(operators)
    unit = task.cost_unit.numerator  # so that whole costs are their own prices
    largest = max(int(np.abs(whole).max(initial=0)) for whole in (task.cost_whole, task.cost_term_whole))
    if unit * largest > LARGEST_PRICE:
        return _steps_only(operators)
    return {
        "constant": task.cost_whole * unit,
        "start": task.cost_term_start,
        "variable": task.cost_term_variable,
        "coefficient": task.cost_term_whole * unit,
        "nonnegative": nonnegative,
    }


def _steps_only(operators: int) -> _core.Prices:
    return {
        "constant": np.ones(operators, dtype=np.int64),
        "start": np.zeros(operators + 1, dtype=np.int32),
        "variable": np.zeros(0, dtype=np.int32),
        "coefficient": np.zeros(0, dtype=np.int64),
        "nonnegative": True,
    }
