"""Conditions of instances as conjunctions of atoms, with everything folded away that reachability has decided.

In, out      the nodes of instances, row by row or whole columns -> atoms and conjunctions (pools)
Facts        those of the table, then one per fluent that may be undefined: "it has a value"
Values       `needs`: what must hold so that an expression or a numeric effect has a value
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numbat.ground.columns import Index
from numbat.ground.fold import Fold
from numbat.ground.instances import All, Any, Compares, Facts, Node, Truth
from numbat.ground.pairs import NONE
from numbat.ground.pools import Conjunction, Logic
from numbat.ground.reach import Reachability

# What is known of a condition: a conjunction is the least of its parts, a disjunction the greatest.
_FALSE, _OPEN, _TRUE = 0, 1, 2


class Conditions:
    def __init__(self, reach: Reachability, fold: Fold) -> None:
        self._reach = reach
        self._fold = fold
        self._table = reach.instances.expressions
        self._number_facts()
        self.logic = Logic(self.facts, fold)
        readable = reach.intervals.readable
        parts = [fold.comparison(c) if readable(e) else None for c, (e, _) in enumerate(self._table.comparisons)]
        self._comparisons = parts
        known = [_FALSE if part is None else _OPEN if part else _TRUE for part in parts]
        self._known_comparisons = np.array(known, dtype=np.int64)
        self._first = np.array([p[0] if p else NONE for p in parts], dtype=np.int64)
        self._second = np.array([p[1] if p and len(p) > 1 else NONE for p in parts], dtype=np.int64)

    def _number_facts(self) -> None:
        """Which facts vary, and the facts that say a fluent has a value."""
        table, intervals = self._reach.instances.facts, self._reach.intervals
        given = enumerate(zip(intervals.initial, intervals.of, strict=True))
        self.undefined = [f for f, (value, interval) in given if value is None and interval is not None]
        self.defined_fact = {fluent: len(table) + i for i, fluent in enumerate(self.undefined)}
        self.facts = len(table) + len(self.undefined)
        extra = np.ones(len(self.undefined), dtype=bool)
        self.varies = np.concatenate([self._reach.can_be_true & self._reach.can_be_false, extra])
        self.initially_true = np.concatenate([self._reach.initially_true, ~extra])

    # --- truth ---

    def atoms(self, node: Node, rows: Index, operators: Index) -> list[tuple[Index, Index]]:
        """The atoms a reachable precondition adds to each operator."""
        match node:
            case Facts(ids=ids, negated=negated):
                chosen = ids[rows]
                mask = self.varies[chosen]
                return [(operators[mask], 2 * chosen[mask] + negated)]
            case Compares(ids=ids):
                result = []
                for conditions in (self._first[ids[rows]], self._second[ids[rows]]):
                    mask = conditions != NONE
                    result.append((operators[mask], self.logic.first + 2 * conditions[mask]))
                return result
            case All(parts=parts):
                return [pair for part in parts for pair in self.atoms(part, rows, operators)]
            case Any(parts=parts):
                return self._some(parts, rows, operators)
        return [self._one_by_one(node, rows, operators)]

    def _some(self, parts: tuple[Node, ...], rows: Index, operators: Index) -> list[tuple[Index, Index]]:
        """Rows with a part that holds for ever ask for nothing, those with a single part left for that one."""
        known = np.array([self._known(part, rows) for part in parts], dtype=np.int64).reshape(len(parts), len(rows))
        unmet = (known != _TRUE).all(axis=0)
        single = unmet & ((known == _OPEN).sum(axis=0) == 1)
        result = []
        for part, states in zip(parts, known, strict=True):
            mask = single & (states == _OPEN)
            result += self.atoms(part, rows[mask], operators[mask])
        mask = unmet & ~single
        return [*result, self._one_by_one(Any(parts), rows[mask], operators[mask])]

    def _known(self, node: Node, rows: Index) -> Index:
        """What reachability has decided of each row."""
        match node:
            case Truth(values=values):
                return np.where(values[rows], _TRUE, _FALSE)
            case Facts(ids=ids, negated=negated):
                constant = np.where(self.initially_true[ids[rows]] != negated, _TRUE, _FALSE)
                return np.where(self.varies[ids[rows]], _OPEN, constant)
            case Compares(ids=ids):
                return self._known_comparisons[ids[rows]]
            case All(parts=parts):
                known = np.full(len(rows), _TRUE)
                for part in parts:
                    known = np.minimum(known, self._known(part, rows))
                return known
            case Any(parts=parts):
                known = np.full(len(rows), _FALSE)
                for part in parts:
                    known = np.maximum(known, self._known(part, rows))
                return known

    def _one_by_one(self, node: Node, rows: Index, operators: Index) -> tuple[Index, Index]:
        pairs = zip(operators.tolist(), rows.tolist(), strict=True)
        return self.required((operator, self.row(node, row)) for operator, row in pairs)

    def required(self, conditions: Iterable[tuple[int, Conjunction | None]]) -> tuple[Index, Index]:
        """The atoms of conditions that operators have."""
        falsity = (self.logic.falsity(),)
        pairs = [(operator, atom) for operator, c in conditions for atom in (falsity if c is None else c)]
        flat = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return flat[:, 0], flat[:, 1]

    def row(self, node: Node, row: int) -> Conjunction | None:
        """The condition of a single row."""
        match node:
            case Truth(values=values):
                return () if values[row] else None
            case Facts(ids=ids, negated=negated):
                fact = int(ids[row])
                if self.varies[fact]:
                    return (2 * fact + negated,)
                return () if self.initially_true[fact] != negated else None
            case Compares(ids=ids):
                conditions = self._comparisons[ids[row]]
                return None if conditions is None else tuple(sorted(map(self.logic.of_condition, conditions)))
            case All(parts=parts):
                return self.logic.every(self.row(part, row) for part in parts)
            case Any(parts=parts):
                return self.logic.some(self.row(part, row) for part in parts)

    # --- values ---

    def expression_needs(self, expression: int) -> Conjunction | None:
        """What must hold so that an expression has a value; None if it never has."""
        if not self._reach.intervals.readable(expression):
            return None
        known = self._table.expressions[expression]
        parts: list[Conjunction | None] = [self._defined(known.reads)]
        for divisor in known.divisors:
            parts.append(self.expression_needs(divisor))
            signs = self._fold.nonzero(divisor)
            if signs is not None:
                parts.append(self.logic.some((self.logic.of_condition(sign),) for sign in signs))
        return self.logic.every(parts)

    def effect_needs(self, number: int) -> Conjunction | None:
        """What must hold so that a numeric effect can be executed; None if it never can."""
        effect = self._table.effects[number]
        needs = self.expression_needs(effect.expression)
        if effect.assign or needs is None:
            return needs
        if self._reach.intervals.of[effect.fluent] is None:
            return None
        return self.logic.every((needs, self._defined((effect.fluent,))))

    def _defined(self, fluents: tuple[int, ...]) -> Conjunction:
        return tuple(sorted(2 * self.defined_fact[f] for f in fluents if f in self.defined_fact))
