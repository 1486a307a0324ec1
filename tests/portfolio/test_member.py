"""A child process that searches."""

from __future__ import annotations

import os
import signal
import time

from planner.portfolio.member import Child
from tests.portfolio.fakes import LAYOUT, hang


def test_waiting_for_a_killed_child_has_an_end() -> None:
    child = Child(hang, LAYOUT, time=60, memory=1 << 30)
    start = time.monotonic()
    assert not child.gone_by(start + 0.1)
    assert 0.1 <= time.monotonic() - start < 5
    os.kill(child.pid, signal.SIGKILL)
    assert child.gone_by(time.monotonic() + 10)
    child.end()
