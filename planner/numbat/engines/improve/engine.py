"""The improver as an engine: from the best plan so far to a better one, by the compiled core.

In, out      a plan → a cheaper one (core/improve/improver.h), and notes on what has been tried
Pauses       it ends with a better plan now and then, so that it is judged and written; the notes go to its next start.
             It also ends when somebody else has found a better plan.
Not here     where the plan comes from (numbat.run), whether the result is valid by the exact rules (numbat.run.publish)
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from numbat import _core
from numbat.engines.board import Board
from numbat.engines.improve.prices import prices
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.search.run import Limits
from numbat.task.grounded import Doubles, Ints

NAME = "improve"
NOTHING_LEFT = "nothing better is left to try"
# It ends with a better plan after so many seconds, at first; later after a part of the time it has had.
FIRST_PAUSE = 0.1
LATER_PAUSE = 0.2
LONGEST_SHARED = 20_000


@dataclass
class Incumbent:
    """The best plan so far, in memory that running improvers share.

    `number` changes with every plan, and is odd while one is being written. Plans of more than LONGEST_SHARED steps are
    not shared: whoever started with an older one has to start again.
    """

    plan: tuple[int, ...] = ()
    number: Doubles = field(default_factory=lambda: np.frombuffer(mmap.mmap(-1, 8), dtype=np.float64))
    _shared: Ints = field(
        default_factory=lambda: np.frombuffer(mmap.mmap(-1, 4 * (LONGEST_SHARED + 1)), dtype=np.int32)
    )

    def replace(self, plan: Sequence[int]) -> None:
        self.plan = tuple(plan)
        self.number[0] += 1
        kept = len(plan) <= LONGEST_SHARED
        self._shared[0] = len(plan) if kept else -1
        if kept:
            self._shared[1 : len(plan) + 1] = plan
        self.number[0] += 1

    def newest(self) -> tuple[float, list[int]] | None:
        """The number and the steps of the plan of this moment, if they can be had; for running improvers."""
        number, length = float(self.number[0]), int(self._shared[0])
        steps: list[int] = self._shared[1 : max(length, 0) + 1].tolist()
        return (number, steps) if length >= 0 and number % 2 == 0 and number == self.number[0] else None


@dataclass(frozen=True, slots=True)
class Start:
    """Of an improver: the plan to improve, the seed, and what earlier starts know and have used (seconds)."""

    incumbent: Incumbent
    seed: int = 0
    known: bytes = b""
    used: float = 0.0


class Improve(Start):
    """See the module's docstring."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return NAME

    def declines(self, problem: Problem) -> str | None:
        return None

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        costs = prices(problem.grounded, nonnegative=not problem.costs_can_fall)
        options: _core.ImproverOptions = {
            "time": float(limits.time),
            "memory": limits.memory,
            "seed": self.seed,
            "pause": FIRST_PAUSE + LATER_PAUSE * self.used,
            "fresh": self.used == 0,
            "board": board.slots,
            "incumbent": self.incumbent.number,
            "notes": self.known,
        }
        result = _core.improve(problem.compiled, costs, list(self.incumbent.plan), options)
        return _outcome(result)


_STATUS = {"out-of-time": Status.OUT_OF_TIME, "out-of-memory": Status.OUT_OF_MEMORY}


def _outcome(result: _core.Improvement) -> Outcome:
    ending, statistics = result["ending"], dict(result["statistics"])
    if ending == "better":
        return Outcome(Status.IMPROVED, tuple(result["plan"]), statistics=statistics, notes=result["notes"])
    status = _STATUS.get(ending, Status.GAVE_UP)
    reason = NOTHING_LEFT if ending == "nothing-left" else "another plan is better" if ending == "outdated" else ""
    return Outcome(status, reason=reason, statistics=statistics, notes=result["notes"])


def without_redundant(problem: Problem, plan: Sequence[int], seconds: float) -> tuple[int, ...]:
    """The plan without actions that it does not need, as far as there is time (CPU seconds)."""
    costs = prices(problem.grounded, nonnegative=not problem.costs_can_fall)
    return tuple(_core.eliminate(problem.compiled, costs, list(plan), seconds))
