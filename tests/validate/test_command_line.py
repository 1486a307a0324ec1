"""The command: words, exit codes, and no traceback whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.validate.samples import ROOT, TASKS, write_task

FERRY = TASKS / "ferry" / "domain.pddl", TASKS / "ferry" / "p1.pddl"
GOOD = "(load salt swan a)\n(sail swan a b)\n(refuel swan b)\n(sail swan b c)\n(unload salt swan c)\n"
BAD = "(load salt swan a)\n(sail swan a b)\n(sail swan b c)\n"


def validate(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-m", "numbat_validate", *map(str, arguments)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in result.stderr
    return result


@pytest.fixture
def good(tmp_path: Path) -> Path:
    (tmp_path / "good.plan").write_text(GOOD, encoding="utf-8")
    return tmp_path / "good.plan"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    (tmp_path / "bad.plan").write_text(BAD, encoding="utf-8")
    return tmp_path / "bad.plan"


def test_valid_plan(good: Path) -> None:
    result = validate(*FERRY, good)
    assert result.returncode == 0
    assert "Plan valid\nFinal value: 14\n" in result.stdout
    assert f"Successful plans:\n {good} 14\n" in result.stdout
    assert "Failed plans:" not in result.stdout and not result.stderr


def test_invalid_plan_is_explained(bad: Path) -> None:
    result = validate("-v", *FERRY, bad)
    assert result.returncode == 1
    assert "step 3 of 3" in result.stdout and "0 >= 8 is false" in result.stdout and "(fuel swan) = 0" in result.stdout
    assert f"Failed plans:\n {bad}\n" in result.stdout
    assert "Plan valid" not in result.stdout


def test_unreached_goal(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("", encoding="utf-8")
    result = validate(*FERRY, tmp_path / "plan")
    assert result.returncode == 1
    assert "Goal not satisfied" in result.stdout and "Failed plans:" in result.stdout


def test_worst_outcome_decides_among_several_plans(good: Path, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no plan", encoding="utf-8")
    assert validate(*FERRY, good, bad, good).returncode == 1
    result = validate(*FERRY, good, tmp_path / "text", bad)
    assert result.returncode == 2
    assert "text:1:1: expected a step" in result.stderr
    assert "Successful plans:" in result.stdout and "Failed plans:" in result.stdout


def test_json(good: Path, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no plan", encoding="utf-8")
    result = validate("--json", "-t", "0.001", *FERRY, good, bad, tmp_path / "text")
    document = json.loads(result.stdout)
    assert document["exit_code"] == result.returncode == 2
    first, second, third = document["plans"]
    assert first["valid"] and first["cost"] == "14" and first["metric"] and first["tolerance"] == "0.001"
    assert not second["valid"] and second["step"] == 3 and second["details"]
    assert not third["valid"] and "expected a step" in third["error"]


@pytest.mark.parametrize("text", ["-1", "nan", "1e400", "x" * 1000])
def test_what_is_no_tolerance_is_refused_in_words(text: str, good: Path) -> None:
    result = validate(f"--tolerance={text}", *FERRY, good)
    assert result.returncode == 2 and "expected a number such as" in result.stderr and "_tolerance" not in result.stderr
    assert len(result.stderr) < 500


def test_tolerance_is_reported(tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        "(:predicates (p)) (:functions (f)) (:action act :precondition (> (f) 0) :effect (p))",
        "(:init (= (f) 0)) (:goal (p))",
    )
    plan = tmp_path / "plan"
    plan.write_text("(act)", encoding="utf-8")
    assert validate(domain, problem, plan).returncode == 1
    result = validate("-t", "1e-4", domain, problem, plan)
    assert result.returncode == 0 and "Tolerance: 0.0001" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("only-one",),
        ("-t", "-1", *FERRY, "x"),
        ("-t", "nan", *FERRY, "x"),
        ("-t", "1/0", *FERRY, "x"),
        ("--what", *FERRY, "x"),
    ],
)
def test_usage_errors(arguments: tuple[object, ...]) -> None:
    assert validate(*arguments).returncode == 2


def test_files_that_cannot_be_read(good: Path, tmp_path: Path) -> None:
    for arguments in [(tmp_path / "none", FERRY[1], good), (FERRY[0], tmp_path, good), (*FERRY, tmp_path / "none")]:
        result = validate(*arguments)
        assert result.returncode == 2 and "cannot be read" in result.stderr
    nul = validate(*FERRY, "")
    assert nul.returncode == 2


def test_unsupported_pddl_has_its_own_exit_code(good: Path, tmp_path: Path) -> None:
    domain, problem = write_task(tmp_path, "(:durative-action act)", "(:goal (and))")
    result = validate(domain, problem, good)
    assert result.returncode == 3 and "':durative-action' is not supported" in result.stderr


def test_help_lists_the_exit_codes() -> None:
    result = validate("--help")
    assert result.returncode == 0
    for number in range(4):
        assert f"\n  {number}  " in result.stdout


def test_closed_output_leaves_the_verdict(good: Path, bad: Path) -> None:
    for plan, code in ((good, 0), (bad, 1)):
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-I", "-m", "numbat_validate", "-v", *map(str, FERRY), str(plan)]
        result = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False, timeout=60)
        os.close(write)
        assert result.returncode == code and result.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_or_missing_output_leaves_the_verdict(good: Path) -> None:
    command = f"{sys.executable} -I -m numbat_validate {FERRY[0]} {FERRY[1]} {good}"
    for redirection in (">/dev/full", ">&-", "2>&- >&-"):
        result = subprocess.run(f"{command} {redirection}", shell=True, cwd=ROOT, stderr=subprocess.PIPE, check=False)
        assert result.returncode == 0 and result.stderr == b""


def test_names_that_cannot_be_shown(good: Path, tmp_path: Path) -> None:
    strange = os.fsencode(tmp_path) + b"/caf\xe9.plan"
    with open(strange, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(GOOD)
    command = [os.fsencode(part) for part in (sys.executable, "-I", "-m", "numbat_validate", *FERRY)]
    for encoding in ("ascii", "utf-8"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        result = subprocess.run(
            [*command, strange], cwd=ROOT, env=environment, capture_output=True, check=False, timeout=60
        )
        assert result.returncode == 0 and result.stderr == b"" and b"Plan valid" in result.stdout


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("(and ", ")"), ("(not (not ", "))"), ("(or (and) ", ")"), ("(imply (and) ", ")")],
)
def test_ten_thousand_levels_of_nesting(opening: str, closing: str, tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        "(:predicates (p)) (:functions (f)) (:action act :precondition (not (p)) :effect (and (p) (increase (f) 1)))",
        f"(:init (= (f) 0)) (:goal {opening * 10_000}(p){closing * 10_000})",
    )
    plan = tmp_path / "plan"
    plan.write_text("(act)", encoding="utf-8")
    assert validate("-v", domain, problem, plan).returncode == 0
    plan.write_text("", encoding="utf-8")
    assert validate("-v", domain, problem, plan).returncode == (0 if "or" in opening else 1)


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        (f"(assign (f) {'(+ 1 ' * 10_000}(f){')' * 10_000})", 0),
        (f"{'(and ' * 10_000}(increase (f) 1){')' * 10_000}", 0),
        (f"{'(when (and) ' * 10_000}(increase (f) 1){')' * 10_000}", 3),
        (f"{'(forall (?x) ' * 10_000}(increase (f) 1){')' * 10_000}", 3),
        (f"(when {'(exists (?x) ' * 10_000}(= (f) 0){')' * 10_000} (increase (f) 1))", 3),
        ("(scale-up (f) (f))", 3),
        ("(assign (f) 1e999999)", 2),
        ("(assign (f) 1e99999999999999999999)", 2),
        (f"(assign (f) {'9' * 5000})", 2),
    ],
)
def test_effects_that_are_traps(effect: str, code: int, tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        f"(:functions (f)) (:action act :effect {effect})",
        "(:objects o) (:init (= (f) 7)) (:goal (>= (f) 8))",
    )
    plan = tmp_path / "plan"
    plan.write_text("(act)\n" * 15, encoding="utf-8")
    assert validate("-v", domain, problem, plan).returncode == code
