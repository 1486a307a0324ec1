"""What happened to one member of a portfolio over a whole run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.member import Failure

# What a member's record says where its engine has not said anything.
NOT_STARTED, STOPPED, CRASHED = "not started", "stopped", "crashed"
# Between two turns less than this apart nobody sees the pause (seconds).
UNSEEN = 0.001


@dataclass(slots=True)
class MemberRecord:
    """What happened to one member over the whole run; status, reason and figures are those of its last start.

    status   an engine's (engines.outcome.Status), or one of NOT_STARTED, STOPPED, CRASHED
    turns    from when until when it ran, in seconds of the run's wall clock
    """

    name: str
    status: str = NOT_STARTED
    reason: str = ""
    statistics: dict[str, float] = field(default_factory=dict)
    history: tuple[tuple[float, int, float], ...] = ()
    starts: int = 0
    evictions: int = 0
    memory_ran_out: bool = False
    seconds: float = 0.0
    turns: list[tuple[float, float]] = field(default_factory=list)
    cpu: float = 0.0
    peak: int = 0

    def ran(self, begin: float, end: float) -> None:
        """It was its turn from then until then, after all that is known already."""
        self.seconds += end - begin
        if self.turns and begin - self.turns[-1][1] < UNSEEN:
            begin = self.turns.pop()[0]
        self.turns.append((begin, end))

    def note(self, ending: Outcome | Failure) -> None:
        """Its last start ended so."""
        if isinstance(ending, Failure):
            self.status, self.reason, self.statistics, self.history = CRASHED, ending.reason, {}, ()
            return
        self.status, self.reason = ending.status.value, ending.reason
        self.statistics, self.history = ending.statistics, ending.history
        self.memory_ran_out |= ending.status is Status.OUT_OF_MEMORY

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "name": self.name,
            "status": self.status,
            "reason": self.reason or None,
            "starts": self.starts,
            "evictions": self.evictions,
            "seconds": round(self.seconds, 4),
            "cpu": round(self.cpu, 4),
            "peak_memory": self.peak,
            "statistics": {name: _finite(value) for name, value in self.statistics.items()},
            "history": [[_finite(value) for value in improvement] for improvement in self.history],
        }


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None
