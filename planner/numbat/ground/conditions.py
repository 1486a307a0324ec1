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
        pairs = zip(operators.tolist(), rows.tolist(), strict=True)
        return [self.required((operator, self.row(node, row)) for operator, row in pairs)]

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
