"""How an engine ended: a closed set of statuses, as plain data, so that a child process can send it through a pipe.

A claim of proof (there is no plan, there is no better one) can only be made together with a Proof, which names what it
rests on; an Outcome that claims without one cannot be made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Status(Enum):
    """What an engine can say at its end, and nothing else."""

    SOLVED = "solved"
    IMPROVED = "improved"  # a plan below the bound it was given
    UNSOLVABLE = "unsolvable"
    OPTIMAL = "optimal"
    NONE_BETTER = "none-better"  # there is no plan below the bound it was given
    GAVE_UP = "gave-up"
    OUT_OF_TIME = "out-of-time"
    OUT_OF_MEMORY = "out-of-memory"


_CLAIMS = (Status.UNSOLVABLE, Status.OPTIMAL, Status.NONE_BETTER)
_WITHOUT_PLAN = (Status.UNSOLVABLE, Status.NONE_BETTER, Status.GAVE_UP, Status.OUT_OF_TIME, Status.OUT_OF_MEMORY)


class Basis(Enum):
    """What a proof rests on."""

    EXHAUSTION = "every reachable state was searched, or is a proved dead end"
    RELAXED_FIXPOINT = "the goal is out of reach even if nothing is ever lost"
    BOUND = "no plan can cost less"


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim that its maker answers for."""

    basis: Basis


def left_exact_range(statistics: Mapping[str, float]) -> bool:
    """Did an engine meet numbers that cannot be kept exactly? Then it may have gone on with rounded ones."""
    return statistics.get("out_of_range", 0) > 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`plan` are operator numbers of the grounded task; `history` is (seconds, evaluated, best h) per improvement.

    reason   of giving up, in a few words
    notes    what the engine wants to be told at its next start, if anything
    """

    status: Status
    plan: tuple[int, ...] = ()
    proof: Proof | None = None
    reason: str = ""
    statistics: dict[str, float] = field(default_factory=dict)
    history: tuple[tuple[float, int, float], ...] = ()
    notes: bytes = b""

    def __post_init__(self) -> None:
        if (self.status in _CLAIMS) != (self.proof is not None):
            raise ValueError(f"'{self.status.value}' and a proof go together, and no other status has one")
        if self.plan and not self.has_plan:
            raise ValueError(f"'{self.status.value}' has no plan")

    @property
    def has_plan(self) -> bool:
        """Is there a plan, perhaps an empty one?"""
        return self.status not in _WITHOUT_PLAN
