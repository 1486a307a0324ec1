"""From the values of a formula to a plan that is known to be executable.

In, out      positions and values → steps (action, runs) → operator ids of the grounded task
Replay       every run with exact integers; what does not replay is an encoder's mistake and never leaves
Shorter      steps are dropped one by one, from the last, as long as the rest still replays to a goal
Cost         of the replay linear in the runs; shortening is quadratic and stops at SHORTENING_RUNS replayed runs
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from numbat.engines.patterns.encode import Position
from numbat.engines.patterns.reduce import Action, Model, State

MOST_STEPS = 1_000_000
SHORTENING_RUNS = 100_000


class Step(NamedTuple):
    """An action, so often in a row."""

    action: int
    runs: int


def decode(positions: Iterable[Position], values: Sequence[int]) -> list[Step]:
    steps = [Step(action, values[executed] if runs is None else values[runs]) for action, executed, runs in positions]
    return [step for step in steps if step.runs]


def length(model: Model, steps: Iterable[Step]) -> int:
    """The number of operators."""
    return sum(step.runs * (sum(runs for _, runs in model.actions[step.action].cycle) or 1) for step in steps)


def replay(model: Model, steps: Iterable[Step], start: State) -> State | None:
    """The state after all steps, None if one is not applicable."""
    state = start
    for action in unrolled(model, steps):
        after = model.apply(action, state)
        if after is None:
            return None
        state = after
    return state


def unrolled(model: Model, steps: Iterable[Step]) -> Iterator[Action]:
    """One action after the other, round trips step by step."""
    for step in steps:
        action = model.actions[step.action]
        for _ in range(step.runs):
            if action.cycle:
                yield from unrolled(model, starmap(Step, action.cycle))
            else:
                yield action


def operators(model: Model, steps: Iterable[Step]) -> list[int]:
    return [action.operator for action in unrolled(model, steps)]


def shortened(model: Model, plan: Sequence[Step]) -> list[Step]:
    """A plan without steps that it can do without."""
    kept = list(plan)
    budget = SHORTENING_RUNS
    for index in reversed(range(len(plan))):
        budget -= length(model, kept)
        if budget < 0:
            break
        candidate = kept[:index] + kept[index + 1 :]
        end = replay(model, candidate, model.initial)
        if end is not None and model.holds(model.goal, end):
            kept = candidate
    return kept
