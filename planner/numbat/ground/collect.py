"""Reachable instances of actions become operators: the atoms of their preconditions, the effects that fire.

Idea         everything about all operators stands in a few long columns, so that what follows is sorts and masks over
             them. Only disjunctions and conditional effects are built one by one.
In, out      Reachability -> Collected
Undefined    the precondition says that what is read has a value, or that the effect which reads it does not take place
Not here     what fired effects come to (changes, blocks)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from numbat.ground.columns import Index, Mask
from numbat.ground.conditions import Conditions
from numbat.ground.instances import ActionRows, All, Node
from numbat.ground.pairs import NONE, join_pairs
from numbat.ground.pools import Conjunction
from numbat.ground.reach import Reachability

Required = Iterable[tuple[int, Conjunction | None]]  # operators and what else must hold for them; None: they are dead


@dataclass(frozen=True, slots=True)
class Fired:
    """Fired instances of one effect: their operators, the numbers of their conditions, and what they do."""

    operator: Index
    condition: Index
    adds: tuple[Index, ...]
    deletes: tuple[Index, ...]
    numeric: tuple[Index, ...]

    def where(self, mask: Mask) -> Fired:
        lists = (tuple(ids[mask] for ids in part) for part in (self.adds, self.deletes, self.numeric))
        return Fired(self.operator[mask], self.condition[mask], *lists)


@dataclass(frozen=True, slots=True)
class Collected:
    """Per operator its action and the row of its arguments there; atoms of preconditions; fired effects."""

    action: Index
    row: Index
    atoms: tuple[tuple[Index, Index], ...]  # columns of operators and what they require
    fired: tuple[Fired, ...]


def collect(reach: Reachability, conditions: Conditions) -> Collected:
    """The goal's operator, if it is reachable, is the last one."""
    origins: list[tuple[Index, Index]] = []
    atoms: list[tuple[Index, Index]] = []
    found: list[Fired] = []
    size = 0
    for number, (action, reached) in enumerate(zip(reach.instances.actions, reach.reached, strict=True)):
        rows = np.flatnonzero(reached)
        operator_of = np.full(len(reached), NONE, dtype=np.int64)
        operator_of[rows] = size + np.arange(len(rows))
        size += len(rows)
        origins.append((np.full(len(rows), number, dtype=np.int64), rows))
        atoms += conditions.atoms(action.precondition, rows, operator_of[rows])
        atoms.append(conditions.required(_values_needed(action, operator_of, conditions)))
        found += _fired(action, operator_of, reach.fired[number], conditions)
    origin = join_pairs(origins)
    return Collected(origin.owner, origin.item, tuple(atoms), tuple(found))


# --- effects ---


def _fired(action: ActionRows, operator_of: Index, fired: list[Mask], conditions: Conditions) -> Iterator[Fired]:
    for effect, mask in zip(action.effects, fired, strict=True):
        index = np.flatnonzero(mask)
        numbers = _condition_numbers(effect.condition, index, conditions)
        lists = (tuple(ids[index] for ids in part) for part in (effect.adds, effect.deletes, effect.numeric))
        yield Fired(operator_of[effect.parent[index]], numbers, *lists).where(numbers != NONE)


def _condition_numbers(node: Node, rows: Index, conditions: Conditions) -> Index:
    """The number of the conjunction each fired effect is under; NONE where it turns out contradictory."""
    if isinstance(node, All) and not node.parts:
        return np.zeros(len(rows), dtype=np.int64)
    conjunctions = [conditions.row(node, row) for row in rows.tolist()]
    return np.array([NONE if c is None else conditions.logic.number(c) for c in conjunctions], dtype=np.int64)


# --- values ---


def _values_needed(action: ActionRows, operator_of: Index, conditions: Conditions) -> Required:
    """What an operator reads must have a value, unless it is read under a condition that does not hold."""
    for ids in action.reads:
        yield from _needs(All(()), operator_of, ids, conditions, conditions.expression_needs)
    for effect in action.effects:
        for ids in effect.reads:
            parents = operator_of[effect.parent]
            yield from _needs(effect.condition, parents, ids, conditions, conditions.expression_needs)
        for ids in effect.numeric:
            yield from _needs(effect.condition, operator_of[effect.parent], ids, conditions, conditions.effect_needs)


def _needs(
    node: Node, operators: Index, ids: Index, conditions: Conditions, needs: Callable[[int], Conjunction | None]
) -> Required:
    """Per row of a column: what the id needs, or that the condition does not hold."""
    logic = conditions.logic
    present = np.flatnonzero(operators != NONE)
    asked, inverse = np.unique(ids[present], return_inverse=True)
    found = [needs(number) for number in asked.tolist()]
    doubtful = np.array([need != () for need in found], dtype=bool)[inverse]
    for row, place in zip(present[doubtful].tolist(), inverse[doubtful].tolist(), strict=True):
        holds = conditions.row(node, row)
        if holds is not None:
            yield int(operators[row]), logic.some((logic.negate(holds), found[place]))
