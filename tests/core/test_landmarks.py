"""Landmarks, their orders and h_lm in the core equal the oracle; what it calls a landmark, every plan passes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.core.configurations import search
from tests.core.test_lazy import one_directional
from tests.oracles.builder import Description, Either, Op, When
from tests.oracles.examples import EXAMPLES
from tests.oracles.landmarks import MOST, Landmarks, greedy_search
from tests.oracles.large_tasks import large_tasks
from tests.oracles.lazy import lazy_search
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model, State

FIFO = SearchOptions("fifo", patience=0)


class Ways:
    """The core's count along ways that plans describe, by their states' numbers; without the distance."""

    def __init__(self, task: GroundedTask) -> None:
        self.model, self.core = Model(task), _core.Landmarks(core_task(task))
        self.states = [self.model.initial]
        self.first = math.floor(self.core.begin(*arrays(self.model.initial)).value)

    def go(self, parent: int, operator: int, repetitions: int = 1) -> int:
        state = self.states[parent]
        for _ in range(repetitions):
            after = self.model.apply(operator, state)
            assert after is not None
            state = after
        self.states.append(state)
        return math.floor(self.core.reach(parent, operator, repetitions, *arrays(state)).value)


def named(task: GroundedTask, atoms: list[int]) -> set[str]:
    facts = [name for fact in task.fact_names for name in (fact, f"not {fact}")]
    names = {atom: facts[atom] if atom < len(facts) else f"condition {atom - len(facts)}" for atom in atoms}
    return set(names.values())


def counters() -> GroundedTask:
    """E4 with a way back."""
    e4 = next(e for e in EXAMPLES if e.name == "E4").description
    return Description(e4.facts, e4.variables, [*e4.ops, Op("decx", [], ["x -= 1"])], e4.goal).task()


def blocks(on: dict[str, str], goal: dict[str, str]) -> GroundedTask:
    """Blocks a, b, c and a table t; who moves one holds it in between."""
    facts = {f"{x}-{y}": on.get(x) == y for x in "abc" for y in "abct" if x != y}
    facts |= {f"clear-{x}": x not in on.values() for x in "abc"} | {f"hold-{x}": False for x in "abc"} | {"free": True}
    steps = []
    for x, y in ((x, y) for x in "abc" for y in "abct" if x != y):
        needs, gives = (f"clear-{y}",) * (y != "t"), (f"not clear-{y}",) * (y != "t")
        lifted = [f"hold-{x}", f"not {x}-{y}", f"not clear-{x}", "not free", *needs]
        steps.append(Op(f"lift-{x}-{y}", [f"{x}-{y}", f"clear-{x}", "free"], lifted))
        steps.append(
            Op(f"put-{x}-{y}", [f"hold-{x}", *needs], [f"{x}-{y}", f"clear-{x}", "free", f"not hold-{x}", *gives])
        )
    return Description(facts, {}, steps, [f"{x}-{y}" for x, y in goal.items()]).task()


@st.composite
def exchanges(draw: Any) -> GroundedTask:
    """Operators give up facts for others, most of them as many as they take; some also count, or depend on a fact."""
    names = [f"f{i}" for i in range(draw(st.integers(3, 7)))]
    held = draw(st.sets(st.sampled_from(names), min_size=1, max_size=2))
    steps = []
    for number in range(draw(st.integers(3, 9))):
        mixed = draw(st.permutations(names))
        width = draw(st.sampled_from([1, 1, 2]))
        lost, gained = mixed[:width], mixed[width : 2 * width]
        effects: list[str | When] = [
            *gained,
            *(f"not {name}" for name in lost),
            *draw(st.sampled_from([(), (), ("x += 1",)])),
        ]
        if draw(st.integers(0, 3)) == 0:
            effects.append(When([mixed[-1]], [mixed[0]]))
        steps.append(Op(f"o{number}", [*lost, *draw(st.sampled_from([(), (), ("x >= 1",)]))], effects))
    goal = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True))
    return Description({name: name in held for name in names}, {"x": 0}, steps, goal).task()


@st.composite
def block_tasks(draw: Any) -> GroundedTask:
    """Towers of three blocks, and towers that some of them shall form."""
    on: dict[str, str] = {}
    goal: dict[str, str] = {}
    for places in (on, goal):
        order = draw(st.permutations("abc"))
        for number, block in enumerate(order):
            places[block] = order[number - 1] if number and draw(st.booleans()) else "t"
    wanted = draw(st.sets(st.sampled_from("abc"), min_size=1))
    return blocks(on, {block: place for block, place in goal.items() if block in wanted})


def all_tasks() -> st.SearchStrategy[GroundedTask]:
    return st.one_of(tasks(), large_tasks(), exchanges(), block_tasks())


def test_documented_values() -> None:
    task = counters()
    ways = Ways(task)
    names = [name.strip("()") for name in task.operator_names]
    incx, decx, a = names.index("incx"), names.index("decx"), names.index("a")
    assert len(ways.core.atoms) == 4 and {"p", "q"} < named(task, ways.core.atoms)
    assert ways.first == 4
    assert ways.go(0, incx, 3) == 3  # 1: x >= 3
    assert ways.go(1, decx) == 4  # needed again, for p
    assert ways.go(1, a) == 2  # 3
    assert ways.go(3, decx) == 2  # p is past, and nothing else needs x


def test_the_weaker_of_two_conditions() -> None:
    steps = [Op("inc", [], ["x += 1"]), Op("a1", ["x >= 7"], ["g"]), Op("a2", ["2*x >= 10"], ["g"])]
    task = Description({"g": False}, {"x": 0}, steps, ["g"]).task()
    assert named(task, _core.Landmarks(core_task(task)).atoms) == {"g", "condition 1"}


def test_what_holds_for_ever_is_no_landmark() -> None:
    steps = [Op("a", ["p", "x >= 1", "q"], ["g", "not q"])]
    task = Description({"p": True, "q": True, "g": False}, {"x": 3}, steps, ["g"]).task()
    assert named(task, _core.Landmarks(core_task(task)).atoms) == {"g", "q"}


def two_ways_to(goal: str, *needs: str | Either) -> list[Op]:
    """Achievers of achievers: what they all need is a landmark, but no achiever of one needs it itself."""
    ways = [Op(way, needs, [way]) for way in ("a", "b")]
    return [*ways, *(Op(f"{goal}-{way}", [way], [goal]) for way in ("a", "b"))]


def test_past_is_what_is_past_on_both_ways() -> None:
    """A diamond: p held on one way only, and is to come again once the other way is known."""
    steps = [
        Op("up", ["s"], ["p", "l", "not s"]),
        Op("down", ["s"], ["r", "not s"]),
        Op("from-up", ["l"], ["m", "not l", "not p"]),
        Op("from-down", ["r"], ["m", "not r"]),
        Op("walk", ["m"], ["w"]),
        Op("run", ["m"], ["w", "v"]),
        Op("p-late", ["m"], ["p"]),
        *two_ways_to("g", "p", "m"),
    ]
    up, down, from_up, from_down, walk, run = range(6)
    facts = {"s": True, **dict.fromkeys("plrmwvabg", False)}
    task = Description(facts, {}, steps, ["g"]).task()
    ways = Ways(task)
    assert named(task, ways.core.atoms) == {"s", "p", "m", "g"} and ways.first == 3
    assert [ways.go(0, up), ways.go(0, down)] == [2, 3]  # 1 and 2
    assert ways.go(1, from_up) == 1  # 3: g is to come
    assert ways.go(3, walk) == 1
    assert ways.states[3] == ways.model.replay([down, from_down])
    ways.core.reach_again(3, 2, from_down, 1)
    assert ways.go(3, run) == 2  # and p


def test_states_between_the_repetitions_count() -> None:
    """What holds only in the middle of a jump is past after it: on a curve, or as a disjunction."""
    window = Either(["y >= 2", "y <= 3"], ["r"])
    steps = [Op("curve", [], ["x += v", "v -= 1"]), Op("line", [], ["y += 1"]), Op("r", [], ["r"])]
    facts = dict.fromkeys("rabg", False)
    task = Description(facts, {"x": 0, "v": 2, "y": 0}, [*steps, *two_ways_to("g", "x >= 3", window)], ["g"]).task()
    ways = Ways(task)
    assert len(ways.core.atoms) == 3 and ways.first == 3
    assert ways.go(0, 0, 5) == 2  # x: 2, 3, 3, 2, 0
    assert ways.go(1, 1, 1) == 2
    assert ways.go(1, 1, 5) == 1


def test_towers_are_built_from_below() -> None:
    """c lies on b as it should, but b is not yet on a, which lies on c."""
    task = blocks({"a": "c", "c": "b", "b": "t"}, {"b": "a", "c": "b"})
    ways = Ways(task)
    names = {f"({name})" if not name.startswith("(") else name: i for i, name in enumerate(task.fact_names)}
    fact = {name.strip("()"): number for name, number in names.items()}
    assert ways.core.reasonable_orders == [(2 * fact["b-a"], 2 * fact["c-b"])]
    assert {"a-b", "c-b", "clear-b", "hold-b"} in [
        {name for name, number in fact.items() if number in group} for group in ways.core.groups
    ]
    landmarks = Landmarks(Model(task))
    assert not landmarks.in_place(2 * fact["c-b"], Model(task).initial)
    operators = [name.strip("()") for name in task.operator_names]
    plan = ["lift-a-c", "put-a-t", "lift-c-b", "put-c-t", "lift-b-t", "put-b-a", "lift-c-t", "put-c-b"]
    counts = [ways.first] + [ways.go(i, operators.index(name)) for i, name in enumerate(plan)]
    assert counts[-1] == 0 and counts == sorted(counts, reverse=True)


@settings(max_examples=60, deadline=None)
@given(drawn=st.data())
def test_at_most_one_of_a_group_holds(drawn: Any) -> None:
    task = drawn.draw(all_tasks())
    model, groups = Model(task), _core.Landmarks(core_task(task)).groups
    state = model.initial
    for _ in range(8):
        assert all(sum(state.facts[fact] for fact in group) <= 1 for group in groups)
        successors = [after for o in model.enabled(state) if (after := model.apply(o, state)) is not None]
        if not groups or not successors:
            break
        state = drawn.draw(st.sampled_from(successors))


@settings(max_examples=100, deadline=None)
@given(task=all_tasks())
def test_landmarks_and_orders(task: GroundedTask) -> None:
    model, core = Model(task), core_task(task)
    for most_work, direct in ((10**9, False), (0, True)):
        expected, found = Landmarks(model, direct=direct), _core.Landmarks(core, most_work)
        assert sorted(found.atoms) == sorted(expected.atoms)
        assert set(found.orders) == expected.orders and len(found.orders) == len(expected.orders)
        assert set(found.reasonable_orders) == expected.reasonable_orders
        assert set(map(frozenset, found.groups)) == set(expected.groups)
        goals = sum(atom in model.goal for atom in found.atoms)
        assert set(found.atoms[:goals]) <= set(model.goal)


@settings(max_examples=40, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_every_plan_passes_every_landmark(task: GroundedTask) -> None:
    model = Model(task)
    for name in ("S(hgc)", "S(hadd)", "S(hlm)"):
        result = search(task, name, FIFO)
        assume(result.status == "solved")
        states = [model.replay(result.plan[:length]) for length in range(len(result.plan) + 1)]
        for atom in _core.Landmarks(core_task(task)).atoms:
            assert any(model.holds(atom, state) for state in states if state is not None)


@st.composite
def walks(draw: Any) -> tuple[GroundedTask, list[tuple[int, int, int]]]:
    """A task and steps from earlier states: (state, operator, repetitions)."""
    task = draw(all_tasks())
    operators = st.integers(0, len(task.operator_precondition) - 1)
    steps = [
        (draw(st.integers(0, i)), draw(operators), draw(st.integers(1, 3))) for i in range(draw(st.integers(1, 9)))
    ]
    return task, steps


@settings(max_examples=100, deadline=None)
@given(drawn=walks())
def test_counts_along_ways(drawn: tuple[GroundedTask, list[tuple[int, int, int]]]) -> None:
    """Also with second ways to a state: whenever a walk comes to a state that it knows."""
    task, steps = drawn
    model = Model(task)
    landmarks, core = Landmarks(model), _core.Landmarks(core_task(task))
    core.begin(*arrays(model.initial))
    states, past = [model.initial], [landmarks.holding(model.initial)]
    for start, operator, repetitions in steps:
        parent = min(start, len(states) - 1)
        passed, done = [states[parent]], 0
        while done < repetitions and (state := model.apply(operator, passed[-1])) is not None:
            passed.append(state)
            done += 1
        state = passed[-1]
        if not done or any(abs(value) > 2**62 for state in passed for value in state.values):
            continue
        arrived = past[parent].union(*(landmarks.holding(s) for s in passed[1:]))
        if state in states:
            known = states.index(state)
            past[known] &= arrived
            core.reach_again(known, parent, operator, done)
            continue
        states.append(state)
        past.append(arrived)
        found = core.reach(parent, operator, done, *arrays(state))
        assert found.value == landmarks.value(arrived, state)
        assert found.helpful == landmarks.preferred(arrived, state)


@settings(max_examples=40, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_eager_search_equals_the_slow_version(task: GroundedTask) -> None:
    model = Model(task)
    assume(not any(one_directional(model, variable) for variable in range(len(model.initial.values))))
    found = search(task, "S(hlm)", FIFO)
    assert (found.status, found.statistics["evaluated"], found.plan) == greedy_search(model)


def test_eager_search_learns_of_second_ways() -> None:
    """The diamond; where both ways meet, two parts of the goal are lost, so that the second way is found in time."""
    steps = [
        Op("up", ["s"], ["p", "l", "not s"]),
        Op("down", ["s"], ["r", "not s"]),
        Op("from-up", ["l"], ["m", "not l", "not p", "not t", "not u"]),
        Op("from-down", ["r"], ["m", "not r", "not t", "not u"]),
        *(Op(f"walk{i}", ["m"], [f"w{i}"]) for i in range(3)),
        *(Op(f"{name}-late", ["m"], [name]) for name in "tup"),
        *two_ways_to("g", "p", "m"),
    ]
    facts = {**dict.fromkeys("stu", True), **dict.fromkeys([*"plrmabg", "w0", "w1", "w2"], False)}
    task = Description(facts, {}, steps, ["g", "t", "u"]).task()
    found = search(task, "S(hlm)", FIFO)
    expected = greedy_search(Model(task))
    assert (found.status, found.statistics["evaluated"], found.plan) == expected
    assert expected != greedy_search(Model(task), second_ways=False)


@pytest.mark.parametrize("name", ["L(hlm)", "L(hgc, hlm)"])
@settings(max_examples=15, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_lazy_search_equals_the_slow_version(name: str, task: GroundedTask) -> None:
    model = Model(task)
    assume(not any(one_directional(model, variable) for variable in range(len(model.initial.values))))
    landmarks = Landmarks(model)
    past: dict[tuple[int, ...], frozenset[int]] = {}  # plan -> what is past then
    heuristics = [queue.heuristic for queue in configuration(name).searches[0].queues]

    def evaluate(state: State, plan: list[int]) -> list[tuple[float, list[int]]]:
        here = past[tuple(plan)] = past.get(tuple(plan[:-1]), frozenset()) | landmarks.holding(state)
        count = float(landmarks.value(here, state)), landmarks.preferred(here, state)
        missing = float(sum(not model.holds(atom, state) for atom in model.goal)), list[int]()
        return [count if heuristic == "hlm" else missing for heuristic in heuristics]

    found = search(task, name)
    assert (found.status, found.statistics["evaluated"], found.plan) == lazy_search(model, evaluate, len(heuristics))


def test_labels_that_would_take_too_long() -> None:
    """A chain whose labels have 72 million entries: the needs of the achievers find as much, and no more is kept."""
    length = 12000
    facts = {f"p{i}": i == 0 for i in range(length)}
    steps = [Op(f"o{i}", [f"p{i - 1}"], [f"p{i}"]) for i in range(1, length)]
    task = core_task(Description(facts, {}, steps, [f"p{length - 1}"]).task())
    assert _core.Landmarks(task).atoms == [2 * i for i in range(length - 1, length - 1 - MOST, -1)]
