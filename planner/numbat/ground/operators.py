"""Reachable instances as operators: long lists of (operator, atom) and (block, effect) pairs, simplified.

Idea         everything about all operators stands in a few pairs of columns, so that merging, folding and dropping are
             sorts and masks over whole columns. Only disjunctions and conditional effects are built one by one.
In, out      Instances and Reachability -> Operators
Facts        those of the table, then one per fluent that may be undefined: "it has a value", added by each assign
Blocks       one per operator and distinct effect condition; the unconditional one is first (conjunction 0)
Simplified   constants are gone, an atom deleted and added is only added, changes of one fluent add up, effects that
             the precondition makes void are gone
Not here     what is irrelevant for the goal (relevance), final numbers (flatten)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from numbat.ground.columns import Index, Mask, contained, distinct
from numbat.ground.expressions import UNREADABLE
from numbat.ground.fold import EffectForm, Fold, Linear, combine, required
from numbat.ground.instances import ActionRows, All, Any, Compares, Facts, Node, Truth
from numbat.ground.pools import Conjunction, Pools
from numbat.ground.reach import Reachability
from numbat.ground.statics import Number

NONE = -1
_EMPTY: Index = np.zeros(0, dtype=np.int64)


@dataclass
class Pairs:
    """Two columns of equal length: an owner (operator or block) and what it has."""

    owner: Index
    item: Index

    def __len__(self) -> int:
        return len(self.owner)

    def where(self, mask: Mask) -> Pairs:
        return Pairs(self.owner[mask], self.item[mask])

    def sorted(self) -> Pairs:
        """Ascending, each pair once."""
        return decode(distinct(self.codes(self.radix())), self.radix())

    def radix(self) -> int:
        return int(self.item.max()) + 1 if len(self.item) else 1

    def codes(self, radix: int) -> Index:
        return self.owner * radix + self.item

    def isin(self, other: Pairs) -> Mask:
        radix = max(self.radix(), other.radix())
        return contained(self.codes(radix), other.codes(radix))


def decode(codes: Index, radix: int) -> Pairs:
    return Pairs(codes // radix, codes % radix)


def join_pairs(parts: list[tuple[Index, Index]]) -> Pairs:
    if not parts:
        return Pairs(_EMPTY, _EMPTY)
    return Pairs(np.concatenate([owner for owner, _ in parts]), np.concatenate([item for _, item in parts]))


@dataclass
class _Found:
    """Fired instances of one effect, before blocks are numbered."""

    operator: Index
    condition: Index
    adds: list[Index]
    deletes: list[Index]
    numeric: list[Index]


class Operators:
    """The operators of a task; the goal's operator, if reachable, is the last (`goal`) and has no effects."""

    def __init__(self, reach: Reachability) -> None:
        self.reach = reach
        self.instances = reach.instances
        self.table = self.instances.expressions
        self.fold = Fold(self.table, reach.intervals)
        self._number_facts()
        self._fold_numbers()
        self.pools = Pools(self.facts, len(self.fold.conditions))
        self._collect()
        self._simplify_facts()
        self._simplify_numbers()

    # --- vocabulary ---

    def _number_facts(self) -> None:
        """Which facts vary, and the facts that say a fluent has a value."""
        table, intervals = self.instances.facts, self.reach.intervals
        given = enumerate(zip(intervals.initial, intervals.of, strict=True))
        self.undefined = [f for f, (value, interval) in given if value is None and interval is not None]
        self._defined_fact = {fluent: len(table) + i for i, fluent in enumerate(self.undefined)}
        self.facts = len(table) + len(self.undefined)
        extra = np.ones(len(self.undefined), dtype=bool)
        self.varies = np.concatenate([self.reach.can_be_true & self.reach.can_be_false, extra])
        self.initially_true = np.concatenate([self.reach.initially_true, ~extra])

    def _fold_numbers(self) -> None:
        """Comparisons become one or two conditions, effects become forms; what they read may need to be defined."""
        table, reach = self.table, self.reach
        readable = reach.readable.tolist()
        parts = [self.fold.comparison(c) if readable[c] else None for c in range(len(table.comparisons))]
        self._comparison_conditions = parts
        self._first = np.array([p[0] if p else NONE for p in parts], dtype=np.int64)
        self._second = np.array([p[1] if p and len(p) > 1 else NONE for p in parts], dtype=np.int64)
        self.forms: list[EffectForm] = []
        self._placeholders: dict[int, Number] = {}
        self._form_of = np.full(len(table.effects), NONE, dtype=np.int64)
        self._defines = np.full(len(table.effects), NONE, dtype=np.int64)
        enabled = np.flatnonzero(reach.enabled).tolist()
        for e in enabled:
            effect, form = table.effects[e], self.fold.effect(e)
            if form is not None:
                self._form_of[e] = len(self.forms)
                self.forms.append(form)
            if effect.assign and effect.fluent in self._defined_fact:
                self._defines[e] = self._defined_fact[effect.fluent]
                amount = self.fold.linear(effect.expression)
                constant = amount.constant if amount is not None and not amount.terms else 0
                self._placeholders.setdefault(effect.fluent, constant)
        self._is_assign = np.array([table.effects[e].assign for e in enabled if self._form_of[e] != NONE], dtype=bool)
        self._comparison_needs = [self._needs(expression, ()) for expression, _ in table.comparisons]
        self._effect_needs = [self._needs(e.expression, () if e.assign else (e.fluent,)) for e in table.effects]

    def _needs(self, expression: int, others: tuple[int, ...]) -> tuple[int, ...]:
        """Facts that must hold so that an expression (and other fluents) can be read."""
        if not self._defined_fact or expression == UNREADABLE:
            return ()
        reads = (*self.table.expressions[expression].reads, *others)
        return tuple(self._defined_fact[f] for f in dict.fromkeys(reads) if f in self._defined_fact)

    # --- collecting ---

    def _collect(self) -> None:
        atoms: list[tuple[Index, Index]] = []
        found: list[_Found] = []
        self.action, self.row, size = _EMPTY, _EMPTY, 0
        origins: list[tuple[Index, Index]] = []
        for number, (action, reached) in enumerate(zip(self.instances.actions, self.reach.reached, strict=True)):
            rows = np.flatnonzero(reached)
            operator_of = np.full(len(reached), NONE, dtype=np.int64)
            operator_of[rows] = size + np.arange(len(rows))
            size += len(rows)
            origins.append((np.full(len(rows), number, dtype=np.int64), rows))
            atoms += self._atoms(action.precondition, rows, operator_of[rows])
            atoms += self._definedness(action, operator_of)
            for effect, fired in zip(action.effects, self.reach.fired[number], strict=True):
                index = np.flatnonzero(fired)
                found.append(
                    _Found(
                        operator_of[effect.parent[index]],
                        self._effect_conditions(effect.condition, index),
                        [ids[index] for ids in effect.adds],
                        [ids[index] for ids in effect.deletes],
                        [ids[index] for ids in effect.numeric],
                    )
                )
        self.size = size
        self.goal = size - 1 if self.reach.goal_reachable else NONE
        self.action, self.row = join_pairs(origins).owner, join_pairs(origins).item
        self.precondition = join_pairs(atoms).sorted()
        self._blocks(found)

    def _atoms(self, node: Node, rows: Index, operators: Index) -> list[tuple[Index, Index]]:
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
                    result.append((operators[mask], 2 * self.facts + conditions[mask]))
                return result
            case All(parts=parts):
                return [pair for part in parts for pair in self._atoms(part, rows, operators)]
        pairs = zip(rows.tolist(), operators.tolist(), strict=True)
        flat = np.array([(o, a) for row, o in pairs for a in self._row(node, row) or ()], dtype=np.int64).reshape(-1, 2)
        return [(flat[:, 0], flat[:, 1])]

    def _row(self, node: Node, row: int) -> Conjunction | None:
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
                conditions = self._comparison_conditions[ids[row]]
                return None if conditions is None else tuple(sorted(2 * self.facts + c for c in conditions))
            case All(parts=parts):
                return self.pools.every(self._row(part, row) for part in parts)
            case Any(parts=parts):
                return self.pools.some(self._row(part, row) for part in parts)

    def _definedness(self, action: ActionRows, operator_of: Index) -> Iterator[tuple[Index, Index]]:
        """Everything an operator reads must be defined."""
        if not self._defined_fact:
            return
        for requirement in action.requirements:
            needs = self._effect_needs if requirement.is_effect else self._comparison_needs
            operators = operator_of[requirement.parent]
            mask = (operators != NONE) & np.array([bool(n) for n in needs], dtype=bool)[requirement.ids]
            pairs = zip(operators[mask].tolist(), requirement.ids[mask].tolist(), strict=True)
            flat = np.array([(o, 2 * fact) for o, i in pairs for fact in needs[i]], dtype=np.int64).reshape(-1, 2)
            yield flat[:, 0], flat[:, 1]

    def _effect_conditions(self, node: Node, rows: Index) -> Index:
        """The number of the conjunction each fired effect is under; NONE where it turns out contradictory."""
        if isinstance(node, All) and not node.parts:
            return np.zeros(len(rows), dtype=np.int64)
        conjunctions = [self._row(node, row) for row in rows.tolist()]
        return np.array([NONE if c is None else self.pools.number(c) for c in conjunctions], dtype=np.int64)

    def _blocks(self, found: list[_Found]) -> None:
        """Number the blocks and hang the effects on them."""
        radix = len(self.pools.conjunctions)
        adds: list[tuple[Index, Index]] = []
        deletes: list[tuple[Index, Index]] = []
        numeric: list[tuple[Index, Index]] = []
        for effect in found:
            keep = effect.condition != NONE
            owner = (effect.operator * radix + effect.condition)[keep]
            adds += [(owner, ids[keep]) for ids in effect.adds]
            deletes += [(owner, ids[keep]) for ids in effect.deletes]
            numeric += [(owner, self._form_of[ids[keep]]) for ids in effect.numeric]
            adds += [(owner, self._defines[ids[keep]]) for ids in effect.numeric if self._defined_fact]
        lists = [join_pairs(part) for part in (adds, deletes, numeric)]
        lists = [pairs.where(pairs.item != NONE) for pairs in lists]
        for pairs in lists[:2]:
            mask = self.varies[pairs.item]
            pairs.owner, pairs.item = pairs.owner[mask], pairs.item[mask]
        codes, inverse = np.unique(np.concatenate([pairs.owner for pairs in lists]), return_inverse=True)
        self.block_operator, self.block_condition = codes // radix, codes % radix
        ends = np.cumsum([len(pairs) for pairs in lists])
        owners = np.split(inverse, ends[:-1])
        self.adds = Pairs(owners[0], lists[0].item).sorted()
        self.deletes = Pairs(owners[1], lists[1].item).sorted()
        self.numeric = self._once_if_assigned(Pairs(owners[2], lists[2].item))

    def _once_if_assigned(self, numeric: Pairs) -> Pairs:
        """Increases are all applied; equal assigns in one block count once, also those folded into increases."""
        assigned = self._is_assign[numeric.item]
        once, each = numeric.where(assigned).sorted(), numeric.where(~assigned)
        return join_pairs([(once.owner, once.item), (each.owner, each.item)])

    def initial_value(self, fluent: int) -> Number:
        """What the state begins with; an undefined fluent gets what it is first assigned, if that is a constant."""
        value = self.reach.intervals.initial[fluent]
        if value is not None:
            return value
        return self._placeholders.get(fluent, 0)

    # --- simplifying ---

    def of_operator(self, pairs: Pairs) -> Pairs:
        """The same items, owned by the block's operator."""
        return Pairs(self.block_operator[pairs.owner], pairs.item)

    def _simplify_facts(self) -> None:
        """Deletes happen before adds; what the precondition already guarantees need not be brought about."""
        logical = self.precondition.where(self.precondition.item < 2 * self.facts)
        required_truth = logical.where(logical.item % 2 == 0)
        required_falsity = logical.where(logical.item % 2 == 1)
        required_truth.item, required_falsity.item = required_truth.item // 2, required_falsity.item // 2
        always_added = self.of_operator(self.adds.where(self.block_condition[self.adds.owner] == 0))
        void = self.deletes.isin(self.adds)
        owned = self.of_operator(self.deletes)
        void |= owned.isin(always_added) | owned.isin(required_falsity)
        self.deletes = self.deletes.where(~void)
        owned = self.of_operator(self.adds)
        void = owned.isin(required_truth) & ~owned.isin(self.of_operator(self.deletes))
        self.adds = self.adds.where(~void)
        self._merge_definedness()

    def _merge_definedness(self) -> None:
        """Fluents that always get their first values together share one fact."""
        if not self.undefined:
            return
        first = self.facts - len(self.undefined)
        adders: dict[int, list[int]] = {fact: [] for fact in range(first, self.facts)}
        chosen = self.adds.where(self.adds.item >= first)
        for block, fact in zip(chosen.owner.tolist(), chosen.item.tolist(), strict=True):
            adders[fact].append(block)
        leader: dict[tuple[int, ...], int] = {}
        rename = np.arange(self.facts)
        for fact, blocks in adders.items():
            rename[fact] = leader.setdefault(tuple(blocks), fact)
        self.adds = Pairs(self.adds.owner, rename[self.adds.item]).sorted()
        atoms = self.precondition.item
        logical = atoms < 2 * self.facts
        renamed = np.where(logical, 2 * rename[np.where(logical, atoms // 2, 0)] + atoms % 2, atoms)
        self.precondition = Pairs(self.precondition.owner, renamed).sorted()

    def _simplify_numbers(self) -> None:
        """Several changes of one fluent in one block become their sum."""
        self.fluent_of_form = np.array([form.fluent for form in self.forms], dtype=np.int64)
        fluents = self.fluent_of_form[self.numeric.item] if len(self.forms) else _EMPTY
        order = np.lexsort((self.numeric.item, fluents, self.numeric.owner))
        owner, item, fluents = self.numeric.owner[order], self.numeric.item[order], fluents[order]
        again = np.zeros(len(order), dtype=bool)
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
        self.forms.append(EffectForm(first.fluent, False, total, first.span))
        return len(self.forms) - 1
