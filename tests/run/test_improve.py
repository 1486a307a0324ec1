"""`numbat improve`, its Python face, and what is in the file whatever happens."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

import numbat
import numbat_validate as validate
from numbat.cli import main
from numbat.errors import ExitCode
from numbat.isolated import command
from tests.search import small_tasks

DETOUR = ("(drive a b)", "(drive b a)")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A task and a plan for it that can be improved."""
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    solution = numbat.solve(domain, problem, time=20)
    assert solution.plan is not None
    plan = tmp_path / "given"
    plan.write_text("\n".join([*DETOUR, *solution.plan.steps]) + "\n")
    return domain, problem, plan


def test_a_better_plan_is_written(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    better = tmp_path / "better"
    code = main(["improve", *map(str, files), "-o", str(better), "--time", "5"])
    assert code in (ExitCode.SUCCESS, ExitCode.PLAN_FOUND_OUT_OF_TIME)
    before, after = validate.check(*files), validate.check(*files[:2], better)
    assert after.valid and after.cost < before.cost


def test_without_a_file_it_is_printed(files: tuple[Path, Path, Path], capfd: pytest.CaptureFixture[str]) -> None:
    main(["improve", *map(str, files), "--time", "3", "--search", "S(hgc)"])
    out = capfd.readouterr().out.split("\n")
    assert validate.check(*files[:2], [line for line in out if line.startswith("(")]).valid


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(drive b a)\n", "the plan is not valid: step 1"),
        ("", "the plan is not valid"),
        ("(fly a b)\n", "no action has this name"),
        ("drive a b\n", "expected a step"),
    ],
)
def test_what_is_no_plan_is_refused(
    text: str, said: str, files: tuple[Path, Path, Path], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files[2].write_text(text)
    assert main(["improve", *map(str, files), "-o", str(tmp_path / "better")]) == ExitCode.TRANSLATE_INPUT_ERROR
    assert said in capfd.readouterr().err
    assert not (tmp_path / "better").exists()


def test_wrong_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["improve", "domain", "problem"]) == ExitCode.DRIVER_INPUT_ERROR
    assert "expected three files" in capfd.readouterr().err


def test_from_python(files: tuple[Path, Path, Path]) -> None:
    steps = files[2].read_text().split("\n")[:-1]
    given = validate.check(*files).cost
    solution = numbat.improve(*files[:2], steps, time=3, search="S(hgc)")
    assert solution.cost is not None and solution.cost < given
    costs = [plan.cost for plan in numbat.improvements(*files, time=3, search="S(hgc)")]
    assert costs[0] == given and costs[-1] == solution.cost
    assert all(a is not None and b is not None and a > b for a, b in itertools.pairwise(costs))
    with pytest.raises(numbat.PlanningError, match="not valid"):
        numbat.improve(*files[:2], ["(drive b a)"], time=3)


def test_killed_at_any_moment_the_best_plan_is_whole(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    chance = random.Random(7)
    seen = 0
    for number in range(6):
        plan = tmp_path / f"plan{number}"
        words = ["solve", "--anytime", "--time", "20", str(domain), str(problem), str(plan)]
        with subprocess.Popen([*command("numbat"), *words], stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 15
            while not plan.exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.4))
            process.send_signal(signal.SIGKILL)
        if plan.exists():
            seen += 1
            assert validate.check(domain, problem, plan).valid
            assert plan.read_text().split("\n")[-2].startswith("; cost = ")
    assert seen >= 4
