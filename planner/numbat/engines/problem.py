"""What an engine is given: the lifted and the grounded task, and what analysis knows about it.

Analyses     are made when first asked for. What is asked for before the members are forked, all of them share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from numbat import _core
from numbat.analyse.components import split
from numbat.analyse.cost_goal import with_cost_goal
from numbat.analyse.symmetries import SECONDS, interchangeable
from numbat.search.run import core_task
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import LiftedTask
from numbat.task.reformulation import Reformulation
from numbat.task.symmetry import Swap


@dataclass(frozen=True)
class Problem:
    """One planning problem.

    costs_exact      the operators' costs are those of the metric
    costs_can_fall   some operator may cost less than nothing: what is costly now may be cheap in the end
    separable        independent parts may be planned for one after the other
    """

    lifted: LiftedTask
    grounded: GroundedTask
    costs_exact: bool = True
    costs_can_fall: bool = False
    separable: bool = True

    @cached_property
    def compiled(self) -> _core.Task:
        """The grounded task as the core keeps it."""
        return core_task(self.grounded)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Operator numbers by name."""
        return {name: number for number, name in enumerate(self.grounded.operator_names)}

    @cached_property
    def parts(self) -> tuple[Reformulation, ...]:
        """Independent parts whose plans in a row are a plan; one if the task is one piece."""
        return split(self.grounded) if self.separable else ()

    @cached_property
    def compiled_parts(self) -> tuple[_core.Task, ...]:
        return tuple(self.compiled if part.task is self.grounded else core_task(part.task) for part in self.parts)

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        """Interchangeable objects of the grounded task."""
        return interchangeable(self.grounded)

    @cached_property
    def swaps_of_parts(self) -> tuple[tuple[Swap, ...], ...]:
        return tuple(interchangeable(part.task, SECONDS / len(self.parts)) for part in self.parts)

    @cached_property
    def cost_goal(self) -> GroundedTask:
        """The grounded task with its cost as a goal, see analyse.cost_goal."""
        return with_cost_goal(self.grounded)
