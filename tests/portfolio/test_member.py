"""A child process that searches."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from numbat.portfolio.member import RunningMember
from tests.portfolio.fakes import hang


def test_waiting_for_a_killed_child_has_an_end() -> None:
    member = RunningMember(hang, time=60, memory=1 << 30)
    start = time.monotonic()
    assert not member.gone_by(start + 0.1)
    assert 0.1 <= time.monotonic() - start < 5
    member.kill()
    assert member.gone_by(time.monotonic() + 10)
    member.end()


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
    member = RunningMember(hang, time=60, memory=1 << 30)
    descriptors = _open_files()
    member.kill_and_release()
    assert member.gone_by(time.monotonic() + 10)
    assert _open_files() == descriptors
    member.end()
