"""A metric that is not linear: planned for by steps, told and compared exactly, never called optimal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import numbat_validate as validate
from numbat.cli import main
from numbat.engines.improve.engine import Incumbent
from numbat.engines.improve.prices import prices
from numbat.engines.improve.recount import Recounting
from numbat.engines.problem import Problem
from numbat.errors import ExitCode, UnsuitedSearch
from numbat.run.frontend import prepare
from numbat.run.inspection import inspect
from numbat.run.optimal import require_optimality_possible
from numbat.run.prover import possible
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from tests.search import small_tasks

# Two ways to the goal: one is shorter, the other one leaves less of a product.
FIELD = (
    """(define (domain field) (:predicates (fenced)) (:functions (long) (wide))
    (:action stretch :parameters () :effect (and (increase (long) 6) (fenced)))
    (:action widen :parameters () :precondition (<= (wide) 3) :effect (increase (wide) 1))
    (:action enclose :parameters () :precondition (= (wide) 3) :effect (and (assign (long) 1) (fenced))))""",
    """(define (problem field-1) (:domain field) (:init (= (long) 2) (= (wide) 1)) (:goal (fenced))
    (:metric METRIC))""",
)
# The goal is reached where the divisor is 0, and nowhere else.
NOWHERE = (
    small_tasks.COUNTER[0],
    small_tasks.COUNTER[1].replace("(:goal (= (x) 5))", "(:goal (= (x) 5)) (:metric minimize (/ 1 (- (x) 5)))"),
)
METRICS = (
    "minimize (* (long) (wide))",
    "minimize (+ 1 (* (long) (long)))",
    "minimize (/ (long) (wide))",
    "maximize (* (long) (wide) -1)",
    "maximize (/ 12 (long) (wide))",
    "minimize (* (long) (+ 1 (total-time)))",
)


def field(metric: str) -> tuple[str, str]:
    return FIELD[0], FIELD[1].replace("METRIC", metric)


def run(task: tuple[str, str], folder: Path, search: str = "P(3h||3n)", **more: Any) -> tuple[Report, list[str]]:
    domain, problem = small_tasks.write(task, folder)
    said: list[str] = []
    request = Request(
        domain, problem, folder / "plan", search, SearchOptions(), **{"time": 10.0, "memory": 1 << 30, **more}
    )
    return solve(request, Callbacks(said.append)), said


def judged(folder: Path) -> validate.Verdict:
    return validate.check(folder / "domain.pddl", folder / "problem.pddl", folder / "plan")


@pytest.mark.parametrize("metric", METRICS)
def test_the_first_plan_has_the_exact_cost(metric: str, tmp_path: Path) -> None:
    report, said = run(field(metric), tmp_path)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None
    verdict = judged(tmp_path)
    assert verdict.valid and verdict.metric and verdict.cost == report.plan.cost
    (warning,) = said
    assert warning.startswith(f"warning: {tmp_path / 'problem.pddl'}:2:")
    assert "not linear" in warning and "searches count steps" in warning


@pytest.mark.parametrize("metric", METRICS)
def test_anytime_compares_by_the_exact_cost_and_claims_nothing(metric: str, tmp_path: Path) -> None:
    report, said = run(field(metric), tmp_path, anytime=True, time=20.0)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None
    sign = -1 if metric.startswith("max") else 1
    costs = [sign * found.cost for found in report.found if found.cost is not None]
    assert costs == sorted(set(costs), reverse=True) and sign * costs[-1] == report.plan.cost == judged(tmp_path).cost
    assert not report.plan.optimal and report.as_dict()["proven"] is None
    assert not any("optimal" in line for line in (*said, report.summary, (tmp_path / "plan").read_text()))


def test_a_longer_plan_replaces_a_shorter_one_that_costs_more(tmp_path: Path) -> None:
    """And the improvers, who count steps, do not turn it back."""
    (tmp_path / "given").write_text("(widen)\n(widen)\n(enclose)\n")
    report, _ = run(field("minimize (* (long) (wide))"), tmp_path, anytime=True, given=tmp_path / "given")
    assert report.plan is not None and report.plan.cost == 3 and len(report.plan) == 3


@pytest.mark.parametrize("anytime", [False, True])
def test_a_metric_without_a_value_is_no_cost(anytime: bool, tmp_path: Path) -> None:
    report, _ = run(NOWHERE, tmp_path, anytime=anytime)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None and len(report.plan) == 5
    assert report.plan.cost is None and "the metric has no value" in report.summary
    assert "cost" not in (tmp_path / "plan").read_text()
    told = json.loads(json.dumps(report.as_dict()))
    assert (told["cost"], told["exact_cost"], told["proven"]) == (None, None, None)
    verdict = judged(tmp_path)
    assert verdict.valid and not verdict.metric and "division by zero" in verdict.reason


@pytest.mark.parametrize("metric", METRICS)
def test_no_search_for_optimal_plans(metric: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(field(metric), tmp_path)
    with pytest.raises(UnsuitedSearch, match="not linear") as caught:
        run(field(metric), tmp_path, "A(blind)", optimal=True)
    assert caught.value.span is not None and str(caught.value).startswith(f"{problem}:2:")
    front = prepare(domain, problem)
    task = Problem(front.lifted, front.task)  # whoever takes its costs for exact is warned, too
    assert not possible(task)
    with pytest.raises(UnsuitedSearch, match="not linear"):
        require_optimality_possible(task, "A(blind)", maximize=False)


@pytest.mark.parametrize("option", ["--optimal", "--track=optimal"])
def test_the_command_line_names_the_metric(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = small_tasks.write(field("minimize (* (long) (wide))"), tmp_path)
    assert main(["solve", *map(str, files), str(tmp_path / "plan"), option, "--memory", "1G"]) == 34
    assert f"{files[1]}:2:" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "plan").exists()


def test_improvers_count_steps(tmp_path: Path) -> None:
    front = prepare(*small_tasks.write(field("maximize (* (long) (wide))"), tmp_path))
    report = front.grounding
    assert not report["costs_exact"] and not report["costs_can_fall"] and not front.task.has_metric
    problem = Problem(front.lifted, front.task, costs_exact=False, costs_can_fall=False)
    assert set(prices(problem.grounded, nonnegative=True)["constant"].tolist()) == {1}
    assert Recounting(Incumbent()).declines(problem) in (None, Recounting(Incumbent()).declines(_steps_only(tmp_path)))


def _steps_only(folder: Path) -> Problem:
    """The same without a metric."""
    front = prepare(*small_tasks.write((FIELD[0], FIELD[1].replace("(:metric METRIC)", "")), folder))
    return Problem(front.lifted, front.task)


def test_it_is_inspected(tmp_path: Path) -> None:
    inspection = inspect(*small_tasks.write(field("minimize (/ (long) (wide))"), tmp_path))
    assert not inspection.grounding.metric_linear and "not linear" in inspection.warnings[0]
    assert "non-linear metric" in inspection.text()
    files = map(str, small_tasks.write(field("minimize (* (long) (total-time))"), tmp_path))
    assert main(["inspect", *files, "--expressions"]) == 0
