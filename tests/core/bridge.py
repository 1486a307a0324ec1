"""Carries tasks and states between the oracles and the core."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction

import numpy as np

from numbat import _core
from numbat.search.run import core_arrays
from numbat.task.grounded import Bytes, GroundedTask, Numbers
from tests.oracles.heuristics import Options
from tests.oracles.states import State


def core_task(task: GroundedTask, **replaced: object) -> _core.Task:
    """The core's view of the task; `replaced` puts other arrays in the place of the task's own."""
    return _core.Task(**{**core_arrays(task), **replaced})


def arrays(state: State) -> tuple[Bytes, Numbers]:
    facts = np.array(state.facts, dtype=np.uint8)
    if all(value.denominator == 1 for value in state.values):
        return facts, np.array([int(value) for value in state.values], dtype=np.int64)
    return facts, np.array([float(value) for value in state.values], dtype=np.float64)


def state_of(facts: Bytes, values: Numbers) -> State:
    return State(tuple(bool(f) for f in facts), tuple(Fraction(v) for v in values.tolist()))


def evaluate(task: _core.Task, heuristic: str, state: State, options: Options) -> _core.Evaluation:
    return _core.evaluate(task, heuristic, *arrays(state), **asdict(options))
