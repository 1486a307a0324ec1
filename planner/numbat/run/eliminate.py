"""Removing redundant actions from a plan, greedily.

Idea         leave out one action and, from there on, every action that has become inapplicable; if the goal is still
             reached and nothing got dearer, the shorter plan takes the plan's place
Cost         quadratic in the plan's length; stops at a deadline with what it has
Not here     whether the result is valid by the exact rules (publish)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numbat.search.simulate import Simulator, State


def eliminate(plan: Sequence[int], simulator: Simulator, expired: Callable[[], bool]) -> tuple[int, ...]:
    """A plan that is a part of the given one and costs no more; the same one if nothing can go."""
    best = list(plan)
    whole = simulator.run(best)
    if whole is None:
        return tuple(plan)
    cost = whole.cost
    before = simulator.initial
    index = 0
    while index < len(best) and not expired():
        kept, end = _follow(best[index + 1 :], before, simulator)
        if end.cost <= cost and simulator.is_goal(end):
            best[index:] = kept
            cost = end.cost
            continue
        after = simulator.step(before, best[index])
        assert after is not None
        before = after
        index += 1
    return tuple(best)


def _follow(operators: Sequence[int], state: State, simulator: Simulator) -> tuple[list[int], State]:
    """Those of the operators that are applicable one after the other, and the state they lead to."""
    kept = []
    for operator in operators:
        after = simulator.step(state, operator)
        if after is not None:
            kept.append(operator)
            state = after
    return kept, state
