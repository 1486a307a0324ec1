"""Cells (feature C): equal to the oracle, worth what was worked out by hand, and limited in memory."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.core.configurations import search
from tests.core.test_roll import CAR, harbour
from tests.oracles.builder import Description, Op
from tests.oracles.cells import CellsOracle
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State


@settings(max_examples=100, deadline=None)
@given(drawn=tasks_with_states(6), order=st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_cells_equal_the_oracle(drawn: tuple[GroundedTask, list[State]], order: list[int]) -> None:
    task, states = drawn
    oracle, novelty = CellsOracle(Model(task)), _core.Novelty(core_task(task), "C", "", 2)
    for number in order:
        state = states[number % len(states)]
        assert novelty.value(*arrays(state), 1.0) == oracle.value(state)


def test_cells_of_a_car() -> None:
    """Far away, states that differ little share a cell; in the windows, and around the speeds 0 and 2, few do."""
    novelty = _core.Novelty(core_task(CAR.task(exact=False)), "C", "", 2)

    def value(x: Fraction, v: Fraction) -> float:
        return novelty.value(*arrays(State((), (x, v))), 1.0)

    eighths = [Fraction(i, 8) for i in range(9)]
    assert [value(-100 - part, Fraction(0)) for part in eighths] == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    # half an octave is 0.41 steps: x - 3 and 4 - x pass it one after the other, which makes four cells
    assert [value(3 + part, Fraction(0)) for part in eighths[:8]] == [0] * 8
    assert [value(Fraction(-100), 2 + part / 2) for part in eighths[:6]] == [0] * 6


def test_cells_are_limited_by_memory() -> None:
    """Unsolvable, and without end: what is kept of cells is counted."""
    grow = [Op("grow", effects=["x := 1.5*x + 0.1"]), Op("turn", effects=["x := 0.7*x - 0.3"])]
    task = Description({"p": False}, {"x": 1}, grow, ["p", "x >= 10"]).task(exact=False)
    memory = 2**23
    result = search(task, "S(hmd<C>)", memory=memory)
    assert result.status in ("out-of-memory", "exhausted-pruned")
    assert result.statistics["memory"] < 1.1 * memory


@pytest.mark.parametrize("name", ["S(hroll<C>)", "M(hroll<C>, hadd)", "L(hroll<C>)"])
def test_every_state_is_new(name: str) -> None:
    task = harbour(2, [(40, 10), (-35, -20), (60, -60)])
    result = search(task, name)
    assert result.status == "solved"
    assert result.statistics["evaluated"] < 20000
    assert search(task, name).plan == result.plan
