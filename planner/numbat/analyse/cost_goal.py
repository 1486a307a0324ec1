"""The cost so far as a variable, and "cheaper than the best plan" as one more goal condition.

Why          where costs can fall, a plan may lead through costly states to a cheap end, so that pruning by the cost so
             far is wrong. Here the cost is part of the state instead, and heuristics see how far it is from the bound.
In, out      GroundedTask → GroundedTask with the same operators in the same order: its plans are plans of the task
Exact        where the task is, and its costs are integers of moderate size in one unit: the new variable counts these.
             Elsewhere it adds up doubles, the result is not `exact`, and exhausting it proves nothing
Cost         linear in the arrays, once; another bound is one number
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from numbat.task.grounded import GroundedTask, Ints, Numbers

# Of one action, and of a bound: in units of costs. Sums are checked where they are made.
LARGEST = 1 << 46


def with_cost_goal(task: GroundedTask) -> GroundedTask:
    """The task with the cost as its last variable and a distant bound on it as its last condition."""
    return _with_goal(_with_cost_variable(_with_unconditional_blocks(task), _prices(task)))


def below(task: GroundedTask, bound: float | Fraction) -> GroundedTask:
    """A task of `with_cost_goal` whose plans must cost less than the bound, in an exact task the nearest whole one."""
    constant = max(-LARGEST, min(round(Fraction(bound) / task.cost_unit), LARGEST)) if task.exact else float(bound)
    return replace(task, condition_constant=np.append(task.condition_constant[:-1], constant))


def stopped_at_bound(task: GroundedTask) -> GroundedTask:
    """A task of `with_cost_goal` none of whose operators is applicable any more once the bound is reached.

    Where costs cannot fall, it has the same plans.
    """
    atom = 2 * len(task.init_facts) + len(task.condition_constant) - 1
    old, number_of = np.unique(task.operator_precondition, return_inverse=True)
    start, atoms = task.conjunction_start, task.conjunction_atom
    rows = [np.sort(np.append(atoms[start[number] : start[number + 1]], atom)) for number in old.tolist()]
    sizes = np.array([len(row) for row in rows], dtype=np.int32)
    return replace(
        task,
        operator_precondition=(len(start) - 1 + number_of.reshape(-1)).astype(np.int32),
        conjunction_start=np.concatenate([start, start[-1] + np.cumsum(sizes)]).astype(np.int32),
        conjunction_atom=np.concatenate([atoms, *rows]).astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class _Prices:
    """Constants and coefficients of costs: integers where `exact`, else doubles."""

    exact: bool
    unit: float
    constants: Numbers
    coefficients: Numbers


def _prices(task: GroundedTask) -> _Prices:
    whole, terms = task.cost_whole, task.cost_term_whole
    complete = len(whole) == len(task.operator_precondition) and len(terms) == len(task.cost_term_variable)
    if task.exact and complete:
        owners = np.repeat(np.arange(len(whole)), np.diff(task.cost_term_start))
        sums = np.abs(whole) + np.bincount(owners, np.abs(terms).astype(np.float64), minlength=len(whole))
        if sums.max(initial=0) <= LARGEST:
            return _Prices(True, float(task.cost_unit), whole, terms)
    return _Prices(False, 1.0, task.cost_constant, task.cost_term_coefficient)


def _with_unconditional_blocks(task: GroundedTask) -> GroundedTask:
    """Every operator begins with a block without a condition, perhaps an empty one."""
    first, sizes = task.operator_block_start[:-1], np.diff(task.operator_block_start)
    has_one = np.zeros(len(first), dtype=bool)
    has_one[sizes > 0] = task.block_condition[first[sizes > 0]] == 0
    places = first[~has_one]
    added = np.concatenate([[0], np.cumsum(~has_one)]).astype(np.int32)

    def with_empty_rows(start: Ints) -> Ints:
        return np.insert(start, places, start[places])

    return replace(
        task,
        operator_block_start=task.operator_block_start + added,
        block_condition=np.insert(task.block_condition, places, 0),
        block_add_start=with_empty_rows(task.block_add_start),
        block_delete_start=with_empty_rows(task.block_delete_start),
        block_numeric_start=with_empty_rows(task.block_numeric_start),
    )


@dataclass(frozen=True, slots=True)
class _Payments:
    """The effects on the cost: which operators have one, and where they go in the lists of effects and of terms."""

    operators: NDArray[np.bool_]
    places: Ints
    term_counts: Ints
    term_places: Ints


def _payments(task: GroundedTask) -> _Payments:
    counts = np.diff(task.cost_term_start)
    operators = (task.cost_constant != 0) | (counts > 0)
    places = task.block_numeric_start[task.operator_block_start[:-1][operators]]
    term_places = np.repeat(task.numeric_term_start[places], counts[operators])
    return _Payments(operators, places, counts[operators], term_places)


def _with_cost_variable(task: GroundedTask, prices: _Prices) -> GroundedTask:
    """Each operator increases a new variable, 0 at first, by what it costs in the state it is applied in."""
    new = _payments(task)
    cost = len(task.init_values)
    # Payments of earlier blocks come before a block's effects; each stands at the beginning of its own block.
    paying_blocks = task.operator_block_start[:-1][new.operators]
    before = np.searchsorted(paying_blocks, np.arange(len(task.block_numeric_start)), side="left")
    sizes = np.insert(np.diff(task.numeric_term_start), new.places, new.term_counts)
    kind = np.int64 if prices.exact else np.float64  # np.insert would round what is put into an array of integers
    return replace(
        task,
        exact=prices.exact,
        variable_names=(*task.variable_names, "(cost so far)"),
        init_values=np.append(task.init_values.astype(kind), kind(0)),
        variable_unit=np.append(task.variable_unit, prices.unit),
        block_numeric_start=(task.block_numeric_start + before).astype(np.int32),
        numeric_variable=np.insert(task.numeric_variable, new.places, cost),
        numeric_assign=np.insert(task.numeric_assign, new.places, 0),
        numeric_constant=np.insert(task.numeric_constant.astype(kind), new.places, prices.constants[new.operators]),
        numeric_term_start=_starts(sizes),
        numeric_term_variable=np.insert(task.numeric_term_variable, new.term_places, task.cost_term_variable),
        numeric_term_coefficient=np.insert(
            task.numeric_term_coefficient.astype(kind), new.term_places, prices.coefficients
        ),
    )


def _with_goal(task: GroundedTask) -> GroundedTask:
    facts, conditions = len(task.init_facts), len(task.condition_constant)
    kind = np.int64 if task.exact else np.float64
    new_atom = 2 * facts + conditions
    # The atoms of disjunctions come after those of conditions.
    atoms = task.conjunction_atom + (task.conjunction_atom >= new_atom).astype(np.int32)
    goal = atoms[slice(*task.conjunction_start[task.goal :][:2])]
    goal = np.sort(np.append(goal, new_atom)).astype(np.int32)
    return replace(
        task,
        condition_start=np.append(task.condition_start, task.condition_start[-1] + 1).astype(np.int32),
        condition_variable=np.append(task.condition_variable, len(task.init_values) - 1).astype(np.int32),
        condition_coefficient=np.append(task.condition_coefficient.astype(kind), kind(-1)),
        condition_constant=np.append(task.condition_constant.astype(kind), kind(LARGEST)),
        condition_strict=np.append(task.condition_strict, np.uint8(1)),
        condition_unit=np.append(task.condition_unit, task.variable_unit[-1]),
        conjunction_start=np.append(task.conjunction_start, task.conjunction_start[-1] + len(goal)).astype(np.int32),
        conjunction_atom=np.concatenate([atoms, goal]),
        goal=len(task.conjunction_start) - 1,
    )


def _starts(sizes: NDArray[np.int32]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
