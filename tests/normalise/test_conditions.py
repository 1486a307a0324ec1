"""Conditions: the passes and the lowering together keep the meaning and reach the promised form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal as OneOf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.errors import TooLarge
from numbat.normalise import implications, negation, quantifiers
from numbat.normalise.conditions import Reads, lower
from numbat.normalise.pipeline import PASSES
from numbat.pddl import tree
from numbat.task.conditions import FALSE, TRUE, negate
from numbat.task.lifted import And, Compare, Condition, Literal, Or, Same
from tests.normalise.semantics import Reading, State, all_comparisons_have_values, holds
from tests.normalise.strategies import HERE, OBJECTS, SCOPE, SYMBOLS, conditions, context, states

P_ONE = tree.Atom("p", ("one",), HERE)
Q = tree.Atom("q", (), HERE)


def lowered(node: tree.Condition, reads: Reads | None = None) -> Condition:
    shared = context()
    for rewrite in PASSES:
        node = rewrite(node, shared)
    return lower(node, SCOPE, shared, {} if reads is None else reads)


def parts(condition: Condition) -> Iterator[Condition]:
    yield condition
    if isinstance(condition, And | Or):
        for part in condition.parts:
            yield from parts(part)


@settings(max_examples=300, deadline=None)
@given(conditions(), states(), st.sampled_from(OBJECTS))
def test_the_truth_never_changes(node: tree.Condition, state: State, chosen: str) -> None:
    wanted = holds(node, {"?v": chosen}, state, SYMBOLS) is True
    assert Reading(SYMBOLS, (chosen,)).holds(lowered(node), state) == wanted


@settings(max_examples=300, deadline=None)
@given(conditions(), states(), st.sampled_from(OBJECTS))
def test_negated_it_holds_where_it_did_not(node: tree.Condition, state: State, chosen: str) -> None:
    reads: Reads = {}
    condition, reading = lowered(node, reads), Reading(SYMBOLS, (chosen,))
    if all(reading.has_value(expression, state) for expression in reads):
        assert reading.holds(negate(condition), state) != reading.holds(condition, state)


@settings(max_examples=300, deadline=None)
@given(conditions(), states(), st.sampled_from(OBJECTS))
def test_what_is_read_is_noted_even_where_it_is_simplified_away(
    node: tree.Condition, state: State, chosen: str
) -> None:
    reads: Reads = {}
    lowered(node, reads)
    reading = Reading(SYMBOLS, (chosen,))
    wanted = all_comparisons_have_values(node, {"?v": chosen}, state, SYMBOLS)
    assert all(reading.has_value(expression, state) for expression in reads) == wanted


@settings(max_examples=200, deadline=None)
@given(conditions())
def test_the_promised_form(node: tree.Condition) -> None:
    result = lowered(node)
    for part in parts(result):
        if isinstance(part, And | Or):
            assert not any(isinstance(inner, type(part)) for inner in part.parts)
            assert part is result or part.parts, "truth and falsity stand alone"
        if isinstance(part, Same):
            assert part.left != part.right
            assert min(part.left, part.right) < 0
        if isinstance(part, Compare):
            assert part.expression.reads


def test_implication() -> None:
    result = implications.rewrite(tree.Imply(P_ONE, Q, HERE), context())
    assert result == tree.Or((tree.Not(P_ONE, HERE), Q), HERE)
    assert isinstance(result, tree.Or)


@pytest.mark.parametrize(("relation", "opposite"), [("<", ">="), ("<=", ">"), (">", "<="), (">=", "<")])
def test_negated_comparison(relation: str, opposite: str) -> None:
    comparison = tree.Compare(relation, tree.Word("g", HERE), tree.Word("h", HERE), HERE)  # type: ignore[arg-type]
    assert negation.rewrite(tree.Not(comparison, HERE), context()) == comparison._replace(relation=opposite)


def test_negated_equality_of_numbers_is_a_disjunction_of_two() -> None:
    equality = tree.Compare("=", tree.Word("g", HERE), tree.Word("h", HERE), HERE)
    result = lowered(tree.Not(equality, HERE))
    assert isinstance(result, Or)
    assert [part.relation for part in result.parts if isinstance(part, Compare)] == [">", ">"]


def test_quantifier_over_objects_and_shadowing() -> None:
    variable = tree.TypedName("?x", ("digit",), HERE)
    inner = tree.Quantified("exists", (variable,), tree.Atom("p", ("?x",), HERE), HERE)
    outer = tree.Quantified("forall", (variable,), tree.Or((inner, tree.Atom("p", ("?x",), HERE)), HERE), HERE)
    one, two = Literal(0, (0,)), Literal(0, (1,))
    assert lowered(outer) == Or((one, two))


@pytest.mark.parametrize(("quantifier", "result"), [("forall", TRUE), ("exists", FALSE)])
def test_quantifier_over_an_empty_type(quantifier: OneOf["forall", "exists"], result: Condition) -> None:
    variable = tree.TypedName("?x", ("nothing",), HERE)
    assert lowered(tree.Quantified(quantifier, (variable,), Q, HERE)) == result


def test_quantifiers_are_counted_over_the_whole_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantifiers, "MAXIMUM_CONDITIONS", 10)
    shared = context()
    node = tree.Quantified("forall", (tree.TypedName("?x", (), HERE),), tree.Atom("p", ("?x",), HERE), HERE)
    for _ in range(3):
        quantifiers.rewrite(node, shared)
    with pytest.raises(TooLarge) as caught:
        quantifiers.rewrite(node, shared)
    assert caught.value.span == HERE


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [("one", "one", TRUE), ("one", "two", FALSE), ("?v", "?v", TRUE), ("?v", "one", Same(-1, 0))],
)
def test_equality_of_objects(left: str, right: str, result: Condition) -> None:
    equality = tree.Compare("=", tree.Word(left, HERE), tree.Word(right, HERE), HERE)
    assert lowered(equality) == result
