"""Lazy greedy search with preferred operators, step by step as it is defined.

Definition   docs/heuristics.md 6.1: entries (state, operator) ranked by the state's value, first in, first out; per
             heuristic a list of all entries and one of preferred entries; the list with the least counter is next
In, out      (Model, evaluate) → (status, states evaluated, plan); evaluate gives, for a state and the plan
             that leads there, per heuristic a value and the operators it prefers; None for a dead end
             with `ahead`, where it leads from a new state (None: nowhere) is entered too, and so on while the first
             value falls; it is told which of two ways to go, first the one that was better before
Not here     jumps, novelty, shuffling
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

import numpy as np

from tests.oracles.states import Model, State

Evaluate = Callable[[State, list[int]], list[tuple[float, list[int]]] | None]
Entry = tuple[float, int, State, int]
Ahead = Callable[[State, bool], tuple[list[int], State] | None]
BOOST = 1000


def lazy_search(
    model: Model, evaluate: Evaluate, heuristics: int, ahead: Ahead | None = None
) -> tuple[str, int, list[int]]:
    numbers = count()
    lists: list[list[Entry]] = [[] for _ in range(2 * heuristics)]  # all, preferred, all, preferred ...
    counters = [0] * len(lists)
    best = [float("inf")] * heuristics
    plans: dict[State, list[int]] = {}
    evaluated = 0
    second = False  # was the second way the better one?

    def enter(state: State, plan: list[int]) -> float:
        nonlocal evaluated
        plans[state] = plan
        evaluated += 1
        estimates = evaluate(state, plan)
        if estimates is None or model.is_goal(state):
            return float("inf")
        values = [float(np.float32(value)) for value, _ in estimates]
        preferred = {operator for _, helpful in estimates for operator in helpful}
        for operator in model.enabled(state):
            number = next(numbers)
            for index, entries in enumerate(lists):
                if index % 2 == 0 or operator in preferred:
                    heapq.heappush(entries, (values[index // 2], number, state, operator))
        if any(value < least for value, least in zip(values, best, strict=True)) and plan:
            for index in range(1, len(counters), 2):
                counters[index] -= BOOST
        best[:] = map(min, best, values)
        return values[0]

    def enter_and_look_ahead(state: State, plan: list[int]) -> None:
        nonlocal second
        value = enter(state, plan)
        falls = ahead is not None and value < float("inf")
        while falls:
            assert ahead is not None
            falls = False
            for way in (second, not second):
                found = ahead(state, way)
                if found is None or found[1] in plans:
                    continue
                after = enter(found[1], [*plan, *found[0]])
                if model.is_goal(found[1]):
                    return
                if after < value:
                    falls, second, value = True, way, after
                    plan, state = [*plan, *found[0]], found[1]
                    break

    enter_and_look_ahead(model.initial, [])
    while True:
        solved = next((plan for state, plan in plans.items() if model.is_goal(state)), None)
        if solved is not None:
            return "solved", evaluated, solved
        waiting = [index for index, entries in enumerate(lists) if entries]
        if not waiting:
            return "exhausted-complete", evaluated, []
        chosen = min(waiting, key=lambda index: (counters[index], index))
        counters[chosen] += 1
        _, _, state, operator = heapq.heappop(lists[chosen])
        successor = model.apply(operator, state)
        if successor is not None and successor not in plans:
            enter_and_look_ahead(successor, [*plans[state], operator])
