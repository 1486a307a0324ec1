"""Reachable instances as operators: long lists of (operator, atom) and (block, effect) pairs, simplified.

Idea         everything about all operators stands in a few pairs of columns, so that merging, folding and dropping are
             sorts and masks over whole columns. Only disjunctions and conditional effects are built one by one.
In, out      Instances and Reachability -> Operators
Facts        those of the table, then one per fluent that may be undefined: "it has a value", added by each assign
Blocks       one per operator and distinct effect condition; the unconditional one is first (conjunction 0)
Undefined    the precondition says that what is read has a value, or that the effect which reads it does not take place
Simplified   constants are gone, an atom deleted and added is only added, changes of one fluent in one block are one,
             effects that the precondition makes void are gone
Not here     what several changes of one fluent mean (conflicts), what is irrelevant for the goal (relevance), final
             numbers (flatten)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numbat.ground.columns import Index, Mask, distinct, ranked
from numbat.ground.conditions import Conditions
from numbat.ground.conflicts import Change, Conflicts
from numbat.ground.expressions import GroundEffect
from numbat.ground.fold import EffectForm, Fold, Linear, combine, required
from numbat.ground.instances import ActionRows, All, Node
from numbat.ground.pairs import EMPTY, NONE, Pairs, join, join_pairs
from numbat.ground.pools import Conjunction
from numbat.ground.reach import Reachability
from numbat.ground.statics import Number
from numbat.task.numbering import Numbering

Required = Iterable[tuple[int, Conjunction | None]]  # operators and what else must hold for them; None: they are dead


@dataclass
class _Found:
    """Fired instances of one effect, before blocks are numbered."""

    operator: Index
    condition: Index  # the number of a conjunction
    adds: list[Index]
    deletes: list[Index]
    numeric: list[Index]

    def where(self, mask: Mask) -> _Found:
        lists = ([ids[mask] for ids in part] for part in (self.adds, self.deletes, self.numeric))
        return _Found(self.operator[mask], self.condition[mask], *lists)


class _Changes(NamedTuple):
    """Columns: operator, number of a conjunction, number of a form."""

    operator: Index
    condition: Index
    form: Index


class Operators:
    """The operators of a task; the goal's operator, if reachable, is the last (`goal`) and has no effects."""

    def __init__(self, reach: Reachability) -> None:
        self.reach = reach
        self.instances = reach.instances
        self.table = self.instances.expressions
        self.fold = Fold(self.table, reach.intervals)
        self.conditions = Conditions(reach, self.fold)
        self.facts, self.pools = self.conditions.facts, self.conditions.logic
        self._fold_effects()
        self._collect()
        self._simplify_facts()
        self._merge_definedness()
        self._simplify_numbers()

    def _fold_effects(self) -> None:
        """Effects become forms; an assign may define its fluent."""
        table, defined_fact = self.table, self.conditions.defined_fact
        self._forms: Numbering[EffectForm] = Numbering()
        self.forms = self._forms.entries
        self._placeholders: dict[int, Number] = {}
        self._form_of = np.full(len(table.effects), NONE, dtype=np.int64)
        self._defines = np.full(len(table.effects), NONE, dtype=np.int64)
        for e in np.flatnonzero(self.reach.enabled).tolist():
            effect, form = table.effects[e], self.fold.effect(e)
            if form is not None:
                self._form_of[e] = self._forms[form]
            if effect.assign and effect.fluent in defined_fact:
                self._defines[e] = defined_fact[effect.fluent]
                amount = self.fold.linear(effect.expression)
                constant = amount.constant if amount is not None and not amount.terms else 0
                self._placeholders.setdefault(effect.fluent, constant)

    def initial_value(self, fluent: int) -> Number:
        """What the state begins with; an undefined fluent gets what it is first assigned, if that is a constant."""
        value = self.reach.intervals.initial[fluent]
        if value is not None:
            return value
        return self._placeholders.get(fluent, 0)

    # --- collecting ---

    def _collect(self) -> None:
        atoms: list[tuple[Index, Index]] = []
        found: list[_Found] = []
        origins: list[tuple[Index, Index]] = []
        size = 0
        for number, (action, reached) in enumerate(zip(self.instances.actions, self.reach.reached, strict=True)):
            rows = np.flatnonzero(reached)
            operator_of = np.full(len(reached), NONE, dtype=np.int64)
            operator_of[rows] = size + np.arange(len(rows))
            size += len(rows)
            origins.append((np.full(len(rows), number, dtype=np.int64), rows))
            atoms += self.conditions.atoms(action.precondition, rows, operator_of[rows])
            atoms.append(self.conditions.required(self._values_needed(action, operator_of)))
            found += self._fired(action, operator_of, self.reach.fired[number])
        self.size = size
        self.action, self.row = join_pairs(origins).owner, join_pairs(origins).item
        changes, guards = self._changes(found)
        atoms.append(self.conditions.required(guards))
        self.precondition = join_pairs(atoms).sorted()
        self._find_possible()
        self._blocks(found, changes)

    def _find_possible(self) -> None:
        """Which operators have a precondition that is not plainly contradictory; the goal's is none of them."""
        self.possible = np.ones(self.size, dtype=bool)
        self.possible[self.precondition.owner[self.precondition.item == self.pools.falsity()]] = False
        self.goal = NONE
        if self.reach.goal_reachable:
            self.goal = self.size - 1 if self.possible[-1] else NONE
            self.possible[-1] = False

    def _fired(self, action: ActionRows, operator_of: Index, fired: list[Mask]) -> Iterator[_Found]:
        for effect, mask in zip(action.effects, fired, strict=True):
            index = np.flatnonzero(mask)
            conditions = self._effect_conditions(effect.condition, index)
            lists = ([ids[index] for ids in part] for part in (effect.adds, effect.deletes, effect.numeric))
            yield _Found(operator_of[effect.parent[index]], conditions, *lists).where(conditions != NONE)

    def _effect_conditions(self, node: Node, rows: Index) -> Index:
        """The number of the conjunction each fired effect is under; NONE where it turns out contradictory."""
        if isinstance(node, All) and not node.parts:
            return np.zeros(len(rows), dtype=np.int64)
        conjunctions = [self.conditions.row(node, row) for row in rows.tolist()]
        return np.array([NONE if c is None else self.pools.number(c) for c in conjunctions], dtype=np.int64)

    def _values_needed(self, action: ActionRows, operator_of: Index) -> Required:
        """What an operator reads must have a value, unless it is read under a condition that does not hold."""
        expression_needs, effect_needs = self.conditions.expression_needs, self.conditions.effect_needs
        for ids in action.reads:
            yield from self._needs(All(()), operator_of, ids, expression_needs)
        for effect in action.effects:
            for ids in effect.reads:
                yield from self._needs(effect.condition, operator_of[effect.parent], ids, expression_needs)
            for ids in effect.numeric:
                yield from self._needs(effect.condition, operator_of[effect.parent], ids, effect_needs)

    def _needs(
        self, condition: Node, operators: Index, ids: Index, needs: Callable[[int], Conjunction | None]
    ) -> Required:
        """Per row of a column: what the id needs, or that the condition does not hold."""
        present = np.flatnonzero(operators != NONE)
        asked, inverse = np.unique(ids[present], return_inverse=True)
        found = [needs(number) for number in asked.tolist()]
        doubtful = np.array([need != () for need in found], dtype=bool)[inverse]
        for row, place in zip(present[doubtful].tolist(), inverse[doubtful].tolist(), strict=True):
            holds = self.conditions.row(condition, row)
            if holds is not None:
                yield int(operators[row]), self.pools.some((self.pools.negate(holds), found[place]))

    # --- blocks ---

    def _changes(self, found: list[_Found]) -> tuple[_Changes, list[tuple[int, Conjunction | None]]]:
        """The numeric effects, and what must hold so that those of one operator on one fluent have a meaning."""
        columns = [(effect.operator, effect.condition, ids) for effect in found for ids in effect.numeric]
        operator, condition, effect = (join([column[part] for column in columns]) for part in range(3))
        changes = [_Changes(operator, condition, self._form_of[effect])]
        guards: list[tuple[int, Conjunction | None]] = []
        groups = _meeting(operator, effect, self.table.effects)
        changes[0].form[join(groups)] = NONE
        conflicts = Conflicts(self.fold, self.pools)
        for group in groups:
            owner, conjunctions = int(operator[group[0]]), map(self.pools.conjunctions.__getitem__, condition[group])
            resolved = conflicts.resolve(list(map(Change, conjunctions, effect[group].tolist())))
            guards.append((owner, resolved.guard))
            for conjunction, form in resolved.changes:
                row = owner, self.pools.number(conjunction), self._forms[form]
                changes.append(_Changes(*(np.array([entry], dtype=np.int64) for entry in row)))
        return _Changes(*(join(list(column)) for column in zip(*changes, strict=True))), guards

    def _blocks(self, found: list[_Found], changes: _Changes) -> None:
        """Number the blocks and hang the effects on them; impossible operators get none."""
        radix = len(self.pools.conjunctions)
        adds: list[tuple[Index, Index]] = []
        deletes: list[tuple[Index, Index]] = []
        for effect in found:
            owner = effect.operator * radix + effect.condition
            adds += [(owner, ids) for ids in effect.adds]
            adds += [(owner, self._defines[ids]) for ids in effect.numeric if self.conditions.undefined]
            deletes += [(owner, ids) for ids in effect.deletes]
        lists = [
            join_pairs(adds),
            join_pairs(deletes),
            Pairs(changes.operator * radix + changes.condition, changes.form),
        ]
        lists = [pairs.where(pairs.item != NONE) for pairs in lists]
        lists[:2] = [pairs.where(self.conditions.varies[pairs.item]) for pairs in lists[:2]]
        lists = [pairs.where(self.possible[pairs.owner // radix]) for pairs in lists]
        codes, owners = ranked([pairs.owner for pairs in lists], self.size * radix)
        self.block_operator, self.block_condition = codes // radix, codes % radix
        self.adds = Pairs(owners[0], lists[0].item).sorted()
        self.deletes = Pairs(owners[1], lists[1].item).sorted()
        self.numeric = Pairs(owners[2], lists[2].item)

    # --- simplifying ---

    def of_operator(self, pairs: Pairs) -> Pairs:
        """The same items, owned by the block's operator."""
        return Pairs(self.block_operator[pairs.owner], pairs.item)

    def _simplify_facts(self) -> None:
        """Deletes happen before adds; what the precondition already guarantees need not be brought about."""
        logical = self.precondition.where(self.precondition.item < self.pools.first)
        facts, is_false = Pairs(logical.owner, logical.item // 2), logical.item % 2 == 1
        required_truth, required_falsity = facts.where(~is_false), facts.where(is_false)
        always_added = self.of_operator(self.adds.where(self.block_condition[self.adds.owner] == 0))
        void = self.deletes.isin(self.adds)
        owned = self.of_operator(self.deletes)
        void |= owned.isin(always_added) | owned.isin(required_falsity)
        self.deletes = self.deletes.where(~void)
        owned = self.of_operator(self.adds)
        void = owned.isin(required_truth) & ~owned.isin(self.of_operator(self.deletes))
        self.adds = self.adds.where(~void)

    def _merge_definedness(self) -> None:
        """Fluents that always get their first values together share one fact, unless a disjunction mentions it."""
        undefined = self.conditions.undefined
        if not undefined:
            return
        first = self.facts - len(undefined)
        mentioned = {atom // 2 for conjunction in self.pools.conjunctions for atom in conjunction}
        adders: dict[int, list[int]] = {fact: [] for fact in range(first, self.facts) if fact not in mentioned}
        for block, fact in zip(self.adds.owner.tolist(), self.adds.item.tolist(), strict=True):
            if fact in adders:
                adders[fact].append(block)
        leader: dict[tuple[int, ...], int] = {}
        rename = np.arange(self.facts)
        for fact, blocks in adders.items():
            rename[fact] = leader.setdefault(tuple(blocks), fact)
        self.adds = Pairs(self.adds.owner, rename[self.adds.item]).sorted()
        atoms = self.precondition.item
        logical = atoms < self.pools.first
        renamed = np.where(logical, 2 * rename[np.where(logical, atoms // 2, 0)] + atoms % 2, atoms)
        self.precondition = Pairs(self.precondition.owner, renamed).sorted()

    def _simplify_numbers(self) -> None:
        """Several changes of one fluent in one block become their sum."""
        self.fluent_of_form = np.array([form.fluent for form in self.forms], dtype=np.int64)
        fluents = self.fluent_of_form[self.numeric.item] if len(self.forms) else EMPTY
        owner, item = self.numeric.owner, self.numeric.item.copy()
        if not _ascend(owner, fluents, item):
            order = np.lexsort((item, fluents, owner))
            owner, item, fluents = owner[order], item[order], fluents[order]
        again = np.zeros(len(owner), dtype=bool)
        again[1:] = (owner[1:] == owner[:-1]) & (fluents[1:] == fluents[:-1])
        sums: dict[tuple[int, ...], int] = {}
        never = np.zeros(len(self.block_operator), dtype=bool)
        for end in np.flatnonzero(again & ~np.append(again[1:], False)).tolist():
            begin = end
            while again[begin]:
                begin -= 1
            together = tuple(item[begin : end + 1].tolist())
            if not any(self.forms[form].assign for form in together):
                if together not in sums:
                    sums[together] = self._sum(together)
                item[begin : end + 1] = NONE
                item[begin] = sums[together]
            else:
                # conflicting changes under one condition: the precondition rules it out (conflicts)
                never[owner[begin]] = True
        self.numeric = Pairs(owner, item).where((item != NONE) & ~never[owner])
        self.adds = self.adds.where(~never[self.adds.owner])
        self.deletes = self.deletes.where(~never[self.deletes.owner])
        self.fluent_of_form = np.array([form.fluent for form in self.forms], dtype=np.int64)

    def _sum(self, together: tuple[int, ...]) -> int:
        """The number of the form that is the sum of increases of one fluent; NONE if they cancel."""
        first = self.forms[together[0]]
        if any(self.forms[form].form is None for form in together):
            total = None
        else:
            total = combine(*((1, required(self.forms[form].form, first.span)) for form in together))
            if total == Linear(0, ()):
                return NONE
        return self._forms[EffectForm(first.fluent, False, total, first.span)]


def _ascend(*columns: Index) -> bool:
    """Are the rows of these columns sorted, by the first column first?"""
    above = np.zeros(max(len(columns[0]) - 1, 0), dtype=bool)
    for column in reversed(columns):
        above = (column[:-1] > column[1:]) | ((column[:-1] == column[1:]) & above)
    return not above.any()


def _meeting(operator: Index, effect: Index, effects: list[GroundEffect]) -> list[Index]:
    """Where one operator changes one fluent several times, and not only by increases: the places of each such group."""
    if not len(effect):
        return []
    fluent = np.array([known.fluent for known in effects], dtype=np.int64)[effect]
    assign = np.array([known.assign for known in effects], dtype=bool)[effect]
    codes = Pairs(operator, fluent).codes(int(fluent.max()) + 1)
    if not assign.any() or len(distinct(codes)) == len(codes):
        return []
    _, group = np.unique(codes, return_inverse=True)
    meets = (np.bincount(group) > 1) & (np.bincount(group, weights=assign) > 0)
    places = np.flatnonzero(meets[group])
    ordered = places[np.argsort(group[places], kind="stable")]
    return np.split(ordered, np.flatnonzero(np.diff(group[ordered])) + 1) if len(ordered) else []
