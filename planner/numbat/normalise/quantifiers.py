"""Quantifiers become conjunctions and disjunctions over the objects.

Cost         as many copies of the quantified part as there are tuples of objects. The size of the result is computed
             first, and more than MAXIMUM_CONDITIONS in one task are refused before anything is copied
Needs        no implications
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from numbat.errors import TooLarge
from numbat.normalise.context import Context
from numbat.pddl import tree

MAXIMUM_CONDITIONS = 300_000

Values = dict[str, str]  # variables already replaced by an object


def rewrite(node: tree.Condition, context: Context) -> tree.Condition:
    """The same condition without quantifiers."""
    context.conditions += _size(node, context)
    return _expand(node, {}, context)


def _size(node: tree.Condition, context: Context) -> int:
    """How many conditions this one expands to."""
    match node:
        case tree.And() | tree.Or():
            return 1 + sum(_size(part, context) for part in node.parts)
        case tree.Not():
            return _size(node.part, context)
        case tree.Quantified():
            size = _size(node.part, context) * prod(len(context.object_names(entry.types)) for entry in node.variables)
            if context.conditions + size > MAXIMUM_CONDITIONS:
                raise TooLarge(f"quantifiers expand to more than {MAXIMUM_CONDITIONS} conditions", node.span)
            return size
        case _:
            return 1


def _expand(node: tree.Condition, values: Values, context: Context) -> tree.Condition:
    match node:
        case tree.And():
            return tree.And(tuple([_expand(part, values, context) for part in node.parts]), node.span)
        case tree.Or():
            return tree.Or(tuple([_expand(part, values, context) for part in node.parts]), node.span)
        case tree.Not():
            return tree.Not(_expand(node.part, values, context), node.span)
        case tree.Quantified():
            parts = tuple([_expand(node.part, inner, context) for inner in _bindings(node, values, context)])
            return tree.And(parts, node.span) if node.quantifier == "forall" else tree.Or(parts, node.span)
        case _ if not values:
            return node
        case tree.Atom():
            return _substitute_atom(node, values)
        case tree.Compare():
            left, right = _substitute(node.left, values), _substitute(node.right, values)
            return tree.Compare(node.relation, left, right, node.span)
        case _:
            raise AssertionError(f"an earlier pass left {type(node).__name__}")


def _bindings(node: tree.Quantified, values: Values, context: Context) -> Iterator[Values]:
    names = [variable.name for variable in node.variables]
    domains = [context.object_names(variable.types) for variable in node.variables]
    for combination in product(*domains):
        yield {**values, **dict(zip(names, combination, strict=True))}


def _substitute_atom(atom: tree.Atom, values: Values) -> tree.Atom:
    return tree.Atom(atom.name, tuple(values.get(argument, argument) for argument in atom.arguments), atom.span)


def _substitute(node: tree.Expression, values: Values) -> tree.Expression:
    match node:
        case tree.Atom():
            return _substitute_atom(node, values)
        case tree.Word():
            return tree.Word(values.get(node.name, node.name), node.span)
        case tree.Arithmetic():
            operands = tuple(_substitute(operand, values) for operand in node.operands)
            return tree.Arithmetic(node.operator, operands, node.span)
        case _:
            return node
