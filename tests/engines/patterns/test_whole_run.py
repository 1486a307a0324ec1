"""The engine in a whole run, from PDDL to the referee: published mistakes, and what people are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from numbat.engines.board import Board, PatternProgress
from numbat.engines.patterns import engine
from numbat.errors import ExitCode, UnsuitedSearch
from numbat.portfolio.runner import Snapshot
from numbat.run.progress import line
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from tests.search import small_tasks

SECONDS = 20.0
MEMORY = 6 << 30  # counted for each process, with the pages of this one, which other tests may have made large


def ask(
    folder: Path, task: tuple[str, str], search: str = "patterns", time: float = SECONDS
) -> tuple[Report, list[str]]:
    said: list[str] = []
    domain, problem = small_tasks.write(task, folder)
    request = Request(domain, problem, folder / "plan", search, SearchOptions(), time=time, memory=MEMORY)
    return solve(request, Callbacks(said.append)), said


def one_action(precondition: str, effect: str, initial: str, goal: str) -> tuple[str, str]:
    domain = f"""(define (domain one) (:requirements :numeric-fluents) (:predicates (ok)) (:functions (x) (y))
        (:action a :parameters () :precondition (and {precondition}) :effect (and {effect})))"""
    return domain, f"(define (problem p) (:domain one) (:init (ok) {initial}) (:goal (and {goal})))"


# Six of seven mistakes of a published planner: precondition, effect, initial values, goal, plan's length
MISTAKES = {
    "doubling rolled as if constant": ("", "(increase (x) (x))", "(= (x) 1)", "(= (x) 4)", 2),
    "an amount that grows": ("", "(increase (x) (y)) (increase (y) 1)", "(= (x) 0) (= (y) 1)", "(= (x) 6)", 3),
    "an upper bound read as a lower one": ("(>= 10 (x))", "(increase (x) 1)", "(= (x) 0)", "(>= (x) 11)", 11),
    "an increase that lowers": ("(>= (x) 0)", "(increase (x) -5)", "(= (x) 10)", "(<= (x) -5)", 3),
    "tenths in binary": ("", "(increase (x) 0.1)", "(= (x) 0)", "(= (x) 0.3)", 3),
    "a delete that beats an add": ("(ok)", "(not (ok)) (ok) (increase (x) 1)", "(= (x) 0)", "(ok) (= (x) 3)", 3),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_published_code_gets_wrong(name: str, tmp_path: Path) -> None:
    *task, length = MISTAKES[name]
    report, _ = ask(tmp_path, one_action(*map(str, task)))
    assert report.exit_code is ExitCode.SUCCESS and report.found_by == "patterns"
    assert (tmp_path / "plan").read_text().count("(a)") == length


def test_the_seventh_mistake_a_precondition_that_reads_what_is_assigned(tmp_path: Path) -> None:
    """Published code repeats the action five times; there is no plan, which the relaxation does not see."""
    task = "(>= (+ (x) (y)) 0)", "(increase (x) 1) (assign (y) -3)", "(= (x) 0) (= (y) 5)"
    report, _ = ask(tmp_path, one_action(*task, "(>= (x) 5)"), time=4.0)
    assert report.exit_code in (ExitCode.SEARCH_OUT_OF_TIME, ExitCode.SEARCH_UNSOLVED_INCOMPLETE)
    report, _ = ask(tmp_path, one_action(*task, "(>= (x) 1)"))
    assert report.exit_code is ExitCode.SUCCESS


def test_without_a_solver_it_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "available", list)
    report, said = ask(tmp_path, small_tasks.DELIVERY, "P(S(hadd), patterns)")
    assert report.found_by == "S(hadd)"
    assert said == ["patterns declines: no solver is installed: pip install numbat-planner[patterns]"]
    with pytest.raises(UnsuitedSearch, match="no solver is installed") as caught:
        ask(tmp_path, small_tasks.DELIVERY)
    assert caught.value.exit_code is ExitCode.SEARCH_UNSUPPORTED


def test_progress_tells_pattern_bound_and_subgoals() -> None:
    board = Board()
    board.pattern = PatternProgress(pattern_length=1234, copies=2, subgoals=3, of_subgoals=7)
    shown = line(Snapshot(1.0, 1 << 20, ((0, "patterns", board), (1, "S(hadd)", Board()))))
    assert shown.endswith("patterns: pattern of 1,234, bound 2, 3 of 7 subgoals; S(hadd): 0 evaluated")


def test_a_run_imports_no_solver_outside_the_worker(tmp_path: Path) -> None:
    files = [str(file) for file in (*small_tasks.write(small_tasks.COUNTER, tmp_path), tmp_path / "plan")]
    code = f"""import sys
from numbat import cli
status = cli.main(["solve", *{files!r}, "--search", "patterns"])
sys.exit(status or bool({{"ortools", "z3"}} & sys.modules.keys()))"""
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0
    assert (tmp_path / "plan").exists()
