"""Every instance of every action as columns: one entry per instance, whole columns at a time.

Idea         a schema with n instances becomes a few arrays of length n (atom ids, comparison ids, effect ids) in the
             shape of its condition tree. Reachability and folding then work on columns, not on single actions.
In, out      LiftedTask -> Instances: one ActionRows per action, the goal being the last, an action without effects
Undefined    `reads` are the expressions that must have a value where a precondition or an effect is looked at
Not here     which rows there are (argument_rows), reachability (reach), merging and simplifying (operators)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numbat.ground.argument_rows import ActionArguments, EffectArguments, argument_rows, conjuncts
from numbat.ground.atoms import AtomTable
from numbat.ground.columns import Index, Mask, Rows
from numbat.ground.expressions import Expressions
from numbat.ground.statics import Statics
from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Effect,
    LiftedTask,
    Literal,
    Or,
    Same,
)


@dataclass(frozen=True)
class Truth:
    """Decided per row: object equality."""

    values: Mask


@dataclass(frozen=True)
class Facts:
    """An atom per row, or its negation."""

    ids: Index
    negated: bool


@dataclass(frozen=True)
class Compares:
    """A numeric comparison per row."""

    ids: Index


@dataclass(frozen=True)
class All:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Any:
    parts: tuple[Node, ...]


Node = Truth | Facts | Compares | All | Any


@dataclass(frozen=True)
class EffectRows:
    """The instances of one effect; `parent` is the row of the action each belongs to."""

    parent: Index
    condition: Node
    adds: tuple[Index, ...]
    deletes: tuple[Index, ...]
    numeric: tuple[Index, ...]  # effect ids
    reads: tuple[Index, ...]  # expression ids

    @property
    def unconditional(self) -> bool:
        return isinstance(self.condition, All) and not self.condition.parts


@dataclass(frozen=True)
class ActionRows:
    action: Action
    rows: Rows
    precondition: Node
    effects: tuple[EffectRows, ...]
    reads: tuple[Index, ...]  # expression ids


class Instances:
    """All instances that fit into so many bytes, and the tables of facts, fluents and expressions they mention."""

    def __init__(self, task: LiftedTask, memory: int) -> None:
        self.task = task
        self.statics = Statics(task)
        self.facts = AtomTable(task.predicates, task.objects)
        self.fluents = AtomTable(task.functions, task.objects)
        self.expressions = Expressions(self.fluents, self.statics)
        goal = Action("the goal", (), task.goal, (), task.goal_span, task.goal_reads)
        actions = (*task.actions, goal)
        self.actions = list(map(self._instantiate, actions, argument_rows(task, self.statics, actions, memory)))
        self.metric = self._metric()

    @property
    def goal(self) -> ActionRows:
        return self.actions[-1]

    def _metric(self) -> int | None:
        """The expression a plan is judged by."""
        if self.task.metric is None:
            return None
        return int(self.expressions.column(self.task.metric.expression, np.zeros((1, 0), dtype=np.int64))[0])

    # --- rows ---

    def _instantiate(self, action: Action, arguments: ActionArguments) -> ActionRows:
        rows = arguments.rows
        return ActionRows(
            action,
            rows,
            self._node(action.precondition, rows),
            tuple(map(self._effect, action.effects, arguments.effects)),
            tuple(self.expressions.column(expression, rows) for expression in action.reads),
        )

    def _effect(self, effect: Effect, arguments: EffectArguments) -> EffectRows:
        rows, parent = arguments
        return EffectRows(
            parent,
            self._node(effect.condition, rows),
            tuple(self._ids(literal, rows) for literal in effect.adds),
            tuple(self._ids(literal, rows) for literal in effect.deletes),
            tuple(self.expressions.effect_column(numeric, rows) for numeric in effect.numeric),
            tuple(self.expressions.column(expression, rows) for expression in effect.reads),
        )

    # --- columns ---

    def _ids(self, literal: Literal, rows: Rows) -> Index:
        return self.facts.column(literal.predicate, literal.arguments, rows)

    def _node(self, condition: Condition, rows: Rows) -> Node:
        """The condition over columns, without the conjuncts that are true in every row."""
        nodes = tuple(self._column(part, rows) for part in conjuncts(condition) if not self._is_true(part))
        return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], All) else All(nodes)

    def _is_true(self, part: Condition) -> bool:
        """Have the rows been chosen such that this conjunct holds?"""
        if isinstance(part, Literal):
            return not part.negated and part.predicate in self.statics.predicates
        return isinstance(part, Same)

    def _column(self, condition: Condition, rows: Rows) -> Node:
        match condition:
            case Literal(negated=negated):
                return Facts(self._ids(condition, rows), negated)
            case Same(left=left, right=right, negated=negated):
                a, b = (term if term >= 0 else rows[:, -1 - term] for term in (left, right))
                return Truth(np.broadcast_to(np.asarray(a == b), (len(rows),)) != negated)
            case Compare(expression=expression, relation=relation):
                return Compares(self.expressions.comparison_column(expression, relation, rows))
            case And(parts=parts):
                return All(tuple(self._column(part, rows) for part in parts))
            case Or(parts=parts):
                return Any(tuple(self._column(part, rows) for part in parts))
