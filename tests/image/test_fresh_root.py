"""The README's first command on a machine that has nothing but what the README names."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.image.tree import ROOT

NEEDED = ["git", "mmdebstrap", "mount", "unshare", "chroot"]
POSSIBLE = os.geteuid() == 0 and all(map(shutil.which, NEEDED)) and (ROOT / ".git").exists()


@pytest.mark.skipif(
    not POSSIBLE and not os.environ.get("CI"), reason=f"needs root, a git clone and {', '.join(NEEDED)}"
)
def test_first_command_on_a_fresh_machine() -> None:
    command = [ROOT / "tests/image/fresh-root.sh"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "plan.sh: ready" in done.stdout
    assert "Plan valid" in done.stdout
