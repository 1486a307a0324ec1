"""Every heuristic of the core equals its oracle on random tasks and states."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.oracles.builder import Description, Either, Op, When
from tests.oracles.heuristics import Options, oracles
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State

ORACLES = oracles()
STATES = 4  # per task, so that every heuristic sees at least 500 states in tuned mode
COMPAT, METRIC, PLUS_ONE = Options(compat=True), Options(metric_cost=True), Options(plus_one=True)

TaskAndStates = tuple[GroundedTask, list[State]]


def assert_value(heuristic: str, options: Options, drawn: TaskAndStates) -> None:
    model, task = Model(drawn[0]), core_task(drawn[0])
    for state in drawn[1]:
        expected = ORACLES[heuristic](model, state, options)
        if not expected.ambiguous:
            found = evaluate(task, heuristic, state, options).value
            assert found == pytest.approx(float(expected.value), abs=1e-9)


@pytest.mark.parametrize("heuristic", [name for name in ORACLES if name != "hmrp"])
@settings(max_examples=130, deadline=None)
@given(drawn=tasks_with_states(STATES))
def test_value(heuristic: str, drawn: TaskAndStates) -> None:
    assert_value(heuristic, Options(), drawn)


@pytest.mark.parametrize(
    ("heuristic", "options"),
    [("hmd", COMPAT), ("hadd", COMPAT), ("hradd", COMPAT), ("hadd", METRIC), ("hradd", METRIC), ("hadd", PLUS_ONE)],
)
@settings(max_examples=60, deadline=None)
@given(drawn=tasks_with_states(STATES))
def test_value_with_options(heuristic: str, options: Options, drawn: TaskAndStates) -> None:
    assert_value(heuristic, options, drawn)


def assert_relaxed_plan(options: Options, drawn: TaskAndStates) -> None:
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


@settings(max_examples=200, deadline=None)
@given(drawn=tasks_with_states(STATES, free=False))
def test_relaxed_plan(drawn: TaskAndStates) -> None:
    assert_relaxed_plan(Options(), drawn)


@pytest.mark.parametrize("options", [COMPAT, METRIC, PLUS_ONE], ids=["compat", "metric", "plus one"])
@settings(max_examples=80, deadline=None)
@given(drawn=tasks_with_states(STATES, free=False))
def test_relaxed_plan_with_options(options: Options, drawn: TaskAndStates) -> None:
    assert_relaxed_plan(options, drawn)


def test_relaxed_plan_values_all_parts_of_a_disjunction() -> None:
    """The part with the least sum is reached later than the one with the least maximum, within a nested disjunction."""
    count, climb = Op("count", effects=["x += 1"]), Op("climb", ["x >= 4"], ["p"])
    goal = [Either([Either(["p"], ["q"]), "x >= 1"], ["x >= 4", "x >= 3"])]
    task = Description({"p": False, "q": False}, {"x": 0}, [count, climb], goal).task()
    found = evaluate(core_task(task), "hmrp", Model(task).initial, Options())
    assert (found.value, found.helpful, found.jumps) == (5, [0], [])  # count 4 and 1, climb 1: sum 5 + 1 < 4 + 3


@pytest.mark.parametrize("heuristic", ["hadd", "hradd", "hmrp"])
def test_costs_far_beyond_the_buckets(heuristic: str) -> None:
    """Two ways to each goal, both costly, once the cheaper and once the costlier one first: the cheaper one counts."""
    walk = [Op("walk", [], ["x += 1"]), Op("swim", [], ["y += 1"])]
    short = [Op("short-p", ["x >= 1200"], ["p"]), Op("short-q", ["y >= 1300"], ["q"])]
    long = [Op("long-p", ["x >= 2000"], ["p"]), Op("long-q", ["y >= 2100"], ["q"])]
    facts = {"p": False, "q": False}
    for steps in ([*short, *long, *walk], [*long, *short, *walk]):
        task = Description(facts, {"x": 0, "y": 0}, steps, ["p", "q"]).task()
        assert_value(heuristic, Options(), (task, [Model(task).initial]))
        assert evaluate(core_task(task), heuristic, Model(task).initial, Options()).value == 1201 + 1301


def test_interval_effects_read_the_state_before_the_operator() -> None:
    """The second block needs what the first one adds: two applications."""
    step = Op("step", effects=["p", When(["p"], ["q"])])
    task = Description({"p": False, "q": False}, {}, [step], ["q"]).task()
    assert evaluate(core_task(task), "haibr", Model(task).initial, Options()).value == 2
