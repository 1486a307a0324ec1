"""The values each fluent can ever have, over-approximated by an interval that only grows.

Definition   design of additive interval relaxation: a reachable increase by something positive sends the upper bound
             to infinity, something negative the lower one; an assigned value is taken into the interval
Numbers      a bound is exact (int or Fraction) or an infinite float; no finite float ever occurs
Termination  an assign that keeps widening its fluent gets MOST_WIDENINGS steps, then the bound becomes infinite
Guarantee    every value of a fluent in every reachable state is inside; a single point therefore means a constant
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from numbat.ground.expressions import UNREADABLE, Expressions, GroundEffect, GroundTerm
from numbat.ground.statics import Number, exact

Bound = int | float | Number
Interval = tuple[Bound, Bound]

MOST_WIDENINGS = 8


def plus(left: Bound, right: Bound) -> Bound:
    """A sum of bounds on the same side."""
    if isinstance(left, float):
        return left
    return right if isinstance(right, float) else left + right


def times(left: Bound, right: Bound) -> Bound:
    """A product of bounds; 0 * infinity is 0, since infinity only stands for very large numbers."""
    if not left or not right:
        return 0
    if isinstance(left, float) or isinstance(right, float):
        return inf if (left > 0) == (right > 0) else -inf
    return left * right


def product(left: Interval, right: Interval) -> Interval:
    corners = [times(a, b) for a in left for b in right]
    return min(corners), max(corners)


class Intervals:
    """An interval per fluent, None while the fluent is undefined."""

    def __init__(self, table: Expressions) -> None:
        self.table = table
        fluents, statics = table.fluents, table.statics
        initial = [statics.initial_value(fluents.symbol(f), fluents.arguments(f)) for f in range(len(fluents))]
        self.initial = initial
        self.of: list[Interval | None] = [None if value is None else (value, value) for value in initial]
        self._widened = [0] * len(table.effects)

    def constant(self, fluent: int) -> Number | None:
        """The only value a fluent ever has, if there is just one."""
        interval = self.of[fluent]
        if interval is None or interval[0] != interval[1] or isinstance(interval[0], float):
            return None
        return interval[0]

    def readable(self, expression: int) -> bool:
        """May the expression have a value in some reachable state?"""
        if expression == UNREADABLE:
            return False
        known = self.table.expressions[expression]
        return all(self.of[f] is not None for f in known.reads) and all(
            self.readable(d) and self.range(d) != (0, 0) for d in known.divisors
        )

    def range(self, expression: int) -> Interval:
        """Bounds of a readable expression."""
        known = self.table.expressions[expression]
        low: Bound = known.constant
        high: Bound = known.constant
        for term in known.terms:
            a, b = self._term(term)
            low, high = plus(low, a), plus(high, b)
        return low, high

    def _term(self, term: GroundTerm) -> Interval:
        result: Interval = (term.coefficient, term.coefficient)
        for factor in term.factors:
            interval = self.of[factor]
            assert interval is not None
            # nearly all coefficients are 1 or -1
            if result == (1, 1):
                result = interval
            elif result == (-1, -1):
                result = (-interval[1], -interval[0])
            else:
                result = product(result, interval)
        for divisor in term.divisors:
            low, high = self.range(divisor)
            if low != high or isinstance(low, float):
                return -inf, inf
            reciprocal = exact(1 / Fraction(low))
            result = product(result, (reciprocal, reciprocal))
        return result

    def possible(self, expression: int, relation: str) -> bool:
        """May a readable expression stand in this relation to 0?"""
        low, high = self.range(expression)
        if relation == ">=":
            return high >= 0
        return high > 0 if relation == ">" else low <= 0 <= high

    def apply(self, number: int) -> bool:
        """Take the values an effect may produce into its fluent's interval; say whether that changed anything."""
        effect: GroundEffect = self.table.effects[number]
        before = self.of[effect.fluent]
        low, high = self.range(effect.expression)
        if effect.assign:
            after = (low, high) if before is None else self._hull(number, before, (low, high))
        else:
            assert before is not None
            after = (-inf if low < 0 else before[0], inf if high > 0 else before[1])
        self.of[effect.fluent] = after
        return after != before

    def _hull(self, number: int, before: Interval, assigned: Interval) -> Interval:
        low, high = min(before[0], assigned[0]), max(before[1], assigned[1])
        if (low, high) != before:
            self._widened[number] += 1
            if self._widened[number] > MOST_WIDENINGS:
                low, high = (-inf if low < before[0] else low), (inf if high > before[1] else high)
        return low, high
