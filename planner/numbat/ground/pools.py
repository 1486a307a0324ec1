"""Conjunctions and disjunctions of atoms, each distinct one once.

Atoms        2f: fact f is true, 2f+1: it is false, 2F + c: condition c holds, 2F + C + d: disjunction d holds
Form         a conjunction is a sorted tuple of distinct atoms; number 0 is the empty one. Truth is (), falsity None
"""

from __future__ import annotations

from collections.abc import Iterable

Conjunction = tuple[int, ...]


class Pools:
    """Numbers for conjunctions and disjunctions over a fixed number of facts and conditions."""

    def __init__(self, facts: int, conditions: int) -> None:
        self.facts = facts
        self.first_disjunction = 2 * facts + conditions
        self.conjunctions: list[Conjunction] = [()]
        self.disjunctions: list[tuple[int, ...]] = []
        self._conjunction_ids: dict[Conjunction, int] = {(): 0}
        self._disjunction_ids: dict[tuple[int, ...], int] = {}

    def number(self, conjunction: Conjunction) -> int:
        number = self._conjunction_ids.get(conjunction)
        if number is None:
            number = self._conjunction_ids[conjunction] = len(self.conjunctions)
            self.conjunctions.append(conjunction)
        return number

    def every(self, parts: Iterable[Conjunction | None]) -> Conjunction | None:
        """All of the parts."""
        atoms: set[int] = set()
        for part in parts:
            if part is None:
                return None
            atoms.update(part)
        if any(atom % 2 == 0 and atom < 2 * self.facts and atom + 1 in atoms for atom in atoms):
            return None
        return tuple(sorted(atoms))

    def some(self, parts: Iterable[Conjunction | None]) -> Conjunction | None:
        """At least one of the parts: a conjunction of one atom, unless it simplifies."""
        distinct = list(dict.fromkeys(part for part in parts if part is not None))
        if () in distinct:
            return ()
        if len(distinct) <= 1:
            return distinct[0] if distinct else None
        return (self.disjunction(tuple(sorted({self.number(part) for part in distinct}))),)

    def disjunction(self, parts: tuple[int, ...]) -> int:
        """The atom of a disjunction of conjunction numbers."""
        number = self._disjunction_ids.get(parts)
        if number is None:
            number = self._disjunction_ids[parts] = len(self.disjunctions)
            self.disjunctions.append(parts)
        return self.first_disjunction + number
