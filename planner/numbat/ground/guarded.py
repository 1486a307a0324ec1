"""Bounds that conditions keep: what is lowered by 3 only where it is at least 3 never falls below 0.

Why          intervals (see there) do not look at conditions: a load that is ever lowered has no least value for them
Definition   the least value of a fluent is the least of its first value and, for each effect that may lower it, the
             best bound on what it leaves, by intervals, as it is or with as much of one numeric condition taken off
             as cancels the fluent. Turned round for the greatest value.
Guarantee    every value of the fluent in every reachable state is inside
Cost         linear in the effects on the fluent, and only for fluents that are asked for
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import inf

import numpy as np

from numbat.ground.columns import Index
from numbat.ground.fold import Linear, combine
from numbat.ground.intervals import Bound, Interval, plus, times
from numbat.ground.operators import Operators

# Looking at more, of one fluent or of all that are asked for, would take longer than these bounds are worth.
MOST_EFFECTS = 100_000


def lower_bound(form: Linear, interval: Callable[[int], Interval | None]) -> Bound:
    """Of a form's value, exact, or minus infinity."""
    bound: Bound = form.constant
    for fluent, coefficient in form.terms:
        low, high = interval(fluent) or (0, 0)
        bound = plus(bound, times(coefficient, low if coefficient > 0 else high))
    return bound


class Guarded:
    """The intervals of reachability, and better ones where conditions keep them."""

    def __init__(self, operators: Operators) -> None:
        self._operators = operators
        self._plain = operators.reach.intervals.of.__getitem__
        self._effects = operators.blocks.numeric
        fluents = operators.fluent_of_form()[self._effects.item]
        self._by_fluent = np.argsort(fluents, kind="stable")
        self._sorted = fluents[self._by_fluent]
        self._effects_left = MOST_EFFECTS
        self._found: dict[int, Interval | None] = {}

    def interval(self, fluent: int) -> Interval | None:
        """None: the fluent never has a value."""
        if fluent not in self._found:
            plain = self._plain(fluent)
            if plain is not None and (-inf in plain or inf in plain):
                plain = self._improved(fluent, plain)
            self._found[fluent] = plain
        return self._found[fluent]

    def _improved(self, fluent: int, plain: Interval) -> Interval:
        first, end = np.searchsorted(self._sorted, [fluent, fluent + 1])
        effects = self._by_fluent[first:end]
        self._effects_left -= len(effects)
        if self._effects_left < 0:
            return plain
        low = plain[0] if plain[0] != -inf else self._least(fluent, 1, effects)
        high = plain[1] if plain[1] != inf else -self._least(fluent, -1, effects)
        return low, high

    def _least(self, fluent: int, sign: int, effects: Index) -> Bound:
        """A bound on sign * fluent from below."""
        operators, blocks = self._operators, self._operators.blocks
        left_by: dict[int, Linear | None] = {}  # by form, what it leaves, turned round if the sign is; None: no less
        increases = Counter[int]()  # of the fluent, per operator
        lowering: list[tuple[int, int, Linear]] = []  # operator, block, and what is left
        for block, number in np.column_stack((self._effects.owner[effects], self._effects.item[effects])).tolist():
            known = operators.forms[number]
            if known.form is None:
                return -inf
            if number not in left_by:
                left_by[number] = self._lowered(fluent, sign, known.assign, known.form)
            operator = int(blocks.operator[block])
            increases[operator] += not known.assign
            if (left := left_by[number]) is not None:
                lowering.append((operator, block, left))
        if any(increases[operator] > 1 for operator, _, _ in lowering):
            return -inf  # together they may lower it by more than a condition allows for
        bound: Bound = sign * operators.initial_value(fluent)
        seen: dict[tuple[Linear, tuple[int, ...]], Bound] = {}
        for operator, block, left in lowering:
            held = self._conditions(operator, block)
            if (left, held) not in seen:
                seen[left, held] = self._kept(left, fluent, held)
            bound = min(bound, seen[left, held])
        return bound

    def _lowered(self, fluent: int, sign: int, assign: bool, form: Linear) -> Linear | None:
        change = combine((sign, form))
        if assign:
            return change
        if lower_bound(change, self._plain) >= 0:
            return None
        return combine((sign, Linear(0, ((fluent, 1),))), (1, change))

    def _conditions(self, operator: int, block: int) -> tuple[int, ...]:
        """The numeric conditions under which a block of an operator takes effect."""
        logic, pairs = self._operators.pools, self._operators.precondition
        first, end = np.searchsorted(pairs.owner, [operator, operator + 1])
        atoms = {*pairs.item[first:end].tolist(), *logic.conjunctions[int(self._operators.blocks.condition[block])]}
        numbers = map(logic.condition_of, atoms)
        return tuple(sorted(number for number in numbers if number is not None))

    def _kept(self, left: Linear, fluent: int, conditions: tuple[int, ...]) -> Bound:
        """A bound on the form, which is about the state before, where the conditions hold."""
        best = lower_bound(left, self._plain)
        coefficient = dict(left.terms).get(fluent, 0)
        for number in conditions:
            form = self._operators.fold.conditions[number].form
            in_condition = dict(form.terms).get(fluent, 0) if form else 0
            if form and in_condition * coefficient > 0:
                rest = combine((1, left), (-Fraction(coefficient) / in_condition, form))
                best = max(best, lower_bound(rest, self._plain))
        return best
