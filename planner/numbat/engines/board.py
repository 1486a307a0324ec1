"""A row of doubles that a member shares with whoever started it: progress out, memory ceiling in.

The layout is the core's (_core.pyi, BOARD_*), which reads and writes the row itself. Behind it are numbers of engines
that evaluate no states, for people.
"""

from __future__ import annotations

import mmap
from typing import NamedTuple

import numpy as np

from numbat import _core
from numbat.task.grounded import Doubles

_PROGRESS = {
    "evaluated": _core.BOARD_EVALUATED,
    "expanded": _core.BOARD_EXPANDED,
    "best_h": _core.BOARD_BEST_H,
    "memory": _core.BOARD_MEMORY,
    "first_state": _core.BOARD_FIRST_STATE,
}


class PatternProgress(NamedTuple):
    """What is being asked: positions of the pattern, copies of it, subgoals that hold in the best state, of so many."""

    pattern_length: int
    copies: int
    subgoals: int
    of_subgoals: int


class Board:
    """Made before the fork; both sides see what the other writes."""

    def __init__(self) -> None:
        size = _core.BOARD_SIZE + len(PatternProgress._fields)
        row: Doubles = np.frombuffer(mmap.mmap(-1, 8 * size), dtype=np.float64)
        self.slots, self._pattern = row[: _core.BOARD_SIZE], row[_core.BOARD_SIZE :]

    @property
    def memory(self) -> float:
        """Bytes that the engine has allocated, by its own counting."""
        return float(self.slots[_core.BOARD_MEMORY])

    @memory.setter
    def memory(self, held: float) -> None:
        self.slots[_core.BOARD_MEMORY] = held

    @property
    def memory_limit(self) -> float:
        """What `memory` may become; an engine that would exceed it ends with OUT_OF_MEMORY."""
        return float(self.slots[_core.BOARD_MEMORY_LIMIT])

    @property
    def best_h(self) -> float | None:
        """The best heuristic value so far; None before the first one, and of an engine that has none."""
        return float(self.slots[_core.BOARD_BEST_H]) if self.slots[_core.BOARD_EVALUATED] else None

    @property
    def pattern(self) -> PatternProgress | None:
        """The pattern that is being asked for; None of an engine that has none."""
        return PatternProgress(*map(int, self._pattern)) if self._pattern.any() else None

    @pattern.setter
    def pattern(self, asked: PatternProgress) -> None:
        self._pattern[:] = asked

    def allow(self, more: int) -> None:
        """The engine may allocate so many bytes more than it holds now."""
        self.slots[_core.BOARD_MEMORY_LIMIT] = self.memory + max(1, more)

    def progress(self) -> dict[str, float]:
        """What has been posted so far."""
        return {name: float(self.slots[slot]) for name, slot in _PROGRESS.items()}
