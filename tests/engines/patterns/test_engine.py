"""The engine on plain inputs: when it declines, which solver it takes, what it imports when."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from numbat.engines.patterns import engine
from numbat.engines.patterns.backends import Answer
from numbat.engines.patterns.formula import Formula
from numbat.engines.patterns.search import Solved
from numbat.engines.patterns.worker import Died, Limits
from tests.oracles.builder import Description, Op

DESCRIPTION = Description({}, {"x": 0}, [Op("up", ["x <= 9"], ["x += 1"])], ["x >= 5"])
LIMITS = Limits(time=60.0, memory=4 << 30)


class Broken:
    def solve(self, formula: Formula, effort: float) -> Answer:
        raise ValueError("broken")


def test_plans() -> None:
    task = DESCRIPTION.task()
    assert engine.declines(task) is None
    assert engine.plan(task, LIMITS, lambda _: None) == Solved((0,) * 5)


def test_says_why_it_declines(monkeypatch: pytest.MonkeyPatch) -> None:
    thirds = Description({}, {"x": Fraction(1, 3)}, DESCRIPTION.ops, DESCRIPTION.goal)
    assert engine.declines(thirds.task(exact=False)) == "the task's numbers are not exact integers"
    monkeypatch.setattr(engine, "available", list)
    assert "no solver is installed" in str(engine.declines(DESCRIPTION.task()))


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
