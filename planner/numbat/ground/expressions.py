"""Ground numeric expressions, comparisons and effects, each distinct one once.

Idea         an expression of a schema is a row of columns: values of static fluents, ids of the others. Distinct rows
             of these columns are few (zenotravel p20: 37,000 occurrences, 400 expressions), and only they are built.
In, out      (lifted expression, rows of objects) -> one expression id per row
Numbers      exact: int or Fraction
Undefined    an expression that reads a static fluent without value, or divides by 0, is UNREADABLE; fluents that an
             effect may define later are kept in `reads`, also those that cancelled out
Not here     which fluents are constant (reach), what is linear (fold)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from numbat.errors import Span
from numbat.ground.atoms import AtomTable
from numbat.ground.columns import Index, Rows, row_codes
from numbat.ground.statics import Number, Statics, exact
from numbat.task.lifted import Expression, Fluent, NumericEffect
from numbat.task.numbering import Numbering

UNREADABLE = 0  # the id of the expression that has no value
_UNDEFINED = 0  # the id of the value of a static fluent that has none


class GroundTerm(NamedTuple):
    """coefficient * product of fluents / product of expressions; not constant."""

    coefficient: Number
    factors: tuple[int, ...]
    divisors: tuple[int, ...]


class GroundExpression(NamedTuple):
    constant: Number
    terms: tuple[GroundTerm, ...]
    reads: tuple[int, ...]
    divisors: tuple[int, ...]  # every expression divided by, also in terms that vanished


class GroundEffect(NamedTuple):
    """A scaling is an assign that knows its factor."""

    fluent: int
    assign: bool
    expression: int
    factor: int | None = None


class _Layout(NamedTuple):
    """Where the columns of a lifted expression stand; a term is (coefficient, static, dynamic, divisor columns)."""

    fluents: tuple[Fluent, ...]
    divisors: tuple[Expression, ...]
    terms: tuple[tuple[Number, tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]
    static: tuple[int, ...]
    dynamic: tuple[int, ...]
    is_ground: bool


class Expressions:
    """The tables. Ids are positions in `expressions`, `comparisons` and `effects`."""

    def __init__(self, fluents: AtomTable, statics: Statics) -> None:
        self.fluents = fluents
        self.statics = statics
        # the unreadable one divides by itself, as no other does
        self._expressions = Numbering([GroundExpression(0, (), (), (UNREADABLE,))])
        self._comparisons: Numbering[tuple[int, str]] = Numbering()
        self._effects: Numbering[GroundEffect] = Numbering()
        self._values: Numbering[Number | None] = Numbering([None])
        self._value_of_fluent: dict[int, int] = {}
        self.expressions = self._expressions.entries
        self.spans: list[Span | None] = [None]  # of expressions
        self.comparisons = self._comparisons.entries
        self.effects = self._effects.entries
        self._layouts: dict[int, tuple[Expression, _Layout]] = {}

    # --- columns ---

    def column(self, expression: Expression, rows: Rows) -> Index:
        """The id of the ground expression in each row."""
        layout = self._layout(expression)
        if layout.is_ground:
            return np.full(len(rows), self._single(expression, layout), dtype=np.int64)
        columns = [self._fluent_column(fluent, rows) for fluent in layout.fluents]
        columns += [self.column(divisor, rows) for divisor in layout.divisors]
        return _number_rows(columns, lambda row: self._intern(layout, row, expression.span))

    def comparison_column(self, expression: Expression, relation: str, rows: Rows) -> Index:
        ids = self.column(expression, rows)
        return _renumber(ids, lambda e: self._comparisons[e, relation])

    def effect_column(self, effect: NumericEffect, rows: Rows) -> Index:
        targets = self.fluents.column(effect.fluent.function, effect.fluent.arguments, rows)
        amounts = self.column(effect.expression, rows)
        assign, columns = effect.kind == "assign", [targets, amounts]
        if effect.factor is not None:
            columns.append(self.column(effect.factor, rows))
        return _number_rows(columns, lambda row: self._effects[GroundEffect(row[0], assign, *row[1:])])

    # --- one expression ---

    def _layout(self, expression: Expression) -> _Layout:
        known = self._layouts.get(id(expression))
        if known is None:
            known = self._layouts[id(expression)] = (expression, self._make_layout(expression))
        return known[1]

    def _make_layout(self, expression: Expression) -> _Layout:
        factors = (factor for term in expression.terms for factor in term.factors)
        fluents = tuple(dict.fromkeys((*expression.reads, *factors)))
        divisors = tuple(divisor for term in expression.terms for divisor in term.divisors)
        place = {fluent: position for position, fluent in enumerate(fluents)}
        static = tuple(p for f, p in place.items() if f.function in self.statics.functions)
        terms, next_divisor = [], len(fluents)
        for term in expression.terms:
            places = [place[factor] for factor in term.factors]
            own = tuple(range(next_divisor, next_divisor + len(term.divisors)))
            next_divisor += len(term.divisors)
            terms.append(
                (
                    exact(term.coefficient),
                    tuple(p for p in places if p in static),
                    tuple(p for p in places if p not in static),
                    own,
                )
            )
        dynamic = tuple(p for p in range(len(fluents)) if p not in static)
        return _Layout(fluents, divisors, tuple(terms), static, dynamic, self._is_ground(fluents, divisors))

    def _is_ground(self, fluents: tuple[Fluent, ...], divisors: tuple[Expression, ...]) -> bool:
        inner = (self._layout(divisor).is_ground for divisor in divisors)
        return all(argument >= 0 for fluent in fluents for argument in fluent.arguments) and all(inner)

    def _single(self, expression: Expression, layout: _Layout) -> int:
        """An expression without parameters: no need for columns."""
        row = [self.fluents.single(fluent.function, fluent.arguments) for fluent in layout.fluents]
        for position in layout.static:
            row[position] = self._static_value(row[position])
        row += [self._single(divisor, self._layout(divisor)) for divisor in layout.divisors]
        return self._intern(layout, row, expression.span)

    def _fluent_column(self, fluent: Fluent, rows: Rows) -> Index:
        ids = self.fluents.column(fluent.function, fluent.arguments, rows)
        return _renumber(ids, self._static_value) if fluent.function in self.statics.functions else ids

    def _static_value(self, fluent: int) -> int:
        """The id of the value of a static fluent."""
        known = self._value_of_fluent.get(fluent)
        if known is None:
            known = self._value_of_fluent[fluent] = self._find_value(fluent)
        return known

    def _find_value(self, fluent: int) -> int:
        value = self.statics.initial_value(self.fluents.symbol(fluent), self.fluents.arguments(fluent))
        return self._values[value]

    def _intern(self, layout: _Layout, row: Sequence[int], span: Span) -> int:
        if any(row[position] == _UNDEFINED for position in layout.static):
            return UNREADABLE
        first_divisor = len(layout.fluents)
        if any(self._is_zero(divisor) for divisor in row[first_divisor:]):
            return UNREADABLE
        constant: Number = 0
        terms: dict[tuple[tuple[int, ...], tuple[int, ...]], Number] = {}
        for coefficient, static, dynamic, divisors in layout.terms:
            for position in static:
                value = self._values.entries[row[position]]
                assert value is not None
                coefficient = coefficient * value
            unknown = []
            for position in divisors:
                divisor = self.expressions[row[position]]
                if divisor.terms:
                    unknown.append(row[position])
                else:
                    coefficient = exact(Fraction(coefficient) / divisor.constant)
            if dynamic or unknown:
                key = (tuple(sorted(row[p] for p in dynamic)), tuple(sorted(unknown)))
                terms[key] = terms.get(key, 0) + coefficient
            else:
                constant = constant + coefficient
        needed = tuple(sorted(set(row[first_divisor:])))
        inner = (fluent for divisor in needed for fluent in self.expressions[divisor].reads)
        reads = tuple(sorted({*(row[p] for p in layout.dynamic), *inner}))
        rest = tuple(GroundTerm(exact(c), *key) for key, c in sorted(terms.items()) if c)
        return self._remember(GroundExpression(exact(constant), rest, reads, needed), span)

    def _is_zero(self, expression: int) -> bool:
        known = self.expressions[expression]
        return expression == UNREADABLE or (not known.terms and not known.constant)

    def _remember(self, expression: GroundExpression, span: Span) -> int:
        number = self._expressions[expression]
        if number == len(self.spans):
            self.spans.append(span)
        return number


def _number_rows(columns: list[Index], number: Callable[[tuple[int, ...]], int]) -> Index:
    """One number per row, asked for once for each distinct row, in ascending order."""
    if not len(columns[0]):
        return np.zeros(0, dtype=np.int64)
    radix = max(int(column.max()) for column in columns) + 1
    _, representative, inverse = np.unique(row_codes(columns, radix), return_index=True, return_inverse=True)
    distinct = zip(*(column[representative].tolist() for column in columns), strict=True)
    return np.array([number(row) for row in distinct], dtype=np.int64)[inverse]


def _renumber(column: Index, number: Callable[[int], int]) -> Index:
    """The column with each distinct entry replaced by its number."""
    if len(column) == 1:
        return np.array([number(int(column[0]))], dtype=np.int64)
    distinct, inverse = np.unique(column, return_inverse=True)
    return np.array([number(entry) for entry in distinct.tolist()], dtype=np.int64)[inverse]
