"""The same search as ever: how many states each member of the default portfolio evaluates, without variations.

A change that is meant to keep the search as it is must not change these numbers; one that is meant to change it puts
the new ones here and says why.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.run.frontend import prepare
from numbat.search.options import SearchOptions
from numbat.search.registry import DEFAULT, configuration
from numbat.search.run import Limits, core_task, run

TASKS = Path(__file__).resolve().parents[1] / "tasks"
LIMITS = Limits(time=20.0, memory=1 << 29)

# In the order of the members: hmd, hadd, hmrp+hj, and the same with <B,QB>.
EVALUATED = {
    "barter/p1": [128, 138, 17, 74, 57, 21],
    "caravans/p2": [51, 136, 71, 79, 67, 87],
    "cart/p2": [83, 51, 37, 135, 56, 31],
    "greenhouse/p1": [57, 25, 12, 106, 27, 23],
    "hailstone/p2": [11, 2746, 2746, 15, 5245, 5245],
    "jugs/p2": [79, 57, 20, 79, 43, 21],
    "lab/p2": [35, 51, 26, 61, 45, 30],
    "tenths/p2": [22, 16, 14, 109, 16, 14],
}


@pytest.mark.parametrize("name", EVALUATED)
def test_evaluated_states(name: str) -> None:
    problem = TASKS / f"{name}.pddl"
    task = core_task(prepare(problem.parent / "domain.pddl", problem).task)
    members = configuration(DEFAULT).searches
    outcomes = [run(task, member, SearchOptions(patience=0), LIMITS) for member in members]
    assert [outcome.statistics["evaluated"] for outcome in outcomes] == EVALUATED[name]
