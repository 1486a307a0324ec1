"""A formula for any solver: clauses, guarded linear rows and products over Booleans and bounded integers.

Literals     a Boolean variable v is the literal v, its negation ~v. Variable 0 is true: TRUE = 0, FALSE = ~0
Rows         if all guards are true, then low <= sum(coefficient * variable) <= high
Objective    soft: true literals with weights, and integers that should be small
Bounds       every integer has them, so that "infeasible" is said of these bounds only and proves nothing
Gate         FormulaTooLarge as soon as a row could leave 62 bits, or there are more variables or nonzeros than allowed
Not here     what the variables mean (encode), solvers (backends)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

TRUE = 0
FALSE = ~0
LARGEST_SUM = 1 << 62


class FormulaTooLarge(Exception):
    """The formula would be larger than a solver can be expected to answer; says why."""


class Expression(NamedTuple):
    """A linear expression over the variables of a formula."""

    terms: dict[int, int]
    constant: int

    def plus(self, other: Expression, factor: int = 1) -> Expression:
        if not other.terms:
            return Expression(self.terms, self.constant + factor * other.constant)
        terms = dict(self.terms)
        for variable, coefficient in other.terms.items():
            total = terms.get(variable, 0) + factor * coefficient
            if total:
                terms[variable] = total
            else:
                terms.pop(variable, None)
        return Expression(terms, self.constant + factor * other.constant)


def constant(value: int) -> Expression:
    return Expression({}, value)


def variable(number: int) -> Expression:
    return Expression({number: 1}, 0)


def truth(literal: int) -> Expression:
    """1 where the literal is true, 0 where it is false."""
    if literal in (TRUE, FALSE):
        return constant(int(literal == TRUE))
    return Expression({literal: 1}, 0) if literal >= 0 else Expression({~literal: -1}, 1)


class Row(NamedTuple):
    """See the module's docstring; no guard is TRUE."""

    guards: tuple[int, ...]
    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None


class Product(NamedTuple):
    """target = factor * amount."""

    target: int
    factor: int
    amount: Expression


@dataclass(frozen=True, slots=True)
class Size:
    """How large a formula may become, and how often an action may be executed at one position."""

    runs: int = 1 << 20
    positions: int = 25_000
    variables: int = 250_000
    nonzeros: int = 1_000_000


@dataclass(slots=True)
class Formula:
    """Grows by its methods; simplifies what is known at once."""

    limit: Size
    lower: list[int] = field(default_factory=lambda: [1])
    upper: list[int] = field(default_factory=lambda: [1])
    boolean: bytearray = field(default_factory=lambda: bytearray([1]))
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    soft: list[tuple[int, int]] = field(default_factory=list)  # literal, weight
    costs: list[tuple[int, int]] = field(default_factory=list)  # integer variable, weight
    hints: dict[int, int] = field(default_factory=dict)  # variable, value in a solution that is known
    nonzeros: int = 0
    contradiction: bool = False

    # --- variables ---

    def new_boolean(self) -> int:
        number = self.new_integer(0, 1)
        self.boolean[number] = 1
        return number

    def new_integer(self, lower: int, upper: int) -> int:
        if len(self.lower) >= self.limit.variables:
            raise FormulaTooLarge(f"more than {self.limit.variables} variables")
        self.lower.append(lower)
        self.upper.append(upper)
        self.boolean.append(0)
        return len(self.lower) - 1

    def named(self, expression: Expression, lower: int, upper: int) -> Expression:
        """A new integer between the bounds that is equal to the expression."""
        name = variable(self.new_integer(lower, upper))
        self.add_row((), name.plus(expression, -1), 0, 0)
        return name

    def range(self, expression: Expression) -> tuple[int, int]:
        low = high = expression.constant
        for number, coefficient in expression.terms.items():
            a, b = coefficient * self.lower[number], coefficient * self.upper[number]
            low += min(a, b)
            high += max(a, b)
        return low, high

    # --- constraints ---

    def add_clause(self, literals: Iterable[int]) -> None:
        """At least one of them is true."""
        kept = dict.fromkeys(literal for literal in literals if literal != FALSE)
        if TRUE in kept or any(~literal in kept for literal in kept):
            return
        if not kept:
            self.contradiction = True
        self._count(len(kept))
        self.clauses.append(tuple(kept))

    def add_row(self, guards: Sequence[int], expression: Expression, low: int | None, high: int | None) -> None:
        """If all guards are true, the expression lies between the two bounds."""
        least, most = self.range(expression)
        if max(-least, most) >= LARGEST_SUM:
            raise FormulaTooLarge("numbers beyond 62 bits")
        if (low is None or least >= low) and (high is None or most <= high):
            return
        if (low is not None and most < low) or (high is not None and least > high):
            self.add_clause(~guard for guard in guards)
            return
        if FALSE in guards:
            return
        self._count(len(expression.terms) + len(guards))
        shift = expression.constant
        self.rows.append(
            Row(
                tuple(guard for guard in guards if guard != TRUE),
                tuple(expression.terms.items()),
                None if low is None else low - shift,
                None if high is None else high - shift,
            )
        )

    def add_product(self, factor: int, amount: Expression) -> int:
        """A new variable that is factor * amount."""
        if len(amount.terms) > 1:
            amount = self.named(amount, *self.range(amount))
        corners = [f * a for f in (self.lower[factor], self.upper[factor]) for a in self.range(amount)]
        if max(map(abs, corners)) >= LARGEST_SUM:
            raise FormulaTooLarge("products beyond 62 bits")
        self._count(len(amount.terms) + 2)
        target = self.new_integer(min(corners), max(corners))
        self.products.append(Product(target, factor, amount))
        return target

    def _count(self, nonzeros: int) -> None:
        self.nonzeros += nonzeros
        if self.nonzeros > self.limit.nonzeros:
            raise FormulaTooLarge(f"more than {self.limit.nonzeros} nonzeros")

    # --- gates: a literal that is equivalent to the given ones together ---

    def all_of(self, literals: Iterable[int]) -> int:
        return ~self.any_of(~literal for literal in literals)

    def any_of(self, literals: Iterable[int]) -> int:
        kept = dict.fromkeys(literal for literal in literals if literal != FALSE)
        if TRUE in kept or any(~literal in kept for literal in kept):
            return TRUE
        if len(kept) < 2:
            return next(iter(kept), FALSE)
        gate = self.new_boolean()
        self.add_clause([~gate, *kept])
        for literal in kept:
            self.add_clause([gate, ~literal])
        return gate
