"""How long a shortest plan is, looked for up to a depth."""

from __future__ import annotations

from tests.oracles.states import Model


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
