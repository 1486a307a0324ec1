"""Landmark weights, slowly: what every plan must still do, and the programme that prices it, in exact fractions.

Definition   core/heuristics/landmark_weights.h
In, out      (Model, State, costs) → the largest sum of weighted values, rounded up
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.optimal import achieves, actions
from tests.oracles.programme import maximum
from tests.oracles.ranges import INFINITY, Ranges
from tests.oracles.states import Condition, Model, State

Row = list[Fraction]


@dataclass(frozen=True)
class Landmark:
    """The sum of the coefficients of a plan's operators is at least the value."""

    value: Fraction
    coefficients: Row


class Landmarks:
    """Of one state."""

    def __init__(self, model: Model, state: State, costs: list[int]) -> None:
        self.model, self.state, self.costs, self.ranges = model, state, costs, Ranges(model)
        self.actions = list(actions(model))
        self.found: list[Landmark] = []
        atoms = list(model.goal)
        for atom in atoms:  # grows
            if model.condition_of(atom) is not None:
                if self.limited(atom):
                    self.found.append(Landmark(max(Fraction(0), self.need(atom)), self.gains(atom)))
            elif atom < 2 * model.facts and not model.holds(atom, state):
                self.add_fact(atom, atoms)
        for atom in self.conditions(model.goal):
            self.add_lasting(model.conditions[atom - 2 * model.facts], self.need(atom))
        for bound in Ranges(model, everything=True).conditions():
            self.add_lasting(bound, min(Fraction(0), -bound.form.value(state)))

    def add_fact(self, atom: int, atoms: list[int]) -> None:
        ways = [action for action in self.actions if achieves(self.model, self.ranges, action, atom)]
        used = {action.operator for action in ways}
        self.found.append(Landmark(Fraction(1), [Fraction(o in used) for o in range(len(self.costs))]))
        chosen = [self.costliest(tuple(sorted(set(action.needs)))) for action in ways]
        picked = [condition for condition in chosen if condition is not None]
        if len(ways) > 1 and len(picked) == len(ways):
            rows = [[gain / self.need(condition) for gain in self.gains(condition)] for condition in picked]
            self.found.append(Landmark(Fraction(1), [max(column) for column in zip(*rows, strict=True)]))
        common = set.intersection(*(set(action.needs) for action in ways)) if ways else set()
        atoms += sorted(common - set(atoms))

    def conditions(self, atoms: tuple[int, ...]) -> list[int]:
        return [atom for atom in atoms if self.model.condition_of(atom) is not None and self.limited(atom)]

    def costliest(self, needs: tuple[int, ...]) -> int | None:
        """The first of the costliest unsatisfied conditions, priced in doubles as the core does."""
        prices = {atom: self.price(atom) for atom in self.conditions(needs) if self.need(atom) > 0}
        return max(prices, key=lambda atom: prices[atom]) if any(prices.values()) else None

    def price(self, atom: int) -> float:
        pairs = [(float(g), float(c)) for g, c in zip(self.gains(atom), self.costs, strict=True) if g > 0]
        return min(max(1.0, float(self.need(atom)) / gain) * cost for gain, cost in pairs)

    def need(self, atom: int) -> Fraction:
        condition = self.model.condition_of(atom)
        assert condition is not None
        return (1 if condition.strict else 0) - condition.form.value(self.state)

    def gains(self, atom: int) -> Row:
        """What each operator adds to a condition at most."""
        condition = self.model.condition_of(atom)
        assert condition is not None
        most = [[self.ranges.most(block, condition.form) for block in o.blocks] for o in self.model.operators]
        return [sum((max(Fraction(0), part) for part in parts), Fraction(0)) for parts in most]

    def add_lasting(self, condition: Condition, value: Fraction) -> None:
        """What operators add or take in all, at most; nothing if there is no limit to that."""
        row = []
        for operator in self.model.operators:
            most = [self.ranges.most(block, condition.form) for block in operator.blocks]
            if INFINITY in most:
                return
            parts = list(map(Fraction, most))
            certain = [number == 0 and not block.condition for number, block in enumerate(operator.blocks)]
            row.append(sum((p if c else max(Fraction(0), p) for p, c in zip(parts, certain, strict=True)), Fraction(0)))
        self.found.append(Landmark(value, row))

    def limited(self, atom: int) -> bool:
        gains = self.gains(atom)
        free = any(gain > 0 and cost == 0 for gain, cost in zip(gains, self.costs, strict=True))
        return INFINITY not in gains and any(gains) and not free


def landmark_weights(model: Model, state: State, costs: list[int]) -> int | None:
    """None if no sum is the largest, which proves that there is no plan."""
    landmarks = Landmarks(model, state, costs)
    if not any(landmarks.limited(2 * model.facts + c) for c in range(len(model.conditions))):
        return 0

    def free(landmark: Landmark) -> bool:
        return any(a > 0 and cost == 0 for a, cost in zip(landmark.coefficients, costs, strict=True))

    columns = [landmark for landmark in landmarks.found if not free(landmark)]
    rows = [[landmark.coefficients[o] for landmark in columns] for o in range(len(costs))]
    value = maximum([landmark.value for landmark in columns], rows, [Fraction(cost) for cost in costs])
    return None if value is None else max(0, math.ceil(value))
