"""The compiled search as an engine: what it claims, and what it makes of parts and bounds."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from numbat.engines.board import Board
from numbat.engines.compiled import CompiledSearch
from numbat.engines.outcome import Basis, Outcome, Proof, Status
from numbat.engines.problem import Problem
from numbat.run.frontend import prepare
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration
from numbat.search.run import Limits
from tests.run.test_prover import DELIVERY_COST
from tests.search import small_tasks

TWO_COUNTERS = (
    """(define (domain two) (:functions (x) (y))
    (:action up-x :parameters () :precondition (< (x) 9) :effect (increase (x) 1))
    (:action up-y :parameters () :precondition (< (y) 9) :effect (increase (y) 1)))""",
    """(define (problem both) (:domain two) (:init (= (x) 0) (= (y) 0)) (:goal (and (= (x) 2) (= (y) 3))))""",
)


def problem(task: tuple[str, str], folder: Path, **known: bool) -> Problem:
    front = prepare(*small_tasks.write(task, folder))
    return Problem(front.lifted, front.task, **known)


def run(given: Problem, search: str = "S(hadd)", bound: float = math.inf) -> Outcome:
    engine = CompiledSearch(configuration(search).searches[0], SearchOptions())
    assert engine.name == search and engine.declines(given) is None
    return engine.run(given, Limits(10.0, 1 << 28, bound), Board())


@pytest.mark.parametrize("separable", [True, False])
def test_a_plan_is_one_of_the_whole_task(separable: bool, tmp_path: Path) -> None:
    given = problem(TWO_COUNTERS, tmp_path, separable=separable)
    assert len(given.parts) == (2 if separable else 0)
    outcome = run(given)
    assert outcome.status is Status.SOLVED
    assert sorted(given.grounded.operator_names[i] for i in outcome.plan) == ["(up-x)"] * 2 + ["(up-y)"] * 3


@pytest.mark.parametrize("search", ["S(hadd)", "W(5*hadd)"])
def test_below_a_bound_it_improves_or_gives_up(search: str, tmp_path: Path) -> None:
    given = problem(small_tasks.COUNTER, tmp_path)
    assert run(given, search, bound=6).status is Status.IMPROVED
    assert run(given, search, bound=5).status is Status.GAVE_UP


def test_plans_below_ever_lower_bounds_end_at_the_least_cost(tmp_path: Path) -> None:
    given = problem(small_tasks.DELIVERY, tmp_path, separable=False)
    bound = math.inf
    while (outcome := run(given, "W(5*hmrp)", bound)).has_plan:
        cost = float(sum(given.grounded.cost_constant[operator] for operator in outcome.plan))
        assert cost < bound
        bound = cost
    assert bound == DELIVERY_COST


def test_weighted_search_declines_what_has_no_whole_costs(tmp_path: Path) -> None:
    domain, text = small_tasks.COUNTER
    given = problem((domain, text.replace("(:goal (= (x) 5))", "(:goal (= (x) 5)) (:metric maximize (x))")), tmp_path)
    engine = CompiledSearch(configuration("W(5*hadd)").searches[0], SearchOptions())
    assert engine.declines(given) == "an action has a negative cost"


def test_what_is_claimed_rests_on_exhaustion(tmp_path: Path) -> None:
    given = problem(small_tasks.UNSOLVABLE, tmp_path)
    assert run(given).proof == Proof(Basis.EXHAUSTION)
    assert run(given, bound=100).status is Status.GAVE_UP


def test_with_costs_that_can_fall_nothing_is_claimed(tmp_path: Path) -> None:
    domain, text = small_tasks.COUNTER
    given = problem(
        (domain, text.replace("(:goal (= (x) 5))", "(:goal (>= (x) 2)) (:metric maximize (x))")),
        tmp_path,
        costs_can_fall=True,
    )
    improved = run(given, bound=-7)
    assert improved.status is Status.IMPROVED and len(improved.plan) == 8
    assert run(given, bound=-9).status is Status.GAVE_UP
