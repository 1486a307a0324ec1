"""The improver: valid, never dearer, optimal on small tasks; and its corners."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numbat.task.grounded import GroundedTask
from tests.engines.improve.test_elimination import improve
from tests.engines.improve.test_suffix import with_goal_of
from tests.oracles.builder import Description, Op
from tests.oracles.optimal import optimal_cost, true_costs
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model
from tests.oracles.suffixes import rest, walk

LARGEST_SPACE = 1500


def improved(task: GroundedTask, plan: list[int], **more: object) -> list[int]:
    result = improve(task, plan, **more)
    return result["plan"] if result["ending"] == "better" else plan


@settings(max_examples=80, deadline=None)
@given(task=tasks(bounded=True, exact=True, constant_costs=True), seed=st.integers(0, 2**32))
def test_small_tasks_reach_the_optimum(task: GroundedTask, seed: int) -> None:
    chance = random.Random(seed)
    plan, visited = walk(Model(task), chance, 15)
    task = with_goal_of(Model(task), task, visited[-1], chance)
    model = Model(task)
    costs = true_costs(model)
    assert costs is not None
    assume(rest(model, plan, model.initial) is not None)
    try:
        best = optimal_cost(model, costs, model.initial, LARGEST_SPACE)
    except OverflowError:
        return
    better = improved(task, plan)
    assert rest(model, better, model.initial) is not None
    assert sum(costs[operator] for operator in better) == best


@settings(max_examples=60, deadline=None)
@given(task=tasks(free=True), seed=st.integers(0, 2**32))
def test_all_kinds_of_costs_never_grow(task: GroundedTask, seed: int) -> None:
    """Also negative and state-dependent ones, and tasks with rounded numbers."""
    chance = random.Random(seed)
    plan, visited = walk(Model(task), chance, 10)
    task = with_goal_of(Model(task), task, visited[-1], chance)
    model = Model(task)
    before = rest(model, plan, model.initial)
    assume(before is not None and (task.exact or not len(task.cost_term_variable)))
    after = rest(model, improved(task, plan, time=0.03), model.initial)
    assert before is not None and after is not None and after <= before


def line(goal: int) -> Description:
    ops = [Op("one", [], ["x += 1"], 1), Op("ten", ["x >= 0"], ["x += 10"], 3), Op("rest", [], ["y += 1"], 0)]
    return Description({}, {"x": 0, "y": 0}, ops, [f"x >= {goal}"])


def test_hundreds_of_steps_become_jumps() -> None:
    assert sorted(improved(line(1000).task(), [0] * 1000)) == [1] * 100


def test_steps_that_cost_nothing_go_too() -> None:
    assert improved(line(2).task(), [2, 0, 2, 0, 2]) == [0, 0]


@pytest.mark.parametrize("plan", [[], [2], [0, 2]])
def test_the_empty_plan(plan: list[int]) -> None:
    result = improve(line(0).task(), plan)
    assert result["plan"] == [] and result["ending"] == ("better" if plan else "nothing-left")


def test_what_is_no_plan_is_left_alone() -> None:
    assert improve(line(5).task(), [0])["plan"] == []
    with pytest.raises(ValueError, match="no such operator"):
        improve(line(5).task(), [7])


def test_huge_costs() -> None:
    ops = [Op("dear", [], ["p"], 2**45), Op("cheap", [], ["q"], 1), Op("both", ["q"], ["p"], 2**45 - 3)]
    task = Description({"p": False, "q": False}, {"x": 0}, ops, ["p"]).task()
    assert improved(task, [0]) == [1, 2]


def test_long_plans() -> None:
    """100,000 steps: something is saved within seconds."""
    ops = [Op("up", ["x < y + 2"], ["x += 1"]), Op("follow", ["y < x"], ["y += 1"]), Op("idle", [], ["z += 1"])]
    task = Description({}, {"x": 0, "y": 0, "z": 0}, ops, ["x >= 30000", "y >= 30000"]).task()
    plan = [0, 1, 2] * 33334
    result = improve(task, plan, time=3.0, pause=1.0)
    assert result["ending"] == "better" and len(result["plan"]) < 99900
    model_end = np.bincount(result["plan"], minlength=3)
    assert model_end[0] >= 30000 and model_end[1] >= 30000


def test_nothing_is_searched_twice() -> None:
    ops = [Op(f"o{i}", [f"x >= {i}"], [f"x += {1 + i % 3}"]) for i in range(6)]
    task = Description({}, {"x": 0}, ops, ["x >= 40"]).task()
    best = improved(task, improved(task, [0] * 40))
    first = improve(task, best)
    again = improve(task, best, notes=first["notes"])
    assert first["ending"] == again["ending"] == "nothing-left"
    assert first["statistics"]["windows"] >= again["statistics"]["windows"] == 0


def row_of_counters(length: int = 12) -> tuple[GroundedTask, list[int]]:
    """A task, and a plan on which the improver would go on for long."""
    starts = [7 * i % length for i in range(length)]
    signs = (("up", "+"), ("down", "-"))
    ops = [Op(f"{word}{i}", [], [f"x{i} {sign}= 1"]) for i in range(length) for word, sign in signs]
    goal = [f"x{i} + 1 <= x{i + 1}" for i in range(length - 1)]
    task = Description({}, {f"x{i}": start for i, start in enumerate(starts)}, ops, goal).task()
    return task, [2 * i for i, start in enumerate(starts) for _ in range(length + i - start)]


def test_lanes_go_on_where_they_were() -> None:
    """Unless the plan is a fresh one."""
    task, plan = row_of_counters(20)
    for seconds in (1.0, 4.0, 16.0):  # a core that looks for memory errors is slow
        first = improve(task, plan, time=seconds)
        rounds = first["statistics"]["rounds"]
        if rounds > 10:
            break
    assert first["ending"] == "better" and rounds > 10

    def rounds_at_once(*, fresh: bool) -> float:
        return improve(task, first["plan"], time=0.1, fresh=fresh, notes=first["notes"])["statistics"]["rounds"]

    assert rounds_at_once(fresh=False) >= rounds - 2 > rounds_at_once(fresh=True)  # chains are looked for anew


def test_notes_that_are_none_are_refused() -> None:
    task, plan = row_of_counters()
    notes = improve(task, plan, time=0.1)["notes"]
    with pytest.raises(ValueError, match="notes of another improver"):
        improve(task, plan, notes=notes[:-1])


def test_another_incumbent_ends_it() -> None:
    """The number changes, and it stops."""
    task, plan = row_of_counters()
    number = np.zeros(1)
    change = threading.Timer(0.3, number.__setitem__, (0, 1.0))
    change.start()
    begin = time.monotonic()
    result = improve(task, plan, incumbent=number, time=60.0, pause=60.0)
    change.join()
    assert result["ending"] in ("outdated", "better") and time.monotonic() - begin < 30
