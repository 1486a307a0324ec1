"""Comparisons of numbers that never change, as relations: coordinates, sizes and levels bind parameters as facts do.

Idea         a static fluent is an array with one axis for each parameter that it depends on; sums and products of such
             arrays, broadcast against each other, are the expression for every combination of objects
In, out      Compare, the types of all parameters -> Relation: the objects for which it holds, or has no value
Numbers      exact: scaled to 64-bit integers; where they do not fit, and with divisions, there is no relation
Cost         linear in the combinations of objects, and there is no relation for more than a given number of them: then
             whoever folds conditions decides it row by row
Not here     joining (joins), numbers that turn out constant only when all is instantiated (reach)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numbat.ground.columns import Mask
from numbat.ground.joins import Relation
from numbat.ground.statics import Statics
from numbat.task.lifted import Arguments, Compare, Expression, Fluent, LiftedTask, parameter

_LARGEST = 1 << 62
_HOLDS = {">=": np.greater_equal, ">": np.greater, "=": np.equal}


class _Values(NamedTuple):
    """Of a fluent, as multiples of 1 / denominator; those that are not known are 0."""

    numbers: NDArray[np.int64]
    known: Mask
    largest: int  # without its sign
    denominator: int


class StaticComparisons:
    """Relations with at most so many combinations to look at."""

    def __init__(self, task: LiftedTask, statics: Statics, most: int) -> None:
        self._types = task.types
        self._statics = statics
        self._most = most
        self._found: dict[tuple[Compare, tuple[int, ...]], Relation | None] = {}

    def relation(self, compare: Compare, types: tuple[int, ...]) -> Relation | None:
        """None if it is not one of static numbers, or too large."""
        key = compare, types
        if key not in self._found:
            self._found[key] = self._make(compare, types)
        return self._found[key]

    def _make(self, compare: Compare, types: tuple[int, ...]) -> Relation | None:
        expression = compare.expression
        fluents = dict.fromkeys((*expression.reads, *(f for term in expression.terms for f in term.factors)))
        own = sorted({-1 - term for fluent in fluents for term in fluent.arguments if term < 0})
        static = all(fluent.function in self._statics.functions for fluent in fluents)
        if not own or not static or any(term.divisors for term in expression.terms):
            return None
        domains = {p: self._types[types[p]] for p in own}
        if math.prod(map(len, domains.values())) > self._most:
            return None
        try:
            values = {fluent: self._values(fluent, domains) for fluent in fluents}
            total = _total(expression, values)
        except OverflowError:
            return None
        possible = _HOLDS[compare.relation](total, 0)
        for value in values.values():
            possible = possible | ~value.known
        shape = [len(domain) for domain in domains.values()]
        places = np.nonzero(np.broadcast_to(possible, shape))
        columns = [np.array(domain, dtype=np.int64)[at] for domain, at in zip(domains.values(), places, strict=True)]
        return Relation(tuple(map(parameter, own)), np.stack(columns, axis=1))

    def _values(self, fluent: Fluent, domains: Mapping[int, Sequence[int]]) -> _Values:
        """One axis for each parameter, of length 1 where the fluent does not depend on it. Raises OverflowError."""
        places = {p: {entry: at for at, entry in enumerate(domain)} for p, domain in domains.items()}
        found = {}
        for arguments, value in self._statics.values[fluent.function].items():
            bound = _bound(fluent.arguments, arguments)
            if bound is not None and all(entry in places[p] for p, entry in bound.items()):
                found[tuple(places[p][bound[p]] if p in bound else 0 for p in domains)] = Fraction(value)
        shape = [len(domain) if parameter(p) in fluent.arguments else 1 for p, domain in domains.items()]
        denominator = math.lcm(*(value.denominator for value in found.values()))
        largest = max((abs(int(value * denominator)) for value in found.values()), default=0)
        if largest >= _LARGEST:
            raise OverflowError
        numbers = np.zeros(shape, dtype=np.int64)
        known = np.full(shape, fluent.function in self._statics.counters)
        for at, value in found.items():
            numbers[at], known[at] = int(value * denominator), True
        return _Values(numbers, known, largest, denominator)


def _total(expression: Expression, values: Mapping[Fluent, _Values]) -> NDArray[np.int64]:
    """A positive multiple of the expression. Raises OverflowError."""
    scaled = [
        (term.coefficient / math.prod(values[factor].denominator for factor in term.factors), term.factors)
        for term in expression.terms
    ]
    unit = math.lcm(*(coefficient.denominator for coefficient, _ in scaled))
    total, largest = np.zeros((), dtype=np.int64), 0
    for coefficient, factors in scaled:
        whole = int(coefficient * unit)
        largest += abs(whole) * math.prod(values[factor].largest for factor in factors)
        if max(largest, abs(whole)) >= _LARGEST:
            raise OverflowError
        product = np.array(whole, dtype=np.int64)
        for factor in factors:
            product = product * values[factor].numbers
        total = total + product
    return total


def _bound(pattern: Arguments, arguments: Arguments) -> dict[int, int] | None:
    """What parameters must be for the pattern to become these arguments; None if nothing makes it so."""
    bound: dict[int, int] = {}
    for term, entry in zip(pattern, arguments, strict=True):
        if (term if term >= 0 else bound.setdefault(-1 - term, entry)) != entry:
            return None
    return bound
