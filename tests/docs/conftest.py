"""The place where pages are tried out: the examples, and the commands as a reader has them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "numbat": "-m numbat",
    "numbat-validate": "-m numbat_validate",
    "plan.sh": "-m numbat solve --default-plan sas_plan",  # the real one is in tests/image
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like a clone of the repository in which plan.sh has been called, and a PATH with the commands."""
    commands = tmp_path / ".numbat" / "environment" / "bin"
    commands.mkdir(parents=True)
    for name, words in COMMANDS.items():
        script = commands / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I {words} "$@"\n')
        script.chmod(0o755)
    (commands / "plan.sh").rename(tmp_path / "plan.sh")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path
