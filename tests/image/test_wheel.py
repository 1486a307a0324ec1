"""The wheel: built from the source distribution, repaired, and whole in an environment that has no compiler."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.image.tree import ROOT, copy_tree


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a wheel and a source distribution of this tree."""
    tree = copy_tree(tmp_path_factory.mktemp("sources") / "tree")
    output = tmp_path_factory.mktemp("wheels")
    environment = os.environ | {"PYTHON": sys.executable}
    command = [tree / "packaging/build-wheel.sh", output]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    return output


def test_what_is_in_them(built: Path) -> None:
    (wheel,) = built.glob("numbat_planner-*manylinux*.whl")
    assert len(list(built.glob("numbat_planner-*.tar.gz"))) == 1
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"numbat/py.typed", "numbat/pddl/grammar.lark", "numbat_validate/__init__.py"} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"numbat", "numbat_validate", "numbat_planner"}
    assert not any(name.endswith((".cc", ".h")) for name in names)


def test_it_plans_where_no_compiler_is(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "empty"], check=True)
    python = tmp_path / "empty/bin/python"
    environment = os.environ | {"PATH": f"{tmp_path}/empty/bin", "CC": "false", "CXX": "false"}
    install = [python, "-I", "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel]
    subprocess.run([*install, "-c", ROOT / "packaging/constraints.txt"], check=True, env=environment)
    test = [python, "-I", ROOT / "packaging/smoke_test.py", ROOT / "examples"]
    subprocess.run(test, check=True, env=environment, cwd=tmp_path)
