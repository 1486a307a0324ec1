"""A campaign over a fixed set of tasks finds nothing, and what is wrong would be found.

python -m tests.adversary --minutes 60 goes on from there.
"""

from __future__ import annotations

import os
import signal
from fractions import Fraction

import pytest

from tests.adversary import campaign
from tests.adversary import planner as p
from tests.adversary import syntax as s
from tests.adversary.check import FALSE_PROOF, REFEREE, REFUSED_PLAN, Disagreement, check
from tests.adversary.generate import generate
from tests.adversary.shrink import shrink, well_formed
from tests.adversary.workers import Lost, run

TASKS = 1200  # about 45 s of CPU time with the command lines among them


def test_nobody_disagrees() -> None:
    summary = campaign.run(campaign.seeds_from(1, TASKS))
    assert summary.tasks == TASKS
    assert not summary.mistakes(), str(summary)
    assert summary.verdicts[p.DEFAULT][p.PLAN] > TASKS / 3
    assert summary.verdicts[p.DEFAULT][p.UNSOLVABLE] > TASKS / 6


def solvable() -> s.Task:
    """Some task that the planner solves."""
    return next(task for task in map(generate, range(1, 100)) if check(task).verdicts.get(p.DEFAULT) == p.PLAN)


def kinds(task: s.Task) -> set[str]:
    return {disagreement.kind for disagreement in check(task).disagreements}


def test_a_false_proof_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    task = solvable()
    monkeypatch.setattr(p.Planner, "ask", lambda *_: p.Reply(p.UNSOLVABLE))
    assert kinds(task) == {FALSE_PROOF}


def test_a_wrong_plan_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    task = solvable()
    monkeypatch.setattr(p.Planner, "ask", lambda *_: p.Reply(p.PLAN, ()))
    assert REFUSED_PLAN in kinds(task)


def test_a_wrong_cost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    task = solvable()
    monkeypatch.setattr(p.Referee, "judge", lambda *_: (True, None, Fraction(1, 7)))
    assert REFEREE in kinds(task)


def test_shrinking_keeps_what_matters() -> None:
    def shows(task: s.Task) -> bool:
        return any(isinstance(part, s.When) for action in task.actions for part in _everything(action))

    task = next(task for task in map(generate, range(1, 100)) if shows(task))
    small = shrink(task, shows)
    assert shows(small) and well_formed(small)
    assert len(small.actions) == 1 and not small.facts and not small.values and small.goal == s.And()


def _everything(node: object) -> list[object]:
    return [node, *(below for part in s.parts(node) for below in _everything(part))]


def _die_at_two(seed: int) -> int:
    if seed == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return seed


def test_a_crash_costs_one_task() -> None:
    answers = dict(run(_die_at_two, iter(range(5)), jobs=2))
    assert answers == {0: 0, 1: 1, 2: Lost("killed by SIGKILL"), 3: 3, 4: 4}


def test_a_summary_names_what_is_wrong() -> None:
    summary = campaign.Summary()
    checked = check(solvable())
    checked.disagreements.append(Disagreement(FALSE_PROOF, "S(hmd)", "seen by grounding"))
    summary.add(11, checked)
    assert f"1 tasks: {FALSE_PROOF}; seeds 11" in str(summary)
