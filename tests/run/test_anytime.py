"""Better plans after the first: redundant actions go, the bound tightens, the file is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.errors import ExitCode
from numbat.run.frontend import prepare
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from numbat.search.run import core_task
from numbat.search.simulate import Simulator
from tests.search import small_tasks


def simulator(task: tuple[str, str], folder: Path) -> tuple[Simulator, dict[str, int]]:
    grounded = prepare(*small_tasks.write(task, folder)).task
    return Simulator(grounded, core_task(grounded)), {name: i for i, name in enumerate(grounded.operator_names)}


def test_the_simulator_knows_costs_and_goals(tmp_path: Path) -> None:
    steps, ids = simulator(small_tasks.DELIVERY, tmp_path)
    state = steps.run([ids["(pick p a)"], ids["(drive a b)"]])
    assert state is not None and state.cost == 4 and not steps.is_goal(state)
    assert steps.run([ids["(drop p a)"]]) is None


def test_costs_that_depend_on_the_state(tmp_path: Path) -> None:
    domain, problem = small_tasks.COUNTER
    domain = domain.replace("(x))", "(x) (cost))").replace(
        "(increase (x) 1)", "(and (increase (x) 1) (increase (cost) (x)))"
    )
    problem = problem.replace("(= (x) 0)", "(= (x) 0) (= (cost) 10)").replace(
        "(:goal (= (x) 5))", "(:goal (= (x) 5)) (:metric minimize (cost))"
    )
    steps, ids = simulator((domain, problem), tmp_path)
    state = steps.run([ids["(up)"]] * 5)
    assert state is not None and state.cost == 0 + 1 + 2 + 3 + 4


def improve(task: tuple[str, str], folder: Path, search: str, seed: int = 0) -> tuple[Report, list[str]]:
    domain, problem = small_tasks.write(task, folder)
    said: list[str] = []
    options = SearchOptions(seed=seed)
    request = Request(domain, problem, folder / "plan", search, options, time=10.0, memory=1 << 30, anytime=True)
    return solve(request, Callbacks(said.append)), said


def costs_in(said: list[str]) -> list[float]:
    return [float(line.split("cost ")[1].split(",")[0]) for line in said]


# Whatever the order of its successors, a greedy search takes the taxi first: it alone leads to the goal in one step.
TRAVEL = (
    """(define (domain travel) (:predicates (home) (stop) (there)) (:functions (paid))
    (:action taxi :parameters () :precondition (home) :effect (and (not (home)) (there) (increase (paid) 9)))
    (:action walk :parameters () :precondition (home) :effect (and (not (home)) (stop) (increase (paid) 1)))
    (:action ride :parameters () :precondition (stop) :effect (and (not (stop)) (there) (increase (paid) 2))))""",
    """(define (problem travel-1) (:domain travel) (:init (home) (= (paid) 0)) (:goal (there))
    (:metric minimize (paid)))""",
)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("search", ["S(hgc)", "P(3h||3n)"])
def test_plans_get_better_until_nothing_is_left_to_try(search: str, seed: int, tmp_path: Path) -> None:
    report, said = improve(TRAVEL, tmp_path, search, seed)
    assert report.exit_code is ExitCode.SUCCESS
    assert report.plan is not None and report.plan.text() == (tmp_path / "plan").read_text()
    assert costs_in(said) == [9, 3] == [found.cost for found in report.found]
    verdict = validate.check(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan")
    assert verdict.valid and verdict.cost == report.plan.cost == 3


def test_an_unsolvable_task_is_still_unsolvable(tmp_path: Path) -> None:
    report, _ = improve(small_tasks.UNSOLVABLE, tmp_path, "P(3h||3n)")
    assert report.exit_code is ExitCode.SEARCH_UNSOLVABLE
    assert not (tmp_path / "plan").exists()


SHOP = (
    """(define (domain shop) (:predicates (done)) (:functions (money) (stock) (days))
    (:action buy :parameters () :precondition (and (>= (money) 2) (<= (stock) 3))
      :effect (and (decrease (money) 2) (increase (stock) 1) (increase (days) 1)))
    (:action sell :parameters () :precondition (and (>= (stock) 1) (<= (money) 20))
      :effect (and (increase (money) 5) (decrease (stock) 1) (increase (days) 1)))
    (:action close :parameters () :precondition (not (done)) :effect (done)))""",
    """(define (problem shop-1) (:domain shop) (:init (= (money) 4) (= (stock) 0) (= (days) 0))
    (:goal (done)) (:metric METRIC))""",
)
# Work is done for the money alone: nothing that the goal asks for changes by it.
WORK = (
    """(define (domain work) (:predicates (home)) (:functions (tired) (money))
    (:action work :parameters () :precondition (<= (tired) 2) :effect (and (increase (money) 7) (increase (tired) 1)))
    (:action go :parameters () :effect (home)))""",
    """(define (problem work-1) (:domain work) (:init (home) (= (tired) 0) (= (money) 0))
    (:goal (home)) (:metric maximize (money)))""",
)
# More conditions on the metric than are counted: only the referee knows what a plan costs.
TOLLS = (
    """(define (domain tolls) (:predicates (a) (b) (c) (d) (e) (f) (done)) (:functions (paid))
    (:action go :parameters () :precondition (not (done)) :effect (and (done) (when (a) (increase (paid) 1))
      (when (b) (increase (paid) 2)) (when (c) (increase (paid) 4)) (when (d) (increase (paid) 8))
      (when (e) (increase (paid) 16)) (when (f) (decrease (paid) 32))))
    (:action prepare :parameters () :effect (f))
    (:action hurry :parameters () :precondition (not (done)) :effect (and (done) (increase (paid) 3))))""",
    """(define (problem tolls-1) (:domain tolls) (:init (a) (b) (c) (d) (e) (= (paid) 0))
    (:goal (done)) (:metric minimize (paid)))""",
)


@pytest.mark.parametrize(
    ("task", "best"),
    [
        ((SHOP[0], SHOP[1].replace("METRIC", "maximize (money)")), 25),
        ((SHOP[0], SHOP[1].replace("METRIC", "minimize (- (* 3 (stock)) (* 2 (money)))")), -50),
        ((SHOP[0], SHOP[1].replace("METRIC", "maximize (- (money) (days))")), 11),
        (WORK, 21),
    ],
)
def test_costs_that_can_fall_get_better_until_it_is_proved(task: tuple[str, str], best: int, tmp_path: Path) -> None:
    report, said = improve(task, tmp_path, "P(3h||3n)")
    assert report.exit_code is ExitCode.SUCCESS
    assert report.plan is not None and report.plan.cost == best and report.plan.optimal
    assert len(said) > 1 and report.summary.startswith("optimal plan with")
    verdict = validate.check(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan")
    assert verdict.valid and verdict.cost == best


def test_costs_that_only_the_referee_knows_never_get_worse(tmp_path: Path) -> None:
    report, said = improve(TOLLS, tmp_path, "P(3h||3n)")
    costs = costs_in(said)
    assert report.plan is not None and costs == sorted(costs, reverse=True) and report.plan.cost == costs[-1]
