"""The gate to the plan file: only valid plans, only whole files, only where the user wants them."""

from __future__ import annotations

import os
import stat
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.errors import ConfigurationError, ExitCode
from numbat.run.plan_file import PlanFile, PlanNotWritten
from numbat.run.publish import Publisher, Rejected
from numbat.task.plan import Plan
from tests.search import small_tasks

PLAN = Plan(("(up)",), Fraction(1))


def test_written_whole_and_nothing_left_behind(tmp_path: Path) -> None:
    target = tmp_path / "plan with blanks"
    PlanFile(target).write(PLAN)
    assert target.read_text() == "(up)\n; cost = 1\n"
    assert list(tmp_path.iterdir()) == [target]


def test_an_earlier_file_is_replaced_not_rewritten(tmp_path: Path) -> None:
    target, reader = tmp_path / "plan", tmp_path / "reader"
    target.write_text("old")
    os.link(target, reader)
    PlanFile(target).write(PLAN)
    assert reader.read_text() == "old"
    assert target.read_text() == PLAN.text()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real, link = tmp_path / "folder" / "real", tmp_path / "plan"
    link.symlink_to(real)
    PlanFile(link).write(PLAN)
    assert link.is_symlink() and real.read_text() == PLAN.text()


def test_a_device_is_written_to_not_replaced() -> None:
    PlanFile(Path("/dev/null")).write(PLAN)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_relative_paths_are_of_the_directory_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan_file = PlanFile(Path("plan"))
    monkeypatch.chdir("/")
    plan_file.write(PLAN)
    assert (tmp_path / "plan").exists()


@pytest.mark.parametrize("place", ["missing/plan", "", "file/plan", "domain.pddl"])
def test_unusable_places_are_refused_before_the_search(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "domain.pddl").write_text("")
    with pytest.raises(ConfigurationError) as caught:
        PlanFile(tmp_path / place).check(tmp_path / "domain.pddl")
    assert caught.value.exit_code is ExitCode.DRIVER_INPUT_ERROR


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("(define (problem p) (:domain d))", True),
        ("; a comment\r\n\n ( DEFINE\n(domain d))", True),
        ("", False),
        ("(define domain x)\n; cost = 1 (unit cost)\n", False),
        ("(defined (problem p))", False),
        ("; (define (problem p))\n(go)\n", False),
    ],
)
def test_a_domain_or_problem_is_never_replaced(text: str, kept: bool, tmp_path: Path) -> None:
    """As in `numbat solve domain.pddl p*.pddl`, where the shell finds two problems."""
    (tmp_path / "p11.pddl").write_text(text, newline="")
    plan_file = PlanFile(tmp_path / "p11.pddl")
    with pytest.raises(ConfigurationError, match="would be lost") if kept else nullcontext():
        plan_file.check(tmp_path / "domain.pddl", tmp_path / "p1.pddl")


def test_full_disk_is_an_error_of_its_own() -> None:
    with pytest.raises(PlanNotWritten, match="No space left") as caught:
        PlanFile(Path("/dev/full")).write(PLAN)
    assert caught.value.exit_code is ExitCode.DRIVER_CRITICAL_ERROR


def publisher(task: tuple[str, str], folder: Path, **options: bool) -> Publisher:
    domain, problem = small_tasks.write(task, folder)
    return Publisher(validate.load(domain, problem), PlanFile(folder / "plan"), **options)


def test_only_better_plans_replace(tmp_path: Path) -> None:
    gate = publisher(small_tasks.COUNTER, tmp_path)
    long, short = gate.judge(["(up)"] * 6 + ["(down)"]), gate.judge(["(up)"] * 5)
    assert (long.cost, short.cost) == (7, 5)
    assert gate.publish(long) and gate.publish(short) and not gate.publish(long)
    assert (tmp_path / "plan").read_text() == short.text()
    assert gate.best == short


def test_with_a_metric_to_maximize_more_is_better(tmp_path: Path) -> None:
    domain, problem = small_tasks.COUNTER
    gate = publisher(
        (domain, problem.replace("(:goal (= (x) 5))", "(:goal (>= (x) 2)) (:metric maximize (x))")),
        tmp_path,
        maximize=True,
    )
    little, much = gate.judge(["(up)"] * 2), gate.judge(["(up)"] * 4)
    assert gate.publish(little) and gate.publish(much)
    assert gate.best == much


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_a_metric_without_a_value_is_worse_than_any(direction: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.COUNTER
    metric = f"(:goal (>= (x) 2)) (:metric {direction} (/ 60 (- (x) 3)))"
    maximize = direction == "maximize"
    gate = publisher((domain, problem.replace("(:goal (= (x) 5))", metric)), tmp_path, maximize=maximize)
    detour, straight, other = (gate.judge(["(up)"] * up + ["(down)"] * (up - 3)) for up in (4, 3, 2))
    assert (detour.cost, straight.cost, other.cost) == (None, None, -60)
    assert straight.text() == "(up)\n(up)\n(up)\n"
    assert gate.publish(detour) and gate.publish(straight) and not gate.publish(detour)
    assert 0 < gate.gain(detour, straight) < 1 and gate.gain(straight, other) == 1
    assert gate.publish(other) and not gate.publish(straight)
    assert (tmp_path / "plan").read_text() == other.text()


def test_an_invalid_plan_is_refused_with_its_step(tmp_path: Path) -> None:
    gate = publisher(small_tasks.COUNTER, tmp_path)
    with pytest.raises(Rejected, match="step 2"):
        gate.judge(["(up)", "(fly)"])
    with pytest.raises(Rejected):
        gate.judge(["(up)"])
    assert not (tmp_path / "plan").exists()
