"""Normal forms by sympy: what an expression is as a polynomial, to be shown and to hold linear.py to.

In, out      tree.Expression → sympy.Poly over its fluents, with rational coefficients
Generators   a symbol for each fluent, fuel(?v), and one for each divisor that is not a number, 1/(fuel(?v) + 2): a
             quotient is never cancelled, since its divisor may turn out to be zero
Cost         0.4 s to import sympy, so only `numbat inspect --expressions` and the tests come here
Not here     the same for planning: linear.py, which the tests prove equal
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub
from typing import Any, NamedTuple

import sympy  # type: ignore[import-untyped]

from numbat.errors import Span
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols

_OPERATORS = {"+": add, "-": sub, "*": mul}


class NormalForm(NamedTuple):
    """An expression as it is written, where, and what it comes to."""

    span: Span
    written: str
    normal: str


def polynomial(node: tree.Expression) -> Any:
    """The expression as sympy's polynomial; Poly is untyped."""
    expression = _symbolic(node)
    generators = sorted(expression.free_symbols, key=str) or [sympy.Dummy()]  # of a number: none, but Poly wants one
    return sympy.Poly(expression, *generators, domain="QQ")


def _symbolic(node: tree.Expression) -> Any:
    match node:
        case tree.Number():
            return sympy.Rational(node.value.numerator, node.value.denominator)
        case tree.Word():
            return sympy.Symbol(node.name)
        case tree.Atom():
            return sympy.Symbol(f"{node.name}({', '.join(node.arguments)})" if node.arguments else node.name)
        case tree.Arithmetic(operator="-", operands=(operand,)):
            return -_symbolic(operand)
        case tree.Arithmetic(operator="/"):
            dividend, *divisors = node.operands
            return reduce(mul, map(_inverse, divisors), _symbolic(dividend))
        case tree.Arithmetic():
            return reduce(_OPERATORS[node.operator], map(_symbolic, node.operands))


def _inverse(divisor: tree.Expression) -> Any:
    """1 / divisor; a divisor that may be zero is a generator of its own, named after its normal form."""
    form = polynomial(divisor).as_expr()
    return 1 / form if form.is_number and form != 0 else sympy.Symbol(f"1/({form})")


# --- all expressions of a task ---------------------------------------------------------------------------------------


def normal_forms(domain: tree.Domain, problem: tree.Problem) -> Iterator[NormalForm]:
    """Every comparison, numeric effect and metric in the order of the files, each as written and in normal form."""
    for node in numeric_nodes(domain, problem, Symbols(domain, problem, warnings=[])):
        match node:
            case tree.Compare():
                written = f"({node.relation} {_text(node.left)} {_text(node.right)})"
                difference = polynomial(tree.Arithmetic("-", (node.left, node.right), node.span))
                yield NormalForm(node.span, written, f"{difference.as_expr()} {node.relation} 0")
            case tree.Change():
                written = f"({node.operator} {_text(node.fluent)} {_text(node.expression)})"
                yield NormalForm(node.span, written, str(polynomial(node.expression).as_expr()))
            case tree.Metric():
                written = f"(:metric {node.direction} {_text(node.expression)})"
                yield NormalForm(node.span, written, str(polynomial(node.expression).as_expr()))


def numeric_nodes(
    domain: tree.Domain, problem: tree.Problem, symbols: Symbols
) -> Iterator[tree.Compare | tree.Change | tree.Metric]:
    """Where a task computes."""
    parts = [part for action in domain.actions for part in (action.precondition, action.effect)]
    for part in (*parts, problem.goal):
        for node in _within(part):
            if isinstance(node, tree.Change) or not symbols.between_objects(node):
                yield node
    if problem.metric:
        yield problem.metric


def _within(node: tree.Condition | tree.Effect) -> Iterator[tree.Compare | tree.Change]:
    match node:
        case tree.Compare() | tree.Change():
            yield node
        case tree.And() | tree.Or() | tree.Effects():
            for part in node.parts:
                yield from _within(part)
        case tree.Not() | tree.Quantified():
            yield from _within(node.part)
        case tree.Imply():
            yield from _within(node.premise)
            yield from _within(node.conclusion)
        case tree.When():
            yield from _within(node.condition)
            yield from _within(node.effect)
        case tree.ForAll():
            yield from _within(node.effect)


def _text(node: tree.Expression) -> str:
    """The expression as PDDL."""
    match node:
        case tree.Number():
            return _decimal(node.value)
        case tree.Word():
            return node.name
        case tree.Atom():
            return f"({' '.join((node.name, *node.arguments))})"
        case tree.Arithmetic():
            return f"({' '.join((node.operator, *map(_text, node.operands)))})"


def _decimal(value: Fraction) -> str:
    """Digits, as PDDL has no fractions; every number of a PDDL file has finitely many."""
    digits = 0
    while (value * 10**digits).denominator > 1:
        digits += 1
    whole = str(abs(value.numerator) * 10**digits // value.denominator).zfill(digits + 1)
    text = f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole
    return f"-{text}" if value < 0 else text
