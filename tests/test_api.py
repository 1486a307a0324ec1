"""The planner called from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat import PlanningError, solve
from numbat.errors import ExitCode
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


@pytest.mark.parametrize("name", ["planner", "numbat", "validate", "numbat_validate", "sympy", "json", "subprocess"])
def test_nothing_in_the_current_directory_is_imported(name: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text("import sys; from numbat import solve; print(*solve(*sys.argv[1:]).plan, sep='\\n')")
    done = subprocess.run([sys.executable, script, domain, problem], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert validate.check(domain, problem, done.stdout.splitlines()).valid
