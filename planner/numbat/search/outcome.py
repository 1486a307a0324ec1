"""How one search ended: plain data, so that a child process can send it through a pipe."""

from __future__ import annotations

from dataclasses import dataclass, field

SOLVED = "solved"
EXHAUSTED_COMPLETE = "exhausted-complete"
OUT_OF_TIME = "out-of-time"
OUT_OF_MEMORY = "out-of-memory"
STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The core's Result without the core.

    plan             operator ids, meaningful with status solved
    history          (seconds, evaluated, best h) at each improvement
    proved_optimal   no plan is cheaper; only said by searches that prove it
    lower_bound      what every plan costs at least, in the task's integer costs (numbat.search.costs)
    """

    status: str
    plan: tuple[int, ...] = ()
    statistics: dict[str, float] = field(default_factory=dict)
    history: tuple[tuple[float, int, float], ...] = ()
    proved_optimal: bool = False
    lower_bound: int = 0
