"""Constants folded away: linear forms, numeric conditions and effects over the fluents that really vary.

In, out      the tables of expressions and the intervals of reachability -> Linear forms, conditions, effect forms
Conditions   form >= 0 or > 0; an equality is two of them; one that the intervals decide is True or False
Effects      x := x + e is an increase by e; a change by 0 is nothing
Non-linear   a form that is still not linear is None, and an error only if something that matters uses it
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from numbat.errors import Span, UnsupportedFeature
from numbat.ground.expressions import Expressions
from numbat.ground.intervals import Intervals
from numbat.ground.statics import Number, exact
from numbat.task.numbering import Numbering


class Linear(NamedTuple):
    """constant + sum of coefficient * fluent; fluents ascending, no coefficient 0."""

    constant: Number
    terms: tuple[tuple[int, Number], ...]


class Condition(NamedTuple):
    """form >= 0, or form > 0; without a form it is not linear."""

    form: Linear | None
    strict: bool
    span: Span | None


class EffectForm(NamedTuple):
    """fluent := form, or fluent += form; without a form it is not linear."""

    fluent: int
    assign: bool
    form: Linear | None
    span: Span | None


def combine(*parts: tuple[Number, Linear]) -> Linear:
    """The sum of factor * form."""
    constant: Number = 0
    terms: dict[int, Number] = {}
    for factor, form in parts:
        constant = constant + factor * form.constant
        for fluent, coefficient in form.terms:
            terms[fluent] = terms.get(fluent, 0) + factor * coefficient
    return Linear(exact(constant), tuple((f, exact(c)) for f, c in sorted(terms.items()) if c))


def required(form: Linear | None, span: Span | None) -> Linear:
    """The form of something that matters."""
    if form is None:
        raise UnsupportedFeature("a numeric expression that is not linear in the fluents that change", span)
    return form


class Fold:
    """Folding with respect to one fixpoint of reachability."""

    def __init__(self, table: Expressions, intervals: Intervals) -> None:
        self.table = table
        self.intervals = intervals
        self.conditions: list[Condition] = []
        self._keys: list[int] = []  # per condition its expression, negative if turned round
        self._identities: Numbering[tuple[Linear | int, bool]] = Numbering()
        self._forms: dict[int, Linear | None] = {}

    def linear(self, expression: int) -> Linear | None:
        """The linear form of a readable expression, None if it has none."""
        if expression not in self._forms:
            self._forms[expression] = self._linear(expression)
        return self._forms[expression]

    def _linear(self, expression: int) -> Linear | None:
        known = self.table.expressions[expression]
        constant: Number = known.constant
        terms: dict[int, Number] = {}
        for term in known.terms:
            coefficient, varying = term.coefficient, []
            for factor in term.factors:
                value = self.intervals.constant(factor)
                if value is None:
                    varying.append(factor)
                else:
                    coefficient = coefficient * value
            for divisor in term.divisors:
                form = self.linear(divisor)
                if form is None or form.terms:
                    return None
                coefficient = coefficient / Fraction(form.constant)
            if len(varying) > 1 and coefficient:
                return None
            if varying:
                terms[varying[0]] = terms.get(varying[0], 0) + coefficient
            else:
                constant = constant + coefficient
        return Linear(exact(constant), tuple((f, exact(c)) for f, c in sorted(terms.items()) if c))

    def comparison(self, number: int) -> tuple[int, ...] | None:
        """The conditions that together say the same as a comparison; None if it never holds."""
        expression, relation = self.table.comparisons[number]
        low, high = self.intervals.range(expression)
        form, span = self.linear(expression), self.table.spans[expression]
        if form is not None and not form.terms:
            low = high = form.constant
        if relation == "=":
            if high < 0 or low > 0:
                return None
            parts = [] if low >= 0 else [self._condition(expression, form, False, span)]
            if high > 0:
                opposite = None if form is None else combine((-1, form))
                parts.append(self._condition(-expression, opposite, False, span))
            return tuple(parts)
        strict = relation == ">"
        if high < 0 or (strict and high <= 0):
            return None
        if low > 0 or (low >= 0 and not strict):
            return ()
        return (self._condition(expression, form, strict, span),)

    def _condition(self, key: int, form: Linear | None, strict: bool, span: Span | None) -> int:
        number = self._identities[key if form is None else form, strict]
        if number == len(self.conditions):
            self.conditions.append(Condition(form, strict, span))
            self._keys.append(key)
        return number

    def opposite(self, number: int) -> int:
        """The condition that holds just where this one does not."""
        form, strict, span = self.conditions[number]
        return self._condition(-self._keys[number], None if form is None else combine((-1, form)), not strict, span)

    def nonzero(self, expression: int) -> tuple[int, ...] | None:
        """Two conditions of which one holds where a divisor is not 0; None if it is never 0."""
        low, high = self.intervals.range(expression)
        form, span = self.linear(expression), self.table.spans[expression]
        if low > 0 or high < 0 or (form is not None and not form.terms):
            return None
        turned = None if form is None else combine((-1, form))
        return self._condition(expression, form, True, span), self._condition(-expression, turned, True, span)

    def equal(self, left: EffectForm, right: EffectForm) -> tuple[int, ...] | None:
        """Conditions that together say that two forms have one value; None if they never have."""
        if left.form is None or right.form is None:
            fresh = len(self.table.expressions) + len(self.conditions)
            return (self._condition(fresh, None, False, left.span if left.form is None else right.span),)
        difference = combine((1, left.form), (-1, right.form))
        if not difference.terms:
            return None if difference.constant else ()
        both = difference, combine((-1, difference))
        return tuple(self._condition(0, form, False, left.span) for form in both)

    def assignment(self, number: int) -> EffectForm:
        """An effect as it is written."""
        effect = self.table.effects[number]
        return EffectForm(
            effect.fluent, effect.assign, self.linear(effect.expression), self.table.spans[effect.expression]
        )

    def effect(self, number: int) -> EffectForm | None:
        """What an effect does to a fluent that varies; None if it does nothing."""
        effect = self.table.effects[number]
        if self.intervals.constant(effect.fluent) is not None:
            return None
        _, assign, form, span = self.assignment(number)
        if form is not None and assign and dict(form.terms).get(effect.fluent) == 1:
            form, assign = combine((1, form), (-1, Linear(0, ((effect.fluent, 1),)))), False
        if form == Linear(0, ()) and not assign:
            return None
        return EffectForm(effect.fluent, assign, form, span)
