"""Carries tasks and states between the oracles and the core."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from numbat import _core
from numbat.search.run import core_arrays
from numbat.task.grounded import Bytes, Doubles, GroundedTask
from tests.oracles.heuristics import Options
from tests.oracles.states import State


def core_task(task: GroundedTask, **replaced: object) -> _core.Task:
    """The core's view of the task; `replaced` puts other arrays in the place of the task's own."""
    return _core.Task(**{**core_arrays(task), **replaced})


def arrays(state: State) -> tuple[Bytes, Doubles]:
    facts = np.array(state.facts, dtype=np.uint8)
    return facts, np.array([float(value) for value in state.values], dtype=np.float64)


def state_of(facts: Bytes, values: Doubles) -> State:
    return State(tuple(bool(f) for f in facts), tuple(Fraction(v) for v in values.tolist()))


def evaluate(task: _core.Task, heuristic: str, state: State, options: Options) -> _core.Evaluation:
    return _core.evaluate(task, heuristic, *arrays(state), metric_cost=options.metric_cost, compat=options.compat)
