"""What the rules of patterns promise, by plain execution.

Rolling      executing an action k times in a row is possible exactly if each of its runs is
Reach        the length of a shortest plan, looked for up to a depth
"""

from __future__ import annotations

from tests.oracles.states import Model, State


def runs_possible(model: Model, operator: int, state: State, most: int) -> list[State]:
    """The states after 1, 2, … runs, as far as they are possible."""
    found: list[State] = []
    current: State | None = model.apply(operator, state)
    while current is not None and len(found) < most:
        found.append(current)
        current = model.apply(operator, current)
    return found


def shortest_plan_within(model: Model, depth: int, limit: int) -> int | None:
    """The length of a shortest plan of at most `depth` steps; None if there is none or after `limit` states."""
    seen, layer = {model.initial}, [model.initial]
    for length in range(depth + 1):
        if any(model.is_goal(state) for state in layer):
            return length
        successors = (model.apply(o, state) for state in layer for o in range(len(model.operators)))
        layer = list(dict.fromkeys(s for s in successors if s is not None and s not in seen))
        seen.update(layer)
        if len(seen) > limit:
            return None
    return None
