"""Costs that arise only under a condition: one action for each outcome of the condition.

Idea         an operator's cost is one linear form, with no condition. So an action with `when c: increase the metric`
             becomes two of the same name: one requires c and has the effect, the other requires not c.
In, out      Action -> the actions that together do the same
Quantified   an effect over all objects is first written out, one effect per object
Static       conditions that no action can change are decided when grounding and need no split
Limit        above MOST_SPLITS conditions in one action its conditional costs are not counted, and the report says so:
             plans stay valid, only the search's idea of their cost is not exact
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from numbat.task.conditions import (
    FALSE,
    TRUE,
    bind,
    bind_expression,
    bind_numeric,
    bind_terms,
    conjunction,
    is_false,
    negate,
)
from numbat.task.lifted import Action, And, Compare, Condition, Effect, LiftedTask, Literal, Or, Same, parameter

MOST_SPLITS = 5


class CostSplitter:
    """Knows which functions the metric reads and what actions can change."""

    def __init__(self, task: LiftedTask) -> None:
        effects = [effect for action in task.actions for effect in action.effects]
        self._types = task.types
        self._metric = {f.function for f in task.metric.expression.reads} if task.metric else set()
        self._changed = {literal.predicate for e in effects for literal in (*e.adds, *e.deletes)}
        self._written = {numeric.fluent.function for e in effects for numeric in e.numeric}

    def is_conditional_cost(self, effect: Effect) -> bool:
        paid = any(numeric.fluent.function in self._metric for numeric in effect.numeric)
        return paid and not self._is_static(effect.condition)

    def split(self, action: Action) -> Iterator[Action]:
        """The variants of an action, the one where every condition holds first."""
        conditional = [effect for effect in action.effects if self.is_conditional_cost(effect)]
        instances = sum(prod(len(self._types[t]) for t in effect.parameters) for effect in conditional)
        if not conditional or instances > MOST_SPLITS:
            yield action
            return
        variants = [replace(action, effects=tuple(self._written_out(action)))]
        for place, effect in enumerate(variants[0].effects):
            if self.is_conditional_cost(effect):
                halves = (half for variant in variants for half in _halves(variant, place))
                variants = [half for half in halves if not is_false(half.precondition)]
        yield from variants

    def _is_static(self, condition: Condition) -> bool:
        match condition:
            case Literal(predicate=predicate):
                return predicate not in self._changed
            case Same():
                return True
            case Compare(expression=expression):
                return not any(fluent.function in self._written for fluent in expression.reads)
            case And(parts=parts) | Or(parts=parts):
                return all(map(self._is_static, parts))

    def _written_out(self, action: Action) -> Iterator[Effect]:
        for effect in action.effects:
            if self.is_conditional_cost(effect):
                yield from _instances(effect, len(action.parameters), self._types)
            else:
                yield effect


def _instances(effect: Effect, first: int, types: Sequence[Sequence[int]]) -> Iterator[Effect]:
    """The effect for each value of its own parameters, which are numbered from `first`."""
    for row in product(*(types[t] for t in effect.parameters)):
        binding = {parameter(first + i): value for i, value in enumerate(row)}
        adds, deletes = (
            tuple(replace(atom, arguments=bind_terms(atom.arguments, binding)) for atom in atoms)
            for atoms in (effect.adds, effect.deletes)
        )
        numeric = tuple(bind_numeric(change, binding) for change in effect.numeric)
        reads = tuple(bind_expression(expression, binding) for expression in effect.reads)
        yield Effect((), bind(effect.condition, binding), adds, deletes, numeric, reads)


def _halves(action: Action, place: int) -> tuple[Action, Action]:
    effect = action.effects[place]

    def variant(required: bool) -> Action:
        condition = effect.condition if required else negate(effect.condition)
        fixed = replace(effect, condition=TRUE if required else FALSE)
        effects = (*action.effects[:place], fixed, *action.effects[place + 1 :])
        return replace(action, precondition=conjunction((action.precondition, condition)), effects=effects)

    return variant(True), variant(False)
