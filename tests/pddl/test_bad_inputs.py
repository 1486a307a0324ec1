"""Every bad input ends with its documented exit code and a message that names the place; nothing crashes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from numbat.cli import main
from numbat.errors import ExitCode, InputError, PlannerError
from numbat.normalise import lift
from numbat.pddl.source import read
from tests.bad_inputs.cases import CASES, DOMAIN, FOLDER, INPUT, PROBLEM, Case

NOBODY = 65534
SECONDS = 5
MEMORY = 1 << 30
HEAVY = [
    case for case in CASES if case.name.startswith(("nested", "quantifier-blow", "product", "number-of", "too-many-g"))
]


def named(case: Case) -> str:
    return case.name


def test_the_corpus_is_complete() -> None:
    assert {case.name for case in CASES} == {file.stem for file in FOLDER.glob("*.pddl")}
    assert len(CASES) >= 60


def test_the_companions_are_good() -> None:
    _, warnings = lift(DOMAIN, PROBLEM)
    assert warnings == []


@pytest.mark.parametrize("case", [case for case in CASES if not case.grounded], ids=named)
def test_the_mistake_is_found_and_named(case: Case) -> None:
    with pytest.raises(PlannerError) as caught:
        lift(*case.files)
    error = caught.value
    assert error.exit_code == case.code
    assert case.message in str(error)
    assert error.span is not None
    assert (error.span.file, error.span.line) == (str(case.file), case.line)
    assert error.span.column > 0


@pytest.mark.parametrize("case", [case for case in CASES if case not in HEAVY], ids=named)
def test_the_command_line_says_so(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["inspect", *map(str, case.files)])
    said = capsys.readouterr().err
    assert code == case.code
    assert case.message in said
    assert f"{case.file}:{case.line}:" in said
    assert "Traceback" not in said


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("case", HEAVY, ids=named)
def test_heavy_input_is_refused_within_limits(case: Case) -> None:
    before = os.times()
    command = [sys.executable, "-I", "-m", "numbat", "inspect", *map(str, case.files)]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, preexec_fn=limit_memory, cwd=FOLDER.parents[1]
    )
    after = os.times()
    assert run.returncode == case.code
    assert case.message in run.stderr
    assert f"{case.file}:{case.line}:" in run.stderr
    assert after.children_user + after.children_system - before.children_user - before.children_system < SECONDS


# --- files that are no text files ------------------------------------------------------------------------------------


def refused(domain: Path, problem: Path) -> PlannerError:
    with pytest.raises(PlannerError) as caught:
        lift(domain, problem)
    assert caught.value.exit_code == INPUT
    assert caught.value.span is not None
    return caught.value


def test_missing_file(tmp_path: Path) -> None:
    assert "No such file" in str(refused(tmp_path / "nothing.pddl", PROBLEM))


def test_directory(tmp_path: Path) -> None:
    assert str(refused(tmp_path, PROBLEM)).startswith(f"{tmp_path}: cannot read the file")


def test_name_with_a_null_character() -> None:
    assert "cannot read the file" in str(refused(Path("null\0character.pddl"), PROBLEM))


def test_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "secret.pddl"
    file.write_text(PROBLEM.read_text())
    file.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)  # root may read everything
    try:
        with pytest.raises(InputError, match="Permission denied"):
            read(file)
    finally:
        os.seteuid(user)


def test_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "empty.pddl"
    file.write_bytes(b"")
    assert "the file is empty" in str(refused(DOMAIN, file))


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\x01\x01\0\0\0", PROBLEM.read_text().encode("utf-16")], ids=["elf", "utf16"]
)
def test_binary_file(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "binary.pddl"
    file.write_bytes(data)
    assert "not a text file" in str(refused(DOMAIN, file))


def test_endless_file() -> None:
    with pytest.raises(PlannerError) as caught:
        lift(DOMAIN, Path("/dev/zero"))
    assert caught.value.exit_code == ExitCode.TRANSLATE_OUT_OF_MEMORY
