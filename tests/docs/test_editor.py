"""The command lines of docs/editor.md, as the PDDL extension of VS Code calls them, read as it reads them.

It replaces $(planner), $(options), $(domain) and $(problem) in the syntax of the settings by quoted names, runs that
in a shell, and looks for steps and cost on standard output. The validator it starts directly, with -t EPSILON -v and
three files, and looks for VAL's words.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.docs.conftest import ROOT

STEP = re.compile(r"^\s*(?:(?:\d+|\d+\.\d+)\s*:)?\s*\((.*)\)\s*(?:\[.*\])?\s*$")
COST = re.compile(r"[\w ]*(cost|metric)[^-\w]*:?\s*([+-]?\d*(\.\d+)?)\s*$", re.I)


@pytest.fixture
def settings() -> dict[str, object]:
    page = (ROOT / "docs/editor.md").read_text(encoding="utf-8")
    (text,) = (block.text for block in blocks(page) if block.language == "json")
    found: dict[str, object] = json.loads(text)
    return found


@pytest.fixture
def files(place: Path) -> tuple[Path, Path]:
    """The extension writes what is in the editor to files of its own."""
    folder = place / "temporary files"
    (place / "examples/orchard").rename(folder)
    return folder / "domain.pddl", folder / "problem.pddl"


@pytest.mark.parametrize("options", ["", "--time 60 --search 'S(hadd)'"])
def test_the_planner(options: str, settings: dict[str, object], files: tuple[Path, Path], place: Path) -> None:
    (planner,) = settings["pddl.planners"]  # type: ignore[misc]
    assert settings["pddl.selectedPlanner"] == planner["title"] and Path(planner["path"]).name == "numbat"  # type: ignore[has-type]
    line = planner["syntax"].replace("$(planner)", '"numbat"').replace("$(options)", options)  # type: ignore[has-type]
    for name, file in zip(("$(domain)", "$(problem)"), files, strict=True):
        line = line.replace(name, f'"{file}"')
    done = subprocess.run(line, shell=True, cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    steps = [match[1] for match in map(STEP.match, done.stdout.splitlines()) if match]
    costs = [match[2] for match in map(COST.search, done.stdout.splitlines()) if match and match[2]]
    assert steps[0].startswith("walk shed ") and len(costs) == 1 and float(costs[0]) >= 110


@pytest.mark.parametrize(
    ("kept", "word", "code"), [(99, "Plan valid", 0), (2, "Goal not satisfied", 1), (-1, "Plan failed to execute", 1)]
)
def test_the_validator(kept: int, word: str, code: int, files: tuple[Path, Path], place: Path) -> None:
    subprocess.run(["numbat", "solve", *files, "plan"], cwd=place, check=True)
    lines = [line for line in (place / "plan").read_text().splitlines() if line.startswith("(")]
    lines = lines[:kept] if kept > 0 else lines[1:]
    steps = [f"{number / 1000:.5f}: {line} [0.00100]" for number, line in enumerate(lines)]
    exported = place / "exported.plan"
    exported.write_text("\n".join([";;!domain: orchard", ";;!problem: two-trees", *steps]))
    done = subprocess.run(["numbat-validate", "-t", "0.001", "-v", *files, exported], capture_output=True, text=True)
    assert word in done.stdout and done.returncode == code
    words = ("Plan valid", "Goal not satisfied", "Plan failed to execute", "Bad plan description!")
    assert [other for other in words if other in done.stdout] == [word]
