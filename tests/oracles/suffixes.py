"""The rest of a plan in a state: executed step by step, and plans to try it on."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.oracles.states import Model, State


def rest(model: Model, steps: Sequence[int], state: State) -> tuple[int, int] | None:
    """(cost, steps) of executing all steps, if that is possible and ends in a goal state."""
    cost = 0
    for operator in steps:
        paid = model.cost(operator, state)
        after = model.apply(operator, state)
        if after is None:
            return None
        cost, state = cost + int(paid), after
    return (cost, len(steps)) if model.is_goal(state) else None


def walk(model: Model, chance: random.Random, length: int) -> tuple[list[int], list[State]]:
    """A random walk from the initial state: its operators, and the states before, between and after them."""
    plan: list[int] = []
    states = [model.initial]
    for _ in range(length):
        choices = [o for o in model.enabled(states[-1]) if model.apply(o, states[-1]) is not None]
        if not choices:
            break
        plan.append(chance.choice(choices))
        after = model.apply(plan[-1], states[-1])
        assert after is not None
        states.append(after)
    return plan, states
