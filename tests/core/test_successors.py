"""Applicable operators and successors of the core are those of the oracle.

The core lists an operator as applicable if its precondition holds; whether its effects clash (an assignment and another
change of the same variable) is found out by applying it.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from numbat import _core
from numbat.search.run import core_arrays
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task, state_of
from tests.oracles.builder import Description, Op, When
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State


def core_apply(task: _core.Task, operator: int, state: State) -> State | None:
    successor = _core.apply(task, operator, *arrays(state))
    return None if successor is None else state_of(*successor[:2])


@settings(max_examples=400, deadline=None)
@given(drawn=tasks_with_states(4))
def test_random_tasks(drawn: tuple[GroundedTask, list[State]]) -> None:
    model, task = Model(drawn[0]), core_task(drawn[0])
    for state in drawn[1]:
        assert _core.applicable(task, *arrays(state)) == model.enabled(state)
        assert _core.is_goal(task, *arrays(state)) == model.is_goal(state)
        for operator in range(len(model.operators)):
            assert core_apply(task, operator, state) == model.apply(operator, state)
            successor = _core.apply(task, operator, *arrays(state))
            assert successor is None or successor[2] == float(model.cost(operator, state))


def test_adds_win_over_deletes_of_other_blocks() -> None:
    move = Op("move", effects=["p", When(["p"], ["not p"])])
    task = Description({"p": True}, {}, [move], ["p"]).task()
    model = Model(task)
    assert core_apply(core_task(task), 0, model.initial) == model.initial


def test_an_assignment_excludes_other_changes_of_its_variable() -> None:
    clash = Op("clash", effects=["x := 1", When(["p"], ["x += 1"])])
    twice = Op("twice", effects=["x += 1", When(["p"], ["x += x"])])
    task = Description({"p": True}, {"x": 5}, [clash, twice], ["p"]).task()
    core, model = core_task(task), Model(task)
    assert core_apply(core, 0, model.initial) is None
    assert core_apply(core, 1, model.initial) == State((True,), (model.initial.values[0] + 6,))


def small_task() -> GroundedTask:
    return Description({"p": False}, {"x": 0}, [Op("a", ["x >= 0"], ["p", "x += 1"])], ["p"]).task()


@pytest.mark.parametrize(
    "name", ["conjunction_atom", "numeric_variable", "block_add", "condition_variable", "last_value_variable"]
)
def test_ids_out_of_range_are_refused(name: str) -> None:
    task = small_task()
    for wrong in (-1, 1000):
        array = core_arrays(task)[name].copy()
        array[0] = wrong
        with pytest.raises(ValueError):
            core_task(task, **{name: array})


def test_other_array_types_are_refused() -> None:
    task = small_task()
    with pytest.raises(TypeError):
        core_task(task, conjunction_atom=task.conjunction_atom.astype(np.int64))
    with pytest.raises(TypeError):
        core_task(task, init_values=task.init_values.astype(np.float32))


def test_an_array_that_nobody_reads_is_refused() -> None:
    task = small_task()
    with pytest.raises(ValueError, match="variable_unit"):
        core_task(task, variable_unit=task.variable_unit)


def test_states_of_the_wrong_size_are_refused() -> None:
    core = core_task(small_task())
    with pytest.raises(ValueError):
        _core.applicable(core, np.zeros(2, dtype=np.uint8), np.zeros(1))
    with pytest.raises(ValueError):
        _core.applicable(core, np.zeros(1, dtype=np.uint8), np.zeros(3))
