"""Numeric expressions: sums of terms with exact coefficients."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numbat.errors import TooLarge
from numbat.normalise import linear as linear_module
from numbat.normalise.linear import MAXIMUM_FACTORS, MAXIMUM_TERMS, linear
from numbat.pddl import tree
from numbat.task.lifted import Expression, Fluent, Term
from tests.normalise.semantics import Reading, State, Undefined, value
from tests.normalise.strategies import HERE, OBJECTS, SCOPE, SYMBOLS, context, expressions, states

G, H = Fluent(1, ()), Fluent(2, ())
F_ONE = Fluent(0, (0,))


def number(text: str) -> tree.Number:
    return tree.Number(Fraction(text), HERE)


def op(operator: str, *operands: tree.Expression) -> tree.Arithmetic:
    return tree.Arithmetic(operator, operands, HERE)  # type: ignore[arg-type]


g, h, f_one = tree.Word("g", HERE), tree.Atom("h", (), HERE), tree.Atom("f", ("one",), HERE)


def normal(node: tree.Expression) -> Expression:
    return linear(node, SCOPE, context(), HERE)


def sum_of(node: tree.Expression) -> dict[tuple[Fluent, ...], Fraction]:
    """The terms of an expression without divisors."""
    terms = normal(node).terms
    assert not any(term.divisors for term in terms)
    return {term.factors: term.coefficient for term in terms}


@pytest.mark.parametrize(
    ("node", "terms"),
    [
        (number("1.05"), {(): Fraction(21, 20)}),
        (op("+", g, g), {(G,): Fraction(2)}),
        (op("-", g), {(G,): Fraction(-1)}),
        (op("-", g, h, number("1")), {(G,): Fraction(1), (H,): Fraction(-1), (): Fraction(-1)}),
        (op("-", g, g), {}),
        (op("*", number("0.1"), op("*", number("4"), g)), {(G,): Fraction(2, 5)}),
        (op("/", g, number("3")), {(G,): Fraction(1, 3)}),
        (op("/", g, number("3"), number("0.5")), {(G,): Fraction(2, 3)}),
        (op("*", h, g), {(G, H): Fraction(1)}),
        (op("*", op("-", g, h), f_one), {(F_ONE, G): Fraction(1), (F_ONE, H): Fraction(-1)}),
        (op("*", op("+", g, h), op("-", g, h)), {(G, G): Fraction(1), (H, H): Fraction(-1)}),
        (op("*", op("+", g, number("1")), op("+", g, number("1"))), {(G, G): 1, (G,): 2, (): 1}),
    ],
)
def test_terms(node: tree.Expression, terms: dict[tuple[Fluent, ...], Fraction]) -> None:
    assert sum_of(node) == terms


def test_cancelled_fluents_are_still_read() -> None:
    expression = normal(op("+", op("*", number("0"), g), op("-", h, h)))
    assert expression.terms == ()
    assert expression.reads == (G, H)


def test_divisors_are_kept_even_when_their_terms_cancel() -> None:
    quotient = op("/", h, g)
    (term,) = normal(op("-", quotient, quotient)).terms
    assert term.coefficient == 0
    assert term.divisors == (Expression((Term(Fraction(1), (G,)),), (G,), HERE),)


def test_divisors_survive_sympy() -> None:
    nothing = op("-", op("+", g, h), g, h)
    for factor in (op("+", nothing, number("1")), nothing):
        expression = normal(op("*", op("+", op("/", op("-", g, g), h), number("1")), op("+", factor, g)))
        assert [divisor.reads for term in expression.terms for divisor in term.divisors] == [(H,)]


def test_the_order_of_divisors_does_not_matter_to_sympy() -> None:
    node = op("*", op("+", op("/", f_one, g, h), op("/", f_one, h, g)), op("+", f_one, number("1")))
    state: State = {("f", ("one",)): Fraction(3), ("g", ()): Fraction(2), ("h", ()): Fraction(5)}
    assert Reading(SYMBOLS, ("one",)).value(normal(node), state) == value(node, {}, state) == Fraction(12, 5)


def test_long_products_are_refused() -> None:
    with pytest.raises(TooLarge):
        normal(op("*", *[g] * (MAXIMUM_FACTORS + 1)))


@pytest.mark.parametrize("zero", [number("0"), op("-", h, h)])
def test_a_zero_stays_a_divisor(zero: tree.Expression) -> None:
    """Whoever reads the quotient finds that it has no value; whoever does not needs no value."""
    (term,) = normal(op("/", g, zero)).terms
    assert [divisor.terms for divisor in term.divisors] == [()]


def test_large_products_are_refused_before_they_are_built() -> None:
    sums = [op("+", g, number(str(n))) for n in range(MAXIMUM_TERMS.bit_length())]
    with pytest.raises(TooLarge):
        normal(op("*", *sums))


def test_a_shape_is_expanded_once() -> None:
    linear_module._expand_shape.cache_clear()
    for left, right in ((g, h), (h, g), (f_one, h)):
        normal(op("*", op("+", left, number("2")), op("-", right, left)))
    assert linear_module._expand_shape.cache_info().misses == 1


def test_sympy_is_imported_only_for_products_of_sums() -> None:
    program = """if True:
        import sys
        from tests.normalise.test_linear import f_one, g, h, normal, number, op
        normal(op("*", op("-", g, h), f_one, number("2")))
        normal(op("/", op("-", g, h), op("+", g, h)))
        assert "sympy" not in sys.modules
        normal(op("*", op("-", g, h), op("+", g, h)))
        assert "sympy" in sys.modules
    """
    subprocess.run([sys.executable, "-c", program], check=True)


@settings(max_examples=300, deadline=None)
@given(expressions(), states(), st.sampled_from(OBJECTS))
@example(op("*", number("0"), op("/", g, h)), {("g", ()): Fraction(1), ("h", ()): Fraction(0)}, "one")
def test_the_value_never_changes(node: tree.Expression, state: State, chosen: str) -> None:
    expression = normal(node)
    reading = Reading(SYMBOLS, (chosen,))
    try:
        wanted = value(node, {"?v": chosen}, state)
    except Undefined:
        with pytest.raises(Undefined):
            reading.value(expression, state)
    else:
        assert reading.value(expression, state) == wanted


@settings(max_examples=200, deadline=None)
@given(expressions())
def test_like_terms_are_merged(node: tree.Expression) -> None:
    expression = normal(node)
    keys = [(term.factors, term.divisors) for term in expression.terms]
    assert len(set(keys)) == len(keys)
    assert all(term.coefficient or term.divisors for term in expression.terms)
    assert {factor for term in expression.terms for factor in term.factors} <= set(expression.reads)
