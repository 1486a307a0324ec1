"""What processes hold and have used: one process, or a group of them, read from the kernel.

Cost         microseconds for each process of the group. For a leader that has started others, all processes of the
             system are looked through now and then, which takes at most a twentieth of the time
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
# How long killed processes that are nobody's children any more are waited for (seconds).
_PARTING = 0.4
# After looking through all processes nobody does so again for so many times as long as it took.
_RESPITE = 20


def cpu_of(pid: int) -> float:
    """CPU seconds of another process, all of its threads, to the microsecond; 0 if it is gone."""
    # The kernel's number of a process's CPU clock, as clock_getcpuclockid(3) makes it.
    clock = (~pid << 3) | 2
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


def resident(pid: int) -> int:
    """Resident bytes of a process; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0


class ProcessGroup:
    """A process group: its leader, and the others as soon as there have been any."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self.had_others = False
        self.peak = 0
        self._most_cpu = 0.0
        self._known = [leader]
        self._next_search = 0.0

    def cpu(self) -> float:
        """CPU seconds of the group, those of processes that somebody in it has waited for included; never falls."""
        if not self._has_others():
            return cpu_of(self._leader)
        self._most_cpu = max(self._most_cpu, sum(_cpu_with_children(pid) for pid in self._processes()))
        return self._most_cpu

    def resident(self) -> int:
        if not self._has_others():
            return resident(self._leader)
        held = sum(map(resident, self._processes()))
        self.peak = max(self.peak, held)
        return held

    def wait_for_others(self) -> None:
        """Until the rest of a killed group is gone, whose leader has been waited for."""
        deadline = time.monotonic() + _PARTING
        while self.had_others and time.monotonic() < deadline and any(map(_runs, self._search())):
            time.sleep(0.002)

    def _has_others(self) -> bool:
        if not self.had_others:
            with contextlib.suppress(OSError):
                self.had_others = bool(Path(f"/proc/{self._leader}/task/{self._leader}/children").read_text())
        return self.had_others

    def _processes(self) -> list[int]:
        """Those of the group, as far as the last search tells."""
        before = time.monotonic()
        if before >= self._next_search:
            self._known = self._search()
            after = time.monotonic()
            self._next_search = after + _RESPITE * (after - before)
        return self._known

    def _search(self) -> list[int]:
        pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]  # noqa: PTH208 (done often)
        return [pid for pid in pids if (fields := _stat(pid)) and int(fields[2]) == self._leader]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent, group, ...; empty if the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu_with_children(pid: int) -> float:
    fields = _stat(pid)
    return sum(map(int, fields[11:15])) / _TICKS if fields else 0.0


def _runs(pid: int) -> bool:
    fields = _stat(pid)
    return bool(fields) and fields[0] not in "ZX"
