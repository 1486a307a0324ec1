"""A child process that searches."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from numbat.portfolio.member import Child
from tests.portfolio.fakes import LAYOUT, hang


def test_waiting_for_a_killed_child_has_an_end() -> None:
    child = Child(hang, LAYOUT, time=60, memory=1 << 30)
    start = time.monotonic()
    assert not child.gone_by(start + 0.1)
    assert 0.1 <= time.monotonic() - start < 5
    child.kill()
    assert child.gone_by(time.monotonic() + 10)
    child.end()


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _no_pidfd(_pid: int) -> int:
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))


@pytest.mark.parametrize("lacking", ["nothing", "another core", "the system call"])
def test_a_child_is_killed_with_and_without_help(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if lacking == "another core":
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0})
    if lacking == "the system call":
        monkeypatch.setattr(os, "pidfd_open", _no_pidfd)
    child = Child(hang, LAYOUT, time=60, memory=1 << 30)
    descriptors = _open_files()
    child.kill_and_release()
    assert child.gone_by(time.monotonic() + 10)
    assert _open_files() == descriptors
    child.end()
