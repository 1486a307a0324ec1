"""What README and tutorial promise, on machines that have nothing but what they name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from numbat.lab.integration import in_continuous_integration
from tests.image.tree import ROOT

NEEDED = ["git", "mmdebstrap", "mount", "unshare", "chroot"]
POSSIBLE = os.geteuid() == 0 and all(map(shutil.which, NEEDED)) and (ROOT / ".git").exists()
pytestmark = pytest.mark.skipif(
    not POSSIBLE and not in_continuous_integration(), reason=f"needs root, a git clone and {', '.join(NEEDED)}"
)
INSTALL = "python3 -m venv ~/env && ~/env/bin/pip install -q --only-binary :all: -c packaging/constraints.txt ~/*.whl"
TUTORIAL = "mkdir ~/here && PATH=~/env/bin:$PATH python tests/docs/blocks.py docs/tutorial.md ~/here"


def in_fresh_root(*command: str, **settings: str) -> str:
    """What the command prints there; without one, what the README's first command prints."""
    script = [ROOT / "tests/image/fresh-root.sh", *command]
    done = subprocess.run(
        script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | settings
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_first_command_on_a_fresh_machine() -> None:
    printed = in_fresh_root()
    assert "plan.sh: ready" in printed
    assert "Plan valid" in printed


def test_the_tutorial_with_nothing_but_python_and_the_wheel(wheel: Path) -> None:
    release = "bookworm" if sys.version_info < (3, 12) else "trixie"  # whose Python can install this one's wheel
    commands = f"! command -v cc gcc c++ g++ clang && {INSTALL} && {TUTORIAL} && ls ~/here"
    printed = in_fresh_root("sh", "-ec", commands, RELEASE=release, PACKAGES="python3,python3-venv", BRING=str(wheel))
    assert "domain.pddl" in printed
