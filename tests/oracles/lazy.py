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
    return _LazySearch(model, evaluate, heuristics, ahead).run()


class _LazySearch:
    def __init__(self, model: Model, evaluate: Evaluate, heuristics: int, ahead: Ahead | None) -> None:
        self._model, self._evaluate, self._ahead = model, evaluate, ahead
        self._numbers = count()
        self._lists: list[list[Entry]] = [[] for _ in range(2 * heuristics)]  # all, preferred, all, preferred ...
        self._counters = [0] * len(self._lists)
        self._best = [float("inf")] * heuristics
        self._plans: dict[State, list[int]] = {}
        self._second = False  # was the second way the better one?

    def run(self) -> tuple[str, int, list[int]]:
        model, plans = self._model, self._plans
        self._enter_and_look_ahead(model.initial, [])
        while True:
            solved = next((plan for state, plan in plans.items() if model.is_goal(state)), None)
            if solved is not None:
                return "solved", len(plans), solved
            waiting = [index for index, entries in enumerate(self._lists) if entries]
            if not waiting:
                return "exhausted-complete", len(plans), []
            chosen = min(waiting, key=lambda index: (self._counters[index], index))
            self._counters[chosen] += 1
            _, _, state, operator = heapq.heappop(self._lists[chosen])
            successor = model.apply(operator, state)
            if successor is not None and successor not in plans:
                self._enter_and_look_ahead(successor, [*plans[state], operator])

    def _enter(self, state: State, plan: list[int]) -> float:
        """Evaluate a new state and put its operators into the lists; the first value, infinite where there are none."""
        self._plans[state] = plan
        estimates = self._evaluate(state, plan)
        if estimates is None or self._model.is_goal(state):
            return float("inf")
        values = [float(np.float32(value)) for value, _ in estimates]
        preferred = {operator for _, helpful in estimates for operator in helpful}
        for operator in self._model.enabled(state):
            number = next(self._numbers)
            for index, entries in enumerate(self._lists):
                if index % 2 == 0 or operator in preferred:
                    heapq.heappush(entries, (values[index // 2], number, state, operator))
        if any(value < least for value, least in zip(values, self._best, strict=True)) and plan:
            for index in range(1, len(self._counters), 2):
                self._counters[index] -= BOOST
        self._best = list(map(min, self._best, values))
        return values[0]

    def _enter_and_look_ahead(self, state: State, plan: list[int]) -> None:
        value = self._enter(state, plan)
        falls = self._ahead is not None and value < float("inf")
        while falls:
            assert self._ahead is not None
            falls = False
            for way in (self._second, not self._second):
                found = self._ahead(state, way)
                if found is None or found[1] in self._plans:
                    continue
                after = self._enter(found[1], [*plan, *found[0]])
                if self._model.is_goal(found[1]):
                    return
                if after < value:
                    falls, self._second, value = True, way, after
                    plan, state = [*plan, *found[0]], found[1]
                    break
