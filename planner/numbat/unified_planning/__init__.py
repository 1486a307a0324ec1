"""Numbat as an engine of unified-planning (the extra `up`).

    import numbat.unified_planning
    numbat.unified_planning.register()

From then on `OneshotPlanner(name="numbat")`, `AnytimePlanner(name="numbat")` and `PlanValidator(name="numbat")` are it;
`numbat-opt` searches until it has proved that no plan is better.

names        what PDDL calls the things of a problem, and back
expressions  conditions and numbers as PDDL text, exactly
bounds       what bounded types and state invariants ask of every state
writer       a problem as PDDL text
engine       the engines: what they solve, and their statuses
"""

from __future__ import annotations

from typing import Any

ENGINES = {"numbat": "Numbat", "numbat-opt": "NumbatOptimal"}


def register(environment: Any = None, *, prefer: bool = False) -> None:
    """Tell unified-planning (an environment of it, or the one all share) about the engines; once is enough.

    prefer   ask them first wherever no engine is named
    """
    from unified_planning.environment import get_environment

    factory = get_environment(environment).factory
    for name, class_name in ENGINES.items():
        if name not in factory.engines:
            factory.add_engine(name, "numbat.unified_planning.engine", class_name)
    if prefer:
        others = [name for name in factory.preference_list if name not in ENGINES]
        factory.preference_list = [*ENGINES, *others]
