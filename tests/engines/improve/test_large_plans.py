"""Large plans: improving them pays within a second of CPU time, and what comes out is a plan."""

from __future__ import annotations

import time

import pytest

from tests.engines.improve.large_plans import LARGE_PLANS, STEPS
from tests.engines.improve.speed import cost, main, numbered
from tests.engines.improve.test_elimination import improve
from tests.oracles.states import Model
from tests.oracles.suffixes import rest


@pytest.mark.parametrize("name", LARGE_PLANS)
def test_the_first_second_pays(name: str) -> None:
    task, plan = numbered(LARGE_PLANS[name]())
    assert 0.9 * STEPS < len(plan) <= STEPS
    model = Model(task)
    before = rest(model, plan, model.initial)
    assert before == (cost(task, plan), len(plan))
    begin = time.process_time()
    result = improve(task, plan, time=1.0, pause=0.0)
    assert time.process_time() - begin < 1.0
    assert result["ending"] == "better"
    after = rest(model, result["plan"], model.initial)
    assert after is not None and after < before


def test_the_benchmark_tells_all_five(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seconds", "0.3"])
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["plan", "steps", "cost", "after", "seconds", "windows/s", "cost", "removed/s"]
    assert [row.split()[0] for row in rows] == list(LARGE_PLANS)
    assert all(float(row.split()[-1]) > 0 for row in rows)
