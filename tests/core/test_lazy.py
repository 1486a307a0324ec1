"""Lazy search: evaluations only of states that are taken out, preferred operators first, and nothing lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings

from numbat import _core
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task
from tests.core.configurations import CONFIGURATIONS, search
from tests.oracles.builder import Description, Op
from tests.oracles.lazy import Evaluate, lazy_search
from tests.oracles.random_tasks import tasks, tasks_with_states
from tests.oracles.states import Model, State
from tests.oracles.subgoaling import cheapest_support

LAZY = [name for name in CONFIGURATIONS if name.startswith(("L", "Y"))]


def test_one_evaluation_per_expansion() -> None:
    """Fifty operators that lead nowhere before the one that leads to the goal, three times."""
    distractions = [Op(f"d{i}", [], [f"q{i}"]) for i in range(50)]
    facts = {f"q{i}": False for i in range(50)}
    task = Description(facts, {"x": 0}, [*distractions, Op("inc", [], ["x += 1"])], ["x >= 3"]).task()
    # the initial state, the first distraction, and inc three times
    assert search(task, "L(hmrp)").statistics["evaluated"] == 5
    assert search(task, "S(hmrp)").statistics["evaluated"] > 100
    # the jump by three is preferred, and before the single step
    jumping = search(task, "L(hmrp+hj)")
    assert (jumping.statistics["evaluated"], jumping.plan) == (3, [50, 50, 50])


def test_a_jump_that_is_not_possible_yields_no_state() -> None:
    steps = [
        Op("burn", ["fuel >= 1"], ["fuel -= 1", "done += 1"]),
        Op("fill", ["fuel <= 0"], ["fuel += 1"]),
    ]
    task = Description({}, {"fuel": 1, "done": 0}, steps, ["done >= 2"]).task()
    result = search(task, "L(hmrp+hj)")
    assert (result.status, result.plan) == ("solved", [0, 1, 0])


def test_a_state_reached_twice_is_evaluated_once() -> None:
    task = Description({"p": False, "q": False}, {}, [Op("a", [], ["p"]), Op("b", [], ["p"])], ["q", "p"]).task()
    assert search(task, "L(hgc)").statistics["evaluated"] == 2


@pytest.mark.parametrize("name", ["L(hadd)", "L(hmrp)", "L(hmd, hmrp)", "L(hgc, hadd)"])
@settings(max_examples=30, deadline=None)
@given(task=tasks(bounded=True, exact=True, free=False))
def test_equals_the_slow_version(name: str, task: GroundedTask) -> None:
    model, core = Model(task), core_task(task)
    assume(not any(one_directional(model, variable) for variable in range(len(model.initial.values))))
    heuristics = [queue.heuristic for queue in configuration(name).searches[0].queues]
    found = search(task, name)
    expected = lazy_search(model, evaluation_by(core, heuristics), len(heuristics))
    assert (found.status, found.statistics["evaluated"], found.plan) == expected


def evaluation_by(core: _core.Task, heuristics: list[str]) -> Evaluate:
    """What the core's heuristics say of a state, for the slow search."""

    def evaluate(state: State, plan: list[int]) -> list[tuple[float, list[int]]] | None:
        found = [_core.evaluate(core, heuristic, *arrays(state), advice=True) for heuristic in heuristics]
        if any(math.isinf(evaluation.value) for evaluation in found):
            return None
        return [(evaluation.value, evaluation.helpful) for evaluation in found]

    return evaluate


def one_directional(model: Model, variable: int) -> bool:
    """May the core make states equal that differ in it? See numbat.analyse.saturation."""
    effects = [e for o in model.operators for b in o.blocks for e in b.numeric if e.variable == variable]
    signs = {effect.form.constant > 0 for effect in effects if effect.form.constant}
    return len(signs) == 1 and not any(effect.assign or effect.form.terms for effect in effects)


@settings(max_examples=60, deadline=None)
@given(drawn=tasks_with_states(3, free=False))
def test_preferred_operators_of_h_add(drawn: tuple[GroundedTask, list[State]]) -> None:
    """Of a relaxed plan along cheapest achievers, one at least; the choice between equals is free."""
    task, model = core_task(drawn[0]), Model(drawn[0])
    for state in drawn[1]:
        plain = _core.evaluate(task, "hadd", *arrays(state))
        found = _core.evaluate(task, "hadd", *arrays(state), advice=True)
        assert found.value == plain.value and plain.helpful == []
        allowed = cheapest_support(model, state)
        assert set(found.helpful) <= allowed & set(model.enabled(state))
        assert found.helpful or found.value in (0, math.inf)


@pytest.mark.parametrize("name", LAZY)
@settings(max_examples=15, deadline=None)
@given(task=tasks(bounded=True, exact=True))
def test_seeds_shuffle_and_repeat(name: str, task: GroundedTask) -> None:
    runs = [search(task, name, SearchOptions(seed=seed)) for seed in (3, 3, 0)]
    assert runs[0].plan == runs[1].plan
    assert runs[0].statistics["evaluated"] == runs[1].statistics["evaluated"]
    assert runs[0].status == runs[2].status
