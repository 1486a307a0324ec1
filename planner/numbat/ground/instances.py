"""Every instance of every action as columns: one entry per instance, whole columns at a time.

Idea         a schema with n instances becomes a few arrays of length n (atom ids, comparison ids, effect ids) in the
             shape of its condition tree. Reachability and folding then work on columns, not on single actions.
In, out      LiftedTask -> Instances: one ActionRows per action, the goal being the last, an action without effects
Undefined    `reads` are the expressions that must have a value where a precondition or an effect is looked at
Not here     reachability (reach), merging and simplifying (operators)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from numbat.errors import TooLarge
from numbat.ground.atoms import AtomTable
from numbat.ground.columns import Index, Mask, Rows, contained
from numbat.ground.expressions import Expressions
from numbat.ground.joins import Question, Relation, instantiate
from numbat.ground.statics import Statics
from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Effect,
    Expression,
    Fluent,
    LiftedTask,
    Literal,
    Or,
    Same,
)

MOST_INSTANCES = 2_000_000  # of actions and of effects over all objects, together; a gigabyte or so


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


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


class Instances:
    """All instances, and the tables of facts, fluents and expressions they mention."""

    def __init__(self, task: LiftedTask) -> None:
        self.task = task
        self.statics = Statics(task)
        self.facts = AtomTable(task.predicates, task.objects)
        self.fluents = AtomTable(task.functions, task.objects)
        self.expressions = Expressions(self.fluents, self.statics)
        self._rows = 0
        goal = Action("the goal", (), task.goal, (), task.goal_span, task.goal_reads)
        self.actions = [self._instantiate(action) for action in (*task.actions, goal)]
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

    def _instantiate(self, action: Action) -> ActionRows:
        reads = dict.fromkeys(fluent for e in self._always_read(action) for fluent in e.reads)
        question = self._question(action, action.name, action.parameters, action.precondition, tuple(reads))
        rows, _ = instantiate(question, self.task.types, len(self.task.objects))
        self._count(len(rows), action)
        rows = rows[self._consistent(action.precondition, rows)]
        return ActionRows(
            action,
            rows,
            self._node(action.precondition, rows),
            tuple(self._effect(action, effect, rows) for effect in action.effects),
            tuple(self.expressions.column(expression, rows) for expression in action.reads),
        )

    def _always_read(self, action: Action) -> Iterator[Expression]:
        """Expressions that every instance of an action reads, in every state."""
        yield from action.reads
        for effect in action.effects:
            if effect.condition == And(()) and all(self.task.types[t] for t in effect.parameters):
                yield from effect.reads
                yield from (numeric.expression for numeric in effect.numeric)

    def _count(self, rows: int, action: Action) -> None:
        self._rows += rows
        if self._rows > MOST_INSTANCES:
            raise TooLarge(
                f"the task has too many ground actions: the limit of {MOST_INSTANCES:,} is passed at {action.name}",
                action.span,
            )

    def _question(
        self,
        action: Action,
        name: str,
        parameters: tuple[int, ...],
        condition: Condition,
        reads: tuple[Fluent, ...] = (),
    ) -> Question:
        """The static part of a condition, and that static fluents which are read have values."""
        parts = conjuncts(condition)
        literals = [part for part in parts if self._is_static(part)]
        relations = [Relation(p.arguments, self.statics.true_tuples(p.predicate)) for p in literals]
        static = [fluent for fluent in reads if fluent.function in self.statics.functions]
        own = [fluent for fluent in static if min(fluent.arguments, default=0) >= -len(parameters)]
        relations += [Relation(f.arguments, self.statics.defined_tuples(f.function)) for f in own]
        same = [part for part in parts if isinstance(part, Same)]
        equal = tuple((part.left, part.right) for part in same if not part.negated)
        unequal = tuple((part.left, part.right) for part in same if part.negated)
        return Question(parameters, tuple(relations), equal, unequal, name, action.span)

    def _is_joined(self, part: Condition) -> bool:
        """Does the join make this conjunct true?"""
        return isinstance(part, Same) or self._is_static(part)

    def _is_static(self, part: Condition) -> TypeGuard[Literal]:
        return isinstance(part, Literal) and not part.negated and part.predicate in self.statics.predicates

    def _consistent(self, condition: Condition, rows: Rows) -> Mask:
        """Rows that do not demand an atom and its negation."""
        keep = np.ones(len(rows), dtype=bool)
        wanted: dict[tuple[int, bool], list[Index]] = defaultdict(list)
        for part in conjuncts(condition):
            if isinstance(part, Literal):
                wanted[part.predicate, part.negated].append(self._ids(part, rows))
        for predicate, _ in [key for key in wanted if key[1] and (key[0], False) in wanted]:
            positive, negative = (np.stack(wanted[predicate, negated], axis=1) for negated in (False, True))
            first = np.arange(len(rows))[:, None] * len(self.facts)
            clash = contained((first + negative).ravel(), (first + positive).ravel())
            keep &= ~clash.reshape(negative.shape).any(axis=1)
        return keep

    def _effect(self, action: Action, effect: Effect, rows: Rows) -> EffectRows:
        parent = np.arange(len(rows))
        if effect.parameters or effect.condition != And(()):
            everything = (*action.parameters, *effect.parameters)
            question = self._question(action, f"an effect of {action.name}", everything, effect.condition)
            rows, parent = instantiate(question, self.task.types, len(self.task.objects), rows)
            self._count(len(rows) if effect.parameters else 0, action)
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
        """The condition over columns, without the conjuncts the join has made true."""
        nodes = tuple(self._column(part, rows) for part in conjuncts(condition) if not self._is_joined(part))
        return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], All) else All(nodes)

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
