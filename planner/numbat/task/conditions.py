"""The algebra of lifted conditions: and, or, not, and parameters bound to objects.

Simplified   nested conjunctions and disjunctions are flattened, repeated parts go; a false part makes a conjunction
             false, a true one a disjunction true; one part alone is that part
Not here     conditions of the text, which have places (numbat.normalise.negation), ground ones (numbat.ground.pools)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from numbat.task.lifted import And, Compare, Condition, Expression, Fluent, Literal, NumericEffect, Or, Same, Term

TRUE = And(())
FALSE = Or(())
Binding = Mapping[int, int]  # term -> term; what is missing stays


def is_true(condition: Condition) -> bool:
    """The empty conjunction."""
    return isinstance(condition, And) and not condition.parts


def is_false(condition: Condition) -> bool:
    """The empty disjunction."""
    return isinstance(condition, Or) and not condition.parts


def conjunction(parts: Iterable[Condition]) -> Condition:
    """All of these."""
    flat: list[Condition] = []
    for part in parts:
        if is_false(part):
            return FALSE
        flat.extend(part.parts if isinstance(part, And) else (part,))
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else And(distinct)


def disjunction(parts: Iterable[Condition]) -> Condition:
    """At least one of these."""
    flat: list[Condition] = []
    for part in parts:
        if is_true(part):
            return TRUE
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else Or(distinct)


def negate(condition: Condition) -> Condition:
    """Holds where the condition does not, provided that what both read has a value."""
    match condition:
        case Literal() | Same():
            return replace(condition, negated=not condition.negated)
        case Compare(expression=expression, relation="="):
            return Or((Compare(expression, ">"), Compare(opposite(expression), ">")))
        case Compare(expression=expression, relation=relation):
            return Compare(opposite(expression), ">" if relation == ">=" else ">=")
        case And(parts=parts):
            return disjunction(map(negate, parts))
        case Or(parts=parts):
            return conjunction(map(negate, parts))


def opposite(expression: Expression) -> Expression:
    return replace(expression, terms=tuple(replace(term, coefficient=-term.coefficient) for term in expression.terms))


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
