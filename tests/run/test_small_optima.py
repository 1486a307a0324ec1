"""Small tasks, half of them with a metric: an anytime run finds the optimum of each within 20 s, and proves it.

The tasks are random: a place on a small graph and two amounts, which actions raise, lower, exchange and set. The oracle
is uniform-cost search over these triples, written down from the same list of actions as the PDDL, and nothing else.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.run.solve import Callbacks, Request, solve
from numbat.search.options import SearchOptions
from tests.search import small_tasks

SECONDS = 20.0
TASKS = 36  # of each kind
MOST = 7  # no amount is ever larger
SHORTEST = 4  # steps, or it is too easy

State = tuple[int, int, int]  # place, x, y


@dataclass(frozen=True)
class Action:
    """From a place to a place, if the amounts reach `needs`; they change by `gains`, but x becomes `sets` if given."""

    origin: int
    target: int
    needs: tuple[int, int]
    gains: tuple[int, int]
    sets: int | None
    cost: Fraction

    def applied(self, state: State) -> State | None:
        place, *amounts = state
        if place != self.origin or any(a < n for a, n in zip(amounts, self.needs, strict=True)):
            return None
        x, y = (a + g for a, g in zip(amounts, self.gains, strict=True))
        x = x if self.sets is None else self.sets
        return (self.target, x, y) if max(x, y) <= MOST and min(x, y) >= 0 else None


@dataclass(frozen=True)
class Task:
    """Begins at place 0 with nothing; ends at a place with amounts."""

    actions: tuple[Action, ...]
    goal: State
    metric: bool

    def is_goal(self, state: State) -> bool:
        return state[0] == self.goal[0] and state[1] >= self.goal[1] and state[2] >= self.goal[2]

    def cost(self, action: Action) -> Fraction:
        return action.cost if self.metric else Fraction(1)


def optimum(task: Task) -> tuple[Fraction, int] | None:
    """The least cost of a plan, and the number of steps of one such plan."""
    queue: list[tuple[Fraction, int, State]] = [(Fraction(0), 0, (0, 0, 0))]
    seen: set[State] = set()
    while queue:
        cost, steps, state = heapq.heappop(queue)
        if task.is_goal(state):
            return cost, steps
        if state in seen:
            continue
        seen.add(state)
        for action in task.actions:
            after = action.applied(state)
            if after is not None:
                heapq.heappush(queue, (cost + task.cost(action), steps + 1, after))
    return None


def draw(seed: int, *, metric: bool) -> Task:
    dice = random.Random(seed)
    places = dice.randint(2, 5)

    def action() -> Action:
        gains = dice.choice([(1, 0), (2, 0), (0, 1), (0, 2), (-1, 2), (2, -1), (-2, 3), (0, 0), (0, -1)])
        needs = tuple(max(-gain, dice.choice([0, 0, 0, 1, 3])) for gain in gains)
        sets = dice.choice([None] * 6 + [0, 5])
        cost = Fraction(dice.choice([0, 1, 1, 2, 3, 5, 8, 13]), dice.choice([1, 1, 2, 3]))
        ends = dice.randrange(places), dice.randrange(places)
        return Action(*ends, (needs[0], needs[1]), gains, sets, cost)

    ring = [Action(p, (p + 1) % places, (0, 0), (0, 0), None, Fraction(dice.randint(0, 4))) for p in range(places)]
    actions = (*ring, *(action() for _ in range(dice.randint(5, 9))))
    return Task(actions, (dice.randrange(places), dice.randint(0, 7), dice.randint(0, 7)), metric)


def chosen(*, metric: bool) -> Iterator[tuple[Task, Fraction]]:
    for seed in count():
        task = draw(seed, metric=metric)
        best = optimum(task)
        if best is not None and best[1] >= SHORTEST:
            yield task, best[0]


def pddl(task: Task) -> tuple[str, str]:
    places = range(max(max(a.origin, a.target) for a in task.actions) + 1)
    actions = "\n".join(_action(number, action) for number, action in enumerate(task.actions))
    domain = f"""(define (domain amounts) (:requirements :strips :numeric-fluents)
    (:predicates {" ".join(f"(at{place})" for place in places)}) (:functions (x) (y) (spent))
    {actions})"""
    place, x, y = task.goal
    metric = "(:metric minimize (spent))" if task.metric else ""
    problem = f"""(define (problem amounts-1) (:domain amounts)
    (:init (at0) (= (x) 0) (= (y) 0) (= (spent) 0))
    (:goal (and (at{place}) (>= (x) {x}) (>= (y) {y}))) {metric})"""
    return domain, problem


def _action(number: int, action: Action) -> str:
    conditions = [f"(at{action.origin})"]
    effects = [f"(at{action.target})"]
    if action.origin != action.target:
        effects.append(f"(not (at{action.origin}))")
    for name, need, gain in zip("xy", action.needs, action.gains, strict=True):
        conditions.append(f"(>= ({name}) {need})")
        if name == "x" and action.sets is not None:
            effects.append(f"(assign (x) {action.sets})")
            continue
        conditions.append(f"(<= ({name}) {MOST - gain})")
        if gain:
            effects.append(f"(increase ({name}) {gain})")
    # a third has no decimals
    effects.append(f"(increase (spent) (/ {action.cost.numerator} {action.cost.denominator}))")
    return f"""(:action a{number} :parameters ()
    :precondition (and {" ".join(conditions)}) :effect (and {" ".join(effects)}))"""


@pytest.mark.parametrize("metric", [True, False], ids=["metric", "steps"])
def test_the_optimum_is_found_and_proved(metric: bool, tmp_path: Path) -> None:
    for number, (task, least) in enumerate(islice(chosen(metric=metric), TASKS)):
        folder = tmp_path / str(number)
        folder.mkdir()
        domain, problem = small_tasks.write(pddl(task), folder)
        request = Request(
            domain, problem, folder / "plan", "P(3h||3n)", SearchOptions(), time=SECONDS, memory=1 << 30, anytime=True
        )
        report = solve(request, Callbacks(lambda _: None))
        assert report.plan is not None and report.plan.optimal, number
        assert report.plan.cost == least, number
        assert report.wall < SECONDS
        verdict = validate.check(domain, problem, folder / "plan")
        assert verdict.valid and verdict.cost == least
