"""Conjunctions and disjunctions of atoms, each distinct one once, and the logic over them.

Atoms        2f: fact f is true, 2f+1: it is false; what follows depends on who counts: see Logic and flatten
Form         a conjunction is a sorted tuple of distinct atoms; number 0 is the empty one. Truth is (), falsity None
"""

from __future__ import annotations

from collections.abc import Iterable

from numbat.ground.fold import Fold
from numbat.task.numbering import Numbering

Conjunction = tuple[int, ...]


class Pools:
    """Numbers for conjunctions of atoms and for disjunctions of conjunctions."""

    def __init__(self) -> None:
        self._conjunctions: Numbering[Conjunction] = Numbering([()])
        self._disjunctions: Numbering[tuple[int, ...]] = Numbering()
        self.conjunctions = self._conjunctions.entries
        self.disjunctions = self._disjunctions.entries

    def number(self, conjunction: Conjunction) -> int:
        return self._conjunctions[conjunction]

    def disjunction(self, parts: tuple[int, ...]) -> int:
        """The number of a disjunction of conjunction numbers."""
        return self._disjunctions[parts]


class Logic(Pools):
    """And, or, not. Behind the facts, even atoms are numeric conditions, odd ones disjunctions: both may grow."""

    def __init__(self, facts: int, fold: Fold) -> None:
        super().__init__()
        self.first = 2 * facts  # the first atom that is not about a fact
        self._fold = fold
        self._opposites: dict[int, Conjunction | None] = {}

    def of_condition(self, condition: int) -> int:
        return self.first + 2 * condition

    def of_disjunction(self, disjunction: int) -> int:
        return self.first + 2 * disjunction + 1

    def condition_of(self, atom: int) -> int | None:
        """The numeric condition that an atom stands for, if it does."""
        return (atom - self.first) // 2 if atom >= self.first and atom % 2 == 0 else None

    def disjunction_of(self, atom: int) -> int | None:
        """The disjunction that an atom stands for, if it does."""
        return (atom - self.first) // 2 if atom >= self.first and atom % 2 == 1 else None

    def falsity(self) -> int:
        """The atom that never holds: a disjunction without parts."""
        return self.of_disjunction(self.disjunction(()))

    def every(self, parts: Iterable[Conjunction | None]) -> Conjunction | None:
        """All of the parts."""
        atoms: set[int] = set()
        for part in parts:
            if part is None:
                return None
            atoms.update(part)
        return None if any(self._excluded(atom, atoms) for atom in atoms) else tuple(sorted(atoms))

    def _excluded(self, atom: int, atoms: set[int]) -> bool:
        """Do the atoms contain the opposite of one of them, as far as that is known?"""
        if atom < self.first:
            return atom ^ 1 in atoms
        opposite = self._opposites.get(atom)
        return opposite is not None and atoms.issuperset(opposite)

    def some(self, parts: Iterable[Conjunction | None]) -> Conjunction | None:
        """At least one of the parts: a conjunction of one atom, unless it simplifies."""
        distinct = list(dict.fromkeys(part for part in parts if part is not None))
        if () in distinct:
            return ()
        if len(distinct) <= 1:
            return distinct[0] if distinct else None
        return (self.of_disjunction(self.disjunction(tuple(sorted({self.number(part) for part in distinct})))),)

    def none(self, parts: Iterable[Conjunction]) -> Conjunction | None:
        """Not one of the parts."""
        return self.every(self.negate(part) for part in parts)

    def negate(self, conjunction: Conjunction) -> Conjunction | None:
        return self.some(self._opposite(atom) for atom in conjunction)

    def _opposite(self, atom: int) -> Conjunction | None:
        if atom < self.first:
            return (atom ^ 1,)
        if atom not in self._opposites:
            condition, disjunction = self.condition_of(atom), self.disjunction_of(atom)
            if condition is not None:
                self._opposites[atom] = (self.of_condition(self._fold.opposite(condition)),)
            elif disjunction is not None:
                self._opposites[atom] = self.none(self.conjunctions[part] for part in self.disjunctions[disjunction])
        return self._opposites[atom]
