"""Is a GroundedTask well formed? Everything its docstring promises, checked array by array."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np

from numbat.task.grounded import GroundedTask

KINDS = {"Ints": np.int32, "Doubles": np.float64, "Bytes": np.uint8}


def check_arrays(task: GroundedTask) -> None:
    for field in fields(task):
        if field.type in KINDS:
            array = getattr(task, field.name)
            assert array.dtype == KINDS[str(field.type)] and array.flags.c_contiguous and array.ndim == 1, field.name
    operators, facts, variables = len(task.operator_names), len(task.fact_names), len(task.variable_names)
    conditions = len(task.condition_strict)
    conjunctions, disjunctions = len(task.conjunction_start) - 1, len(task.disjunction_start) - 1
    blocks, effects = len(task.block_condition), len(task.numeric_variable)
    rows = [
        (task.condition_start, task.condition_variable, conditions, variables),
        (task.conjunction_start, task.conjunction_atom, conjunctions, 2 * facts + conditions + disjunctions),
        (task.disjunction_start, task.disjunction_conjunction, disjunctions, conjunctions),
        (task.block_add_start, task.block_add, blocks, facts),
        (task.block_delete_start, task.block_delete, blocks, facts),
        (task.block_numeric_start, task.numeric_variable, blocks, variables),
        (task.numeric_term_start, task.numeric_term_variable, effects, variables),
        (task.cost_term_start, task.cost_term_variable, operators, variables),
        (task.operator_block_start, task.block_condition, operators, conjunctions),
    ]
    for start, item, size, bound in rows:
        assert len(start) == size + 1 and start[0] == 0 and start[-1] == len(item)
        assert (np.diff(start) >= 0).all()
        assert ((item >= 0) & (item < bound)).all()
    assert len(task.init_facts) == facts and len(task.init_values) == len(task.variable_unit) == variables
    assert len(task.operator_precondition) == len(task.cost_constant) == operators
    assert 0 <= task.goal < conjunctions and (task.operator_precondition < conjunctions).all()
    _check_conjunctions(task)
    _check_blocks(task)
    _check_numbers(task)


def _check_conjunctions(task: GroundedTask) -> None:
    rows = [tuple(row) for row in np.split(task.conjunction_atom, task.conjunction_start[1:-1])]
    assert rows[0] == () and len(set(rows)) == len(rows)
    assert all(a < b for row in rows for a, b in pairwise(row))


def _check_blocks(task: GroundedTask) -> None:
    sizes = np.diff(task.operator_block_start)
    pays = (task.cost_constant < 0) | (np.diff(task.cost_term_start) > 0)
    assert (pays | (sizes > 0)).all(), "an operator without effect"
    changes = np.diff(task.block_add_start) + np.diff(task.block_delete_start) + np.diff(task.block_numeric_start)
    assert (changes > 0).all(), "a block without effect"
    for begin, end in pairwise(task.operator_block_start):
        own = task.block_condition[begin:end].tolist()
        assert len(set(own)) == len(own) and 0 not in own[1:]
    for b in range(len(task.block_condition)):
        adds = set(task.block_add[task.block_add_start[b] : task.block_add_start[b + 1]].tolist())
        deletes = task.block_delete[task.block_delete_start[b] : task.block_delete_start[b + 1]].tolist()
        assert adds.isdisjoint(deletes)
        changed = task.numeric_variable[task.block_numeric_start[b] : task.block_numeric_start[b + 1]].tolist()
        assert len(set(changed)) == len(changed)


def _check_numbers(task: GroundedTask) -> None:
    numbers = np.concatenate(
        [
            task.init_values,
            task.condition_coefficient,
            task.condition_constant,
            task.numeric_constant,
            task.numeric_term_coefficient,
        ]
    )
    assert np.isfinite(numbers).all()
    assert (task.condition_coefficient != 0).all() and (task.numeric_term_coefficient != 0).all()
    assert (task.condition_unit > 0).all() and (task.variable_unit > 0).all()
    if task.exact:
        assert (numbers == np.rint(numbers)).all() and (np.abs(numbers) < 2**53).all()
