"""The engine on plain inputs: when it declines, which solver it takes, what it imports when."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from numbat.engines.board import Board
from numbat.engines.outcome import Basis, Outcome, Proof, Status
from numbat.engines.patterns import engine
from numbat.engines.patterns.backends import Answer
from numbat.engines.patterns.formula import Formula
from numbat.engines.patterns.search import Solved
from numbat.engines.patterns.worker import Died
from numbat.engines.problem import Problem
from numbat.search.options import SearchOptions
from numbat.search.run import Limits
from tests.oracles.builder import Description, Op

DESCRIPTION = Description({}, {"x": 0}, [Op("up", ["x <= 9"], ["x += 1"])], ["x >= 5"])
LIMITS = Limits(time=60.0, memory=4 << 30)
PATTERNS = engine.Patterns(SearchOptions())


class Broken:
    def solve(self, formula: Formula, effort: float) -> Answer:
        raise ValueError("broken")


def problem(description: Description, exact: bool = True) -> Problem:
    return Problem(lifted=None, grounded=description.task(exact=exact))  # type: ignore[arg-type]


def test_plans_and_posts_its_progress() -> None:
    board = Board()
    assert PATTERNS.declines(problem(DESCRIPTION)) is None
    outcome = PATTERNS.run(problem(DESCRIPTION), LIMITS, board)
    assert outcome == Outcome(Status.SOLVED, (0,) * 5)
    assert board.progress() == {"evaluated": 1, "expanded": 1, "best_h": 1, "memory": 0, "first_state": 0}


def test_the_fixpoint_is_its_only_proof() -> None:
    far = replace(DESCRIPTION, goal=["x >= 11"])
    expected = Outcome(Status.UNSOLVABLE, proof=Proof(Basis.RELAXED_FIXPOINT))
    assert PATTERNS.run(problem(far), LIMITS, Board()) == expected


def test_gives_up_where_a_cheaper_plan_is_wanted() -> None:
    assert PATTERNS.run(problem(DESCRIPTION), replace(LIMITS, bound=4.0), Board()).status is Status.GAVE_UP


def test_parts_are_planned_for_one_after_the_other() -> None:
    operators = [Op("a", ["x <= 9"], ["x += 1"]), Op("b", ["y <= 9"], ["y += 2"])]
    two = problem(Description({}, {"x": 0, "y": 0}, operators, ["x >= 2", "y >= 4"]))
    assert len(two.parts) == 2
    assert sorted(PATTERNS.run(two, LIMITS, Board()).plan) == [0, 0, 1, 1]


def test_says_why_it_declines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PATTERNS.declines(problem(DESCRIPTION, exact=False)) == "the task's numbers are not exact integers"
    monkeypatch.setattr(engine, "available", list)
    assert "no solver is installed" in str(PATTERNS.declines(problem(DESCRIPTION)))


@pytest.mark.parametrize(("broken", "expected"), [({"cpsat"}, Solved), ({"cpsat", "smtlib"}, Died)])
def test_a_dead_solver_is_followed_by_the_next(
    monkeypatch: pytest.MonkeyPatch, broken: set[str], expected: type
) -> None:
    real = engine.load
    monkeypatch.setattr(engine, "load", lambda name: Broken() if name in broken else real(name))
    assert isinstance(engine.plan(DESCRIPTION.task(), LIMITS, lambda _: None), expected)


def test_no_solver_is_imported_before_the_worker() -> None:
    code = "import sys, numbat.engines.patterns.engine; sys.exit(bool({'ortools', 'z3'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
