"""Goal-oriented novelty: feature G under partition novelty.

Definition   docs/heuristics.md 8.7
In, out      a sequence of (state, h, its parent and the parent's h) → one value per state
Guarantee    what earlier states showed is computed anew from all of them at every call; nothing else is kept
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from tests.oracles.states import Model, State

MOST_PAIRS = 1 << 13


class Parent(NamedTuple):
    state: State
    h: Fraction


class Shown(NamedTuple):
    """What a state shows: subgoals, the last one twice if it is missing and its distance counts, else 0."""

    partition: int
    singles: dict[tuple[int, ...], float]
    pairs: dict[tuple[int, ...], float]


class GoalNoveltyOracle:
    def __init__(self, model: Model, k: int) -> None:
        self.model, self.k = model, k
        first_disjunction = 2 * model.facts + len(model.conditions)
        self.catalogue = sorted({a for row in model.conjunctions for a in row if a < first_disjunction})
        self.top: int | None = None
        self.shown: list[Shown] = []

    def partition(self, h: Fraction) -> int:
        assert self.top is not None
        return min(math.floor(h), self.top)

    def true(self, state: State) -> set[int]:
        return {atom for atom in self.catalogue if self.model.holds(atom, state)}

    def distance(self, atom: int, state: State) -> float:
        """The left side of a condition: less, the farther it is from holding."""
        condition = self.model.condition_of(atom)
        assert condition is not None
        return float(condition.form.value(state))

    def missing(self, state: State) -> set[int]:
        return {a for a in self.catalogue if self.model.condition_of(a) is not None} - self.true(state)

    def progress(self, state: State, parent: Parent | None) -> tuple[set[int], set[int]]:
        """What came to hold, and what came nearer to holding."""
        if parent is None:
            return set(), set()
        nearer = {a for a in self.missing(state) if self.distance(a, state) > self.distance(a, parent.state)}
        return self.true(state) - self.true(parent.state), nearer

    def show(self, state: State, h: Fraction, parent: Parent | None) -> Shown:
        partition = self.partition(h)
        true, missing = self.true(state), self.missing(state)
        new, nearer = self.progress(state, parent)
        everything = parent is None or self.partition(parent.h) != partition
        if everything:
            new, nearer = true, missing
        singles: dict[tuple[int, ...], float] = {(a,): 0.0 for a in new}
        singles |= {(a, a): self.distance(a, state) for a in nearer}
        if everything and len(new) * (len(new) // 2 + len(missing)) > MOST_PAIRS:
            new, nearer = self.progress(state, parent)
        pairs: dict[tuple[int, ...], float] = {(a, b): 0.0 for a, b in combinations(sorted(true), 2) if {a, b} & new}
        near = [(a, b) for a in new for b in missing] + [(a, b) for a in true - new for b in nearer]
        pairs |= {(a, b, b): self.distance(b, state) for a, b in near}
        return Shown(partition, singles, pairs)

    def value(self, state: State, h: Fraction, parent: Parent | None = None) -> int:
        if self.top is None:
            self.top = max(1, math.floor(h))
        now = self.show(state, h, parent)
        earlier = [shown for shown in self.shown if shown.partition == now.partition]
        self.shown.append(now)
        if len(self.shown) == 1 or any(self.beaten(now.singles, [shown.singles for shown in earlier])):
            return 1
        if self.k == 2 and any(self.beaten(now.pairs, [shown.pairs for shown in earlier])):
            return 2
        return self.k + 1

    @staticmethod
    def beaten(now: dict[tuple[int, ...], float], earlier: list[dict[tuple[int, ...], float]]) -> Iterator[bool]:
        for combination, value in now.items():
            yield all(combination not in shown or shown[combination] < value for shown in earlier)
