"""Redundant actions and groups of them go; what is needed stays, and nothing gets dearer."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.engines.improve.prices import prices
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task
from tests.engines.improve.test_suffix import with_goal_of
from tests.oracles.builder import Description, Op
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model
from tests.oracles.suffixes import rest, walk


def eliminate(task: GroundedTask, plan: list[int], time: float = 10.0) -> list[int]:
    return _core.eliminate(core_task(task), prices(task, nonnegative=True), plan, time)


_NOTHING: dict[str, object] = {"board": None, "incumbent": None, "notes": b""}


def improve(task: GroundedTask, plan: list[int], **more: object) -> _core.Improvement:
    options = {"time": 10.0, "memory": 1 << 28, "seed": 1, "pause": 9.0, "fresh": True}
    costs = prices(task, nonnegative=bool((task.cost_constant >= 0).all() and not len(task.cost_term_variable)))
    return _core.improve(core_task(task), costs, plan, {**options, **_NOTHING, **more})  # type: ignore[typeddict-item]


ERRANDS = Description(
    {"home": True, "shop": False, "milk": False, "bread": False, "paid": False},
    {"x": 0, "y": 0},
    [
        Op("go", ["home"], ["shop", "not home"], 3),
        Op("back", ["shop"], ["home", "not shop"], 3),
        Op("buy", ["shop"], ["milk"], 1),
        Op("bake", ["home"], ["bread"], 2),
        Op("up", [], ["x += 1"], 1),
        Op("follow", ["y < x"], ["y += 1"], 1),
    ],
    ["milk", "x >= 1"],
)


def numbers(*names: str) -> list[int]:
    return [[op.name for op in ERRANDS.ops].index(name) for name in names]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        # going there and back serves only itself, and so does what was counted beyond the goal
        (["up", "go", "back", "go", "buy"], ["up", "go", "buy"]),
        (["up", "up", "follow", "follow", "go", "buy"], ["up", "go", "buy"]),
        (["go", "buy", "up"], ["go", "buy", "up"]),
        (["go", "buy", "back", "bake", "up", "up"], ["go", "buy", "up"]),
    ],
)
def test_what_only_serves_itself_goes(plan: list[str], expected: list[str]) -> None:
    assert eliminate(ERRANDS.task(), numbers(*plan)) == numbers(*expected)


def test_no_time_changes_nothing() -> None:
    plan = numbers("up", "up", "go", "buy")
    assert eliminate(ERRANDS.task(), plan, 0.0) == plan


def test_what_is_no_plan_stays_as_it_is() -> None:
    assert eliminate(ERRANDS.task(), numbers("buy")) == numbers("buy")


def test_chains_of_counters_go_together() -> None:
    """All three were raised by one more than needed; none can go alone."""
    ops = [Op(f"up{i}", [], [f"x{i} += 1"]) for i in range(3)]
    task = Description({}, {"x0": 0, "x1": 0, "x2": 0}, ops, ["x0 + 1 <= x1", "x1 + 1 <= x2"]).task()
    assert improve(task, [0, 1, 1, 2, 2, 2])["plan"] in ([1, 2, 2], [2, 1, 2], [2, 2, 1])


@settings(max_examples=150, deadline=None)
@given(task=tasks(), seed=st.integers(0, 2**32))
def test_the_result_is_a_plan_that_costs_no_more(task: GroundedTask, seed: int) -> None:
    chance = random.Random(seed)
    plan, visited = walk(Model(task), chance, 12)
    task = with_goal_of(Model(task), task, visited[-1], chance)
    model = Model(task)
    before = rest(model, plan, model.initial)
    if before is None or (not task.exact and len(task.cost_term_variable)):
        return
    shorter = eliminate(task, plan)
    after = rest(model, shorter, model.initial)
    assert after is not None and after <= before
    # no single action can go for nothing
    if task.exact:
        for index in range(len(shorter)):
            alone = rest(model, shorter[:index] + shorter[index + 1 :], model.initial)
            assert alone is None or alone >= after
