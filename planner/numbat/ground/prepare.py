"""Rules about effects turned into plain preconditions and plain actions, before anything is instantiated."""

from __future__ import annotations

from dataclasses import replace

from numbat.ground.conditional_costs import CostSplitter
from numbat.ground.conflicts import without_conflicts
from numbat.task.lifted import LiftedTask


def prepare(task: LiftedTask) -> LiftedTask:
    """The same task; no effects conflict any more, costs are unconditional where possible."""
    splitter = CostSplitter(task)
    actions = [without_conflicts(action, task.types) for action in task.actions]
    return replace(task, actions=tuple(variant for action in actions for variant in splitter.split(action)))
