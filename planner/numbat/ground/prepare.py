"""Conditional costs turned into separate actions, before anything is instantiated."""

from __future__ import annotations

from dataclasses import replace

from numbat.ground.conditional_costs import CostSplitter
from numbat.task.lifted import LiftedTask


def prepare(task: LiftedTask) -> LiftedTask:
    """The same task; costs are unconditional where possible."""
    splitter = CostSplitter(task)
    return replace(task, actions=tuple(variant for action in task.actions for variant in splitter.split(action)))
