"""Suffix conditions: they hold in a state if and only if the rest of the plan works there, and then know its cost."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.engines.improve.prices import prices
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.oracles.builder import Description, Either, Op, When
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model, State
from tests.oracles.suffixes import rest, walk

STATES = 5


def suffix(task: GroundedTask, plan: list[int]) -> _core.Suffix:
    costs = prices(task, nonnegative=False)
    assert costs is not None
    return _core.Suffix(core_task(task), costs, plan)


def with_goal_of(model: Model, task: GroundedTask, state: State, chance: random.Random) -> GroundedTask:
    """The same task whose goal is one of its conjunctions that holds in the state, as a rule."""
    rows = [row for row, atoms in enumerate(model.conjunctions) if model.all_hold(atoms, state)]
    return replace(task, goal=chance.choice(rows)) if chance.random() < 0.9 else task


def disturbed(state: State, chance: random.Random) -> State:
    """A state near another one."""
    facts, values = list(state.facts), list(state.values)
    for _ in range(chance.randint(0, 2)):
        if facts and (not values or chance.random() < 0.5):
            place = chance.randrange(len(facts))
            facts[place] = not facts[place]
        elif values:
            values[chance.randrange(len(values))] += chance.choice([-2, -1, 1, 2, 5])
    return State(tuple(facts), tuple(values))


def is_simple(model: Model) -> bool:
    """Neither disjunctions nor conditional effects, nor effects that can clash: the condition needs no help."""
    return not model.disjunctions and all(
        not block.condition and len({e.variable for e in block.numeric}) == len(block.numeric)
        for operator in model.operators
        for block in operator.blocks
    )


@settings(max_examples=420, deadline=None)
@given(task=tasks(exact=True), seed=st.integers(0, 2**32))
def test_the_condition_holds_exactly_where_the_rest_works(task: GroundedTask, seed: int) -> None:
    chance = random.Random(seed)
    plan, visited = walk(Model(task), chance, chance.randint(0, 7))
    task = with_goal_of(Model(task), task, visited[-1], chance)
    model, seen = Model(task), suffix(task, plan)
    for _ in range(STATES):
        position = chance.randint(0, len(plan))
        state = disturbed(visited[position], chance)
        assert seen.rest(position, *arrays(state)) == rest(model, plan[position:], state)
        asked = seen.requirement(position)
        assert asked["exact"] or not is_simple(model)
        if asked["exact"]:
            assert holds(asked, state) == (rest(model, plan[position:], state) is not None)


def holds(asked: _core.Requirement, state: State) -> bool:
    """The record, read without the core."""
    sums = (sum(c * state.values[v] for v, c in terms) >= least for terms, least in asked["constraints"])
    facts = all(state.facts[f] for f in asked["must"]) and not any(state.facts[f] for f in asked["must_not"])
    return not asked["impossible"] and facts and all(sums)


def asked_by(description: Description, *names: str) -> _core.Requirement:
    task = description.task()
    return suffix(task, [task.operator_names.index(f"({name})") for name in names]).requirement(0)


FARM = Description(
    {"open": False, "done": False},
    {"x": 0, "v": 1},
    [
        Op("unlock", ["not open"], ["open"]),
        Op("go", ["open", "x >= 2"], ["x -= 2"]),
        Op("speed", [], ["v += 1"]),
        Op("drive", [], ["x += 2*v + 1"]),
        Op("reset", [], ["x := v"]),
        Op("end", ["open", "x > 3"], ["done", When(["v > 5"], ["not open"])]),
    ],
    ["done", "x >= 1"],
)


def test_what_is_asked_for() -> None:
    asked = asked_by(FARM, "unlock", "go", "go")
    assert (asked["must"], asked["must_not"]) == ([1], [0])
    assert asked["constraints"] == [([(0, 1)], 5)]  # the goal's bound after two steps is the tightest
    # x + 2v + 1 > 3, and the goal x + 2v + 1 >= 1 is weaker
    assert asked_by(FARM, "drive", "end")["constraints"] == [([(0, 1), (1, 2)], 3)]
    assert asked_by(FARM, "reset", "end")["constraints"] == [([(1, 1)], 4)]
    assert asked_by(FARM, "unlock", "unlock")["impossible"]


def test_what_no_conjunction_says() -> None:
    either = replace_goal(FARM, ["done", Either(["x >= 1"], ["v >= 9"])])
    assert not asked_by(either)["exact"]
    assert asked_by(either)["must"] == [1]
    assert not asked_by(replace_goal(FARM, ["done", "open"]), "end")["exact"]


def replace_goal(description: Description, goal: list[object]) -> Description:
    return replace(description, goal=goal)  # type: ignore[arg-type]


def test_numbers_beyond_64_bits_are_executed_instead() -> None:
    """Seventy times x := 2x + y: the coefficients leave 64 bits, the answer stays true."""
    grow = Description({}, {"x": 0, "y": 0}, [Op("grow", [], ["x += x + y"])], ["x <= 5"]).task()
    seen, plan = suffix(grow, [0] * 70), [0] * 70
    assert seen.requirement(40)["exact"] and not seen.requirement(0)["exact"]
    for start in (0, -1, 1):
        state = State((), (Fraction(start), Fraction(0)))
        expected = rest(Model(grow), plan, state) if start == 0 else None  # others leave the core's numbers
        assert seen.rest(0, *arrays(state)) == expected


def test_costs_that_depend_on_the_state() -> None:
    task = Description({}, {"x": 1}, [Op("up", [], ["x += x"], "3 + x")], ["x >= 0"]).task()
    seen = suffix(task, [0, 0, 0])
    state = State((), (Fraction(5),))
    assert seen.rest(0, *arrays(state)) == (3 + 5 + 3 + 10 + 3 + 20, 3)


def test_refused_arguments() -> None:
    task = FARM.task()
    with pytest.raises(ValueError, match="no such operator"):
        suffix(task, [99])
