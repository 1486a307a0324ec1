"""The small tasks in tests/tasks are what their names say, and the referee accepts their shortest plans."""

from __future__ import annotations

from pathlib import Path

import pytest

import numbat_validate as validate
from tests.validate.samples import PROBLEMS, UNSOLVABLE, domain_of, lines_of, name_of, simulated


def test_there_are_enough_tasks() -> None:
    assert len({problem.parent for problem in PROBLEMS}) >= 16
    assert len(UNSOLVABLE) >= 10


@pytest.mark.parametrize("problem", PROBLEMS, ids=name_of)
def test_shortest_plan_is_valid_and_every_prefix_is_not(problem: Path) -> None:
    oracle = simulated(problem)
    plan = oracle.shortest_plan()
    assert plan
    task = validate.load(domain_of(problem), problem)
    verdict = validate.judge(task, lines_of(plan))
    assert verdict.valid, verdict.reason
    assert verdict.cost == oracle.metric_value(plan)
    assert verdict.metric == bool(oracle.metric)
    for length in range(len(plan)):
        shorter = validate.judge(task, lines_of(plan[:length]))
        assert not shorter.valid and shorter.step is None and shorter.reason.startswith("goal")


@pytest.mark.parametrize("problem", UNSOLVABLE, ids=name_of)
def test_unsolvable_task_has_no_plan(problem: Path) -> None:
    assert simulated(problem).shortest_plan() is None
    assert not validate.check(domain_of(problem), problem, []).valid
