"""Once there is a plan to be better than, searches look for what is near and for what is cheap, in turn."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from numbat.engines.board import Board
from numbat.engines.compiled import CompiledSearch
from numbat.engines.problem import Problem
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.run.anytime import Anytime
from numbat.run.frontend import prepare
from numbat.run.interruption import Interruption
from numbat.run.plan_file import PlanFile
from numbat.run.publish import Publisher
from numbat.run.pursuit import Context, Team
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration
from numbat.search.run import Limits
from tests.search import small_tasks

SEARCH = configuration("S(hgc)").searches[0]


@pytest.mark.parametrize(
    ("task", "later"),
    [(small_tasks.DELIVERY, ["plusone", "unit", "plusone"]), (small_tasks.COUNTER, ["unit"] * 3)],
    ids=["metric", "steps"],
)
def test_what_starts_see(task: tuple[str, str], later: list[str], tmp_path: Path) -> None:
    front = prepare(*small_tasks.write(task, tmp_path))
    problem, seen = Problem(front.lifted, front.task), []

    def make(options: SearchOptions) -> CompiledSearch:
        seen.append(options.heuristic_cost)
        return CompiledSearch(SEARCH, options)

    with Interruption() as interruption:
        context = Context(Publisher(front.referee, PlanFile(None)), interruption, lambda _: None, lambda: 0.0)
        members = Team(problem, (make, make), (1, 1), SearchOptions(), 1 << 28)
        pursuit = Anytime(members, context, Schedule([1] * 3, PATTERNS["interleaved"]))
        seen.clear()
        for member in (0, 0, 1):
            pursuit.launch(member)
        assert seen == ["unit"] * 3
        plan = CompiledSearch(SEARCH, SearchOptions()).run(problem, Limits(10.0, 1 << 28, math.inf), Board())
        pursuit.receive(0, plan)
        seen.clear()
        for _ in later:
            pursuit.launch(0)
        assert seen == later
        pursuit.launch(1)
        assert seen[-1] == later[0]  # each search counts its own
