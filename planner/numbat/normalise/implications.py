"""(imply a b) becomes (or (not a) b)."""

from __future__ import annotations

from numbat.normalise.context import Context
from numbat.pddl import tree


def rewrite(node: tree.Condition, context: Context) -> tree.Condition:
    """The same condition without implications."""
    match node:
        case tree.And():
            return tree.And(tuple(rewrite(part, context) for part in node.parts), node.span)
        case tree.Or():
            return tree.Or(tuple(rewrite(part, context) for part in node.parts), node.span)
        case tree.Not():
            return tree.Not(rewrite(node.part, context), node.span)
        case tree.Quantified():
            return tree.Quantified(node.quantifier, node.variables, rewrite(node.part, context), node.span)
        case tree.Imply():
            premise = tree.Not(rewrite(node.premise, context), node.span)
            return tree.Or((premise, rewrite(node.conclusion, context)), node.span)
        case _:
            return node
