"""Goal-oriented novelty in the core equals the oracle, on walks through random tasks of every kind of number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.core.configurations import search
from tests.core.test_limits import MEGABYTE, bits
from tests.oracles.builder import Description, Op
from tests.oracles.goal_novelty import MOST_PAIRS, GoalNoveltyOracle, Parent
from tests.oracles.large_tasks import large_tasks
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model, State

# a state, its h, and the position of the parent (None: no parent)
Step = tuple[State, Fraction, int | None]
BASES = [Fraction(n, 2) for n in range(8)]


def check(task: GroundedTask, steps: list[Step], k: int) -> list[int]:
    oracle, core = GoalNoveltyOracle(Model(task), k), _core.Novelty(core_task(task), "G", "PN", k)
    values = []
    for state, h, position in steps:
        if position is None:
            expected, found = oracle.value(state, h), core.value(*arrays(state), float(h))
        else:
            parent = Parent(*steps[position][:2])
            expected = oracle.value(state, h, parent)
            found = core.value_from_parent(*arrays(state), float(h), *arrays(parent.state), float(parent.h))
        assert found == expected
        values.append(expected)
    return values


def test_documented_sequence() -> None:
    """N3: each state with its parent; x and y count up to 3 and 2, p may hold."""
    task = Description({"p": False}, {"x": 0, "y": 0}, [], ["x >= 3", "y >= 2", "p"]).task()
    rows = [(0, 0, 0, None), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 1), (0, 0, 1, 0), (1, 0, 1, 4), (-1, 0, 1, 4)]
    steps = [(State((bool(p),), (Fraction(x), Fraction(y))), Fraction(7), parent) for x, y, p, parent in rows]
    assert check(task, steps, 2) == [1, 1, 1, 3, 1, 2, 3]
    assert check(task, steps, 1) == [1, 1, 1, 2, 1, 2, 2]


def test_partitions_are_integer_parts_up_to_the_first() -> None:
    task = Description({"p": False}, {}, [], ["p"]).task()
    off, on = State((False,), ()), State((True,), ())
    steps: list[Step] = [(off, Fraction(5, 2), None), (on, Fraction(2), 0), (on, Fraction(9), 0), (on, Fraction(1), 0)]
    assert check(task, steps, 1) == [1, 1, 2, 1]


@st.composite
def walks(draw: Any, kinds: st.SearchStrategy[GroundedTask]) -> tuple[GroundedTask, list[Step]]:
    """A task and states of it as a search meets them, with heuristic values of no meaning."""
    task = draw(kinds)
    model = Model(task)
    steps: list[Step] = [(model.initial, draw(st.sampled_from(BASES)), None)]
    for _ in range(draw(st.integers(1, 14))):
        position = draw(st.integers(0, len(steps) - 1))
        state = model.apply(draw(st.integers(0, len(model.operators) - 1)), steps[position][0])
        if state is not None and all(abs(value) < 2**62 for value in state.values):
            steps.append((state, draw(st.sampled_from(BASES)), position))
    return task, steps


@settings(max_examples=90, deadline=None)
@given(drawn=walks(tasks()))
def test_equals_the_oracle(drawn: tuple[GroundedTask, list[Step]]) -> None:
    for k in (1, 2):
        check(*drawn, k)


@settings(max_examples=60, deadline=None)
@given(drawn=walks(large_tasks()))
def test_equals_the_oracle_with_large_numbers(drawn: tuple[GroundedTask, list[Step]]) -> None:
    check(*drawn, 2)


def test_too_many_pairs_of_one_state() -> None:
    """Then a state of another partition shows pairs only of what changed."""
    count = 140
    names = [f"p{i}" for i in range(count)]
    task = Description(dict.fromkeys(names, True) | {"q": False}, {"x": 0}, [], [*names, "q", "x >= 9"]).task()
    assert count * (count // 2) > MOST_PAIRS
    facts, h = (True,) * count, [Fraction(n) for n in (5, 3)]
    plain, with_q = State((*facts, False), (Fraction(0),)), State((*facts, True), (Fraction(0),))
    gone = State((False, *facts[1:], True), (Fraction(0),))
    back = State((*facts, True), (Fraction(-1),))
    steps: list[Step] = [(plain, h[0], None), (with_q, h[1], 0), (gone, h[1], 1), (back, h[1], 2), (plain, h[1], 0)]
    assert check(task, steps, 2) == [1, 1, 3, 2, 3]


def test_without_subgoals() -> None:
    task = Description({"p": False}, {"x": 0}, [Op("a", [], ["p", "x += 1"])], []).task()
    state = State((False,), (Fraction(0),))
    assert check(task, [(state, Fraction(1), None), (state, Fraction(1), 0)], 2) == [1, 3]


def test_subgoals_are_not_quantified() -> None:
    task = core_task(Description({"p": False}, {}, [], ["p"]).task())
    with pytest.raises(ValueError, match="PN alone"):
        _core.Novelty(task, "G", "QB", 2)


def test_memory_is_counted() -> None:
    """Pairs are given up at their share of the memory; the search goes on."""
    limit = 16 * MEGABYTE
    result = search(bits(24), "S(hmd<G,PN>)", time=60, memory=limit)
    assert result.status == "out-of-memory"
    assert 0.3 * limit <= result.statistics["memory"] <= 1.05 * limit
