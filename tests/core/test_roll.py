"""Rolling: equal to its oracle, worth what was worked out by hand, and good for what goes on moving."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.core.configurations import search
from tests.oracles.builder import Description, Op
from tests.oracles.heuristics import Options
from tests.oracles.roll import distance, rolling, steps
from tests.oracles.states import Model, State

CAR = Description(
    {},
    {"x": 0, "v": 0},
    [Op("accelerate", effects=["x += v", "v := 0.5*v + 1"]), Op("coast", effects=["x += v", "v := 0.5*v"])],
    ["x >= 3", "x <= 4", "v >= -0.2", "v <= 0.2"],
)


def test_a_car_that_has_to_stop() -> None:
    """Steps: the windows' widths, 1 and 2/5. Standing, x lacks 3 steps; no run of one operator ends nearer."""
    task = CAR.task(exact=False)
    model, core = Model(task), core_task(task)
    assert [float(step) for step in steps(model)] == pytest.approx([1, 1, 0.4, 0.4])
    values = []
    for plan in ([], [0], [0, 0], [0, 0, 1], [0, 0, 0]):
        state = model.replay(plan)
        assert state is not None
        values.append(evaluate(core, "hroll", state, Options()).value)
    assert values[:1] + values[2:4] == [2, 3 / 1024, 2 / 1024]
    # coasting ten times to x = 2 - 1/512: less for more coasting is not worth the applications
    assert values[1] == pytest.approx(math.log2(2 + 1 / 512) + 10 / 1024)
    assert values[4] > values[3]  # too fast for the window
    result = search(task, "S(hroll)")
    assert (result.status, result.plan) == ("solved", [0, 0, 1, 1, 1])


def test_the_nearest_part_of_the_goal_counts() -> None:
    """p and q want x in windows of 2 steps; r wants p first. Numbers of the goal come last."""
    visits = [
        Op("p", ["x >= 10", "x <= 12"], ["p"]),
        Op("q", ["x >= -22", "x <= -20"], ["q"]),
        Op("r", ["p", "x >= 14", "x <= 16"], ["r"]),
    ]
    facts = {"p": False, "q": False, "r": False}
    goal = ["p", "q", "r", "x >= 100"]
    task = Description(facts, {"x": 0}, visits, goal).task(exact=False)

    def value(p: bool, q: bool, r: bool, x: int) -> float:
        state = State((p, q, r), (Fraction(x),))
        found = evaluate(core_task(task), "hroll", state, Options()).value
        assert found == pytest.approx(distance(Model(task), state))
        return found

    assert value(False, False, False, 0) == pytest.approx(96 + math.log2(1 + 1 + 5))  # p: 5 steps and itself
    assert value(False, False, False, 15) == pytest.approx(96 + math.log2(1 + 1 + 1.5))  # r would need p as well
    assert value(True, False, False, 15) == 64 + 1
    assert value(True, True, True, 37) == pytest.approx(math.log2(1 + 63))


@pytest.mark.parametrize(("others", "run"), [(0, 32), (31, 32), (32, 31), (99, 10), (1023, 1), (1024, 0)])
def test_many_operators_are_repeated_less_often(others: int, run: int) -> None:
    """They share 1024 applications; those that are not applicable take no share."""
    move, idle = [Op("move", effects=["x += v"])], [Op(f"idle{i}", effects=["y += v"]) for i in range(others)]
    never = [Op("never", ["v >= 2"], ["y += 2*v"])]
    task = Description({}, {"x": 0, "y": 0, "v": 1}, [*move, *idle, *never], ["x >= 40"]).task()
    model = Model(task)
    assert [float(step) for step in steps(model)] == [1] * len(model.conditions)
    found = evaluate(core_task(task), "hroll", model.initial, Options()).value
    assert found == pytest.approx(math.log2(1 + 40 - run) + run / 1024)
    if others < 100:
        assert rolling(model, model.initial, Options()).value == pytest.approx(found)


def test_a_fact_that_nothing_makes_true_is_a_dead_end() -> None:
    once = [Op("use", ["key"], ["not key", "p"]), Op("drop", ["key"], ["not key"])]
    task = Description({"key": True, "p": False}, {"x": 0}, once, ["p"]).task()
    lost = Model(task).replay([1])
    assert lost is not None
    assert evaluate(core_task(task), "hroll", lost, Options()).value == math.inf


def harbour(craft: int, ports: list[tuple[int, int]]) -> GroundedTask:
    """Craft with drag: every push goes on for long, and who docks must nearly rest."""
    steps, facts = [], {f"p{i}": False for i in range(len(ports))}
    numbers = {f"{name}{c}": 0 for c in range(craft) for name in ("x", "y", "vx", "vy")}
    for c in range(craft):
        drift = [f"x{c} += vx{c}", f"y{c} += vy{c}"]
        for name, east, north in [("coast", 0, 0), ("e", 1, 0), ("w", -1, 0), ("n", 0, 1), ("s", 0, -1)]:
            speed = [f"vx{c} := 0.9*vx{c} + {0.35 * east}", f"vy{c} := 0.9*vy{c} + {0.35 * north}"]
            steps.append(Op(f"{name}{c}", effects=[*drift, *speed]))
        for i, (x, y) in enumerate(ports):
            rest = [f"{v}{c} >= -0.2" for v in ("vx", "vy")] + [f"{v}{c} <= 0.2" for v in ("vx", "vy")]
            near = [f"x{c} >= {x - 3}", f"x{c} <= {x + 3}", f"y{c} >= {y - 3}", f"y{c} <= {y + 3}"]
            steps.append(Op(f"dock{c}-{i}", near + rest, [f"p{i}"]))
    return Description(facts, numbers, steps, list(facts)).task(exact=False)


@pytest.mark.parametrize("name", ["S(hroll)", "M(hroll, hadd)"])
def test_every_state_is_new(name: str) -> None:
    task = harbour(2, [(40, 10), (-35, -20), (60, -60)])
    result = search(task, name)
    assert result.status == "solved"
    assert result.statistics["evaluated"] < 20000
    assert search(task, name).plan == result.plan
