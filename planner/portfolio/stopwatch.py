"""The time of the whole process tree: wall time and CPU time, whichever is nearer to its limit.

Wall         from the start of this process on
CPU          this process, its children that have ended, and the living ones; its limit is N times as long on N cores
Not here     what happens when the time is over (runner, interruption)
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable


def cpu_of(pid: int) -> float:
    """CPU seconds of another process, all of its threads, to the microsecond; 0 if it is gone."""
    # The kernel's number of a process's CPU clock, as clock_getcpuclockid(3) makes it.
    clock = (~pid << 3) | 2
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


def _ended_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Stopwatch:
    """Started once per run.

    since_start   count what this process did before, too: true for a command, false for a call inside another program
    """

    def __init__(self, limit: float, cores: int = 1, *, since_start: bool = False) -> None:
        self.limit = limit
        self.cores = cores
        before = time.process_time() if since_start else 0.0
        self._wall = time.monotonic() - before
        self._cpu = time.process_time() - before
        self._children = _ended_children()

    def wall(self) -> float:
        return time.monotonic() - self._wall

    def cpu(self, living: Iterable[int] = ()) -> float:
        """CPU seconds of the tree; `living` are the pids of children not yet waited for."""
        ended = _ended_children() - self._children
        return time.process_time() - self._cpu + ended + sum(cpu_of(pid) for pid in living)

    def remaining(self, living: Iterable[int] = ()) -> float:
        """Seconds of wall time until one of the two limits can be reached."""
        return min(self.limit - self.wall(), self.limit - self.cpu(living) / self.cores)


def machine_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))
