"""Progress towards the goal: how many of its parts hold, and how far the numeric ones are from holding.

Subgoals     the atoms of the goal
Distance     sum over the numeric subgoals that do not hold of what is missing, divided by what was missing in the
             initial state and at most as much; in units of 1/UNIT, so that it is an integer
Progress     a state in which all subgoals of the given state hold and one more, or the distance is smaller by a
             hundredth at least; preferred: many subgoals, then a small distance
"""

from __future__ import annotations

from dataclasses import dataclass

from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import Expression, constant, variable
from numbat.engines.patterns.reduce import Form, Model, State

UNIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Subgoals:
    """The subgoals of a task; `missing` is per atom what was missing initially, for numeric ones."""

    model: Model
    atoms: tuple[int, ...]
    missing: dict[int, int]

    @classmethod
    def of(cls, model: Model) -> Subgoals:
        atoms = model.conjunctions[model.goal]
        forms = [(atom, form) for atom in atoms if (form := model.condition(atom)) is not None]
        return cls(model, atoms, {atom: max(1, -form.value(model.initial.values)) for atom, form in forms})

    def reached(self, state: State) -> frozenset[int]:
        return frozenset(atom for atom in self.atoms if self.model.atom_holds(atom, state))

    def distance(self, state: State) -> int:
        return sum(
            self._weight(atom) * min(missing, max(0, -self._form(atom).value(state.values)))
            for atom, missing in self.missing.items()
        )

    def require_progress(self, encoder: Encoder, state: State) -> None:
        """Ask for a last state that is better than this one, and prefer the best."""
        formula = encoder.formula
        reached = self.reached(state)
        for atom in reached:
            encoder.require_atom(atom)
        open_atoms = [atom for atom in self.atoms if atom not in reached]
        better = []
        for atom in open_atoms:
            holds = formula.new_boolean()
            encoder.require_atom(atom, (holds,))
            formula.soft.append((holds, 2 * UNIT))
            better.append(holds)
        total = constant(0)
        for atom in open_atoms:
            if atom in self.missing:
                total = total.plus(self._distance_variable(encoder, atom), self._weight(atom))
        if total.terms:
            closer = formula.new_boolean()
            now = self.distance(state)
            formula.add_row((closer,), total, None, now - max(1, now // 100))
            better.append(closer)
        formula.add_clause(better)

    def _distance_variable(self, encoder: Encoder, atom: int) -> Expression:
        """What is missing at the end, at most what was missing initially."""
        formula, missing = encoder.formula, self.missing[atom]
        distance, far = formula.new_integer(0, missing), formula.new_boolean()
        formula.add_row((far,), variable(distance), missing, None)
        formula.add_row((~far,), encoder.value(self._form(atom)).plus(variable(distance)), 0, None)
        formula.costs.append((distance, self._weight(atom)))
        return variable(distance)

    def _weight(self, atom: int) -> int:
        return max(1, UNIT // self.missing[atom])

    def _form(self, atom: int) -> Form:
        form = self.model.condition(atom)
        assert form is not None
        return form
