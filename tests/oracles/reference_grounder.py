"""What a LiftedTask means, executed directly: full cross product, exact fractions, no cleverness.

Definition   numbat.task.lifted; an action applies if its precondition holds and everything it reads anywhere is
             defined (no short circuit), no divisor is 0 and no assign meets another change of its fluent
In, out      LiftedTask -> initial state, applicable actions by name, successors, truth of the goal, value of the metric
Undefined    a fluent without value is missing from the state. Functions that nobody reads start at 0.
             An instance of an effect does not exist if its condition has no comparison and is false by object equality
             or by a positive literal that no action can ever make true.
Agreement    two assigns of one expression under one condition count once
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Expression,
    Fluent,
    LiftedTask,
    Literal,
    NumericEffect,
    Or,
    Same,
    Term,
    parameter,
)

Atom = tuple[int, tuple[int, ...]]


class Undefined(Exception):
    """Something without a value was read."""


@dataclass(frozen=True)
class State:
    atoms: frozenset[Atom]
    values: tuple[tuple[Fluent, Fraction], ...]  # sorted, defined fluents only

    def value(self, fluent: Fluent) -> Fraction:
        if fluent not in self._table:
            raise Undefined
        return self._table[fluent]

    @cached_property
    def _table(self) -> dict[Fluent, Fraction]:
        return dict(self.values)


@dataclass(frozen=True)
class Change:
    """One instance of an effect."""

    condition: Condition
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    numeric: tuple[NumericEffect, ...]


@dataclass(frozen=True)
class GroundAction:
    name: str
    precondition: Condition
    changes: tuple[Change, ...]


def bind(thing: Any, binding: dict[int, int]) -> Any:
    """A condition, expression, fluent or numeric effect with parameters replaced by objects."""
    match thing:
        case tuple():
            return tuple(bind(part, binding) for part in thing)
        case int():
            return binding.get(thing, thing)
        case Fluent() | Literal():
            return replace(thing, arguments=bind(thing.arguments, binding))
        case Same():
            return replace(thing, left=bind(thing.left, binding), right=bind(thing.right, binding))
        case Term():
            return replace(thing, factors=bind(thing.factors, binding), divisors=bind(thing.divisors, binding))
        case Expression():
            return replace(thing, terms=bind(thing.terms, binding), reads=bind(thing.reads, binding))
        case Compare():
            return replace(thing, expression=bind(thing.expression, binding))
        case And() | Or():
            return replace(thing, parts=bind(thing.parts, binding))
        case NumericEffect():
            fluent, expression = bind(thing.fluent, binding), bind(thing.expression, binding)
            return replace(thing, fluent=fluent, expression=expression)
    raise TypeError(thing)


def evaluate(expression: Expression, state: State) -> Fraction:
    for fluent in expression.reads:
        state.value(fluent)
    total = Fraction(0)
    for term in expression.terms:
        amount = term.coefficient
        for factor in term.factors:
            amount *= state.value(factor)
        for divisor in term.divisors:
            value = evaluate(divisor, state)
            if value == 0:
                raise Undefined
            amount /= value
        total += amount
    return total


def holds(condition: Condition, state: State) -> bool:
    """Every part is looked at, so that everything read must be defined."""
    match condition:
        case Literal(predicate, arguments, negated):
            return ((predicate, arguments) in state.atoms) != negated
        case Same(left, right, negated):
            return (left == right) != negated
        case Compare(expression, relation):
            value = evaluate(expression, state)
            return {">=": value >= 0, ">": value > 0, "=": value == 0}[relation]
        case And(parts) | Or(parts):
            truths = [holds(part, state) for part in parts]
            return all(truths) if isinstance(condition, And) else any(truths)
    raise TypeError(condition)


def has_comparison(condition: Condition) -> bool:
    if isinstance(condition, And | Or):
        return any(has_comparison(part) for part in condition.parts)
    return isinstance(condition, Compare)


class Reference:
    """A task that can be executed."""

    def __init__(self, task: LiftedTask) -> None:
        self.task = task
        effects = [effect for action in task.actions for effect in action.effects]
        self._changed = {literal.predicate for e in effects for literal in (*e.adds, *e.deletes)}
        self._initially = frozenset((atom.predicate, atom.arguments) for atom in task.init_atoms)
        self._unread = set(range(len(task.functions))) - {f.function for f in self._everything_read()}
        self.actions = [ground for action in task.actions for ground in self._ground(action)]
        values = dict(task.init_values)
        for fluent in self._mentioned():
            if fluent.function in self._unread:
                values.setdefault(fluent, Fraction(0))
        self.initial = State(self._initially, _sorted(values))

    # --- grounding ---

    def _ground(self, action: Action) -> Iterator[GroundAction]:
        for objects in product(*(self.task.types[t] for t in action.parameters)):
            binding = {parameter(i): o for i, o in enumerate(objects)}
            changes = []
            for effect in action.effects:
                for extra in product(*(self.task.types[t] for t in effect.parameters)):
                    inner = binding | {parameter(len(objects) + i): o for i, o in enumerate(extra)}
                    condition = bind(effect.condition, inner)
                    if self._exists(condition):
                        adds, deletes = (
                            tuple((atom.predicate, atom.arguments) for atom in bind(literals, inner))
                            for literals in (effect.adds, effect.deletes)
                        )
                        changes.append(Change(condition, adds, deletes, bind(effect.numeric, inner)))
            name = " ".join([action.name, *(self.task.objects[o] for o in objects)])
            yield GroundAction(f"({name})", bind(action.precondition, binding), tuple(changes))

    def _exists(self, condition: Condition) -> bool:
        if has_comparison(condition):
            return True
        for part in condition.parts if isinstance(condition, And) else (condition,):
            if isinstance(part, Same) and (part.left == part.right) == part.negated:
                return False
            if isinstance(part, Literal) and not part.negated and self._never(part):
                return False
        return True

    def _never(self, atom: Literal) -> bool:
        return atom.predicate not in self._changed and (atom.predicate, atom.arguments) not in self._initially

    def _everything_read(self) -> Iterator[Fluent]:
        for action in self.task.actions:
            yield from _reads(action.precondition)
            for effect in action.effects:
                yield from _reads(effect.condition)
                for numeric in effect.numeric:
                    yield from numeric.expression.reads
        yield from _reads(self.task.goal)

    def _mentioned(self) -> Iterator[Fluent]:
        for action in self.actions:
            for change in action.changes:
                yield from (numeric.fluent for numeric in change.numeric)
        if self.task.metric:
            yield from self.task.metric.expression.reads

    # --- execution ---

    def apply(self, action: GroundAction, state: State) -> State | None:
        try:
            if not holds(action.precondition, state):
                return None
            firing = [change for change in action.changes if holds(change.condition, state)]
            for change in action.changes:
                for numeric in change.numeric:
                    evaluate(numeric.expression, state)
                    if numeric.kind == "increase":
                        state.value(numeric.fluent)
            values = self._changed_values(firing, state)
        except Undefined:
            return None
        atoms = set(state.atoms) - {atom for change in firing for atom in change.deletes}
        atoms |= {atom for change in firing for atom in change.adds}
        return None if values is None else State(frozenset(atoms), values)

    def _changed_values(self, firing: list[Change], state: State) -> tuple[tuple[Fluent, Fraction], ...] | None:
        values = dict(state.values)
        assigned: dict[Fluent, tuple[Condition, Expression]] = {}
        increased = set()
        for change in firing:
            for numeric in change.numeric:
                amount = evaluate(numeric.expression, state)
                if numeric.kind == "increase":
                    increased.add(numeric.fluent)
                    values[numeric.fluent] += amount
                elif assigned.setdefault(numeric.fluent, key := (change.condition, numeric.expression)) == key:
                    values[numeric.fluent] = amount
                else:
                    return None
        return None if increased & set(assigned) else _sorted(values)

    def is_goal(self, state: State) -> bool:
        try:
            return holds(self.task.goal, state)
        except Undefined:
            return False

    def metric(self, state: State) -> Fraction:
        """What a plan costs that ends here, without what is paid per step; smaller is better."""
        assert self.task.metric is not None
        value = evaluate(self.task.metric.expression, state)
        return value if self.task.metric.direction == "minimize" else -value


def _reads(condition: Condition) -> Iterator[Fluent]:
    if isinstance(condition, And | Or):
        for part in condition.parts:
            yield from _reads(part)
    elif isinstance(condition, Compare):
        yield from condition.expression.reads


def _sorted(values: dict[Fluent, Fraction]) -> tuple[tuple[Fluent, Fraction], ...]:
    return tuple(sorted(values.items(), key=lambda item: (item[0].function, item[0].arguments)))
