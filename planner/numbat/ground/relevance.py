"""What can matter for the goal: backwards from it over facts, fluents, effects and operators.

Definition   relevant are: what the goal reads; effects on something relevant; what these effects, their conditions and
             their operators' preconditions read; what the cost of a relevant operator reads; operators that may pay
             (cost below 0) with what they read. Least fixpoint, per ground fact and fluent.
Guarantee    plans for the reduced task are the plans for the full one without their irrelevant actions
"""

from __future__ import annotations

import numpy as np

from numbat.ground.columns import Mask, distinct
from numbat.ground.costs import Costs
from numbat.ground.fold import required
from numbat.ground.operators import Operators
from numbat.ground.pairs import NONE, Pairs


class Relevance:
    """Masks over facts, fluents, operators and pairs; computed on construction."""

    def __init__(self, operators: Operators, costs: Costs) -> None:
        self.operators = operators
        self.costs = costs
        self.facts = np.zeros(operators.facts, dtype=bool)
        self.fluents = np.zeros(len(operators.instances.fluents), dtype=bool)
        self._conjunctions = np.zeros(len(operators.pools.conjunctions), dtype=bool)
        self.conditions = np.zeros(len(operators.fold.conditions), dtype=bool)
        self.disjunctions = np.zeros(len(operators.pools.disjunctions), dtype=bool)
        self._forms = np.zeros(len(operators.forms), dtype=bool)
        self._fluent_of_form = operators.fluent_of_form()
        self.selected = np.zeros(operators.size, dtype=bool)
        if operators.goal != NONE:
            self.selected[operators.goal] = True
            self._read(self.selected)
            self._select_operators(costs.may_gain)
            while self._sweep():
                pass

    def adds(self) -> Pairs:
        pairs = self.operators.blocks.adds
        return pairs.where(self.facts[pairs.item])

    def deletes(self) -> Pairs:
        pairs = self.operators.blocks.deletes
        return pairs.where(self.facts[pairs.item])

    def numeric(self) -> Pairs:
        pairs = self.operators.blocks.numeric
        return pairs.where(self.fluents[self._fluent_of_form[pairs.item]] if len(pairs) else pairs.item == 0)

    def kept(self) -> Mask:
        """Operators that still change something, or may pay."""
        mask = self.costs.may_gain & self.operators.possible
        for pairs in (self.adds(), self.deletes(), self.numeric()):
            mask[self.operators.blocks.operator[pairs.owner]] = True
        return mask & self.selected

    def _sweep(self) -> bool:
        """Take in everything that affects what is relevant so far; say whether something was new."""
        blocks = self.operators.blocks
        before = self._count()
        affects = np.zeros(len(blocks.operator), dtype=bool)
        for pairs in (self.adds(), self.deletes(), self.numeric()):
            affects[pairs.owner] = True
        for conjunction in distinct(blocks.condition[affects]).tolist():
            self._need_conjunction(conjunction)
        for form in distinct(self.numeric().item).tolist():
            self._need_form(form)
        chosen = np.zeros(self.operators.size, dtype=bool)
        chosen[blocks.operator[affects]] = True
        self._select_operators(chosen)
        return self._count() != before

    def _count(self) -> tuple[int, ...]:
        return int(self.facts.sum()), int(self.fluents.sum()), int(self.selected.sum())

    def _select_operators(self, chosen: Mask) -> None:
        new = chosen & ~self.selected
        if new.any():
            self.selected |= new
            self._read(new)

    def _read(self, operators: Mask) -> None:
        """Mark what preconditions and costs of these operators read."""
        precondition, terms = self.operators.precondition, self.costs.terms
        atoms = precondition.item[operators[precondition.owner]]
        logical = atoms < self.operators.pools.first
        self.facts[atoms[logical] // 2] = True
        self._need_atoms(distinct(atoms[~logical]).tolist())
        self.fluents[terms.item[operators[terms.owner]]] = True

    def _need_atoms(self, atoms: list[int]) -> None:
        logic = self.operators.pools
        for atom in atoms:
            condition, disjunction = logic.condition_of(atom), logic.disjunction_of(atom)
            if condition is not None:
                self._need_condition(condition)
            elif disjunction is None:
                self.facts[atom // 2] = True
            elif not self.disjunctions[disjunction]:
                self.disjunctions[disjunction] = True
                for part in logic.disjunctions[disjunction]:
                    self._need_conjunction(part)

    def _need_condition(self, number: int) -> None:
        if not self.conditions[number]:
            self.conditions[number] = True
            condition = self.operators.fold.conditions[number]
            for fluent, _ in required(condition.form, condition.span).terms:
                self.fluents[fluent] = True

    def _need_conjunction(self, number: int) -> None:
        if not self._conjunctions[number]:
            self._conjunctions[number] = True
            self._need_atoms(list(self.operators.pools.conjunctions[number]))

    def _need_form(self, number: int) -> None:
        if not self._forms[number]:
            self._forms[number] = True
            effect = self.operators.forms[number]
            for fluent, _ in required(effect.form, effect.span).terms:
                self.fluents[fluent] = True
