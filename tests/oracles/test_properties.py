"""The oracles agree with each other and with what must be true of them, on random tasks and sequences."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from numbat.search.registry import heuristics
from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Description, Either, Op, When
from tests.oracles.heuristics import INFINITY, Options, oracles
from tests.oracles.novelty import record_index
from tests.oracles.random_tasks import tasks, tasks_with_states
from tests.oracles.ranges import Ranges
from tests.oracles.states import Model, State

ORACLES = oracles()
ADMISSIBLE = [entry["name"] for entry in heuristics() if entry["admissible"]]
values = st.lists(st.integers(-5, 5).map(Fraction), min_size=1, max_size=12)


@settings(max_examples=100, deadline=None)
@given(tasks_with_states(2))
def test_zero_exactly_at_goals(drawn: tuple[GroundedTask, list[State]]) -> None:
    model = Model(drawn[0])
    ranges = Ranges(model)
    for state in drawn[1]:
        for name, oracle in ORACLES.items():
            # which count what a way has not passed yet, also at a goal, or sum up to 0 anywhere
            if name in ("hlm", "hflow"):
                continue
            outside = name in ADMISSIBLE and not ranges.contain(state)  # so that it is never reached, and has 0
            assert (oracle(model, state, Options()).value == 0) == (outside or model.is_goal(state)), name


@settings(max_examples=100, deadline=None)
@given(tasks_with_states(2))
def test_relaxed_plan_is_infinite_where_the_sum_is(drawn: tuple[GroundedTask, list[State]]) -> None:
    model = Model(drawn[0])
    for state in drawn[1]:
        infinite = {name: ORACLES[name](model, state, Options()).value == INFINITY for name in ("hadd", "hmrp")}
        assert len(set(infinite.values())) == 1


@pytest.mark.parametrize("compat", [False, True])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(task=tasks(bounded=True))
def test_infinity_is_only_said_of_dead_ends(task: GroundedTask, compat: bool) -> None:
    model = Model(task)
    infinite = [n for n, o in ORACLES.items() if o(model, model.initial, Options(compat)).value == INFINITY]
    assume(infinite)
    assert model.shortest_plan_length(20_000) is None, infinite


@given(values, values, st.integers(-5, 5).map(Fraction))
def test_record_indices_are_stable(earlier: list[Fraction], later: list[Fraction], centre: Fraction) -> None:
    for position, value in enumerate(earlier):
        frozen = record_index(earlier[: position + 1], centre, value)
        assert record_index(earlier, centre, value) == frozen
        assert record_index(earlier + later, centre, value) == frozen


@given(values)
def test_record_indices_are_the_papers_shifted_by_one(sequence: list[Fraction]) -> None:
    def paper(value: Fraction, sign: int) -> int:
        signed = [sign * v for v in sequence]
        covered = next(j for j, v in enumerate(signed) if v >= sign * value)
        return sum(all(v > e for e in signed[:j]) for j, v in enumerate(signed[: covered + 1]))

    for value in sequence:
        index = record_index(sequence, sequence[0], value)
        if index == 0:
            assert value == sequence[0]
        else:
            sign = 1 if index > 0 else -1
            assert paper(value, sign) == abs(index) + 1


def test_semantics_of_effects() -> None:
    """Deletes before adds, amounts of the old state, increases add up, a double change with := is inapplicable."""
    swap = Op("swap", effects=["x := y", "y := x", "not p", "p"])
    twice = Op("twice", effects=["x += 1", When(["p"], ["x += x", "not p"]), When(["not p"], ["x := 0"])])
    model = Model(Description({"p": True}, {"x": 2, "y": 5}, [swap, twice], ["p"]).task())
    assert model.apply(0, model.initial) == State((True,), (Fraction(5), Fraction(2)))
    once = model.apply(1, model.initial)
    assert once == State((False,), (Fraction(5), Fraction(5)))
    assert model.apply(1, once) is None
    assert model.enabled(once) == [0, 1]


def test_arrays_of_the_builder() -> None:
    """Units scale variables, conditions and effects; atoms are numbered facts, conditions, disjunctions."""
    task = Description(
        {"p": False}, {"x": 1, "y": 4}, [Op("a", ["not p"], ["x += 0.5*y - 1.5"])], [Either(["x >= 2.5"], ["p"])]
    ).task(units={"x": Fraction(1, 4), "y": Fraction(2)})
    assert task.init_values.tolist() == [4, 2]
    assert (task.condition_coefficient.tolist(), task.condition_constant.tolist()) == ([1], [-10])
    assert task.condition_unit.tolist() == [0.25]
    assert (task.numeric_constant.tolist(), task.numeric_term_coefficient.tolist()) == ([-6], [4])
    rows = np.split(task.conjunction_atom, task.conjunction_start[1:-1])
    assert [row.tolist() for row in rows] == [[], [2], [0], [3], [1]]
    assert (task.goal, task.operator_precondition.tolist()) == (3, [4])
