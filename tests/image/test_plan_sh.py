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

COMMANDS = ["sh", "dirname", "readlink", "find", "cksum", "sort", "cat", "mkdir", "rm", "mv", "ln", "tail", "echo"]
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


@pytest.mark.parametrize(
    "words",
    [
        "domain.pddl problem.pddl",
        "domain.pddl problem.pddl --time 60",
        "--time 60 domain.pddl problem.pddl",
        "--time=60 domain.pddl --memory 4G problem.pddl --json",
    ],
)
def test_two_files_give_sas_plan(clone: Path, tmp_path: Path, words: str) -> None:
    shutil.copytree(ROOT / "examples/jugs", tmp_path, dirs_exist_ok=True)
    (tmp_path / "link.sh").symlink_to(clone / "plan.sh")
    done = subprocess.run(["./link.sh", *words.split()], cwd=tmp_path, stdout=subprocess.DEVNULL)
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
    assert not (clone / ".numbat/environment").exists()
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
    before = (moved / ".numbat/environment").readlink()
    with (moved / "planner/numbat/errors.py").open("a") as source:
        source.write("# changed\n")
    build = start(moved, "--help", env=offline)
    said = build.communicate()
    assert "setting up" in said[1]
    assert "setting up failed" in said[1], "built without its requirements?"
    assert build.returncode == CANNOT_START
    assert (moved / ".numbat/environment").readlink() == before, "a failed build must not look ready"
    assert [place.name for place in (moved / ".numbat/environments").iterdir()] == [before.name]


# A python3 whose environments are made at once: what runs in them says so, and goes on for as long as a file is there.
SHAM_PYTHON = """#!/bin/sh
case "$*" in
    *"-m venv "*)
        mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
    *"-m pip "*) ;;
    *"-m numbat "*)
        exec "{python}" -I -c '
import os, pathlib, sys, time
sys.prefix = sys.argv[1]
from numbat.__main__ import _keep_environment
_keep_environment()
print(sys.prefix, flush=True)
while pathlib.Path("busy").exists(): time.sleep(0.05)
print("done" if pathlib.Path(sys.prefix, "bin/python").exists() else "pulled away")' "$(dirname "$(dirname "$0")")" ;;
    *) exec "{python}" "$@" ;;
esac
"""


def test_a_running_planner_keeps_its_environment(tmp_path: Path) -> None:
    clone = copy_tree(tmp_path / "clone")
    python = tmp_path / "python"
    python.write_text(SHAM_PYTHON.replace("{python}", sys.executable))
    python.chmod(0o755)
    environment = os.environ | {"PYTHON": str(python)}
    (tmp_path / "busy").touch()

    def started() -> tuple[subprocess.Popen[str], Path]:
        with (clone / "planner/numbat/errors.py").open("a") as source:
            source.write("# changed\n")
        process = start(clone, "d", "p", env=environment, cwd=tmp_path)
        assert process.stdout
        return process, Path(process.stdout.readline().strip())

    running = [started() for _ in range(3)]
    places = [place for _, place in running]
    assert len(set(places)) == 3 and all(map(Path.exists, places))
    assert (clone / ".numbat/environment").resolve() == places[-1]
    (tmp_path / "busy").unlink()
    assert [process.communicate()[0] for process, _ in running] == ["done\n"] * 3
    # The one that was replaced last stays until the next build.
    last = started()[0]
    last.communicate()
    assert len(list((clone / ".numbat/environments").iterdir())) == 2


def test_nothing_in_the_directory_of_the_caller_is_imported(tmp_path: Path) -> None:
    clone = copy_tree(tmp_path / "clone")
    for name in ("sysconfig", "venv", "ensurepip", "fcntl", "os", "numbat"):
        (tmp_path / f"{name}.py").write_text("open('hijacked', 'w')\n")
    environment = fake_python(tmp_path, "Python.h")
    done = start(clone, "d", "p", env=environment, cwd=tmp_path)
    assert "header files" in done.communicate()[1]
    assert not (tmp_path / "hijacked").exists()
