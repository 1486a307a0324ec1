"""Another task in place of the one at hand, and what its plans mean there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numbat.task.grounded import GroundedTask


@dataclass(frozen=True, slots=True)
class Reformulation:
    """`restore_plan` turns operator numbers of the task into those of the one that it stands for."""

    task: GroundedTask
    restore_plan: Callable[[Sequence[int]], tuple[int, ...]]
