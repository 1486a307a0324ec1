"""Weighted A* against uniform-cost search: whatever guides it, bounds hold and claims are true."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.search.options import HEURISTIC_COSTS, PRUNINGS, SearchOptions
from numbat.search.registry import configuration, heuristics
from numbat.search.run import Limits, core_options
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task
from tests.core.test_astar import EXAMPLES, cost_of, exhaustive, growing
from tests.oracles.builder import Description, Op
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State

NAMES = [entry["name"] for entry in heuristics()]
WEIGHTS = st.sampled_from([1, 2, 5, 1000])
OPTIONS = st.builds(
    SearchOptions,
    heuristic_cost=st.sampled_from(HEURISTIC_COSTS),
    ties=st.sampled_from(["heap", "fifo"]),
    pruning=st.sampled_from([(), ("stubborn",), PRUNINGS]),
)


def search(task: GroundedTask, notation: str, options: SearchOptions, bound: int = 0) -> _core.Result:
    wanted = configuration(notation).searches[0]
    return _core.search(core_task(task), core_options(wanted, options, Limits(20.0, 1 << 28, integer_bound=bound)))


@pytest.mark.parametrize("heuristic", NAMES)
@settings(max_examples=60, deadline=None)
@given(
    drawn=tasks_with_states(0, bounded=True, exact=True, constant_costs=True),
    weight=WEIGHTS,
    options=OPTIONS,
)
def test_ever_lower_bounds_end_at_the_optimal_cost(
    heuristic: str, drawn: tuple[GroundedTask, list[State]], weight: int, options: SearchOptions
) -> None:
    """Each plan becomes the bound of the next search; the last one finds nothing, and proves it."""
    task, notation = drawn[0], f"W({weight}*{heuristic})"
    model = Model(task)
    expected = exhaustive(model, model.initial)
    result = search(task, notation, options)
    if expected is None:
        assert result.status == "exhausted-complete" and not result.proved_optimal
        return
    cost = result.cost
    while result.status == "solved":
        assert result.cost is not None and result.cost >= cost_of(model, result.plan) >= expected
        assert not result.proved_optimal or result.cost == expected
        assert result.lower_bound <= expected
        cost = result.cost
        if cost == 0:  # there is no lower bound to search below
            return
        result = search(task, notation, options, bound=cost)
        assert result.cost is None or result.cost < cost
    assert (result.status, cost, result.lower_bound) == ("exhausted-pruned", expected, expected)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("heuristic", NAMES)
def test_weight_one_below_the_next_cost_is_optimal(name: str, heuristic: str) -> None:
    description, cost, *_ = EXAMPLES[name]
    result = search(description.task(), f"W({heuristic})", SearchOptions(), bound=cost + 1)
    assert (result.status, result.cost) == ("solved", cost)


def test_weights_decide_who_comes_first() -> None:
    """A costly way that looks short, and a cheap one that looks long."""
    costly = [Op("leap", ["p"], ["m"], cost=9), Op("land", ["m"], ["g"])]
    cheap = [Op(f"go{i}", [f"q{i}"], [f"q{i + 1}" if i < 4 else "g"]) for i in range(5)]
    start = [Op("left", [], ["p"]), Op("right", [], ["q0"])]
    facts = dict.fromkeys(["p", "m", "g", *(f"q{i}" for i in range(5))], False)
    task = Description(facts, {}, [*start, *costly, *cheap], ["g"]).task()
    options = SearchOptions(heuristic_cost="unit", pruning=())
    assert search(task, "W(1000*hadd)", options).cost == 11
    assert search(task, "W(1*hadd)", options).cost == 6


def test_states_that_overflow_limit_the_claim() -> None:
    result = search(growing(), "W(5*hadd)", SearchOptions(), bound=200)
    assert result.status == "exhausted-pruned" and 40 < result.lower_bound < 70


@settings(max_examples=40, deadline=None)
@given(drawn=tasks_with_states(0, bounded=True, exact=False, constant_costs=True), weight=WEIGHTS)
def test_rounded_numbers_prove_nothing(drawn: tuple[GroundedTask, list[State]], weight: int) -> None:
    for bound in (0, 1):
        result = search(drawn[0], f"W({weight}*hadd)", SearchOptions(), bound)
        assert result.lower_bound == 0


@pytest.mark.parametrize("weight", [0, -1, 1001])
def test_other_weights_are_refused_by_the_core_too(weight: int) -> None:
    task = EXAMPLES["O1"][0].task()
    options = core_options(configuration("W(hadd)").searches[0], SearchOptions(), Limits(1.0, 1 << 28))
    options["variations"][0]["weight"] = weight
    with pytest.raises(ValueError, match="a weight"):
        _core.search(core_task(task), options)
