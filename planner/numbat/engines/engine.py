"""The protocol that every member of a portfolio implements.

An engine runs in a process group of its own. It may start processes, which are paused, resumed, measured and killed
with it as long as they stay in that group, and die with the planner.
"""

from __future__ import annotations

from typing import Protocol

from numbat.engines.board import Board
from numbat.engines.outcome import Outcome
from numbat.engines.problem import Problem
from numbat.search.run import Limits


class Engine(Protocol):
    """Something that can find or better a plan."""

    @property
    def name(self) -> str:
        """As the notation spells it."""

    def declines(self, problem: Problem) -> str | None:
        """Why it cannot handle the problem, in a few words; None if it can."""

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        """Work until there is an outcome; called in a process of its own."""
