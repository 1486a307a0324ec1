"""Which functions are read at all: the others are counters, 0 until they are changed.

Definition   a function is read if a condition, the goal or a right-hand side mentions it, wherever and under whatever
             quantifier; the fluent that an effect changes and the metric do not count
In, out      tree.Domain and tree.Problem → numbers of functions
"""

from __future__ import annotations

from collections.abc import Iterator

from numbat.pddl import tree
from numbat.pddl.symbols import Symbols

_Node = tree.Condition | tree.Effect | tree.Expression


def functions_read(domain: tree.Domain, problem: tree.Problem, symbols: Symbols) -> frozenset[int]:
    numbers: set[int] = set()
    work: list[_Node] = [problem.goal]
    for action in domain.actions:
        work += (action.precondition, action.effect)
    while work:
        node = work.pop()
        if isinstance(node, tree.Compare) and symbols.between_objects(node):
            continue
        if isinstance(node, tree.Compare | tree.Change | tree.Arithmetic):
            numbers.update(symbols.function_numbers[name] for name in _names(node) if name in symbols.function_numbers)
        work += _children(node)
    return frozenset(numbers)


def _expressions(node: tree.Compare | tree.Change | tree.Arithmetic) -> tuple[tree.Expression, ...]:
    match node:
        case tree.Compare(left=left, right=right):
            return left, right
        case tree.Change(expression=expression):
            return (expression,)
        case tree.Arithmetic(operands=operands):
            return operands


def _names(node: tree.Compare | tree.Change | tree.Arithmetic) -> Iterator[str]:
    """The functions among the direct operands."""
    return (part.name for part in _expressions(node) if isinstance(part, tree.Atom | tree.Word))


def _children(node: _Node) -> tuple[_Node, ...]:
    match node:
        case tree.Compare() | tree.Change() | tree.Arithmetic():
            return tuple(part for part in _expressions(node) if isinstance(part, tree.Arithmetic))
        case tree.And() | tree.Or() | tree.Effects():
            return node.parts
        case tree.Not() | tree.Quantified():
            return (node.part,)
        case tree.Imply():
            return node.premise, node.conclusion
        case tree.When():
            return node.condition, node.effect
        case tree.ForAll():
            return (node.effect,)
    return ()
