"""The time of the whole process tree: wall time and CPU time, whichever is nearer to its limit.

Wall         from the start of this process on; its limit may be longer than that of the CPU time, for busy machines
CPU          this process, its children that have ended, and the living ones; its limit is N times as long on N cores
Not here     what the living ones have used (processes), what happens when the time is over (runner)
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass


def _ended_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True, slots=True)
class Origin:
    """The moment from which time counts: readings of the three clocks."""

    wall: float
    own_cpu: float
    children_cpu: float

    @classmethod
    def now(cls) -> Origin:
        return cls(time.monotonic(), time.process_time(), _ended_children())

    @classmethod
    def of_process(cls) -> Origin:
        """The start of this process, as far as it can be known: it has used at least its CPU time by now."""
        return cls(time.monotonic() - time.process_time(), 0.0, _ended_children())


class Stopwatch:
    """Counts from an origin towards a limit."""

    def __init__(
        self, limit: float, cores: int = 1, origin: Origin | None = None, wall_limit: float | None = None
    ) -> None:
        self.limit = limit
        self.wall_limit = limit if wall_limit is None else wall_limit
        self.cores = cores
        self._origin = origin or Origin.now()

    def wall(self) -> float:
        return time.monotonic() - self._origin.wall

    def cpu(self, others: float = 0.0) -> float:
        """CPU seconds of the tree; `others` are those of processes that nobody has waited for."""
        return time.process_time() - self._origin.own_cpu + _ended_children() - self._origin.children_cpu + others

    def remaining(self, others: float = 0.0) -> float:
        """Seconds of wall time until one of the two limits can be reached."""
        return min(self.remaining_wall(), self.remaining_cpu(others) / self.cores)

    def remaining_wall(self) -> float:
        return self.wall_limit - self.wall()

    def remaining_cpu(self, others: float = 0.0) -> float:
        return self.limit * self.cores - self.cpu(others)
