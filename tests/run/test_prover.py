"""An anytime run ends when it has proved that nothing is cheaper, and claims that only where it is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.errors import ExitCode
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from tests.adversary.generate import generate
from tests.adversary.optimal import STATES, cheapest
from tests.adversary.oracle import Model
from tests.adversary.text import domain_text, problem_text
from tests.search import small_tasks

DELIVERY_COST = 24  # see tests/optimal
FIRST_SEED, SEEDS = 4_000_000, 60


def anytime(task: tuple[str, str], folder: Path, seconds: float = 20.0) -> Report:
    domain, problem = small_tasks.write(task, folder)
    request = Request(
        domain, problem, folder / "plan", "P(3h||3n)", SearchOptions(), time=seconds, memory=1 << 30, anytime=True
    )
    return solve(request, Callbacks(lambda _: None))


def test_the_run_ends_with_the_proof_and_says_so_everywhere(tmp_path: Path) -> None:
    report = anytime(small_tasks.DELIVERY, tmp_path, seconds=60.0)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None
    assert report.plan.optimal and report.plan.cost == DELIVERY_COST and report.cpu < 30
    assert report.summary.startswith("optimal plan with")
    assert "; optimal: no plan costs less" in (tmp_path / "plan").read_text()
    assert json.loads(json.dumps(report.as_dict()))["proven"] == "optimal"
    assert validate.check(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan").valid


@pytest.mark.parametrize(
    "metric",
    ["maximize (value a)", "minimize (- 0 (value a))", "minimize (* (value a) 0.5)"],
    ids=["max", "gain", "some"],
)
def test_where_costs_can_fall_nothing_is_claimed(metric: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.PARITY
    problem = problem.replace("(:goal (= (value a) 7))", f"(:goal (= (value b) 8)) (:metric {metric})")
    report = anytime((domain, problem), tmp_path, seconds=2.0)
    assert report.plan is not None and not report.plan.optimal and report.as_dict()["proven"] is None


def test_claims_on_random_tasks_are_true(tmp_path: Path) -> None:
    claimed = 0
    for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
        task = generate(seed)
        least, certain = cheapest(Model(task), STATES)
        if least is None or not certain:
            continue
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            report = anytime((domain_text(task), problem_text(task)), folder, seconds=1.5)
        except Exception as error:  # what the front end refuses
            assert getattr(error, "exit_code", None) is not None, error
            continue
        if report.plan is None or not report.plan.optimal:
            continue
        claimed += 1
        model = Model(task)
        judged = model.judge(list(report.plan.steps))
        assert judged.valid
        start = model.cost(model.initial, 0) or 0
        assert (len(report.plan.steps) if judged.cost is None else judged.cost - start) == least, seed
    assert claimed >= 5
