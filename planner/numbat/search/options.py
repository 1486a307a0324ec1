"""What all searches of a run have in common, and which values there are."""

from __future__ import annotations

from dataclasses import dataclass

from numbat.search.notation import Search

TIES = ("heap", "fifo", "lifo")
HEURISTIC_COSTS = ("unit", "metric", "plusone")
VARIANTS = ("tuned", "compat")
PATIENCE = 2000
VARIATIONS = ("ahead", "distance", "orders")
PRUNINGS = ("symmetries", "stubborn", "dominance")
DEFAULT_PRUNING = PRUNINGS[:2]  # looking for dominating states takes as long as all the rest, and seldom finds one


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The first value of each list is the default, of the prunings the first two, of the variations all.

    ties             which of equally good states is expanded first
    seed             0: operators in the order of the task; else successors come in a seeded random order
    patience         evaluations without progress until the search's variations share the time; 0: never
    variations       which of them: search.variations tells
    beside           searches that run beside this one, which no variation repeats
    heuristic_cost   what an action costs inside heuristics; plusone: the metric's cost in its least unit, plus one
    pruning          what A(...) leaves out without changing what a cheapest plan costs
    variant          compat: repetitions and linear effects as in the paper's own code
    """

    ties: str = TIES[0]
    seed: int = 0
    heuristic_cost: str = HEURISTIC_COSTS[0]
    variant: str = VARIANTS[0]
    patience: int = PATIENCE
    pruning: tuple[str, ...] = DEFAULT_PRUNING
    variations: tuple[str, ...] = VARIATIONS
    beside: frozenset[Search] = frozenset()
