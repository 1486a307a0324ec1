"""Numeric expressions as sums of terms with exact coefficients.

In, out      tree.Expression → lifted.Expression, once per lifted expression
Direct       sums, differences, multiples, products with at most one sum and quotients are collected right here
sympy        expands products of several sums. Importing it takes 0.4 s, so it is imported when the first such product
             is met, and each shape of product is expanded once, whatever its fluents are called
Quotients    a divisor that is not a number stays a divisor, and is never cancelled: it may turn out to be zero
Guarantee    like terms are merged, in the order of their first mention; `reads` lists what was mentioned at all. The
             sum is the one that sympy gives (polynomial.py); the tests compare them
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from math import prod
from typing import Any

from numbat.errors import Span, TooLarge, UnsupportedFeature
from numbat.normalise.context import Context, Scope
from numbat.pddl import tree
from numbat.task.lifted import Expression, Fluent, Term

MAXIMUM_TERMS = 10_000
MAXIMUM_FACTORS = 100  # of one term, divisors included
MAXIMUM_BITS = 1000  # of a coefficient's numerator and denominator, so that both are doubles

Monomial = tuple[tuple[Fluent, ...], tuple[Expression, ...]]  # factors, divisors
Rational = int | Fraction  # ints as long as they suffice: they are many times faster
Polynomial = dict[Monomial, Rational]
Shape = tuple[tuple[tuple[int, ...], Rational], ...]  # exponents of the generators, coefficient

_ONE: Monomial = ((), ())


def linear(node: tree.Expression, scope: Scope, context: Context, span: Span) -> Expression:
    """The expression as a sum of terms; `span` is the place to name if it is found to be non-linear later."""
    reads: dict[Fluent, None] = {}
    return _expression(_Collector(scope, context, reads).polynomial(node), reads, span)


def difference(left: tree.Expression, right: tree.Expression, scope: Scope, context: Context, span: Span) -> Expression:
    """left - right as a sum of terms."""
    return linear(tree.Arithmetic("-", (left, right), span), scope, context, span)


def _expression(polynomial: Polynomial, reads: dict[Fluent, None], span: Span) -> Expression:
    terms = [
        Term(_fraction(coefficient), factors, divisors)
        for (factors, divisors), coefficient in polynomial.items()
        if coefficient
    ]
    if any(divisors for _, divisors in polynomial):
        terms.extend(_cancelled_divisors(polynomial))
    return Expression(tuple(terms), tuple(reads), span)


def _cancelled_divisors(polynomial: Polynomial) -> list[Term]:
    """0 / d for every divisor d whose terms have all cancelled out: d must not be zero all the same."""
    kept = {divisor for (_, divisors), coefficient in polynomial.items() if coefficient for divisor in divisors}
    every = dict.fromkeys(divisor for _, divisors in polynomial for divisor in divisors)
    return [Term(Fraction(0), (), (divisor,)) for divisor in every if divisor not in kept]


@lru_cache(maxsize=1024)
def _fraction(value: Rational) -> Fraction:
    return Fraction(value)


class _Collector:
    """Turns one expression into a polynomial over fluents and divisors."""

    def __init__(self, scope: Scope, context: Context, reads: dict[Fluent, None]) -> None:
        self._scope = scope
        self._context = context
        self._reads = reads

    def polynomial(self, node: tree.Expression) -> Polynomial:
        """The expression with like terms merged; terms that cancelled out remain, with coefficient 0."""
        result: Polynomial = {}
        self._add(node, 1, result)
        return result

    def _add(self, node: tree.Expression, scale: Rational, result: Polynomial) -> None:
        """Add scale * node to the result."""
        match node:
            case tree.Number():
                _merge(result, _ONE, scale * node.value, node.span)
            case tree.Atom():
                self._add_fluent(self._context.fluent(node.name, node.arguments, self._scope), scale, result, node.span)
            case tree.Word():
                self._add_fluent(self._context.fluent(node.name, (), self._scope), scale, result, node.span)
            case tree.Arithmetic(operator="+" | "-"):
                negative = -scale if node.operator == "-" else scale
                first, *others = node.operands
                self._add(first, scale if others else negative, result)
                for operand in others:
                    self._add(operand, negative, result)
            case tree.Arithmetic():
                combined = self._product(node) if node.operator == "*" else self._quotient(node)
                for monomial, coefficient in combined.items():
                    _merge(result, monomial, _bounded(scale * coefficient, node.span), node.span)

    def _add_fluent(self, fluent: Fluent, scale: Rational, result: Polynomial, span: Span) -> None:
        self._reads[fluent] = None
        _merge(result, ((fluent,), ()), scale, span)

    def _product(self, node: tree.Arithmetic) -> Polynomial:
        """The sums among the operands are expanded by sympy if there is more than one; the rest is one monomial."""
        polynomials = [self.polynomial(operand) for operand in node.operands]
        if sum(map(_degree, polynomials)) > MAXIMUM_FACTORS:
            raise TooLarge(f"a product of more than {MAXIMUM_FACTORS} factors", node.span)
        sums = [polynomial for polynomial in polynomials if len(polynomial) > 1]
        if prod(map(len, sums)) > MAXIMUM_TERMS:
            raise TooLarge(f"the product of sums has more than {MAXIMUM_TERMS} terms", node.span)
        result: Polynomial = _expand(sums) if len(sums) > 1 else sums[0] if sums else {_ONE: 1}
        for polynomial in polynomials:
            if len(polynomial) == 1:
                ((factors, divisors), coefficient) = next(iter(polynomial.items()))
                result = {
                    (_sorted(own + factors), _sorted_divisors(own_divisors + divisors)): _bounded(
                        value * coefficient, node.span
                    )
                    for (own, own_divisors), value in result.items()
                }
        return result

    def _quotient(self, node: tree.Arithmetic) -> Polynomial:
        dividend, *operands = node.operands
        result = self.polynomial(dividend)
        for operand in operands:
            reads: dict[Fluent, None] = {}
            polynomial = _Collector(self._scope, self._context, reads).polynomial(operand)
            self._reads.update(reads)
            divisor = _ordered(_expression(polynomial, reads, node.span))
            value = _constant(divisor)
            if not value:  # not a number, or zero: without a value where it is read
                result = {
                    (own, _sorted_divisors((*others, divisor))): coefficient
                    for (own, others), coefficient in result.items()
                }
            else:
                result = {monomial: _bounded(part / value, node.span) for monomial, part in result.items()}
        return result


def _degree(polynomial: Polynomial) -> int:
    return max(len(factors) + len(divisors) for factors, divisors in polynomial)


def _constant(expression: Expression) -> Fraction | None:
    """The value of an expression whose fluents have all cancelled out, else None."""
    if any(term.factors or term.divisors for term in expression.terms):
        return None
    return sum((term.coefficient for term in expression.terms), Fraction(0))


def _merge(polynomial: Polynomial, monomial: Monomial, coefficient: Rational, span: Span) -> None:
    known = polynomial.get(monomial)
    polynomial[monomial] = coefficient if known is None else _bounded(known + coefficient, span)


def _bounded(value: Rational, span: Span) -> Rational:
    if value.numerator.bit_length() > MAXIMUM_BITS or value.denominator.bit_length() > MAXIMUM_BITS:
        raise UnsupportedFeature(f"a coefficient of more than {MAXIMUM_BITS} bits", span)
    return value


def _sorted(factors: tuple[Fluent, ...]) -> tuple[Fluent, ...]:
    """One order for the factors of a product, so that x*y and y*x are like terms."""
    if len(factors) < 2:
        return factors
    return tuple(sorted(factors, key=_fluent_order))


def _sorted_divisors(divisors: tuple[Expression, ...]) -> tuple[Expression, ...]:
    return divisors if len(divisors) < 2 else tuple(sorted(divisors, key=_terms_order))


def _ordered(divisor: Expression) -> Expression:
    """One order for the terms of a divisor, so that x/(a+b) and x/(b+a) are like terms."""
    terms = tuple(sorted(divisor.terms, key=_term_order))
    return Expression(terms, tuple(sorted(divisor.reads, key=_fluent_order)), divisor.span)


def _terms_order(expression: Expression) -> tuple[Any, ...]:
    return tuple(map(_term_order, expression.terms)), tuple(map(_fluent_order, expression.reads))


def _term_order(term: Term) -> tuple[Any, ...]:
    return tuple(map(_fluent_order, term.factors)), tuple(map(_terms_order, term.divisors)), term.coefficient


def _fluent_order(fluent: Fluent) -> tuple[Any, ...]:
    return fluent.function, fluent.arguments


# --- products of sums ------------------------------------------------------------------------------------------------


def _expand(sums: list[Polynomial]) -> Polynomial:
    """The product of several sums: every fluent and every divisor is a generator of a polynomial ring.

    sympy drops what is zero; divisors come back as 0 / d.
    """
    parts = list(dict.fromkeys(part for polynomial in sums for monomial in polynomial for part in _parts(monomial)))
    generators = {part: number for number, part in enumerate(parts)}
    result: Polynomial = {}
    for exponents, coefficient in _expand_shape(tuple(_shape(polynomial, generators) for polynomial in sums)):
        powers = [part for part, exponent in zip(parts, exponents, strict=True) for _ in range(exponent)]
        factors = tuple(part for part in powers if isinstance(part, Fluent))
        divisors = tuple(part for part in powers if isinstance(part, Expression))
        result[_sorted(factors), _sorted_divisors(divisors)] = coefficient
    for part in parts:
        if isinstance(part, Expression):
            result.setdefault(((), (part,)), 0)
    return result or {_ONE: 0}


def _parts(monomial: Monomial) -> Iterator[Fluent | Expression]:
    yield from monomial[0]
    yield from monomial[1]


def _shape(polynomial: Polynomial, generators: dict[Fluent | Expression, int]) -> Shape:
    rows: dict[tuple[int, ...], Rational] = {}
    for monomial, coefficient in polynomial.items():
        counts = [0] * len(generators)
        for part in _parts(monomial):
            counts[generators[part]] += 1
        exponents = tuple(counts)  # the same for x/a/b and x/b/a
        rows[exponents] = rows.get(exponents, 0) + coefficient
    return tuple(rows.items())


@cache
def _expand_shape(sums: tuple[Shape, ...]) -> Shape:
    import sympy  # type: ignore[import-untyped]  # 0.4 s, and seldom needed

    generators = sympy.symbols(f"g:{len(sums[0][0][0])}")
    polynomials = [
        sympy.Poly.from_dict(
            {exponents: sympy.Rational(value.numerator, value.denominator) for exponents, value in shape}, *generators
        )
        for shape in sums
    ]
    return tuple((exponents, Fraction(int(value.p), int(value.q))) for exponents, value in prod(polynomials).terms())
