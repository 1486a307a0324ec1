"""Plans as sequences of operator ids, run on the core's states: what they cost and where they lead.

In, out      operator ids → State with its cost so far, or None where an operator is not applicable
Cost         a few microseconds per step
Exactness    that of the task; the referee has the last word (numbat.portfolio.publish)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from numbat import _core
from numbat.task.grounded import Bytes, Doubles, GroundedTask


class State(NamedTuple):
    """Facts and values, and the operator costs paid on the way here."""

    facts: Bytes
    values: Doubles
    cost: float


class Simulator:
    """Steps through one task."""

    def __init__(self, task: GroundedTask, core: _core.Task) -> None:
        self._core = core
        self._constant: list[float] = task.cost_constant.tolist()
        self._terms = _rows(task)
        self.initial = State(task.init_facts, task.init_values, 0.0)

    def step(self, state: State, operator: int) -> State | None:
        after = _core.apply(self._core, operator, state.facts, state.values)
        if after is None:
            return None
        terms = self._terms.get(operator, ())
        paid = self._constant[operator] + sum(coefficient * state.values[variable] for variable, coefficient in terms)
        return State(*after, state.cost + paid)

    def run(self, operators: Iterable[int], start: State | None = None) -> State | None:
        """The state after all of them, from the start or the initial state."""
        state: State | None = start or self.initial
        for operator in operators:
            if state is None:
                break
            state = self.step(state, operator)
        return state

    def is_goal(self, state: State) -> bool:
        return _core.evaluate(self._core, "hgc", state.facts, state.values).value == 0


def _rows(task: GroundedTask) -> dict[int, tuple[tuple[int, float], ...]]:
    """The linear part of the costs, for the few operators that have one."""
    start = task.cost_term_start.tolist()
    terms = list(zip(task.cost_term_variable.tolist(), task.cost_term_coefficient.tolist(), strict=True))
    return {operator: tuple(terms[begin:end]) for operator, (begin, end) in enumerate(pairwise(start)) if begin < end}
