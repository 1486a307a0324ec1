"""Costs kept from one state to the next are those computed from scratch: equal values and advice, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.oracles.builder import Description, Op, When
from tests.oracles.heuristics import Options, oracles
from tests.oracles.large_tasks import large_tasks, near_states
from tests.oracles.states import Model, State

ORACLES = oracles()
FACTS, NUMBERS = 9, 4
KEPT = ["hadd", "hradd", "hmrp"]


def random_task(random: Random, *, exact: bool) -> GroundedTask:
    """Chains of facts and numbers, without disjunctions; repetitions are broken numbers as often as not."""

    def literal() -> str:
        return random.choice(["", "", "not "]) + f"p{random.randrange(FACTS)}"

    def condition() -> str:
        first, second = random.sample(range(NUMBERS), 2)
        form = f"x{first}" + random.choice(["", "", f" + x{second}", f" - 2*x{second}"])
        return f"{form} {random.choice(['>=', '>', '<='])} {random.randint(-9, 9)}"

    def conditions(most: int) -> list[str]:
        return [random.choice([literal, literal, condition])() for _ in range(random.randint(0, most))]

    def change() -> str:
        amounts = [random.choice(["1", "2", "3", "7", "-1", "-3"])] * 4 + [f"x{random.randrange(NUMBERS)}", "1 - x0"]
        return f"x{random.randrange(NUMBERS)} {random.choice(['+=', '+=', '+=', ':='])} {random.choice(amounts)}"

    def effects() -> list[str]:
        changes = {text.split()[0]: text for text in (change() for _ in range(random.randint(0, 2)))}
        return [*{literal() for _ in range(random.randint(1, 2))}, *changes.values()]

    def operator(number: int) -> Op:
        conditional = [When(conditions(1) or ["p0"], effects())] if random.random() < 0.2 else []
        return Op(f"o{number}", conditions(3), [*effects(), *conditional], random.randint(1, 3))

    return Description(
        {f"p{i}": random.random() < 0.4 for i in range(FACTS)},
        {f"x{i}": random.randint(-3, 3) for i in range(NUMBERS)},
        [operator(number) for number in range(random.randint(8, 24))],
        [*{literal() for _ in range(3)}, condition(), condition()],
    ).task(exact=exact)


def random_states(random: Random, model: Model, count: int) -> Iterator[State]:
    """A walk that now and then goes on elsewhere: a step, a state seen before, or any state at all."""
    seen = [model.initial]
    for _ in range(count):
        state, kind = seen[-1], random.random()
        if kind < 0.7 and (enabled := model.enabled(state)):
            state = model.apply(random.choice(enabled), state) or state
        elif kind < 0.9:
            state = random.choice(seen)
        else:
            facts = tuple(random.random() < 0.5 for _ in state.facts)
            state = State(facts, tuple(Fraction(random.randint(-20, 20)) for _ in state.values))
        if any(abs(value) > 10**6 for value in state.values):
            state = model.initial
        seen.append(state)
        yield state


def assert_same(task: _core.Task, heuristic: str, states: Sequence[State], *, metric: bool = False) -> None:
    kept = _core.Evaluations(task, heuristic, metric_cost=metric, keep_costs=True)
    for number, state in enumerate(states):
        found = kept.evaluate(*arrays(state))
        expected = _core.evaluate(task, heuristic, *arrays(state), metric_cost=metric)
        assert (found.value, found.helpful, found.jumps) == (expected.value, expected.helpful, expected.jumps), number


@pytest.mark.parametrize("heuristic", KEPT)
@pytest.mark.parametrize(("exact", "metric"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize("seed", range(25))
def test_same_as_from_scratch(heuristic: str, exact: bool, metric: bool, seed: int) -> None:
    random = Random(seed)
    task = random_task(random, exact=exact)
    assert_same(core_task(task), heuristic, list(random_states(random, Model(task), 40)), metric=metric)


@pytest.mark.parametrize("heuristic", KEPT)
@pytest.mark.parametrize("seed", range(3))
def test_same_as_the_oracle(heuristic: str, seed: int) -> None:
    random = Random(100 + seed)
    task = random_task(random, exact=True)
    model, kept = Model(task), _core.Evaluations(core_task(task), heuristic, keep_costs=True)
    for state in random_states(random, model, 15):
        found, expected = kept.evaluate(*arrays(state)), ORACLES[heuristic](model, state, Options())
        if not expected.ambiguous:
            assert found.value == pytest.approx(float(expected.value), abs=1e-9)


@pytest.mark.parametrize("heuristic", KEPT)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_large_numbers(heuristic: str, data: st.DataObject) -> None:
    """Wide tasks, and costs that are too large to be kept."""
    task = data.draw(large_tasks())
    assert_same(core_task(task), heuristic, data.draw(st.lists(near_states(task), min_size=2, max_size=6)))


def chain(length: int) -> GroundedTask:
    """Every link doubles h_add: the costs of a state with the first fact are small, those without it large."""
    facts = {f"{name}{i}": name == "a" and i == 0 for i in range(length) for name in "ab"}
    links = [
        Op(f"{name}{i}", [f"a{i - 1}", f"b{i - 1}"] if i > 1 else ["a0"], [f"{name}{i}"])
        for i in range(1, length)
        for name in "ab"
    ]
    return Description(facts, {"x": 0}, [*links, Op("begin", [], ["a0"])], [f"a{length - 1}"]).task()


@pytest.mark.parametrize("heuristic", KEPT)
def test_costs_too_large_to_keep(heuristic: str) -> None:
    task = chain(90)
    model = Model(task)
    last = State(tuple(i < 60 for i in range(len(task.init_facts))), model.initial.values)
    some = State(tuple(i < 100 for i in range(len(task.init_facts))), model.initial.values)
    all_of_it = State(tuple(i < 176 for i in range(len(task.init_facts))), model.initial.values)
    assert_same(core_task(task), heuristic, [some, model.initial, some, last, all_of_it, model.initial, last, some])


def test_the_rule_changes_nothing() -> None:
    """Long enough for trials, pauses and long stretches by change."""
    random = Random(7)
    task = random_task(random, exact=True)
    core, states = core_task(task), list(random_states(random, Model(task), 400))
    for heuristic in KEPT:
        chosen = _core.Evaluations(core, heuristic)
        for state in states:
            found, expected = chosen.evaluate(*arrays(state)), _core.evaluate(core, heuristic, *arrays(state))
            assert (found.value, found.helpful, found.jumps) == (expected.value, expected.helpful, expected.jumps)
