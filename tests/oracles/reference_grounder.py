"""What a LiftedTask means, executed directly: full cross product, exact fractions, no cleverness.

Definition   docs/semantics.md, over the vocabulary of numbat.task.lifted
In, out      LiftedTask -> initial state, applicable actions by name, successors, truth of the goal, value of the metric
Undefined    a fluent without value is missing from the state, counters start at 0. A comparison without value does not
             hold; whether that matters is told by `reads`, which must all have a value where they are looked at
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
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
    reads: tuple[Expression, ...]


@dataclass(frozen=True)
class GroundAction:
    name: str
    precondition: Condition
    reads: tuple[Expression, ...]
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
            return replace(thing, fluent=fluent, expression=expression, factor=bind(thing.factor, binding))
        case None:
            return None
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
    """A comparison that has no value does not hold."""
    match condition:
        case Literal(predicate, arguments, negated):
            return ((predicate, arguments) in state.atoms) != negated
        case Same(left, right, negated):
            return (left == right) != negated
        case Compare(expression, relation):
            try:
                value = evaluate(expression, state)
            except Undefined:
                return False
            return {">=": value >= 0, ">": value > 0, "=": value == 0}[relation]
        case And(parts) | Or(parts):
            truths = [holds(part, state) for part in parts]
            return all(truths) if isinstance(condition, And) else any(truths)
    raise TypeError(condition)


class Reference:
    """A task that can be executed."""

    def __init__(self, task: LiftedTask) -> None:
        self.task = task
        self._initially = frozenset((atom.predicate, atom.arguments) for atom in task.init_atoms)
        self.actions = [ground for action in task.actions for ground in self._ground(action)]
        values = dict(task.init_values)
        for fluent in self._mentioned():
            if fluent.function in task.counters:
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
                    adds, deletes = (
                        tuple((atom.predicate, atom.arguments) for atom in bind(literals, inner))
                        for literals in (effect.adds, effect.deletes)
                    )
                    condition, numeric, reads = bind((effect.condition, effect.numeric, effect.reads), inner)
                    changes.append(Change(condition, adds, deletes, numeric, reads))
            name = " ".join([action.name, *(self.task.objects[o] for o in objects)])
            precondition, reads = bind((action.precondition, action.reads), binding)
            yield GroundAction(f"({name})", precondition, reads, tuple(changes))

    def _mentioned(self) -> Iterator[Fluent]:
        for action in self.actions:
            for change in action.changes:
                yield from (numeric.fluent for numeric in change.numeric)
        if self.task.metric:
            yield from self.task.metric.expression.reads

    # --- execution ---

    def apply(self, action: GroundAction, state: State) -> State | None:
        try:
            _read(action.reads, state)
            if not holds(action.precondition, state):
                return None
            firing = [change for change in action.changes if holds(change.condition, state)]
            for change in firing:
                _read(change.reads, state)
            values = self._changed_values(firing, state)
        except Undefined:
            return None
        atoms = set(state.atoms) - {atom for change in firing for atom in change.deletes}
        atoms |= {atom for change in firing for atom in change.adds}
        return None if values is None else State(frozenset(atoms), values)

    def _changed_values(self, firing: list[Change], state: State) -> tuple[tuple[Fluent, Fraction], ...] | None:
        changes: dict[Fluent, list[NumericEffect]] = {}
        for change in firing:
            for numeric in change.numeric:
                changes.setdefault(numeric.fluent, []).append(numeric)
        values = dict(state.values)
        for fluent, mine in changes.items():
            kinds = {"scale" if numeric.factor else numeric.kind for numeric in mine}
            amounts = [evaluate(numeric.factor or numeric.expression, state) for numeric in mine]
            if len(kinds) > 1 or (kinds == {"assign"} and len(set(amounts)) > 1):
                return None
            if kinds == {"assign"}:
                values[fluent] = amounts[0]
            elif kinds == {"increase"}:
                values[fluent] = state.value(fluent) + sum(amounts)
            else:
                values[fluent] = state.value(fluent) * prod(amounts)
        return _sorted(values)

    def is_goal(self, state: State) -> bool:
        try:
            _read(self.task.goal_reads, state)
        except Undefined:
            return False
        return holds(self.task.goal, state)

    def metric(self, state: State) -> Fraction:
        """What a plan costs that ends here, without what is paid per step; smaller is better."""
        assert self.task.metric is not None
        value = evaluate(self.task.metric.expression, state)
        return value if self.task.metric.direction == "minimize" else -value


def _read(expressions: tuple[Expression, ...], state: State) -> None:
    for expression in expressions:
        evaluate(expression, state)


def _sorted(values: dict[Fluent, Fraction]) -> tuple[tuple[Fluent, Fraction], ...]:
    return tuple(sorted(values.items(), key=lambda item: (item[0].function, item[0].arguments)))
