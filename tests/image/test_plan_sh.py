"""plan.sh sets itself up once, whoever starts it and from where, and says in one sentence what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.image.measure import cpu_seconds
from tests.image.tree import ROOT, copy_tree, start

COMMANDS = ["sh", "dirname", "readlink", "find", "cksum", "sort", "cat", "mkdir", "rm", "mv", "tail", "echo"]
CANNOT_START = 35


def assert_valid(here: Path, *files: str) -> None:
    command = [sys.executable, "-I", "-m", "numbat_validate", *(str(here / file) for file in files)]
    assert subprocess.run(command, check=False).returncode == 0


def test_any_directory_and_any_name(clone: Path, tmp_path: Path) -> None:
    here = tmp_path / "a $HOME; `ls` 'dir'"
    shutil.copytree(ROOT / "examples/jugs", here / "in & out")
    done = start(clone, "in & out/domain.pddl", here / "in & out/problem.pddl", "*plan?", cwd=here)
    assert done.wait() == 0, done.communicate()
    assert done.communicate()[1].count("plan.sh:") == 0
    assert_valid(here, "in & out/domain.pddl", "in & out/problem.pddl", "*plan?")


@pytest.mark.parametrize("options", [[], ["--time", "60"]])
def test_two_files_give_sas_plan(clone: Path, tmp_path: Path, options: list[str]) -> None:
    shutil.copytree(ROOT / "examples/jugs", tmp_path, dirs_exist_ok=True)
    (tmp_path / "link.sh").symlink_to(clone / "plan.sh")
    done = subprocess.run(["./link.sh", "domain.pddl", "problem.pddl", *options], cwd=tmp_path)
    assert done.returncode == 0
    assert_valid(tmp_path, "domain.pddl", "problem.pddl", "sas_plan")


def test_later_starts_cost_nothing(clone: Path, tmp_path: Path) -> None:
    direct = [clone / ".numbat/environment/bin/python", "-I", "-m", "numbat", "solve", "--help"]
    assert cpu_seconds([clone / "plan.sh", "--help"], tmp_path) - cpu_seconds(direct, tmp_path) < 0.1


def test_the_planner_receives_the_signal(clone: Path, tmp_path: Path, endless: list[str]) -> None:
    planning = start(clone, *endless, "plan", cwd=tmp_path)
    time.sleep(2)
    assert "python" in Path(f"/proc/{planning.pid}/cmdline").read_text().split("\0")[0]
    planning.terminate()
    assert planning.wait(timeout=10) != 0


def sandbox(tmp_path: Path, *extra: str) -> dict[str, str]:
    """An environment whose PATH holds the basic commands and the named ones only."""
    (tmp_path / "bin").mkdir()
    for command in [*COMMANDS, *extra]:
        found = shutil.which(command)
        assert found, command
        (tmp_path / "bin" / command).symlink_to(found)
    return {"PATH": str(tmp_path / "bin")}


def refusal(tmp_path: Path, environment: dict[str, str]) -> str:
    """What a first start says that cannot go on."""
    clone = copy_tree(tmp_path / "clone")
    done = start(clone, "domain", "problem", env=environment)
    said = done.communicate()[1]
    assert done.returncode == CANNOT_START
    assert said.count("\n") == 1, said
    assert not (clone / ".numbat/built-from").exists()
    return said


def test_missing_python_is_named(tmp_path: Path) -> None:
    assert "apt install python3" in refusal(tmp_path, sandbox(tmp_path))


def fake_python(tmp_path: Path, refused: str) -> dict[str, str]:
    """A python3 that is like this one but fails at whatever mentions a word."""
    environment = sandbox(tmp_path)
    fake = tmp_path / "bin/python3"
    fake.write_text(f'#!/bin/sh\ncase "$*" in *"{refused}"*) exit 1 ;; esac\nexec "{sys.executable}" "$@"\n')
    fake.chmod(0o755)
    return environment


@pytest.mark.parametrize(
    ("refused", "advice"),
    [
        ("version_info", "is too old"),
        ("ensurepip", "apt install python3-venv"),
        ("Python.h", "apt install python3-dev"),
    ],
)
def test_an_incomplete_python_is_named(tmp_path: Path, refused: str, advice: str) -> None:
    assert advice in refusal(tmp_path, fake_python(tmp_path, refused))


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    environment = fake_python(tmp_path, "nothing at all")
    assert "apt install g++" in refusal(tmp_path, environment)


def test_an_old_compiler_is_named(tmp_path: Path) -> None:
    environment = fake_python(tmp_path, "nothing at all")
    compiler = tmp_path / "bin/c++"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    assert "does not compile C++20" in refusal(tmp_path, environment)


def test_a_moved_clone_still_works_and_a_changed_one_is_built_again(clone: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(clone, moved, symlinks=True)
    offline = os.environ | {"PIP_NO_INDEX": "1"}
    said = start(moved, "--help", env=offline).communicate()
    assert "usage" in said[0]
    assert not said[1]
    with (moved / "planner/numbat/errors.py").open("a") as source:
        source.write("# changed\n")
    build = start(moved, "--help", env=offline)
    said = build.communicate()
    assert "setting up" in said[1]
    assert "setting up failed" in said[1], "built without its requirements?"
    assert build.returncode == CANNOT_START
    assert not (moved / ".numbat/built-from").exists(), "a failed build must not look ready"
