"""Round trips: which are found, that each is exactly its steps, and what they are for."""

from __future__ import annotations

from random import Random

from numbat.engines.patterns import decode
from numbat.engines.patterns.decode import Step
from numbat.engines.patterns.layers import Dependencies, Relaxation
from numbat.engines.patterns.loops import with_loops
from numbat.engines.patterns.reduce import Action, Model, State, reduce
from numbat.engines.patterns.search import Solved
from numbat.task.grounded import GroundedTask
from tests.engines.patterns.test_search import search
from tests.oracles.builder import Either, Op, build
from tests.oracles.states import Model as Oracle

CASES = 1_000


def supplies(goal: int, *, capacity: int | None = 4, toll: int = 1) -> GroundedTask:
    """A sled between two places: every way costs supplies, which it carries, too."""
    room = [f"load <= {capacity - 1}"] if capacity is not None else []
    operators = [
        Op("retrieve", ["home", "stock >= 1", *room], ["stock -= 1", "load += 1"]),
        Op("leave", ["home", f"load >= {toll}"], ["not home", "away", f"load -= {toll}"]),
        Op("store", ["away", "load >= 1"], ["depot += 1", "load -= 1"]),
        Op("back", ["away", f"load >= {toll}"], ["not away", "home", f"load -= {toll}"]),
    ]
    facts, values = {"home": True, "away": False}, {"stock": 100, "load": 0, "depot": 0}
    return build(facts, values, operators, [f"depot >= {goal}", "home"])


def extended(task: GroundedTask) -> tuple[Model, list[Action]]:
    model = reduce(task)
    model = with_loops(model, Relaxation(Dependencies(model), model.initial))
    return model, [action for action in model.actions if action.cycle]


def test_the_largest_load_there_and_back() -> None:
    _, loops = extended(supplies(20))
    assert [loop.cycle for loop in loops] == [((0, 4), (1, 1), (2, 2), (3, 1))]


def test_no_trip_without_a_bound_or_without_a_gain() -> None:
    assert extended(supplies(20, capacity=None))[1] == []
    assert extended(supplies(20, toll=2))[1] == []


def test_two_hundred_steps_are_a_short_pattern() -> None:
    task = supplies(48)
    ending = search(task, 40)
    assert isinstance(ending, Solved) and len(ending.operators) >= 24 * 8
    end = Oracle(task).replay(ending.operators)
    assert end is not None and Oracle(task).is_goal(end)


def test_disjunctions_keep_their_meaning() -> None:
    """The conditions of round trips come before disjunctions in the numbering of atoms."""
    operators = [
        Op("retrieve", ["home", "load <= 3"], ["load += 1"]),
        Op("leave", ["home"], ["not home", "away"]),
        Op("store", ["away", "load >= 1"], ["depot += 1", "load -= 1"]),
        Op("back", ["away"], ["not away", "home"]),
        Op("close", [Either(["depot >= 30"], ["load >= 9"])], ["closed"]),
    ]
    facts = {"home": True, "away": False, "closed": False}
    task = build(facts, {"load": 0, "depot": 0}, operators, [Either(["closed"], ["depot >= 99"])])
    assert extended(task)[1]
    ending = search(task, 60)
    assert isinstance(ending, Solved)
    end = Oracle(task).replay(ending.operators)
    assert end is not None and Oracle(task).is_goal(end)


def random_task(random: Random) -> GroundedTask:
    def amount() -> int:
        return random.randint(1, 3)

    capacity, take, give, toll = random.randint(3, 12), amount(), amount(), random.randint(0, 1)
    operators = [
        Op("fill", ["home", f"load <= {capacity - take}", "stock >= 2"], [f"stock -= {amount()}", f"load += {take}"]),
        Op(
            "leave", ["home", f"load + 2 * fuel >= {amount()}"], ["not home", "away", f"fuel -= {random.randint(0, 2)}"]
        ),
        Op("empty", ["away", f"load >= {give}"], [f"load -= {give}", f"depot += {amount()}"]),
        Op("back", ["away", "open", f"fuel - depot >= {-amount()}"], ["not away", "home", f"load -= {toll}"]),
    ]
    facts, values = {"home": True, "away": False, "open": True}, {"stock": 30, "load": 0, "fuel": 9, "depot": 0}
    return build(facts, values, operators, ["depot >= 9"])


def random_state(random: Random, model: Model) -> State:
    at_home = random.random() < 0.8
    values = {number: random.randint(-2, 14) for number in range(len(model.initial.values))}
    if random.random() < 0.7:
        values |= {n: value for n, value in enumerate(model.initial.values) if random.random() < 0.7}
    facts = (at_home, not at_home, random.random() < 0.8)
    return State(facts, tuple(values.values()))


def test_a_round_trip_is_its_steps() -> None:
    random, possible = Random(5), 0
    for case in range(CASES):
        model, loops = extended(random_task(random))
        for loop in loops:
            state = random_state(random, model)
            at_once = model.apply(loop, state)
            assert at_once == decode.replay(model, [Step(*step) for step in loop.cycle], state), case
            possible += at_once is not None
    assert possible > CASES // 20
