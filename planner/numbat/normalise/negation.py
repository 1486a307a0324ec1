"""Negation normal form: afterwards (not ...) stands only before atoms and before equalities of objects.

Numbers      (not (>= a b)) becomes (< a b); (not (= a b)) becomes (or (< a b) (> a b)). Both sides are still read, so a
             comparison of something undefined holds neither with nor without the negation.
Needs        no implications
"""

from __future__ import annotations

from typing import Literal as OneOf

from numbat.normalise.context import Context
from numbat.pddl import tree

_OPPOSITE: dict[str, OneOf["<", "<=", "=", ">=", ">"]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def rewrite(node: tree.Condition, context: Context) -> tree.Condition:
    """The same condition in negation normal form."""
    return _normal(node, False, context)


def _normal(node: tree.Condition, negated: bool, context: Context) -> tree.Condition:
    match node:
        case tree.Not():
            return _normal(node.part, not negated, context)
        case tree.And() | tree.Or():
            conjunction = isinstance(node, tree.And) != negated
            parts = tuple(_normal(part, negated, context) for part in node.parts)
            return tree.And(parts, node.span) if conjunction else tree.Or(parts, node.span)
        case tree.Quantified():
            universal = (node.quantifier == "forall") != negated
            part = _normal(node.part, negated, context)
            return tree.Quantified("forall" if universal else "exists", node.variables, part, node.span)
        case tree.Compare() if negated and not context.symbols.between_objects(node):
            return _opposite(node)
        case _:
            return tree.Not(node, node.span) if negated else node


def _opposite(node: tree.Compare) -> tree.Condition:
    if node.relation != "=":
        return tree.Compare(_OPPOSITE[node.relation], node.left, node.right, node.span)
    less = tree.Compare("<", node.left, node.right, node.span)
    greater = tree.Compare(">", node.left, node.right, node.span)
    return tree.Or((less, greater), node.span)
