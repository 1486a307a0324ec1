"""An anytime run ends when it has proved that nothing is cheaper, and claims that only where it is so."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.errors import ExitCode
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from tests.adversary.generate import generate
from tests.adversary.optimal import STATES, optimum
from tests.adversary.oracle import Model
from tests.adversary.text import domain_text, problem_text
from tests.search import small_tasks

DELIVERY_COST = 24  # see tests/optimal
FIRST_SEED, SEEDS = 4_000_000, 60


def anytime(task: tuple[str, str], folder: Path, seconds: float = 20.0) -> Report:
    domain, problem = small_tasks.write(task, folder)
    request = Request(
        domain, problem, folder / "plan", "P(3h||3n)", SearchOptions(), time=seconds, memory=1 << 30, anytime=True
    )
    return solve(request, Callbacks(lambda _: None))


def test_the_run_ends_with_the_proof_and_says_so_everywhere(tmp_path: Path) -> None:
    report = anytime(small_tasks.DELIVERY, tmp_path, seconds=60.0)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None
    assert report.plan.optimal and report.plan.cost == DELIVERY_COST and report.cpu < 30
    assert report.summary.startswith("optimal plan with")
    assert "; optimal: no plan costs less" in (tmp_path / "plan").read_text()
    assert json.loads(json.dumps(report.as_dict()))["proven"] == "optimal"
    assert validate.check(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan").valid


@pytest.mark.parametrize(
    "metric",
    ["maximize (value a)", "minimize (- 0 (value a))", "minimize (* (value a) 0.5)"],
    ids=["max", "gain", "some"],
)
def test_where_costs_fall_for_ever_nothing_is_claimed(metric: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.PARITY
    problem = problem.replace("(:goal (= (value a) 7))", f"(:goal (= (value b) 8)) (:metric {metric})")
    report = anytime((domain, problem), tmp_path, seconds=2.0)
    assert report.plan is not None and not report.plan.optimal and report.as_dict()["proven"] is None


# What is bought and sold has a price that changes: costs fall, and depend on the state. Every action takes a day.
MARKET = (
    """(define (domain market) (:predicates (home)) (:functions (money) (stock) (price) (days))
    (:action buy :parameters () :precondition (and (>= (money) (price)) (>= (days) 1))
      :effect (and (decrease (money) (price)) (increase (stock) 1) (increase (price) 1) (decrease (days) 1)))
    (:action sell :parameters () :precondition (and (>= (stock) 1) (>= (price) 2) (>= (days) 1))
      :effect (and (increase (money) (* 1.5 (price))) (decrease (stock) 1) (decrease (price) 2) (decrease (days) 1)))
    (:action wait :parameters () :precondition (>= (days) 1)
      :effect (and (increase (price) 3) (decrease (money) 0.1) (decrease (days) 1)))
    (:action go :parameters () :precondition (not (home)) :effect (home)))""",
    """(define (problem market-1) (:domain market) (:init (= (money) 4) (= (stock) 1) (= (price) 2) (= (days) 6))
    (:goal (home)) (:metric METRIC))""",
)
Market = tuple[Fraction, int, int, int, int]  # money, stock, price, days, steps


def market_ends() -> set[Market]:
    """All states of the market in which one may go home, and how many steps lead there."""
    waiting, seen = [(Fraction(4), 1, 2, 6, 0)], set[Market]()
    while waiting:
        state = waiting.pop()
        seen.add(state)
        money, stock, price, days, steps = state
        if not days:
            continue
        following = [(money - Fraction(1, 10), stock, price + 3, days - 1, steps + 1)]
        if money >= price:
            following.append((money - price, stock + 1, price + 1, days - 1, steps + 1))
        if stock >= 1 and price >= 2:
            following.append((money + Fraction(3, 2) * price, stock - 1, price - 2, days - 1, steps + 1))
        waiting += [after for after in following if after not in seen]
    return seen


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("maximize (money)", lambda money, stock, price, days, steps: money),
        ("maximize (- (money) (* 1.7 (total-time)))", lambda m, s, p, d, steps: m - Fraction(17, 10) * (steps + 1)),
        ("minimize (- (price) (* 3 (stock)))", lambda money, stock, price, days, steps: price - 3 * stock),
        ("minimize (- (* 0.25 (days)) (money))", lambda money, stock, price, days, steps: Fraction(days, 4) - money),
    ],
    ids=["money", "time is money", "cheap stock", "money and days"],
)
def test_costs_that_can_fall_or_depend_on_the_state_are_proved(
    metric: str, value: Callable[..., Fraction], tmp_path: Path
) -> None:
    best = (max if metric.startswith("max") else min)(value(*end) for end in market_ends())
    report = anytime((MARKET[0], MARKET[1].replace("METRIC", metric)), tmp_path)
    assert report.plan is not None and report.plan.cost == best
    assert report.plan.optimal and report.as_dict()["proven"] == "optimal" and report.cpu < 15


def test_state_dependent_costs_that_never_fall_are_proved(tmp_path: Path) -> None:
    """The cost can grow for ever: what has reached the bound is a dead end."""
    domain = """(define (domain load) (:predicates (done ?x - object)) (:functions (load) (paid))
    (:action take :parameters () :precondition (<= (load) 4) :effect (increase (load) 1))
    (:action drop :parameters () :precondition (>= (load) 1) :effect (assign (load) 0))
    (:action haul :parameters (?x) :precondition (and (>= (load) 2) (not (done ?x)))
      :effect (and (done ?x) (increase (paid) (* 0.3 (load)))))
    (:action rest :parameters () :effect (increase (paid) (+ 0.5 (load)))))"""
    problem = """(define (problem load-1) (:domain load) (:objects a b c) (:init (= (load) 0) (= (paid) 0))
    (:goal (and (done a) (done b) (done c))) (:metric minimize (+ (paid) (* 0.05 (total-time)))))"""
    report = anytime((domain, problem), tmp_path)
    assert report.plan is not None and report.plan.cost == Fraction(3 * 6, 10) + Fraction(5, 20)
    assert report.plan.optimal


def test_claims_on_random_tasks_are_true(tmp_path: Path) -> None:
    claimed = 0
    for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
        task = generate(seed)
        best, certain = optimum(Model(task), STATES)
        if best is None or not certain:
            continue
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            report = anytime((domain_text(task), problem_text(task)), folder, seconds=1.5)
        except Exception as error:  # what the front end refuses
            assert getattr(error, "exit_code", None) is not None, error
            continue
        if report.plan is None or not report.plan.optimal:
            continue
        claimed += 1
        model = Model(task)
        judged = model.judge(list(report.plan.steps))
        assert judged.valid
        start = model.cost(model.initial, 0) or 0
        assert (len(report.plan.steps) if judged.cost is None else judged.cost - start) == best, seed
    assert claimed >= 10
