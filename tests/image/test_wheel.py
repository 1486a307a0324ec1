"""The wheel: built from the source distribution, repaired, and whole in an environment that has no compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.image.tree import ROOT


def test_what_is_in_them(wheel: Path) -> None:
    assert "manylinux" in wheel.name
    assert len(list(wheel.parent.glob("numbat_planner-*.tar.gz"))) == 1
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"numbat/py.typed", "numbat/pddl/grammar.lark", "numbat_validate/__init__.py"} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"numbat", "numbat_validate", "numbat_planner"}
    assert not any(name.endswith((".cc", ".h")) for name in names)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with nothing but the wheel, made without a compiler."""
    environment = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    tools = os.environ | {"PATH": f"{environment}/bin", "CC": "false", "CXX": "false"}
    install = [environment / "bin/python", "-I", "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel]
    subprocess.run([*install, "-c", ROOT / "packaging/constraints.txt"], check=True, env=tools)
    return environment / "bin"


def test_it_plans_where_no_compiler_is(installed: Path, tmp_path: Path) -> None:
    test = [installed / "python", "-I", ROOT / "packaging/smoke_test.py", ROOT / "examples"]
    subprocess.run(test, check=True, env=os.environ | {"PATH": str(installed)}, cwd=tmp_path)


def test_planutils_installs_it(wheel: Path, tmp_path: Path) -> None:
    """As planutils does: its scripts, called in the package's own folder; without a compiler."""
    package = shutil.copytree(ROOT / "packaging/planutils/numbat", tmp_path / "packages/numbat")
    shutil.copy(wheel, package)
    tools = {"CC": "false", "CXX": "false", "PIP_CONSTRAINT": str(ROOT / "packaging/constraints.txt")}
    subprocess.run("./install", cwd=package, shell=True, check=True, env=os.environ | tools)
    command = tmp_path / "bin/numbat"
    command.parent.mkdir()
    command.symlink_to(package / "run")
    files = [ROOT / "examples/orchard" / name for name in ("domain.pddl", "problem.pddl")]
    subprocess.run([command, *files], cwd=tmp_path, check=True)
    subprocess.run([package / "environment/bin/numbat-validate", *files, "sas_plan"], cwd=tmp_path, check=True)
    subprocess.run("./uninstall", cwd=package, shell=True, check=True)
    assert {file.name for file in package.iterdir()} == {"install", "manifest.json", "run", "uninstall", wheel.name}
