"""The core computes with large integers as the oracles do with fractions, and claims only what they find, too."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.search.options import SearchOptions
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task, evaluate, state_of
from tests.core.configurations import search
from tests.oracles.heuristics import Options, oracles
from tests.oracles.large_tasks import large_tasks, near_states
from tests.oracles.states import Model, State

ORACLES = oracles()
RANGE = 2**63 - 1
MOST_STATES = 60


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_successors(data: st.DataObject) -> None:
    task = data.draw(large_tasks())
    model, core = Model(task), core_task(task)
    state = data.draw(near_states(task))
    assert sorted(_core.applicable(core, *arrays(state))) == model.enabled(state)
    for operator in range(len(model.operators)):
        expected, found = model.apply(operator, state), _core.apply(core, operator, *arrays(state))
        if expected is not None and all(abs(value) <= RANGE for value in expected.values):
            assert found is not None or too_large_for_doubles(expected)
        if found is not None:
            assert state_of(*found[:2]) == expected


def too_large_for_doubles(state: State) -> bool:
    """A task that mentions small numbers only is kept in doubles."""
    return any(abs(value) > 2**40 for value in state.values)


@pytest.mark.parametrize("heuristic", sorted(ORACLES))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_dead_ends_and_distances(heuristic: str, data: st.DataObject) -> None:
    task = data.draw(large_tasks())
    state = data.draw(near_states(task))
    found = evaluate(core_task(task), heuristic, state, Options()).value
    if heuristic in ("haibr", "hflow"):  # which dead ends they see depends on orders
        assert found < math.inf or not reaches(task, state)
        return
    expected = ORACLES[heuristic](Model(task), state, Options())
    assert (found == math.inf) == (expected.value == math.inf)
    if not expected.ambiguous and heuristic != "hmrp":
        assert found == pytest.approx(float(expected.value), rel=1e-9)


def reaches(task: GroundedTask, start: State) -> bool:
    """Is a goal among the first states from here?"""
    model = Model(task)
    seen, layer = {start}, [start]
    while layer and len(seen) < MOST_STATES:
        if any(model.is_goal(state) for state in layer):
            return True
        successors = (model.apply(o, state) for state in layer for o in range(len(model.operators)))
        layer = list(dict.fromkeys(s for s in successors if s is not None and s not in seen))
        seen.update(layer)
    return any(model.is_goal(state) for state in layer)


@pytest.mark.parametrize("configuration", ["S(hgc)", "S(hadd)", "S(hmrp+hj)", "S(haibr)"])
@settings(max_examples=30, deadline=None)
@given(task=large_tasks())
def test_plans_and_proofs(configuration: str, task: GroundedTask) -> None:
    result = search(task, configuration, SearchOptions(patience=0), time=0.05)
    model = Model(task)
    if result.status == "solved" and result.statistics["out_of_range"] == 0:
        last = model.replay(result.plan)
        assert last is not None and model.is_goal(last)
    if result.status == "exhausted-complete":
        assert not reaches(task, model.initial)
