"""Plans as sequences of operator ids, run on the core's states: what they cost and where they lead.

In, out      operator ids → State with its cost so far, or None where an operator is not applicable
Cost         a few microseconds per step
Exactness    that of the task; the referee has the last word (numbat.run.publish)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from numbat import _core
from numbat.task.grounded import Bytes, GroundedTask, Numbers


class State(NamedTuple):
    """Facts and values, and the operator costs paid on the way here."""

    facts: Bytes
    values: Numbers
    cost: float


class Simulator:
    """Steps through one task."""

    def __init__(self, task: GroundedTask, core: _core.Task) -> None:
        self._core = core
        self.initial = State(task.init_facts, task.init_values, 0.0)

    def step(self, state: State, operator: int) -> State | None:
        after = _core.apply(self._core, operator, state.facts, state.values)
        if after is None:
            return None
        facts, values, paid = after
        return State(facts, values, state.cost + paid)

    def run(self, operators: Iterable[int], start: State | None = None) -> State | None:
        """The state after all of them, from the start or the initial state."""
        state: State | None = start or self.initial
        for operator in operators:
            if state is None:
                break
            state = self.step(state, operator)
        return state

    def is_goal(self, state: State) -> bool:
        return _core.is_goal(self._core, state.facts, state.values)
