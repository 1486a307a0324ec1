"""Searches that carry out relaxed plans: what comes of a plan, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from numbat import _core
from numbat.search.registry import configuration
from numbat.task.grounded import GroundedTask
from tests.core.bridge import arrays, core_task, state_of
from tests.core.configurations import search
from tests.core.test_lazy import evaluation_by, one_directional
from tests.oracles.builder import Description, Op
from tests.oracles.lazy import lazy_search
from tests.oracles.lookahead import Planned, carry_out, carry_out_in_turn
from tests.oracles.random_tasks import tasks, tasks_with_states
from tests.oracles.states import Model, State


def planned(
    task: GroundedTask, heuristic: str, *, by_subgoal: bool = False
) -> tuple[list[Planned], list[tuple[int, int]], State]:
    """The relaxed plan of the initial state, the steps taken of it, and where they lead."""
    found = _core.look_ahead(core_task(task), heuristic, *arrays(Model(task).initial), by_subgoal=by_subgoal)
    assert found is not None
    return found[0], found[1], state_of(*found[2])


def ferry(cars: int) -> GroundedTask:
    """Cars stand at places of their own and are wanted at place 0, where the boat is."""
    facts = {"at0": True, "free": True}
    ops = []
    for a in range(cars + 1):
        facts |= {f"at{a}": a == 0}
        ops += [Op(f"sail{a}-{b}", [f"at{a}"], [f"at{b}", f"not at{a}"]) for b in range(cars + 1) if a != b]
    for car in range(1, cars + 1):
        facts |= {f"car{car}": True, f"on{car}": False, f"home{car}": False}
        ops.append(Op(f"board{car}", [f"at{car}", f"car{car}", "free"], [f"on{car}", f"not car{car}", "not free"]))
        ops.append(Op(f"leave{car}", [f"on{car}", "at0"], [f"home{car}", f"not on{car}", "free"]))
    return Description(facts, {}, ops, [f"home{car}" for car in range(1, cars + 1)]).task()


def test_a_plan_is_found_in_few_evaluations() -> None:
    ahead, lazy = search(ferry(8), "Y(hmrp)"), search(ferry(8), "L(hmrp)")
    assert ahead.status == lazy.status == "solved"
    assert ahead.statistics["evaluated"] <= 20 < lazy.statistics["evaluated"]


def test_what_destroys_waits() -> None:
    """Leaving the door comes last, although the plan has it before painting."""
    ops = [
        Op("leave", ["here"], ["there", "not here"]),
        Op("mix", [], ["paint"]),
        Op("paint", ["here", "paint"], ["done"]),
    ]
    facts = {"here": True, "there": False, "paint": False, "done": False}
    task = Description(facts, {}, ops, ["there", "done"]).task()
    plan, steps, end = planned(task, "hmrp")
    assert [operator for operator, _, _ in plan].index(0) < [operator for operator, _, _ in plan].index(2)
    assert steps == [(1, 1), (2, 1), (0, 1)]
    assert Model(task).is_goal(end)


def test_a_step_is_replaced_by_one_with_the_same_purpose() -> None:
    """From one place to the two others: the second way begins where the first one ends."""
    places = "abc"
    ops = [Op(f"{x}{y}", [x], [y, f"not {x}", f"seen {y}"]) for x in places for y in places if x != y]
    facts = {place: place == "a" for place in places} | {f"seen {place}": False for place in places}
    task = Description(facts, {}, ops, ["seen b", "seen c"]).task()
    plan, steps, end = planned(task, "hmrp")
    assert sorted(operator for operator, _, _ in plan) == [0, 1]  # ab, ac
    assert steps == [(0, 1), (3, 1)] or steps == [(1, 1), (5, 1)]  # ab bc, or ac cb
    assert Model(task).is_goal(end)


def test_subgoal_by_subgoal() -> None:
    """Two workers with power for one thing each: what leads to one goal comes before what leads to the next."""
    ops = []
    for worker in "ab":
        ops += [
            Op(f"start-{worker}", [], [f"on {worker}"]),
            Op(f"work-{worker}", [f"on {worker}"], [f"done {worker}"]),
        ]
    facts = {f"{what} {worker}": False for worker in "ab" for what in ("on", "done")}
    task = Description(facts, {}, ops, ["done a", "done b"]).task()
    orders = [[op for op, _, _ in planned(task, "hmrp", by_subgoal=by_subgoal)[0]] for by_subgoal in (False, True)]
    assert sorted(orders[0][:2]) == [0, 2] and sorted(orders[0][2:]) == [1, 3]
    assert orders[1] in ([0, 1, 2, 3], [2, 3, 0, 1])


def test_steps_are_repeated_as_often_as_planned() -> None:
    ops = [Op("inc", [], ["x += 2"]), Op("use", ["x >= 7"], ["p"])]
    plan, steps, end = planned(Description({"p": False}, {"x": 0}, ops, ["p"]).task(), "hmrp")
    assert [(operator, repetitions) for operator, repetitions, _ in plan] == [(0, 4), (1, 1)] == steps
    assert end.facts == (True,)


@pytest.mark.parametrize("heuristic", ["hmrp", "hadd"])
@settings(max_examples=60, deadline=None)
@given(drawn=tasks_with_states(3, free=False))
def test_equals_the_slow_version(heuristic: str, drawn: tuple[GroundedTask, list[State]]) -> None:
    model, core = Model(drawn[0]), core_task(drawn[0])
    assume(model.exact and not any(one_directional(model, variable) for variable in range(len(model.initial.values))))
    for state in drawn[1]:
        found = _core.look_ahead(core, heuristic, *arrays(state))
        if found is None:
            continue
        plan, steps, end = found
        if heuristic == "hmrp":  # the plan is the one whose length is the value
            assert sum(n for _, n, _ in plan) == _core.evaluate(core, heuristic, *arrays(state)).value
        assert (steps, state_of(*end)) == carry_out(model, plan, state)
        found = _core.look_ahead(core, heuristic, *arrays(state), by_subgoal=True)
        assert found is not None
        in_turn, steps, end = found
        assert sorted(step[:2] for step in in_turn) == sorted(step[:2] for step in plan)
        assert (steps, state_of(*end)) == carry_out_in_turn(model, in_turn, state)


@pytest.mark.parametrize("name", ["Y(hadd)", "Y(hmrp)", "Y(hmd, hmrp)", "Y(hgc, hadd)"])
@settings(max_examples=30, deadline=None)
@given(task=tasks(bounded=True, exact=True, free=False))
def test_the_search_equals_the_slow_version(name: str, task: GroundedTask) -> None:
    model, core = Model(task), core_task(task)
    assume(not any(one_directional(model, variable) for variable in range(len(model.initial.values))))
    heuristics = [queue.heuristic for queue in configuration(name).searches[0].queues]
    planner = next(heuristic for heuristic in heuristics if heuristic in ("hadd", "hmrp"))

    def ahead(state: State, by_subgoal: bool) -> tuple[list[int], State] | None:
        found = _core.look_ahead(core, planner, *arrays(state), by_subgoal=by_subgoal)
        assert found is not None
        steps, end = (carry_out_in_turn if by_subgoal else carry_out)(model, found[0], state)
        return ([op for op, times in steps for _ in range(times)], end) if len(steps) > 1 else None

    found = search(task, name)
    expected = lazy_search(model, evaluation_by(core, heuristics), len(heuristics), ahead)
    assert (found.status, found.statistics["evaluated"], found.plan) == expected
