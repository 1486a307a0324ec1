"""The small tasks of tests/tasks: the grounded arrays do what the reference does, up to depth 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.ground import ground
from numbat.normalise import lift
from tests.ground.arrays import check_arrays
from tests.ground.lockstep import Lockstep

TASKS = Path(__file__).parent.parent / "tasks"
PROBLEMS = sorted(path for path in TASKS.glob("*/*.pddl") if path.name != "domain.pddl")


def test_there_are_enough_tasks() -> None:
    assert len(PROBLEMS) >= 30


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_same_states(problem: Path) -> None:
    lifted, _ = lift(problem.parent / "domain.pddl", problem)
    grounded = ground(lifted)
    check_arrays(grounded)
    Lockstep(lifted, grounded).run(depth=3, most=60)
