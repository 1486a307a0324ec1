"""Planner and referee read one language: what one of them refuses the other refuses, too.

The rule      Whatever the planner accepts, the referee accepts. Whatever the planner refuses because it has no meaning
              (InputError), the referee refuses. What the planner refuses because it cannot plan for it
              (UnsupportedFeature) or because it is too large (TooLarge) the referee may still be able to judge:
              non-linear expressions, numbers of 400 digits, a million ground actions.
"""

from __future__ import annotations

from random import Random

import numbat_validate as validate
from numbat.errors import InputError, TooLarge, UnsupportedFeature
from numbat.ground import ground
from numbat.normalise import lift
from tests.pddl.mutants import Task, mutant, tasks

MUTANTS = 2000


def planner_says(task: Task) -> str:
    try:
        lifted, _ = lift(*task)
        ground(lifted)
    except InputError as error:
        return f"meaningless: {error}"
    except (UnsupportedFeature, TooLarge) as error:
        return f"beyond us: {error}"
    return "accepted"


def referee_says(task: Task) -> str:
    try:
        validate.load(*task)
    except (validate.InputError, validate.Unsupported) as error:
        return f"refused: {error}"
    return "accepted"


def agree(planner: str, referee: str) -> bool:
    return planner.startswith("beyond us") or (planner == "accepted") == (referee == "accepted")


def test_mutants() -> None:
    originals = tasks()
    assert len(originals) >= 20
    accepted = 0
    for number in range(MUTANTS):
        random = Random(number)
        task = mutant(random.choice(originals), random)
        planner, referee = planner_says(task), referee_says(task)
        assert agree(planner, referee), f"mutant {number}\nplanner: {planner}\nreferee: {referee}"
        accepted += planner == "accepted"
    assert MUTANTS // 20 < accepted < MUTANTS // 2
