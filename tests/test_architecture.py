"""The arrows between the folders, read from imports and includes: nothing upstream knows what is downstream."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "planner" / "numbat" / "core"

# folder -> the folders it imports; `numbat` alone stands for numbat/__init__.py (the version)
ALLOWED = {
    "errors": set(),
    "isolated": {"validate"},
    "signals": set(),
    "output": {"quantities"},
    "quantities": set(),
    "arguments": {"quantities", "search", "errors", "numbat"},
    "child": {"isolated", "quantities"},
    "inputs": {"pddl", "task"},
    "api": {"run", "explain", "inputs", "arguments", "child", "errors", "task", "validate"},
    "task": {"errors"},
    "pddl": {"errors"},
    "normalise": {"pddl", "task", "errors"},
    "ground": {"task", "errors", "_core"},
    "analyse": {"task"},
    "search": {"analyse", "task", "errors", "_core"},
    "engines": {"search", "analyse", "task", "_core"},
    "portfolio": {"engines"},
    "run": {"portfolio", "engines", "search", "ground", "normalise", "pddl", "task", "errors", "output", "validate"},
    "explain": {"run", "portfolio", "search", "ground", "normalise", "pddl", "task", "errors", "validate"},
    "unified_planning": {"api", "errors", "task"},
    "lab": {"explain", "errors", "isolated", "quantities", "validate", "numbat"},
    "cli": {
        "explain",
        "engines",
        "arguments",
        "output",
        "signals",
        "run",
        "portfolio",
        "search",
        "task",
        "errors",
        "lab",
        "validate",
    },
    "__main__": {"signals", "cli"},
    "__init__": {"api", "task", "validate"},
}

# the same for the core's folders; "." are tasks and states, which all build on
INCLUDED = {
    ".": set(),
    "grounding": set(),
    "heuristics": {"."},
    "novelty": {"."},
    "search/pruning": {"."},
    "search": {".", "heuristics", "novelty", "search/pruning"},
    "improve": {".", "heuristics", "search"},
    "bindings": {".", "grounding", "heuristics", "novelty", "search", "improve"},
}


def imported_modules(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            modules |= {f"{module}.{alias.name}" for alias in node.names} if module == "numbat" else {module}
    return modules


def folder_of(module: str) -> str | None:
    """The folder or file of ours that a module belongs to, None for others' modules."""
    parts = module.split(".")
    if parts[0] == "numbat_validate":
        return "validate"
    if parts[0] != "numbat":
        return None
    return parts[1] if len(parts) > 1 and parts[1] != "__version__" else "numbat"


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_arrows_point_one_way(folder: str) -> None:
    place = ROOT / "planner" / "numbat" / folder
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    assert files
    unused = set(ALLOWED[folder])
    for file in files:
        used = {part for module in imported_modules(file) if (part := folder_of(module))}
        wrong = used - ALLOWED[folder] - {folder}
        assert not wrong, f"{file.relative_to(ROOT)} imports {sorted(wrong)}"
        unused -= used
    assert not unused, f"nothing in {folder} imports {sorted(unused)} any more"


def test_every_module_has_its_arrows() -> None:
    place = ROOT / "planner" / "numbat"
    assert {file.relative_to(place).parts[0].removesuffix(".py") for file in place.rglob("*.py")} == set(ALLOWED)


def test_validator_uses_the_standard_library_only() -> None:
    for file in sorted((ROOT / "validate").rglob("*.py")):
        for module in imported_modules(file):
            top = module.split(".")[0]
            assert top == "numbat_validate" or top in sys.stdlib_module_names, f"{file.name} imports {module}"


@pytest.mark.parametrize("folder", sorted(INCLUDED))
def test_arrows_of_the_core_point_one_way(folder: str) -> None:
    for file in sorted((CORE / folder).glob("*.[ch]*")):
        included = re.findall(r'#include "([^"]+)"', file.read_text(encoding="utf-8"))
        folders = {(file.parent / name).resolve().parent.relative_to(CORE).as_posix() for name in included}
        wrong = folders - INCLUDED[folder] - {folder}
        assert not wrong, f"{file.relative_to(ROOT)} includes {sorted(wrong)}"


def test_every_folder_of_the_core_has_its_arrows() -> None:
    files = [file for file in CORE.rglob("*.[ch]*") if file.suffix in (".cc", ".h")]
    assert {file.parent.relative_to(CORE).as_posix() for file in files} == set(INCLUDED)


def test_core_knows_no_python() -> None:
    for file in sorted(CORE.rglob("*.[ch]*")):
        if file.parent.name != "bindings":
            assert "nanobind" not in file.read_text(encoding="utf-8"), file.name
