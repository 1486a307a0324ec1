"""When the parent is killed, nothing of it stays: neither the running child nor the paused ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.portfolio.fakes import children_of

ROOT = Path(__file__).parents[2]
PARENT = "from tests.portfolio.fakes import hang, play; play([hang] * 4, seconds=60)"


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_sigkill_of_the_parent_leaves_no_child() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT)
    try:
        deadline = time.monotonic() + 20
        while len(children := children_of(parent.pid)) < 4:
            assert time.monotonic() < deadline and parent.poll() is None
            time.sleep(0.02)
        time.sleep(0.1)
        states = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in children]
        assert states.count("T") == 3  # the others wait for their turn
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    deadline = time.monotonic() + 2
    while any(map(alive, children)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(alive, children))
