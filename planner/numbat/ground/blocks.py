"""Effects of operators in blocks, one per operator and distinct condition, and what makes them fewer.

In, out      fired effects and changes -> Blocks; each further step is a function Blocks -> Blocks
Order        blocks by operator, then by the number of the condition: the unconditional one (conjunction 0) is first
Facts        an atom deleted and added is only added; what the precondition guarantees need not be brought about
Definedness  fluents that always get their first values together share one fact
Numbers      changes of one fluent in one block are one
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from numbat.ground.changes import Changes
from numbat.ground.collect import Fired
from numbat.ground.columns import Index, Mask, ranked
from numbat.ground.conditions import Conditions
from numbat.ground.fold import EffectForm, Linear, combine, required
from numbat.ground.pairs import EMPTY, NONE, Pairs, join_pairs
from numbat.ground.pools import Logic
from numbat.task.numbering import Numbering


@dataclass(frozen=True, slots=True)
class Blocks:
    """Per block its operator and the number of its condition; pairs of blocks and facts or forms."""

    operator: Index
    condition: Index
    adds: Pairs
    deletes: Pairs
    numeric: Pairs

    def of_operator(self, pairs: Pairs) -> Pairs:
        """The same items, owned by the block's operator."""
        return Pairs(self.operator[pairs.owner], pairs.item)


def blocks(found: Iterable[Fired], done: Changes, defines: Index, conditions: Conditions, possible: Mask) -> Blocks:
    """Blocks of possible operators; facts that do not vary are left out."""
    radix = len(conditions.logic.conjunctions)
    adds: list[tuple[Index, Index]] = []
    deletes: list[tuple[Index, Index]] = []
    for effect in found:
        owner = effect.operator * radix + effect.condition
        adds += [(owner, ids) for ids in effect.adds]
        adds += [(owner, defines[ids]) for ids in effect.numeric if conditions.undefined]
        deletes += [(owner, ids) for ids in effect.deletes]
    lists = [join_pairs(adds), join_pairs(deletes), Pairs(done.operator * radix + done.condition, done.form)]
    lists = [pairs.where(pairs.item != NONE) for pairs in lists]
    lists[:2] = [pairs.where(conditions.varies[pairs.item]) for pairs in lists[:2]]
    lists = [pairs.where(possible[pairs.owner // radix]) for pairs in lists]
    codes, owners = ranked([pairs.owner for pairs in lists], len(possible) * radix)
    added, deleted, numeric = (Pairs(owner, pairs.item) for owner, pairs in zip(owners, lists, strict=True))
    return Blocks(codes // radix, codes % radix, added.sorted(), deleted.sorted(), numeric)


def without_void_facts(known: Blocks, precondition: Pairs, logic: Logic) -> Blocks:
    """Deletes happen before adds; what the precondition already guarantees need not be brought about."""
    logical = precondition.where(precondition.item < logic.first)
    facts, is_false = Pairs(logical.owner, logical.item // 2), logical.item % 2 == 1
    required_truth, required_falsity = facts.where(~is_false), facts.where(is_false)
    always_added = known.of_operator(known.adds.where(known.condition[known.adds.owner] == 0))
    owned = known.of_operator(known.deletes)
    void = known.deletes.isin(known.adds) | owned.isin(always_added) | owned.isin(required_falsity)
    deletes = known.deletes.where(~void)
    owned = known.of_operator(known.adds)
    void = owned.isin(required_truth) & ~owned.isin(known.of_operator(deletes))
    return replace(known, adds=known.adds.where(~void), deletes=deletes)


# --- definedness ---


def with_shared_definedness(known: Blocks, precondition: Pairs, conditions: Conditions) -> tuple[Blocks, Pairs]:
    """Fluents that always get their first values together share one fact, unless a disjunction mentions it."""
    if not conditions.undefined:
        return known, precondition
    rename = _shared_facts(known.adds, conditions)
    atoms = precondition.item
    logical = atoms < conditions.logic.first
    renamed = np.where(logical, 2 * rename[np.where(logical, atoms // 2, 0)] + atoms % 2, atoms)
    adds = Pairs(known.adds.owner, rename[known.adds.item]).sorted()
    return replace(known, adds=adds), Pairs(precondition.owner, renamed).sorted()


def _shared_facts(adds: Pairs, conditions: Conditions) -> Index:
    """The fact that stands for each fact."""
    first = conditions.facts - len(conditions.undefined)
    mentioned = {atom // 2 for conjunction in conditions.logic.conjunctions for atom in conjunction}
    adders: dict[int, list[int]] = {fact: [] for fact in range(first, conditions.facts) if fact not in mentioned}
    for block, fact in zip(adds.owner.tolist(), adds.item.tolist(), strict=True):
        if fact in adders:
            adders[fact].append(block)
    leader: dict[tuple[int, ...], int] = {}
    rename = np.arange(conditions.facts)
    for fact, owners in adders.items():
        rename[fact] = leader.setdefault(tuple(owners), fact)
    return rename


# --- numbers ---


def with_changes_added_up(known: Blocks, forms: Numbering[EffectForm]) -> Blocks:
    """Several changes of one fluent in one block become their sum; sums are new forms."""
    owner, item = known.numeric.owner, known.numeric.item.copy()
    fluents = np.array([form.fluent for form in forms.entries], dtype=np.int64)[item] if len(forms) else EMPTY
    if not _ascend(owner, fluents, item):
        order = np.lexsort((item, fluents, owner))
        owner, item, fluents = owner[order], item[order], fluents[order]
    again = np.zeros(len(owner), dtype=bool)
    again[1:] = (owner[1:] == owner[:-1]) & (fluents[1:] == fluents[:-1])
    sums: dict[tuple[int, ...], int] = {}
    never = np.zeros(len(known.operator), dtype=bool)
    for end in np.flatnonzero(again & ~np.append(again[1:], False)).tolist():
        begin = end
        while again[begin]:
            begin -= 1
        together = tuple(item[begin : end + 1].tolist())
        if any(forms.entries[form].assign for form in together):
            # conflicting changes under one condition: the precondition rules it out (conflicts)
            never[owner[begin]] = True
            continue
        if together not in sums:
            sums[together] = _sum(together, forms)
        item[begin : end + 1] = NONE
        item[begin] = sums[together]
    return replace(
        known,
        adds=known.adds.where(~never[known.adds.owner]),
        deletes=known.deletes.where(~never[known.deletes.owner]),
        numeric=Pairs(owner, item).where((item != NONE) & ~never[owner]),
    )


def _sum(together: tuple[int, ...], forms: Numbering[EffectForm]) -> int:
    """The number of the form that is the sum of increases of one fluent; NONE if they cancel."""
    parts = [forms.entries[form] for form in together]
    first, total = parts[0], None
    if all(part.form is not None for part in parts):
        total = combine(*((1, required(part.form, first.span)) for part in parts))
        if total == Linear(0, ()):
            return NONE
    return forms[EffectForm(first.fluent, False, total, first.span)]


def _ascend(*columns: Index) -> bool:
    """Are the rows of these columns sorted, by the first column first?"""
    above = np.zeros(max(len(columns[0]) - 1, 0), dtype=bool)
    for column in reversed(columns):
        above = (column[:-1] > column[1:]) | ((column[:-1] == column[1:]) & above)
    return not above.any()
