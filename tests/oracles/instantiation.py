"""Which instances of actions have conditions that can become true, by facts alone: every binding, to a fixpoint.

Definition   atoms accumulate; a positive literal is possible if its atom is there, the negation of one that no effect
             changes if it is not there initially, object equality as it is. A comparison that depends on parameters,
             reads only what nobody writes, and divides by nothing, is possible if it holds, or if something has no
             value; everything else is always possible. What an action always reads and nobody writes must have a value.
             Instances that demand an atom and its negation are left out in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Effect,
    Fluent,
    LiftedTask,
    Literal,
    Same,
    parameter,
)
from tests.oracles.reference_grounder import Atom, bind

Row = tuple[int, ...]


def instances(task: LiftedTask) -> list[list[Row]]:
    """Per action, in lexical order."""
    return _Fixpoint(task).rows()


class _Fixpoint:
    def __init__(self, task: LiftedTask) -> None:
        self._task = task
        effects = [effect for action in task.actions for effect in action.effects]
        self._changed = {literal.predicate for effect in effects for literal in (*effect.adds, *effect.deletes)}
        self._written = {numeric.fluent.function for effect in effects for numeric in effect.numeric}
        self._initially = {(atom.predicate, atom.arguments) for atom in task.init_atoms}
        self._atoms: set[Atom] = set(self._initially)

    def rows(self) -> list[list[Row]]:
        before = -1
        while len(self._atoms) != before:
            before = len(self._atoms)
            found = [list(self._possible_rows(action)) for action in self._task.actions]
            for action, rows in zip(self._task.actions, found, strict=True):
                for row in rows:
                    self._atoms |= {atom for effect in action.effects for atom in self._added(effect, row)}
        kept = zip(self._task.actions, found, strict=True)
        return [[row for row in rows if not _contradicts(bound(action.precondition, row))] for action, rows in kept]

    def _possible_rows(self, action: Action) -> Iterator[Row]:
        for row in product(*(self._task.types[t] for t in action.parameters)):
            if self._possible(action.precondition, row) and self._has_values(action, row):
                yield row

    def _added(self, effect: Effect, row: Row) -> Iterator[Atom]:
        for extra in product(*(self._task.types[t] for t in effect.parameters)):
            if self._possible(effect.condition, row + extra):
                binding = {parameter(i): value for i, value in enumerate(row + extra)}
                yield from ((literal.predicate, bind(literal.arguments, binding)) for literal in effect.adds)

    def _possible(self, condition: Condition, row: Row) -> bool:
        comparisons = [part for part in conjuncts(condition) if isinstance(part, Compare)]
        facts_possible = all(map(self._part_possible, bound(condition, row)))
        return facts_possible and all(self._comparison_possible(part, row) for part in comparisons)

    def _comparison_possible(self, compare: Compare, row: Row) -> bool:
        terms = compare.expression.terms
        fluents = {*compare.expression.reads, *(factor for term in terms for factor in term.factors)}
        depends = any(argument < 0 for fluent in fluents for argument in fluent.arguments)
        if not depends or any(f.function in self._written for f in fluents) or any(term.divisors for term in terms):
            return True
        binding = {parameter(i): value for i, value in enumerate(row)}
        values = {fluent: self._value(bind(fluent, binding)) for fluent in fluents}
        if None in values.values():
            return True
        total = sum(term.coefficient * prod(values[factor] for factor in term.factors) for term in terms)
        return {">=": total >= 0, ">": total > 0, "=": total == 0}[compare.relation]

    def _value(self, fluent: Fluent) -> Fraction | None:
        nothing = Fraction(0) if fluent.function in self._task.counters else None
        return self._task.init_values.get(fluent, nothing)

    def _part_possible(self, part: Condition) -> bool:
        match part:
            case Literal(predicate, arguments, negated):
                if negated:
                    return predicate in self._changed or (predicate, arguments) not in self._initially
                return (predicate, arguments) in self._atoms
            case Same(left, right, negated):
                return (left == right) != negated
        return True

    def _has_values(self, action: Action, row: Row) -> bool:
        read = list(action.reads)
        for effect in action.effects:
            if effect.condition == And(()) and all(self._task.types[t] for t in effect.parameters):
                read += [*effect.reads, *(numeric.expression for numeric in effect.numeric)]
        fluents = {fluent for expression in read for fluent in expression.reads}
        static = [fluent for fluent in fluents if fluent.function not in self._written]
        own = [fluent for fluent in static if min(fluent.arguments, default=0) >= -len(row)]
        binding = {parameter(i): value for i, value in enumerate(row)}
        return all(bind(fluent, binding) in self._task.init_values for fluent in own)


def bound(condition: Condition, row: Row) -> tuple[Condition, ...]:
    """The conjuncts with objects for parameters."""
    binding = {parameter(i): value for i, value in enumerate(row)}
    return tuple(bind(part, binding) for part in conjuncts(condition))


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


def _contradicts(parts: tuple[Condition, ...]) -> bool:
    literals = [part for part in parts if isinstance(part, Literal)]
    negative = {(literal.predicate, literal.arguments) for literal in literals if literal.negated}
    return any((literal.predicate, literal.arguments) in negative for literal in literals if not literal.negated)
