"""Conditions of the syntax tree become conditions of the LiftedTask: names to numbers, expressions to linear form.

Needs        negation normal form without quantifiers and implications
Simplified   what needs no state is decided: equalities of known objects, comparisons of numbers; and what follows from
             that (numbat.task.conditions)
Reads        every numeric expression is noted before anything is simplified away, since it must have a value
"""

from __future__ import annotations

from fractions import Fraction

from numbat.normalise.context import Context, Scope
from numbat.normalise.linear import difference
from numbat.pddl import tree
from numbat.task.conditions import FALSE, TRUE, conjunction, disjunction
from numbat.task.lifted import Compare, Condition, Expression, Literal, Same

Reads = dict[Expression, None]  # in the order of the text


def lower(node: tree.Condition, scope: Scope, context: Context, reads: Reads) -> Condition:
    """The condition in the vocabulary of numbat.task.lifted; the expressions it mentions are added to `reads`."""
    match node:
        case tree.Atom():
            return literal(node, scope, context)
        case tree.Compare():
            if context.symbols.between_objects(node):
                return _same(node, scope, context)
            return _compare(node, scope, context, reads)
        case tree.And():
            return conjunction([lower(part, scope, context, reads) for part in node.parts])
        case tree.Or():
            return disjunction([lower(part, scope, context, reads) for part in node.parts])
        case tree.Not(part=tree.Atom() as atom):
            return literal(atom, scope, context, negated=True)
        case tree.Not(part=tree.Compare() as comparison):
            return _same(comparison, scope, context, negated=True)
        case _:
            raise AssertionError(f"an earlier pass left {type(node).__name__}")


def literal(atom: tree.Atom, scope: Scope, context: Context, negated: bool = False) -> Literal:
    """predicate(arguments), or its negation."""
    arguments = tuple([context.term(argument, scope) for argument in atom.arguments])
    return Literal(context.symbols.predicate_numbers[atom.name], arguments, negated)


def _same(node: tree.Compare, scope: Scope, context: Context, negated: bool = False) -> Condition:
    assert isinstance(node.left, tree.Word | tree.Number) and isinstance(node.right, tree.Word | tree.Number)
    left, right = context.term(node.left.name, scope), context.term(node.right.name, scope)
    if left == right or (left >= 0 and right >= 0):
        return TRUE if (left == right) != negated else FALSE
    return Same(left, right, negated)


def _compare(node: tree.Compare, scope: Scope, context: Context, reads: Reads) -> Condition:
    left, right = (node.right, node.left) if node.relation in ("<", "<=") else (node.left, node.right)
    expression = difference(left, right, scope, context, node.span)
    result = Compare(expression, "=" if node.relation == "=" else ">=" if node.relation in ("<=", ">=") else ">")
    if not expression.reads and not any(term.divisors for term in expression.terms):
        return _decide(result)
    reads[expression] = None
    return result


def _decide(comparison: Compare) -> Condition:
    """A comparison of numbers only."""
    value = sum((term.coefficient for term in comparison.expression.terms), Fraction(0))
    holds = value == 0 if comparison.relation == "=" else value > 0 or (value == 0 and comparison.relation == ">=")
    return TRUE if holds else FALSE
