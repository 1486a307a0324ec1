"""`numbat improve`, its Python face, and what is in the file whatever happens."""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from fractions import Fraction
from pathlib import Path

import pytest

import numbat
import numbat_validate as validate
from numbat.cli import main
from numbat.errors import ExitCode
from numbat.isolated import command
from tests.search import small_tasks

DETOUR = ("(drive a b)", "(drive b a)")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A task and a plan for it that can be improved."""
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    solution = numbat.solve(domain, problem, time=20)
    assert solution.plan is not None
    plan = tmp_path / "given"
    plan.write_text("\n".join([*DETOUR, *solution.plan.steps]) + "\n")
    return domain, problem, plan


def test_a_better_plan_is_written(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    better = tmp_path / "better"
    code = main(["improve", *map(str, files), "-o", str(better), "--time", "5"])
    assert code in (ExitCode.SUCCESS, ExitCode.PLAN_FOUND_OUT_OF_TIME)
    before, after = validate.check(*files), validate.check(*files[:2], better)
    assert after.valid and after.cost < before.cost


def test_steps_that_only_cost_are_left_out_where_nothing_is_proved(tmp_path: Path) -> None:
    """Grounding leaves such actions out, so that no search and no improver sees them."""
    domain = """(define (domain d) (:predicates (g) (h)) (:functions (cost))
    (:action get :parameters () :precondition (not (g)) :effect (and (g) (decrease (cost) 1)))
    (:action pay :parameters () :effect (and (h) (increase (cost) 3))))"""
    problem = "(define (problem p) (:domain d) (:init (= (cost) 0)) (:goal (g)) (:metric minimize (cost)))"
    better = numbat.improve(domain, problem, ["(pay)", "(get)", "(pay)"], time=10)
    assert better.plan is not None and [str(step) for step in better.plan.steps] == ["(get)"]
    assert better.cost == -1 and better.statistics["found_by"] == "improve"


def test_without_a_file_it_is_printed(files: tuple[Path, Path, Path], capfd: pytest.CaptureFixture[str]) -> None:
    main(["improve", *map(str, files), "--time", "3", "--search", "S(hgc)"])
    out = capfd.readouterr().out.split("\n")
    assert validate.check(*files[:2], [line for line in out if line.startswith("(")]).valid


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(drive b a)\n", "the plan is not valid: step 1"),
        ("", "the plan is not valid"),
        ("(fly a b)\n", "no action has this name"),
        ("drive a b\n", "expected a step"),
    ],
)
def test_what_is_no_plan_is_refused(
    text: str, said: str, files: tuple[Path, Path, Path], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files[2].write_text(text)
    assert main(["improve", *map(str, files), "-o", str(tmp_path / "better")]) == ExitCode.TRANSLATE_INPUT_ERROR
    assert said in capfd.readouterr().err
    assert not (tmp_path / "better").exists()


def test_a_plan_that_was_not_even_looked_at(
    files: tuple[Path, Path, Path], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numbat.run.solve.prepare", lambda *_: time.sleep(60))
    assert main(["improve", *map(str, files), "--time", "0.01"]) == ExitCode.TRANSLATE_OUT_OF_TIME
    assert "the plan given was not judged (time limit reached" in capfd.readouterr().err


def test_wrong_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["improve", "domain", "problem"]) == ExitCode.DRIVER_INPUT_ERROR
    assert "expected three files" in capfd.readouterr().err


def test_from_python(files: tuple[Path, Path, Path]) -> None:
    steps = files[2].read_text().split("\n")[:-1]
    given = validate.check(*files).cost
    solution = numbat.improve(*files[:2], steps, time=3, search="S(hgc)")
    assert solution.cost is not None and solution.cost < given
    costs = [plan.cost for plan in numbat.improvements(*files, time=3, search="S(hgc)")]
    assert costs[0] == given and costs[-1] == solution.cost
    assert all(a is not None and b is not None and a > b for a, b in itertools.pairwise(costs))
    with pytest.raises(numbat.PlanningError, match="not valid"):
        numbat.improve(*files[:2], ["(drive b a)"], time=3)


def many_parcels(places: int = 8, parcels: int = 14) -> tuple[str, str]:
    """A delivery whose first plan is far from the best, so that several better ones follow within a second or two."""
    stops, loads = [f"l{i}" for i in range(places)], [f"p{i}" for i in range(parcels)]
    roads = " ".join(f"(road {a} {b}) (road {b} {a})" for a, b in itertools.pairwise(stops))
    at = " ".join(f"(at {load} {stops[7 * i % places]})" for i, load in enumerate(loads))
    weights = " ".join(f"(= (weight {load}) {1 + i % 2})" for i, load in enumerate(loads))
    goal = " ".join(f"(at {load} {stops[(5 * i + 3) % places]})" for i, load in enumerate(loads))
    problem = f"""(define (problem many-parcels) (:domain delivery)
    (:objects {" ".join(stops)} - place {" ".join(loads)} - parcel)
    (:init (truck-at l0) {roads} {at} {weights} (= (load) 0) (= (total-cost) 0))
    (:goal (and {goal})) (:metric minimize (total-cost)))"""
    return small_tasks.DELIVERY[0], problem


@pytest.mark.parametrize(("plans", "delay"), [(1, 0.0), (1, 0.2), (2, 0.0), (2, 0.3), (3, 0.0)])
def test_killed_at_any_moment_the_file_holds_the_best_plan_told(plans: int, delay: float, tmp_path: Path) -> None:
    """Killed so many seconds after so many plans have been told."""
    domain, problem = small_tasks.write(many_parcels(), tmp_path)
    plan = tmp_path / "plan"
    words = ["solve", "--anytime", "--stream", "--time", "60", domain, problem, plan]
    with subprocess.Popen(
        [*command("numbat"), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(plans)]
        time.sleep(delay)
        process.kill()
        rest = process.stdout.read()
    told += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]  # the last one may be cut short
    costs = [Fraction(json.loads(line)["exact_cost"]) for line in told]
    assert len(costs) >= plans and all(before > after for before, after in itertools.pairwise(costs))
    verdict = validate.check(domain, problem, plan)
    assert verdict.valid and verdict.cost <= costs[-1]
    assert plan.read_text().split("\n")[-2] == f"; cost = {verdict.cost}"
