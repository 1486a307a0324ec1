"""Every heuristic of the core equals its oracle on random tasks and states."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from planner.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.oracles.heuristics import Options, oracles
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State

ORACLES = oracles()
STATES = 4
OPTIONS = [Options(), Options(compat=True), Options(metric_cost=True)]
NAMES = ["tuned", "compat", "metric"]

TaskAndStates = tuple[GroundedTask, list[State]]


@pytest.mark.parametrize("heuristic", [name for name in ORACLES if name != "hmrp"])
@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
@settings(max_examples=150, deadline=None)
@given(drawn=tasks_with_states(STATES))
def test_value(heuristic: str, options: Options, drawn: TaskAndStates) -> None:
    model, task = Model(drawn[0]), core_task(drawn[0])
    for state in drawn[1]:
        expected = ORACLES[heuristic](model, state, options).value
        assert evaluate(task, heuristic, state, options).value == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
@settings(max_examples=250, deadline=None)
@given(drawn=tasks_with_states(STATES, free=False))
def test_relaxed_plan(options: Options, drawn: TaskAndStates) -> None:
    """Value, helpful actions and jumps; a tie between numbers that are not exact may go either way."""
    model, task = Model(drawn[0]), core_task(drawn[0])
    for state in drawn[1]:
        expected, found = ORACLES["hmrp"](model, state, options), evaluate(task, "hmrp", state, options)
        if expected.ambiguous:
            assert (found.value == float("inf")) == (expected.value == float("inf"))
            continue
        assert found.value == pytest.approx(float(expected.value), abs=1e-9)
        assert found.helpful == sorted(expected.helpful)
        assert found.jumps == sorted(expected.jumps)
