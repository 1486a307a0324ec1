"""Effects become a list of blocks: under a condition, for all values of extra parameters, adds, deletes and changes.

Order        the unconditional block first, then one block per (when ...) and (forall ...) in the order of the text
Numbers      decrease is an increase by the negative; scale-up and scale-down are assignments of a product or quotient
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from numbat.normalise.conditions import TRUE, conjunction, is_false, literal
from numbat.normalise.context import Context, Scope
from numbat.normalise.linear import linear
from numbat.pddl import tree
from numbat.task.lifted import Condition, Effect, Literal, NumericEffect, parameter

ConditionLowering = Callable[[tree.Condition, Scope], Condition]


@dataclass
class _Block:
    """An Effect in the making."""

    parameters: tuple[int, ...] = ()
    condition: Condition = TRUE
    adds: list[Literal] = field(default_factory=list)
    deletes: list[Literal] = field(default_factory=list)
    numeric: list[NumericEffect] = field(default_factory=list)

    def finished(self) -> Effect:
        return Effect(self.parameters, self.condition, tuple(self.adds), tuple(self.deletes), tuple(self.numeric))


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
        return tuple(
            block.finished()
            for block in self._blocks
            if (block.adds or block.deletes or block.numeric) and not is_false(block.condition)
        )

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
            case tree.When():
                condition = conjunction((block.condition, self._lower_condition(node.condition, scope)))
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
        amount = node.expression
        if node.operator == "decrease":
            amount = tree.Arithmetic("-", (amount,), node.span)
        elif node.operator in ("scale-up", "scale-down"):
            amount = tree.Arithmetic("*" if node.operator == "scale-up" else "/", (node.fluent, amount), node.span)
        fluent = self._context.fluent(node.fluent.name, node.fluent.arguments, scope)
        expression = linear(amount, scope, self._context, node.span)
        increase = node.operator in ("increase", "decrease")
        return NumericEffect(fluent, "increase" if increase else "assign", expression, node.span)
