"""Numbat: a numeric planner. PDDL 2.1 in, a valid plan out.

    from numbat import solve, validate

text -> meaning -> numbers -> search -> plan -> proof; one folder per step:
pddl, normalise, ground, analyse, search (with the compiled core), engines, portfolio, run, and the separate package
numbat_validate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numbat.api import (
        PlanningError,
        Plans,
        Solution,
        Status,
        improve,
        improvements,
        inspect,
        plans,
        solve,
        solve_async,
        validate,
        why,
    )
    from numbat.task.plan import Plan, Step
    from numbat_validate import Verdict

__version__ = "0.1.0"
__all__ = [
    "Plan",
    "PlanningError",
    "Plans",
    "Solution",
    "Status",
    "Step",
    "Verdict",
    "improve",
    "improvements",
    "inspect",
    "plans",
    "solve",
    "solve_async",
    "validate",
    "why",
]


def __getattr__(name: str) -> Any:
    """The public names, loaded when first used: the command line needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from numbat import api

    return getattr(api, name)
