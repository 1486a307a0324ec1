"""GroundedTask: the task as flat arrays, the only thing that crosses into the C++ core.

Made by numbat.ground.flatten, which alone knows the layout; read by numbat.search, which hands it to the core.

Atoms        one id space for everything that can be true or false in a state:
                 2f, 2f+1          fact f is true, fact f is false          (f < facts)
                 2F + c            numeric condition c holds                 (c < number of conditions)
                 2F + C + d        disjunction d holds
Conjunctions a pool of rows of atom ids, deduplicated; row 0 is the empty one. Preconditions, effect conditions,
             the goal and the parts of disjunctions are conjunction ids. A disjunction is a row of conjunction ids.
Conditions   sum(coef * value[var]) + constant >= 0, or > 0 where strict. An equality is two of them in a conjunction.
             `unit` is what one unit of the scaled left side is worth in the user's numbers.
Numbers      With `exact` values, constants and coefficients are integers (int64 arrays), up to 2**62, and those of the
             coefficients of one form add up to less than 2**53. The task is scaled so that integer arithmetic is exact;
             the true value of variable v is value * variable_unit[v]. Otherwise they are the nearest doubles (float64);
             units may still differ from 1, where that leaves only powers of two in the denominators, which doubles hold
             without error. Units are doubles, always.
Undefined    fluents do not exist here: the grounder adds a fact "defined(x)" where a fluent may be undefined.
Effects      blocks: under a conjunction, delete facts, then add facts, and numeric effects
             var (+)= sum(coef * value) + constant, all read in the old state. The block with conjunction 0 comes
             first. Increases of one variable, by one or several firing blocks, add up; assignments of one variable
             must agree, or the operator is inapplicable in that state, as it is with an assignment and an increase.
             The grounder makes preconditions that rule both out, so that analyses need not look for them.
Costs        cost of an operator in a state: cost_constant + sum(cost_coef * value); in the user's units, sign such
             that smaller is better. Without a metric, or with one that is not linear, `has_metric` is false and every
             operator costs 1. Exactly, the constant is cost_whole * cost_unit and a coefficient cost_term_whole *
             cost_unit, if there is a unit that makes all of them 64-bit integers; else cost_term_whole is empty, and
             cost_whole, too, if there is none for the constants alone.
             The metric's value at the end of a plan is cost_start and, with the sign, what its operators cost.
CSR          `x_start` has one entry more than there are rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64 | np.float64]  # integers in an exact task, doubles in another


@dataclass(frozen=True, slots=True, eq=False)
class GroundedTask:
    """See the module's docstring. All arrays are C-contiguous."""

    # names, for people only; C++ never sees them
    operator_names: Sequence[str]  # "(drive truck1 depot market)"
    fact_names: Sequence[str]
    variable_names: Sequence[str]

    exact: bool
    has_metric: bool

    init_facts: Bytes  # 0/1 per fact
    init_values: Numbers  # per variable
    variable_unit: Doubles

    condition_start: Ints
    condition_variable: Ints
    condition_coefficient: Numbers
    condition_constant: Numbers
    condition_strict: Bytes
    condition_unit: Doubles

    conjunction_start: Ints
    conjunction_atom: Ints
    disjunction_start: Ints
    disjunction_conjunction: Ints

    goal: int  # conjunction id

    operator_precondition: Ints  # conjunction id per operator
    operator_block_start: Ints  # operator -> its effect blocks
    block_condition: Ints  # conjunction id per block
    block_add_start: Ints
    block_add: Ints  # facts
    block_delete_start: Ints
    block_delete: Ints
    block_numeric_start: Ints  # block -> its numeric effects
    numeric_variable: Ints
    numeric_assign: Bytes  # 1 assign, 0 increase
    numeric_constant: Numbers
    numeric_term_start: Ints
    numeric_term_variable: Ints
    numeric_term_coefficient: Numbers

    cost_constant: Doubles  # per operator
    cost_whole: NDArray[np.int64]  # the same exactly, in units of cost_unit
    cost_unit: Fraction
    cost_start: Fraction
    cost_term_start: Ints
    cost_term_variable: Ints
    cost_term_coefficient: Doubles
    cost_term_whole: NDArray[np.int64]
