"""Small rewritings of lifted conditions and expressions: negate, bind parameters to objects, conjoin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from numbat.task.lifted import And, Compare, Condition, Expression, Fluent, Literal, NumericEffect, Or, Same, Term

TRUTH = And(())
FALSITY = Or(())
Binding = Mapping[int, int]  # term -> term; what is missing stays


def negate(condition: Condition) -> Condition:
    match condition:
        case Literal() | Same():
            return replace(condition, negated=not condition.negated)
        case Compare(expression=expression, relation="="):
            return Or((Compare(expression, ">"), Compare(opposite(expression), ">")))
        case Compare(expression=expression, relation=relation):
            return Compare(opposite(expression), ">" if relation == ">=" else ">=")
        case And(parts=parts):
            return disjoin(*map(negate, parts))
        case Or(parts=parts):
            return conjoin(*map(negate, parts))


def opposite(expression: Expression) -> Expression:
    return replace(expression, terms=tuple(replace(term, coefficient=-term.coefficient) for term in expression.terms))


def conjoin(*parts: Condition) -> Condition:
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,)))
    return flat[0] if len(flat) == 1 else And(flat)


def disjoin(*parts: Condition) -> Condition:
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,)))
    return flat[0] if len(flat) == 1 else Or(flat)


def bind(condition: Condition, binding: Binding) -> Condition:
    match condition:
        case Literal(arguments=arguments):
            return replace(condition, arguments=bind_terms(arguments, binding))
        case Same(left=left, right=right):
            left, right = bind_terms((left, right), binding)
            return replace(condition, left=left, right=right)
        case Compare(expression=expression):
            return replace(condition, expression=bind_expression(expression, binding))
        case And(parts=parts):
            return And(tuple(bind(part, binding) for part in parts))
        case Or(parts=parts):
            return Or(tuple(bind(part, binding) for part in parts))


def bind_terms(terms: tuple[int, ...], binding: Binding) -> tuple[int, ...]:
    return tuple(binding.get(term, term) for term in terms)


def bind_fluent(fluent: Fluent, binding: Binding) -> Fluent:
    return Fluent(fluent.function, bind_terms(fluent.arguments, binding))


def bind_expression(expression: Expression, binding: Binding) -> Expression:
    terms = (
        Term(
            term.coefficient,
            tuple(bind_fluent(factor, binding) for factor in term.factors),
            tuple(bind_expression(divisor, binding) for divisor in term.divisors),
        )
        for term in expression.terms
    )
    return Expression(tuple(terms), tuple(bind_fluent(f, binding) for f in expression.reads), expression.span)


def bind_numeric(effect: NumericEffect, binding: Binding) -> NumericEffect:
    return replace(
        effect,
        fluent=bind_fluent(effect.fluent, binding),
        expression=bind_expression(effect.expression, binding),
        factor=bind_expression(effect.factor, binding) if effect.factor else None,
    )
