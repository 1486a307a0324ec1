"""The bounds of hpot that know numbers: rates that others raise, and conditions that must hold on the way.

Tasks are drawn such that these bounds say something; random tasks of all kinds are in test_heuristics and test_astar.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.core.test_astar import exhaustive, search
from tests.oracles.acceleration import acceleration
from tests.oracles.builder import Description, Op
from tests.oracles.heuristics import Options
from tests.oracles.landmark_weights import landmark_weights
from tests.oracles.optimal import true_costs
from tests.oracles.potential import potentials
from tests.oracles.states import Model

Draw = Any
FREE_OR_NOT = st.integers(0, 3)
NEVER_FREE = st.integers(1, 3)  # free growth without a limit never ends
SMALL = st.integers(-2, 3)


@st.composite
def accelerating(draw: Draw, costs: st.SearchStrategy[int]) -> GroundedTask:
    """x grows by what v, w and constants say; v and w grow without a limit, by operators of their own or not."""
    operators = [
        Op("go", [], [f"x += {draw(st.integers(1, 2))}*v + {draw(SMALL)}*w + {draw(SMALL)}"], draw(costs)),
        Op("walk", ["y >= 1"] * draw(st.booleans()), [f"x += {draw(SMALL)}"], draw(costs)),
        Op("faster", [], [f"v += {draw(st.integers(1, 2))}", f"w += {draw(SMALL)}"], draw(costs)),
        Op("other", [], [f"w += {draw(SMALL)}", f"y += {draw(SMALL)}"], draw(costs)),
    ]
    if draw(st.integers(0, 3)) == 0:
        operators.append(Op("both", [], [f"x += {draw(SMALL)}", f"v += {draw(SMALL)}"], draw(costs)))
    values = {"x": 0, "v": draw(SMALL), "w": draw(SMALL), "y": 0}
    goal = [f"x + {draw(SMALL)}*y >= {draw(st.integers(1, 20))}"]
    return Description({}, values, operators, goal + ["v <= 1"] * draw(st.booleans())).task()


@st.composite
def visiting(draw: Draw, costs: st.SearchStrategy[int]) -> GroundedTask:
    """Places on a line, to be visited by one or two who walk at different speeds and share their fuel."""
    walkers = ["a", "b"][: draw(st.integers(1, 2))]
    fuel = draw(st.integers(0, 3))  # that a step takes
    operators = [Op("refuel", ["fuel <= 6"], [draw(st.sampled_from(["fuel := 6", "fuel += 2"]))], draw(costs))]
    for who in walkers:
        for step, limit, sign in (("up", f"{who} <= 8", "+"), ("down", f"{who} >= -8", "-")):
            walk = [f"{who} {sign}= {draw(st.integers(1, 3))}", f"fuel -= {fuel}"]
            operators.append(Op(f"{step}_{who}", [limit, f"fuel >= {fuel}"], walk, draw(costs)))
    places = [f"p{i}" for i in range(draw(st.integers(1, 3)))]
    for number, place in enumerate(places):
        at = draw(st.integers(-6, 6))
        before = [places[number - 1]] if number and draw(st.booleans()) else []
        for who in walkers:
            needs = [f"{who} >= {at}", f"{who} <= {at + draw(st.integers(0, 3))}", *before]
            operators.append(Op(f"visit_{place}_{who}", needs, [place], draw(costs)))
    home = [f"{who} {draw(st.sampled_from(['>=', '<=']))} {draw(SMALL)}" for who in walkers if draw(st.booleans())]
    goal = [place for place in places if place == places[-1] or draw(st.booleans())]
    values = {**dict.fromkeys(walkers, 0), "fuel": draw(st.integers(0, 8))}
    return Description(dict.fromkeys(places, False), values, operators, goal + home).task()


@pytest.mark.parametrize("kind", [accelerating, visiting])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_same_value_as_the_oracle(kind: Any, data: st.DataObject) -> None:
    task = data.draw(kind(FREE_OR_NOT))
    model = Model(task)
    expected = potentials(model, model.initial, Options())
    found = evaluate(core_task(task), "hpot", model.initial, Options())
    assert found.value == expected.value or expected.ambiguous


@pytest.mark.parametrize(("kind", "costs"), [(accelerating, NEVER_FREE), (visiting, FREE_OR_NOT)])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_optimal_costs(kind: Any, costs: st.SearchStrategy[int], data: st.DataObject) -> None:
    """What the first state of some facts says must hold of the others; so the search is the test."""
    task = data.draw(kind(costs))
    model = Model(task)
    expected = exhaustive(model, model.initial)
    if expected is None:
        return
    result = search(task, "hpot")
    assert (result.status, result.cost, result.lower_bound) == ("solved", expected, expected)
    assert evaluate(core_task(task), "hpot", model.initial, Options()).value <= expected


def bounds(task: GroundedTask) -> tuple[int, int | None]:
    model = Model(task)
    costs = true_costs(model)
    assert costs is not None
    return acceleration(model, model.initial, costs), landmark_weights(model, model.initial, costs)


def test_examples() -> None:
    """Ten by a rate of 1: three times faster and three times go; there and back again."""
    rates = Description({}, {"x": 0, "v": 1}, [Op("acc", [], ["v += 1"]), Op("go", [], ["x += v"])], ["x >= 10"])
    assert bounds(rates.task()) == (6, 0)
    steps = [Op("up", [], ["x += 2"]), Op("down", [], ["x -= 1"]), Op("visit", ["x >= 7"], ["p"])]
    there_and_back = Description({"p": False}, {"x": 0}, steps, ["p", "x <= 0"])
    assert bounds(there_and_back.task()) == (0, 12)
    two = [*steps, Op("up2", [], ["y += 3"]), Op("visit2", ["y >= 7"], ["p"])]
    assert bounds(Description({"p": False}, {"x": 0, "y": 0}, two, ["p"]).task()) == (0, 4)


def test_what_is_consumed_must_be_obtained() -> None:
    """Six steps of 2 take 12 of a fuel of which there are 3 and that never falls below 0: three more of 3 each."""
    steps = [Op("go", ["fuel >= 2"], ["fuel -= 2", "x += 1"]), Op("fill", [], ["fuel += 3"])]
    task = Description({}, {"x": 0, "fuel": 3}, steps, ["x >= 6"]).task()
    model = Model(task)
    assert exhaustive(model, model.initial) == 9
    assert evaluate(core_task(task), "hpot", model.initial, Options()).value == 9
    # a state below the bound is none that can be reached, and nothing is known of it
    below = model.initial._replace(values=(model.initial.values[0], model.initial.values[1] - 4))
    assert evaluate(core_task(task), "hpot", below, Options()).value <= 10
