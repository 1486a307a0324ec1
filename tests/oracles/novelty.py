"""Novelty of states in a sequence: features A and B, partition novelty PN, quantified-both novelty QB.

Definition   docs/heuristics.md 8.1 to 8.4, as the paper defines them
In, out      a sequence of (State, h) → one value per state
Guarantee    nothing is kept between states but the sequence itself; features are recomputed from all of it
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from tests.oracles.states import State

Combination = tuple[tuple[int, object], ...]


def record_index(sequence: list[Fraction], centre: Fraction, value: Fraction) -> int:
    """B of `value`, which occurs in `sequence`: the records beyond the centre up to the first that covers it."""
    if value == centre:
        return 0
    if value < centre:
        return -record_index([-v for v in sequence], -centre, -value)
    covered = next(position for position, v in enumerate(sequence) if v >= value)
    prefix = sequence[: covered + 1]
    return sum(v > centre and all(v > earlier for earlier in prefix[:j]) for j, v in enumerate(prefix))


class NoveltyOracle:
    """feature "A" or "B", measure "PN" or "QB", k 1 or 2; `centre` is the task's initial state."""

    def __init__(self, centre: State, feature: str, measure: str, k: int) -> None:
        self.centre, self.feature, self.measure, self.k = centre, feature, measure, k
        self.sequence: list[tuple[State, Fraction]] = []

    def features(self, state: State, among: list[State]) -> list[tuple[int, object]]:
        """(variable, feature) for all features of the state that are not bottom."""
        facts: list[tuple[int, object]] = [(f, True) for f, true in enumerate(state.facts) if true]
        if self.feature == "A":
            return facts + [(len(state.facts) + i, v) for i, v in enumerate(state.values)]
        return facts + [
            (len(state.facts) + i, record_index([s.values[i] for s in among], self.centre.values[i], v))
            for i, v in enumerate(state.values)
        ]

    def value(self, state: State, h: Fraction) -> int:
        self.sequence.append((state, h))
        return self._partition_novelty(h) if self.measure == "PN" else self._quantified_both(h)

    def _partition_novelty(self, h: Fraction) -> int:
        states = [s for s, other in self.sequence if other == h]
        *earlier, new = [self.features(s, states) for s in states]
        for size in range(1, self.k + 1):
            shown = {c for features in earlier for c in combinations(features, size)}
            if set(combinations(new, size)) - shown:
                return size
        return self.k + 1

    def _quantified_both(self, h: Fraction) -> int:
        states = [s for s, _ in self.sequence]
        *earlier, new = [self.features(s, states) for s in states]
        variables = len(self.centre.facts) + len(self.centre.values)
        offset = 0
        for size in range(1, self.k + 1):
            offset += comb(variables, size)
            best: dict[Combination, Fraction] = {}
            for features, (_, other) in zip(earlier, self.sequence, strict=False):
                for combination in combinations(features, size):
                    best[combination] = min(other, best.get(combination, other))
            mine = list(combinations(new, size))
            better = sum(c not in best or h < best[c] for c in mine)
            if better:
                return offset - better
        worse = sum(h > best[c] for c in mine)
        return offset + worse
