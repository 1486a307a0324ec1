"""Novelty in the core equals the naive oracle, from scratch and from the parent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.oracles.builder import Description
from tests.oracles.novelty import NoveltyOracle
from tests.oracles.sequences import N1, N2, NOVELTY_TASK, RECORDS, Sequence
from tests.oracles.states import Model, State

KINDS = [(feature, measure, k) for feature in "AB" for measure in ("PN", "QB") for k in (1, 2)]

# a state, its h, and the position of the parent (None: no parent)
Step = tuple[State, Fraction, int | None]


def times(state: State, factor: int) -> State:
    return State(state.facts, tuple(factor * value for value in state.values))


@pytest.mark.parametrize("sequence", [pytest.param(N1, id="N1"), pytest.param(N2, id="N2")])
@pytest.mark.parametrize("exact", [False, True])
def test_documented_sequences(sequence: Sequence, exact: bool) -> None:
    factor = 2 if exact else 1  # an exact task has integers only
    core = core_task(NOVELTY_TASK.task(exact=exact))
    for (feature, measure, k), expected in sequence.expected.items():
        novelty = _core.Novelty(core, feature, measure, k)
        found = [
            novelty.value(*arrays(times(s, factor)), float(h)) for s, h in zip(sequence.states, sequence.h, strict=True)
        ]
        assert found == expected, (feature, measure, k)


def test_records() -> None:
    """B's index shows through PN: with one variable a state is novel exactly if its index is new."""
    centre = RECORDS[0][0]
    core = core_task(Description({}, {"x": float(centre)}, [], []).task(exact=False))
    novelty = _core.Novelty(core, "B", "PN", 1)
    seen: set[int] = set()
    for value, index in RECORDS:
        assert novelty.value(*arrays(State((), (value,))), 1.0) == (2 if index in seen else 1)
        seen.add(index)


@st.composite
def sequences(draw: Any) -> tuple[GroundedTask, list[Step]]:
    """A task without operators and states that differ from their parents in a few places, as in a search."""
    facts, variables = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    values = st.integers(-6, 6).map(Fraction)
    base = st.sampled_from([Fraction(n, 2) for n in range(2, 9)])
    initial = State(tuple(draw(st.booleans()) for _ in range(facts)), tuple(draw(values) for _ in range(variables)))
    steps: list[Step] = [(initial, draw(base), None)]
    for position in range(1, draw(st.integers(2, 14))):
        parent = draw(st.integers(0, position - 1))
        true, numbers = list(steps[parent][0].facts), list(steps[parent][0].values)
        for fact in draw(st.sets(st.integers(0, facts - 1), max_size=2)) if facts else ():
            true[fact] = not true[fact]
        for variable in draw(st.sets(st.integers(0, variables - 1), max_size=2)) if variables else ():
            numbers[variable] = draw(values)
        steps.append((State(tuple(true), tuple(numbers)), draw(base), parent))
    description = Description(
        {f"p{i}": value for i, value in enumerate(initial.facts)},
        {f"x{i}": float(value) for i, value in enumerate(initial.values)},
        [],
        [],
    )
    return description.task(exact=draw(st.booleans())), steps


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=150, deadline=None)
@given(drawn=sequences())
def test_full_and_delta_evaluation_equal_the_oracle(kind: tuple[str, str, int], drawn: Any) -> None:
    task, steps = drawn
    core = core_task(task)
    oracle, full, delta = (
        NoveltyOracle(Model(task).initial, *kind),
        _core.Novelty(core, *kind),
        _core.Novelty(core, *kind),
    )
    for state, h, parent in steps:
        expected = oracle.value(state, h)
        assert full.value(*arrays(state), float(h)) == expected
        if parent is None:
            assert delta.value(*arrays(state), float(h)) == expected
        else:
            parent_state, parent_h, _ = steps[parent]
            found = delta.value_from_parent(*arrays(state), float(h), *arrays(parent_state), float(parent_h))
            assert found == expected
