"""Effects become a list of blocks: under a condition, for all values of extra parameters, adds, deletes and changes.

Order        the unconditional block first, then one block per (when ...) and (forall ...) in the order of the text
Numbers      decrease is an increase by the negative; scale-up and scale-down set a product and remember its factor
Reads        the condition of a `when` is read where the block around it takes place, so it is noted there
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal as OneOf

from numbat.normalise.conditions import Reads, literal
from numbat.normalise.context import Context, Scope
from numbat.normalise.linear import linear
from numbat.pddl import tree
from numbat.task.conditions import TRUE, conjunction, is_false
from numbat.task.lifted import Condition, Effect, Expression, Literal, NumericEffect, parameter

Operator = OneOf["+", "-", "*", "/"]
ConditionLowering = Callable[[tree.Condition, Scope, Reads], Condition]


@dataclass
class _Block:
    """An Effect in the making."""

    parameters: tuple[int, ...] = ()
    condition: Condition = TRUE
    adds: list[Literal] = field(default_factory=list)
    deletes: list[Literal] = field(default_factory=list)
    numeric: list[NumericEffect] = field(default_factory=list)
    reads: Reads = field(default_factory=dict)

    def matters(self) -> bool:
        return bool(self.adds or self.deletes or self.numeric or self.reads) and not is_false(self.condition)

    def finished(self) -> Effect:
        changes = tuple(self.adds), tuple(self.deletes), tuple(self.numeric)
        return Effect(self.parameters, self.condition, *changes, tuple(self.reads))


class EffectLowering:
    """Collects the blocks of one action."""

    def __init__(self, context: Context, arity: int, lower_condition: ConditionLowering) -> None:
        self._context = context
        self._arity = arity
        self._lower_condition = lower_condition
        self._blocks = [_Block()]

    def lower(self, effect: tree.Effect, scope: Scope) -> tuple[Effect, ...]:
        """The blocks of an action's effect; blocks that do nothing are left out."""
        self._visit(effect, scope, self._blocks[0])
        return tuple(block.finished() for block in self._blocks if block.matters())

    def _visit(self, node: tree.Effect, scope: Scope, block: _Block) -> None:
        match node:
            case tree.Add():
                block.adds.append(literal(node.atom, scope, self._context))
            case tree.Delete():
                block.deletes.append(literal(node.atom, scope, self._context))
            case tree.Change():
                block.numeric.append(self._change(node, scope))
            case tree.Effects():
                for part in node.parts:
                    self._visit(part, scope, block)
            case tree.When() if _is_empty(node):
                pass
            case tree.When():
                condition = conjunction((block.condition, self._lower_condition(node.condition, scope, block.reads)))
                self._visit(node.effect, scope, self._open(_Block(block.parameters, condition)))
            case tree.ForAll():
                types = tuple(self._context.type_number(variable.types) for variable in node.variables)
                first = self._arity + len(block.parameters)
                names = (variable.name for variable in node.variables)
                inner = {**scope, **{name: parameter(number) for number, name in enumerate(names, first)}}
                self._visit(node.effect, inner, self._open(_Block(block.parameters + types, block.condition)))

    def _open(self, block: _Block) -> _Block:
        self._blocks.append(block)
        return block

    def _change(self, node: tree.Change, scope: Scope) -> NumericEffect:
        fluent = self._context.fluent(node.fluent.name, node.fluent.arguments, scope)

        def expression(amount: tree.Expression) -> Expression:
            return linear(amount, scope, self._context, node.span)

        if node.operator == "assign":
            return NumericEffect(fluent, "assign", expression(node.expression), node.span)
        if node.operator in ("increase", "decrease"):
            negative = tree.Arithmetic("-", (node.expression,), node.span)
            amount = negative if node.operator == "decrease" else node.expression
            return NumericEffect(fluent, "increase", expression(amount), node.span)
        operator: Operator = "*" if node.operator == "scale-up" else "/"
        product = tree.Arithmetic(operator, (node.fluent, node.expression), node.span)
        factor = tree.Arithmetic(operator, (tree.Number(Fraction(1), node.span), node.expression), node.span)
        return NumericEffect(fluent, "assign", expression(product), node.span, expression(factor))


def _is_empty(effect: tree.Effect) -> bool:
    """Is there no change in it, whatever holds? Then its conditions are of no interest either."""
    match effect:
        case tree.Effects():
            return all(map(_is_empty, effect.parts))
        case tree.When() | tree.ForAll():
            return _is_empty(effect.effect)
    return False
