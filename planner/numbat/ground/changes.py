"""Numeric effects of operators as changes: each operator, under a condition, changes a fluent by a form.

In, out      fired effects -> Changes, and what must hold so that those of one operator on one fluent have a meaning
Forms        each distinct one once; resolving conflicts and adding up (blocks) may make more
Not here     what several changes of one fluent mean (conflicts), folding (fold)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from numbat.ground.collect import Fired
from numbat.ground.columns import Index, distinct
from numbat.ground.conditions import Conditions
from numbat.ground.conflicts import Change, Conflicts
from numbat.ground.expressions import GroundEffect
from numbat.ground.fold import EffectForm, Fold
from numbat.ground.pairs import NONE, Pairs, join
from numbat.ground.pools import Conjunction, Logic
from numbat.ground.reach import Reachability
from numbat.ground.statics import Number
from numbat.task.numbering import Numbering


@dataclass(frozen=True, slots=True)
class EffectForms:
    """Effects as forms; an assign may define its fluent."""

    numbers: Numbering[EffectForm]
    of_effect: Index  # effect -> the number of its form; NONE if it does nothing
    defines: Index  # effect -> the fact that its fluent has a value; NONE if it had one before
    first_values: Mapping[int, Number]  # of fluents that may be undefined: what they are first assigned, or 0


def effect_forms(reach: Reachability, fold: Fold, conditions: Conditions) -> EffectForms:
    effects, defined_fact = reach.instances.expressions.effects, conditions.defined_fact
    numbers: Numbering[EffectForm] = Numbering()
    of_effect, defines = np.full((2, len(effects)), NONE, dtype=np.int64)
    first_values: dict[int, Number] = {}
    for e in np.flatnonzero(reach.enabled).tolist():
        effect, form = effects[e], fold.effect(e)
        if form is not None:
            of_effect[e] = numbers[form]
        if effect.assign and effect.fluent in defined_fact:
            defines[e] = defined_fact[effect.fluent]
            amount = fold.linear(effect.expression)
            constant = amount.constant if amount is not None and not amount.terms else 0
            first_values.setdefault(effect.fluent, constant)
    return EffectForms(numbers, of_effect, defines, first_values)


@dataclass(frozen=True, slots=True)
class Changes:
    """Columns: operator, the number of a conjunction, the number of a form or NONE; and what operators must require."""

    operator: Index
    condition: Index
    form: Index
    guards: tuple[tuple[int, Conjunction | None], ...]


def changes(found: Iterable[Fired], forms: EffectForms, fold: Fold, logic: Logic) -> Changes:
    columns = [(effect.operator, effect.condition, ids) for effect in found for ids in effect.numeric]
    operator, condition, effect = (join([column[part] for column in columns]) for part in range(3))
    form = forms.of_effect[effect]
    groups = _meeting(operator, effect, fold.table.effects)
    form[join(groups)] = NONE
    conflicts = Conflicts(fold, logic)
    guards: list[tuple[int, Conjunction | None]] = []
    more: list[tuple[int, int, int]] = []
    for group in groups:
        owner, conjunctions = int(operator[group[0]]), map(logic.conjunctions.__getitem__, condition[group])
        resolved = conflicts.resolve(list(map(Change, conjunctions, effect[group].tolist())))
        guards.append((owner, resolved.guard))
        more += [(owner, logic.number(under), forms.numbers[does]) for under, does in resolved.changes]
    rows = np.array(more, dtype=np.int64).reshape(-1, 3).T
    operator, condition, form = map(np.append, (operator, condition, form), rows)
    return Changes(operator, condition, form, tuple(guards))


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
