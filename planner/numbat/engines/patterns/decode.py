"""From the values of a formula to a plan that is known to be executable.

In, out      positions and values → steps (action, runs) → operator ids of the grounded task
Replay       every run with exact integers; what does not replay is an encoder's mistake and never leaves
Shorter      steps are dropped one by one, from the last, as long as the rest still replays to a goal
Cost         of the replay linear in the runs; shortening is quadratic and stops at SHORTENING_RUNS replayed runs
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from numbat.engines.patterns.encode import Position
from numbat.engines.patterns.reduce import Model, State

MOST_STEPS = 1_000_000
SHORTENING_RUNS = 100_000


class Step(NamedTuple):
    """An action, so often in a row."""

    action: int
    runs: int


def decode(positions: Iterable[Position], values: Sequence[int]) -> list[Step]:
    steps = [Step(action, values[executed] if runs is None else values[runs]) for action, executed, runs in positions]
    return [step for step in steps if step.runs]


def length(steps: Iterable[Step]) -> int:
    return sum(step.runs for step in steps)


def replay(model: Model, steps: Iterable[Step], start: State) -> State | None:
    """The state after all steps, None if one is not applicable."""
    state = start
    for step in steps:
        for _ in range(step.runs):
            after = model.apply(model.actions[step.action], state)
            if after is None:
                return None
            state = after
    return state


def operators(model: Model, steps: Iterable[Step]) -> list[int]:
    return [model.actions[step.action].operator for step in steps for _ in range(step.runs)]


def shortened(model: Model, plan: Sequence[Step]) -> list[Step]:
    """A plan without steps that it can do without."""
    kept = list(plan)
    budget = SHORTENING_RUNS
    for index in reversed(range(len(plan))):
        budget -= length(kept)
        if budget < 0:
            break
        candidate = kept[:index] + kept[index + 1 :]
        end = replay(model, candidate, model.initial)
        if end is not None and model.holds(model.goal, end):
            kept = candidate
    return kept
