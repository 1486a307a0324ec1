"""Landmarks and goal-oriented novelty guide every kind of search through the small tasks: to plans, or to proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.run.frontend import prepare
from numbat.search.options import SearchOptions
from numbat.search.outcome import SOLVED
from numbat.search.registry import configuration
from numbat.search.run import Limits, core_task, run

TASKS = Path(__file__).resolve().parents[1] / "tasks"
PROBLEMS = sorted(path for path in TASKS.glob("*/*.pddl") if path.name != "domain.pddl")
GUIDES = [
    "S(hlm)",
    "M(hadd, hlm)",
    "M(hmrp+hj, hlm<G,PN>)",
    "S(hgmrp+hj)",
    "Y(hgmrp+hj, hlm)",
    "L(hlm)",
    "L(hmrp+hj, hlm)",
    "Y(hmrp+hj)",
    "Y(hadd, hlm)",
    "S(hadd<G,PN>)",
    "S(hmrp<G,PN>+hj)",
    "L(hadd<G,PN>, hlm)",
    "S(hflow)",
    "M(hadd, hflow<B,QB>)",
    "L(hmrp+hj, hflow)",
]
LIMITS = Limits(time=20.0, memory=1 << 29)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_small_tasks(problem: Path) -> None:
    domain = problem.parent / "domain.pddl"
    task = prepare(domain, problem).task
    for name in GUIDES:
        search = configuration(name).searches[0]
        first, second = (run(core_task(task), search, SearchOptions(seed=seed), LIMITS) for seed in (3, 3))
        assert (first.status, first.plan) == (second.status, second.plan), name
        assert first.statistics["evaluated"] == second.statistics["evaluated"], name
        if problem.stem.startswith("unsolvable"):
            assert first.status == ("exhausted-complete" if task.exact else "exhausted-pruned"), name
            continue
        assert first.status == SOLVED, name
        verdict = validate.check(domain, problem, [task.operator_names[operator] for operator in first.plan])
        assert verdict.valid, (name, verdict.reason)
