"""Every task that once showed a mistake is answered rightly now, by every configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adversary import planner as p
from tests.adversary.campaign import FOUND

FOLDERS = sorted(place.parent for place in FOUND.glob("*/expected.json"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_answer(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    planner, referee = p.Planner(domain, problem), p.Referee(domain, problem)
    replies = {name: planner.ask(name, seconds=1) for name in p.CONFIGURATIONS}
    plans = [reply.plan for reply in replies.values() if reply.verdict == p.PLAN]
    claims = [name for name, reply in replies.items() if reply.verdict == p.UNSOLVABLE]
    if expected["answer"] == "solvable":
        assert referee.accepts(expected["plan"])
        assert not claims
    if expected["answer"] == "unsolvable":
        assert not any(map(referee.accepts, plans))
    if expected["must be solved"]:
        assert any(map(referee.accepts, plans))
