"""Every search configuration on small tasks: plans are plans, exhaustion is proof, runs repeat."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings

from numbat import _core
from numbat.search.options import TIES, SearchOptions
from numbat.task.grounded import GroundedTask
from tests.core.configurations import CONFIGURATIONS, search
from tests.oracles.builder import Description, Op
from tests.oracles.examples import EXAMPLES, Example
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model

COUNTS = ["expanded", "evaluated", "generated", "dead_ends", "duplicates"]
LARGEST_SPACE = 4000


def assert_plan(model: Model, result: _core.Result) -> None:
    last = model.replay(result.plan)
    assert last is not None and model.is_goal(last)


def solvable(model: Model) -> bool:
    """By breadth-first search; tasks with larger spaces are left out."""
    try:
        return model.shortest_plan_length(LARGEST_SPACE) is not None
    except OverflowError:
        assume(False)
        raise


@pytest.mark.parametrize("name", CONFIGURATIONS)
@pytest.mark.parametrize("example", [pytest.param(example, id=example.name) for example in EXAMPLES])
def test_examples(example: Example, name: str) -> None:
    """First in, first out, since some of the spaces are infinite and some of the heuristics blind."""
    result = search(example.task, name, SearchOptions("fifo"))
    if example.name == "E11 out of reach":
        assert result.status == "exhausted-complete"
    else:
        assert result.status == "solved"
        assert_plan(Model(example.task), result)


@pytest.mark.parametrize(("variant", "patience"), [("tuned", 2000), ("compat", 2000), ("tuned", 3)])
@settings(max_examples=60, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_solved_or_proved_unsolvable(task: GroundedTask, variant: str, patience: int) -> None:
    model = Model(task)
    expected = "solved" if solvable(model) else "exhausted-complete"
    for name in CONFIGURATIONS:
        result = search(task, name, SearchOptions(variant=variant, patience=patience))
        assert result.status == expected, name
        if result.status == "solved":
            assert_plan(model, result)


@settings(max_examples=30, deadline=None)
@given(task=tasks(bounded=True, exact=False))
def test_doubles_prove_nothing(task: GroundedTask) -> None:
    model = Model(task)
    expected = "solved" if solvable(model) else "exhausted-pruned"
    for name in CONFIGURATIONS:
        result = search(task, name)
        assert result.status == expected, name
        if result.status == "solved":
            assert_plan(model, result)


def test_a_stalled_search_tries_other_orders() -> None:
    """Last in, first out walks on for ever; goal counting cannot tell that three other steps would do."""
    steps = [Op("one", [], ["p"]), Op("two", ["p"], ["q"]), Op("three", ["q"], ["r"]), Op("walk", [], ["x += y"])]
    task = Description({"p": False, "q": False, "r": False}, {"x": 0, "y": 1}, steps, ["r", "x >= 0"]).task()
    stubborn = search(task, "S(hgc)", SearchOptions("lifo", patience=0), time=0.5)
    assert (stubborn.status, stubborn.statistics["restarts"]) == ("out-of-time", 0)
    flexible = search(task, "S(hgc)", SearchOptions("lifo", patience=50))
    assert flexible.status == "solved"
    assert flexible.statistics["restarts"] > 0
    assert_plan(Model(task), flexible)


def test_a_stalled_search_looks_at_distances_too() -> None:
    """Goal counting sees no difference between walking up, down and away; h_md does."""
    steps = [Op("up", [], ["x += z"]), Op("down", [], ["x -= z"]), Op("away", [], ["y += z"])]
    task = Description({}, {"x": 0, "y": 0, "z": 1}, steps, ["x >= 200"]).task()
    result = search(task, "S(hgc)", SearchOptions("lifo", patience=50))
    assert_plan(Model(task), result)
    assert result.statistics["evaluated"] < 5000


def test_when_memory_is_short_the_first_run_has_all_of_it() -> None:
    steps = [Op("up", [], ["x += z"]), Op("away", [], ["y += z"])]
    task = Description({"p": False}, {"x": 0, "y": 0, "z": 1}, steps, ["p", "x >= 500000"]).task()
    memory = 2**23
    stored = []
    for patience in (50, 0):
        result = search(task, "S(hgc)", SearchOptions(patience=patience), memory=memory)
        assert result.status == "out-of-memory"
        assert result.statistics["memory"] < 1.1 * memory
        stored.append(result.statistics["expanded"])
    assert stored[0] > stored[1]


@pytest.mark.parametrize("seed", [0, 1, 12345])
@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=10, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_same_seed_same_search(task: GroundedTask, ties: str, seed: int) -> None:
    for name in CONFIGURATIONS:
        one, two = (search(task, name, SearchOptions(ties, seed)) for _ in range(2))
        assert (one.status, one.plan) == (two.status, two.plan), name
        assert [one.statistics[c] for c in COUNTS] == [two.statistics[c] for c in COUNTS], name
        assert [(n, h) for _, n, h in one.history] == [(n, h) for _, n, h in two.history], name


@settings(max_examples=60, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_plans_under_a_cost_bound(task: GroundedTask) -> None:
    model = Model(task)
    for name in ("S(hadd)", "S(hmrp+hj)", "M(3h)"):
        bound: Fraction | None = None
        for _ in range(5):
            result = search(task, name, bound=math.inf if bound is None else float(bound))
            if result.status != "solved":
                assert bound is None or result.status.startswith("exhausted")
                break
            assert_plan(model, result)
            cost = plan_cost(model, result.plan)
            assert bound is None or cost < bound
            bound = cost


def plan_cost(model: Model, plan: list[int]) -> Fraction:
    states = [model.replay(plan[:length]) for length in range(len(plan))]
    return sum((model.cost(o, s) for o, s in zip(plan, states, strict=True) if s is not None), Fraction(0))


def test_bound_keeps_looking_for_a_cheaper_plan() -> None:
    """The direct way costs 9, the long way 4: under a bound of 9 only the long way counts."""
    walk = [Op(f"walk{i}", [f"x = {i}"], ["x += 1"], cost=1) for i in range(4)]
    task = Description({}, {"x": 0}, [Op("fly", ["x = 0"], ["x := 4"], cost=9), *walk], ["x >= 4"]).task()
    for name in CONFIGURATIONS:
        result = search(task, name, bound=9.0)
        assert (result.status, result.plan) == ("solved", [1, 2, 3, 4]), name
        assert search(task, name, bound=4.0).status == "exhausted-pruned", name


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_initial_goal_and_initial_dead_end(name: str) -> None:
    done = Description({"p": True}, {}, [], ["p"]).task()
    result = search(done, name)
    assert (result.status, result.plan) == ("solved", [])
    hopeless = Description({"p": False}, {}, [Op("a", ["p"], ["p"])], ["p"]).task()
    assert search(hopeless, name).status == "exhausted-complete"


def test_statistics_and_history() -> None:
    task = next(e for e in EXAMPLES if e.name == "E4").task
    for name in CONFIGURATIONS:
        result = search(task, name)
        counts = result.statistics
        assert 0 < counts["expanded"] <= counts["evaluated"] + counts["dead_ends"], name
        # a jump is one state, however often it repeats its operator; so is what a relaxed plan leads to
        assert name.startswith("Y") or counts["generated"] >= len(list(itertools.groupby(result.plan))), name
        assert counts["memory"] > 0 and counts["seconds"] >= 0, name
        assert all(a[2] > b[2] and a[1] <= b[1] and a[0] <= b[0] for a, b in pairwise(result.history)), name


def test_jumps_shorten_the_search_and_stay_applicable() -> None:
    """A far counter is one jump away; with a tank that holds 3 the same jump has to stop and refuel."""
    far = Description({}, {"x": 0}, [Op("inc", effects=["x += 1"])], ["x >= 5000"]).task()
    result = search(far, "S(hmrp+hj)")
    assert (result.status, len(result.plan)) == ("solved", 5000)
    assert result.statistics["expanded"] < 10
    tank = Description(
        {},
        {"x": 0, "fuel": 3},
        [Op("drive", ["fuel >= 1"], ["x += 1", "fuel -= 1"]), Op("fill", ["fuel <= 0"], ["fuel := 3"])],
        ["x >= 30"],
    ).task()
    result = search(tank, "S(hmrp+hj)")
    assert result.status == "solved"
    assert_plan(Model(tank), result)
