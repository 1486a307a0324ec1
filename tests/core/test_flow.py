"""Joined potentials: equal to their oracle, never above the distance, and good for who carries what it needs."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.core.configurations import search
from tests.oracles.builder import Description, Op, When
from tests.oracles.flow import carriers, flow
from tests.oracles.heuristics import Options
from tests.oracles.states import Model

Draw = Any


def expedition(sleds: int, legs: int, capacity: int, store: int) -> Description:
    """Sleds on a line that carry `capacity` at most and need one unit a leg; all is stored at place 0 at first."""
    facts, values, operators = {}, {f"at{p}": store if p == 0 else 0 for p in range(legs + 1)}, []
    for s in range(sleds):
        values[f"load{s}"] = 1
        facts |= {f"s{s}p{p}": p == 0 for p in range(legs + 1)}
        for p in range(legs + 1):
            here = f"s{s}p{p}"
            operators += [
                Op(f"move{s}-{p}-{q}", [here, f"load{s} >= 1"], [f"not {here}", f"s{s}p{q}", f"load{s} -= 1"])
                for q in (p - 1, p + 1)
                if 0 <= q <= legs
            ]
            store_one, take_one = [f"at{p} += 1", f"load{s} -= 1"], [f"at{p} -= 1", f"load{s} += 1"]
            operators.append(Op(f"store{s}-{p}", [here, f"load{s} >= 1"], store_one))
            operators.append(Op(f"take{s}-{p}", [here, f"at{p} >= 1", f"load{s} <= {capacity - 1}"], take_one))
    return Description(facts, values, operators, [f"s{s}p{legs}" for s in range(sleds)])


@st.composite
def transports(draw: Draw) -> GroundedTask:
    """Somebody who is always somewhere, with a number that is changed there and another one that anybody changes."""
    small, step = st.integers(0, 3), st.integers(1, 2)
    places = [f"p{i}" for i in range(draw(st.integers(2, 3)))]
    operators = [Op("idle", [], ["y += 1"])] * draw(st.booleans())
    for a, b in zip(places, [*places[1:], places[0]], strict=True):
        fuel = draw(small)
        operators.append(Op(f"{a}-{b}", [a, f"x >= {fuel}"], [f"not {a}", b, f"x -= {fuel}"]))
    for place in draw(st.lists(st.sampled_from(places), min_size=1, max_size=2, unique=True)):
        amount = draw(step)
        gain = draw(st.sampled_from([f"x += {amount}", f"x := {amount}"]))
        operators.append(Op(f"fill-{place}", [place, f"x <= {draw(small)}", f"y >= {draw(small)}"], [gain, "y -= 1"]))
        operators.append(
            Op(f"use-{place}", [place, f"x >= {amount}"], [f"x -= {amount}", f"y += {draw(step)}", "done"])
        )
    extra = draw(st.sampled_from([[], [], ["x -= 1"], ["p0"], ["not p1"], [When(["done"], ["x += 1"])]]))
    operators.append(Op("extra", ["done", "x >= 1"], [*extra, "y += 1"]))
    goal = draw(st.sampled_from([["done"], ["p1", "y >= 3"], ["not p0", "x >= 1"], ["done", "p0", "x <= 2"]]))
    facts = {place: place == "p0" for place in places} | {"done": False}
    return Description(facts, {"x": draw(small), "y": draw(small)}, operators, goal).task()


@settings(max_examples=200, deadline=None)
@given(task=transports())
def test_same_value_as_the_oracle(task: GroundedTask) -> None:
    model = Model(task)
    expected = flow(model, model.initial, Options())
    found = evaluate(core_task(task), "hflow", model.initial, Options()).value
    if expected.ambiguous:
        assert expected.value == math.inf
    else:
        assert found == pytest.approx(float(expected.value), rel=2e-3, abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(task=transports())
def test_lower_bounds_and_dead_ends_are_true(task: GroundedTask) -> None:
    model = Model(task)
    try:
        distance = model.shortest_plan_length(300)
    except OverflowError:  # more states than that
        return
    found = evaluate(core_task(task), "hflow", model.initial, Options()).value
    assert distance is None or found <= distance + 1e-6
    status = search(task, "S(hflow)", memory=2**24).status
    assert (status == "exhausted-complete") == (distance is None)


def test_carriers() -> None:
    """The sled's load belongs to its places; what is stored has no upper bound."""
    model = Model(expedition(2, 3, 4, 50).task())
    assert [(len(c.group), c.levels) for c in carriers(model)] == [(4, (0, 1, 2, 3, 4))] * 2
    # somebody who may be in two places at once is no carrier
    go, fill = Op("go", ["a", "x >= 1"], ["not a", "b", "x -= 1"]), Op("fill", ["a", "x <= 2"], ["x += 1"])
    for more, count in ([], 1), ([Op("split", ["b"], ["a"])], 0):
        task = Description({"a": True, "b": False}, {"x": 1}, [go, fill, *more], ["b"]).task()
        assert len(carriers(Model(task))) == count


def test_what_a_trip_takes_is_counted() -> None:
    """Six legs with a load of four: what the last four need is brought in trips that take two of four each."""
    task = expedition(1, 6, 4, 50).task()
    assert evaluate(core_task(task), "hpot", Model(task).initial, Options()).value < 20
    assert evaluate(core_task(task), "hflow", Model(task).initial, Options()).value == pytest.approx(25)


def snacks(children: int, others: int) -> Description:
    """Children who need the special bread, others who do not, and just enough of both kinds."""
    values = {"special": children, "plain": others, "for_children": 0, "for_others": 0}
    operators = [
        Op("child", ["special >= 1"], ["special -= 1", "for_children += 1"]),
        Op("other", ["plain >= 1"], ["plain -= 1", "for_others += 1"]),
        Op("waste", ["special >= 1"], ["special -= 1", "for_others += 1"]),
    ]
    return Description({}, values, operators, [f"for_children >= {children}", f"for_others >= {others}"])


def test_what_is_wasted_is_missed() -> None:
    """One special bread for others, and nobody can be helped any more: the flow has nowhere to come from."""
    task = snacks(20, 30).task()
    model, core = Model(task), core_task(task)
    wasted = model.replay([2])
    assert wasted is not None
    assert evaluate(core, "hflow", model.initial, Options()).value == pytest.approx(50)
    assert evaluate(core, "hadd", wasted, Options()).value < math.inf
    result = search(task, "S(hflow)")
    assert result.status == "solved"
    assert result.statistics["evaluated"] < 500


def test_a_proof_without_a_search() -> None:
    """Twelve legs take more than there is: the first state is a dead end."""
    task = expedition(1, 12, 4, 400).task()
    result = search(task, "S(hflow)")
    assert (result.status, result.statistics["evaluated"]) == ("exhausted-complete", 1)
    assert evaluate(core_task(task), "hflow", Model(task).initial, Options()).value == math.inf


@pytest.mark.parametrize(("sleds", "legs"), [(1, 8), (2, 8), (2, 9)])
def test_the_needs_double_with_every_leg(sleds: int, legs: int) -> None:
    task = expedition(sleds, legs, 4, 1000).task()
    result = search(task, "S(hflow)")
    assert result.status == "solved"
    assert result.statistics["evaluated"] < 100_000
    assert search(task, "S(hflow)").plan == result.plan
