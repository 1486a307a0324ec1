"""Plans whose runs are counted anew: valid, never costlier, and what the questions see that windows do not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import inf

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numbat.engines.board import Board
from numbat.engines.improve.engine import LONGEST_SHARED, Incumbent
from numbat.engines.improve.recount import Recounting
from numbat.engines.outcome import Outcome, Status
from numbat.engines.patterns import recount
from numbat.engines.patterns.decode import Step, replay
from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import Size
from numbat.engines.patterns.layers import Dependencies, Relaxation
from numbat.engines.patterns.recount import Plan, Recount, runs_of, unrolled
from numbat.engines.patterns.reduce import Form, alike, reduce
from numbat.engines.problem import Problem
from numbat.search.run import Limits
from numbat.task.grounded import GroundedTask
from tests.engines.improve.test_suffix import with_goal_of
from tests.oracles.builder import Op, build
from tests.oracles.optimal import true_costs
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model
from tests.oracles.suffixes import rest, walk

LIMITS = Limits(time=20.0, memory=1 << 31)


def incumbent(plan: Sequence[int]) -> Incumbent:
    made = Incumbent()
    made.replace(plan)
    return made


def recounted(task: GroundedTask, plan: Sequence[int], limits: Limits = LIMITS) -> Outcome:
    return Recounting(incumbent(plan)).run(Problem(None, task), limits, Board())  # type: ignore[arg-type]


def best_of(task: GroundedTask, plan: Sequence[int]) -> list[int]:
    """As often as it takes."""
    best = list(plan)
    while (outcome := recounted(task, best)).has_plan:
        best = list(outcome.plan)
    return best


@settings(max_examples=40, deadline=None)
@given(task=tasks(bounded=True, exact=True, constant_costs=True), seed=st.integers(0, 2**32))
def test_plans_stay_valid_and_get_better(task: GroundedTask, seed: int) -> None:
    chance = random.Random(seed)
    plan, visited = walk(Model(task), chance, 15)
    task = with_goal_of(Model(task), task, visited[-1], chance)
    model = Model(task)
    costs = true_costs(model)
    before = rest(model, plan, model.initial)
    assume(before is not None and costs is not None and min(costs) >= 0)
    small = reduce(task)
    groups = alike(task, small)
    action_of = {operator: number for number, group in enumerate(groups) for operator in group}
    assume(all(operator in action_of for operator in plan))
    found: list[Plan] = []
    counting = Recount(small, [Form((), min(costs[operator] for operator in group)) for group in groups], seed)
    given_plan = iter([[action_of[operator] for operator in plan]])
    counting.run(lambda: next(given_plan, None), lambda: len(found) > 3, found.append)
    prices = [counting.price(steps) for steps in found]
    assert prices == sorted(set(prices), reverse=True)
    for steps in found:
        operators = [min(groups[action], key=lambda o: costs[o]) for action in unrolled(steps)]
        after = rest(model, operators, model.initial)
        assert after is not None and after < before


@settings(max_examples=200, deadline=None)
@given(task=tasks(exact=True), seed=st.integers(0, 2**32))
def test_what_is_always_executed_is_executed(task: GroundedTask, seed: int) -> None:
    """A formula without open positions has a solution exactly if the steps can be executed and reach the goal."""
    chance = random.Random(seed)
    model = reduce(task)
    assume(model.actions)
    relaxation = Relaxation(Dependencies(model), model.initial)
    bounds = [abs(bound) for interval in relaxation.intervals for bound in interval]
    assume(all(bound < 1 << 40 or bound == inf for bound in bounds))
    steps = [Step(chance.randrange(len(model.actions)), chance.randrange(1, 4)) for _ in range(chance.randrange(4))]
    encoder = Encoder(model, model.initial, relaxation, Size())
    for action, runs in steps:
        encoder.execute(action, runs)
    encoder.require(model.goal)
    end = replay(model, steps, model.initial)
    works = end is not None and model.holds(model.goal, end)
    answer = recount.Solver().solve(encoder.formula, 1.0)
    assert answer.status == ("sat" if works else "unsat")


def counters(number: int) -> tuple[GroundedTask, list[int]]:
    """Each counter above the one before it; the plan raises all of them too far, one after the other, by turns."""
    names = [f"c{i}" for i in range(number)]
    operators = [Op(f"up-{name}", [f"{name} <= 99"], [f"{name} += 1"]) for name in names]
    goal = [f"{second} - {first} >= 1" for first, second in pairwise(names)]
    plan = [i for turn in range(number + 3) for i in range(number) if turn < i + 3]
    return build({}, dict.fromkeys(names, 0), operators, goal), plan


def test_counts_that_only_fall_together() -> None:
    """No step, and no group in a row, can be left out alone: all counters have to end lower."""
    task, plan = counters(8)
    assert len(best_of(task, plan)) == sum(range(8))


def test_an_action_that_the_plan_does_not_have() -> None:
    operators = [Op("step", [], ["x += 1"]), Op("leap", [], ["x += 10"])]
    task = build({}, {"x": 0}, operators, ["x >= 40"])
    assert best_of(task, [0] * 40) == [1] * 4


def test_of_operators_alike_the_cheapest() -> None:
    prices = {"costly": ("x += 1", 5), "cheap": ("x += 1", 2), "two": ("x += 2", 7)}
    operators = [Op(name, [], [effect], cost=cost) for name, (effect, cost) in prices.items()]
    task = build({}, {"x": 0}, operators, ["x >= 4"])
    assert best_of(task, [0, 2, 0]) == [1] * 4


def test_costs_that_depend_on_the_state() -> None:
    """Each purchase costs the price at that time: wait until it has fallen, then buy."""
    operators = [Op("buy", [], ["x += 1"], cost="price"), Op("wait", ["price >= 2"], ["price -= 1"], cost=1)]
    task = build({}, {"x": 0, "price": 9}, operators, ["x >= 5"])
    assert best_of(task, [0] * 5) == [1] * 8 + [0] * 5


def test_nothing_is_left_in_the_end() -> None:
    task, _ = counters(3)
    outcome = recounted(task, [1, 2, 2])
    assert outcome.status is Status.GAVE_UP and outcome.reason == "nothing better is left to try"


def test_plans_are_kept_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numbat.engines.improve.recount.FIRST_PAUSE", 1e9)
    monkeypatch.setattr("numbat.engines.improve.recount.LONGEST_PAUSE", 1e9)
    monkeypatch.setattr(recount, "MOST_FRUITLESS", 10**9)
    task, plan = counters(6)
    outcome = recounted(task, plan, Limits(time=2.0, memory=1 << 31))
    assert outcome.status is Status.IMPROVED and len(outcome.plan) < len(plan)


def test_it_goes_on_with_the_plan_of_another() -> None:
    """Seen between two questions, without a new start."""
    task, plan = counters(5)
    model = reduce(task)
    plans = iter([plan, None, [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4]])
    seen: list[Plan] = []
    counting = Recount(model, [Form((), 1)] * len(model.actions), 0)
    asked: list[Plan] = []
    ask = counting._ask

    def remember(lane: recount.Lane, best: Plan) -> Plan | None:
        asked.append(best)
        return None if len(asked) < 3 else ask(lane, best)

    counting._ask = remember  # type: ignore[method-assign]
    counting.run(lambda: next(plans, None), lambda: len(asked) >= 3, seen.append)
    assert asked[0] == asked[1] == runs_of(plan)
    assert sum(step.runs for step in asked[2]) == 11


@pytest.mark.parametrize("length", [0, 3, LONGEST_SHARED, LONGEST_SHARED + 1])
def test_the_newest_plan_is_shared_unless_it_is_too_long(length: int) -> None:
    made = incumbent([7] * length)
    newest = made.newest()
    assert newest == (None if length > LONGEST_SHARED else (2.0, [7] * length))


def test_a_plan_in_the_making_is_not_read() -> None:
    made = incumbent([1, 2])
    made.number[0] += 1
    assert made.newest() is None


def test_declines_what_it_cannot_handle() -> None:
    def reason(task: GroundedTask, **more: bool) -> str | None:
        return Recounting(Incumbent()).declines(Problem(None, task, **more))  # type: ignore[arg-type]

    task, _ = counters(2)
    assert reason(task) is None
    assert "can fall" in (reason(task, costs_can_fall=True) or "")
