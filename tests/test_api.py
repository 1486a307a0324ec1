"""The planner called from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import validate
from planner.api import PlanningError, solve
from planner.errors import ExitCode
from tests.search import small_tasks

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_plan() -> None:
    domain, problem = EXAMPLES / "jugs" / "domain.pddl", EXAMPLES / "jugs" / "problem.pddl"
    solution = solve(domain, str(problem), time=30, memory="1G", search="S(hadd)", options=("--seed", "3"))
    assert solution.exit_code == ExitCode.SUCCESS
    assert solution.plan and solution.cost == len(solution.plan)
    assert validate.check(domain, problem, list(solution.plan)).valid
    assert solution.statistics["found_by"] == "S(hadd)"


def test_file_names_that_look_like_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES.parent))
    monkeypatch.chdir(tmp_path)
    assert solve(domain.rename("-d.pddl"), problem.rename("--json")).plan


def test_proof_that_there_is_none(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.UNSOLVABLE, tmp_path)
    solution = solve(domain, problem)
    assert solution.plan is None and solution.unsolvable


def test_bad_input_raises_what_the_planner_says(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    problem.write_text(problem.read_text().replace("(:goal", "(:gaol"))
    with pytest.raises(PlanningError, match=r"(?s)^/.*problem\.pddl:\d+:\d+: .*gaol") as caught:
        solve(domain, problem)
    assert caught.value.exit_code == ExitCode.TRANSLATE_INPUT_ERROR


def test_nonsense_options_raise(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    with pytest.raises(PlanningError, match="frobnicate"):
        solve(domain, problem, search="S(frobnicate)")
