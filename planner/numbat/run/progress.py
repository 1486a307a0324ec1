"""The line a person sees on the terminal while members run: redrawn in place, gone at the end."""

from __future__ import annotations

import math
import sys

from numbat import output
from numbat.engines.board import Board
from numbat.portfolio.runner import Snapshot

INTERVAL = 0.25


class ProgressLine:
    """Draws a snapshot at most every INTERVAL seconds."""

    def __init__(self) -> None:
        self._last = -math.inf

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.wall - self._last < INTERVAL:
            return
        self._last = snapshot.wall
        self._draw(line(snapshot))

    def clear(self) -> None:
        self._draw("")

    def _draw(self, text: str) -> None:
        # Back to the first column, and erase what was there.
        output.write(sys.stderr, f"\r\033[K{text}", 0.0)


def line(snapshot: Snapshot) -> str:
    members = [f"{name}: {_told(board)}" for _, name, board in snapshot.running]
    note = f"{snapshot.note}  " if snapshot.note else ""
    return f"{snapshot.wall:.1f} s, {snapshot.memory / (1 << 20):,.0f} MB  {note}{'; '.join(members)}"


def _told(board: Board) -> str:
    if board.pattern is not None:
        length, copies, subgoals, of_subgoals = board.pattern
        return f"pattern of {length:,}, bound {copies}, {subgoals} of {of_subgoals} subgoals"
    best = "" if board.best_h is None else f"best h {board.best_h:g}, "
    return f"{best}{int(board.progress()['evaluated']):,} evaluated"
