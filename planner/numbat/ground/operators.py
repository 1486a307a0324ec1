"""Reachable instances as operators: long lists of (operator, atom) and (block, effect) pairs, simplified.

Idea         each step is a function that makes a new record from those before it. What grows meanwhile are the tables
             of distinct things: conditions (fold), conjunctions and disjunctions (pools), forms (changes).
In, out      Reachability -> Operators
Facts        those of the table, then one per fluent that may be undefined: "it has a value", added by each assign
Steps        collect instances, resolve conflicting changes, put effects into blocks, simplify these
Not here     what is irrelevant for the goal (relevance), final numbers (flatten)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from numbat.ground.blocks import (
    Blocks,
    blocks,
    with_changes_added_up,
    with_shared_definedness,
    without_void_facts,
)
from numbat.ground.changes import changes, effect_forms
from numbat.ground.collect import collect
from numbat.ground.columns import Index, Mask
from numbat.ground.conditions import Conditions
from numbat.ground.fold import EffectForm, Fold
from numbat.ground.instances import Instances
from numbat.ground.pairs import NONE, Pairs, join_pairs
from numbat.ground.pools import Logic
from numbat.ground.reach import Reachability
from numbat.ground.statics import Number
from numbat.task.numbering import Numbering


@dataclass(frozen=True, slots=True)
class Operators:
    """The operators of a task; the goal's operator, if reachable, is the last (`goal`) and has no effects."""

    reach: Reachability
    fold: Fold
    conditions: Conditions
    action: Index  # per operator
    row: Index  # of the action's arguments, per operator
    precondition: Pairs  # operators and atoms, ascending
    possible: Mask  # operators whose precondition is not plainly contradictory; the goal's is none of them
    goal: int  # or NONE
    blocks: Blocks
    form_numbers: Numbering[EffectForm]
    first_values: Mapping[int, Number]  # of fluents that have none in the initial state

    @property
    def size(self) -> int:
        return len(self.action)

    @property
    def instances(self) -> Instances:
        return self.reach.instances

    @property
    def facts(self) -> int:
        return self.conditions.facts

    @property
    def pools(self) -> Logic:
        return self.conditions.logic

    @property
    def forms(self) -> list[EffectForm]:
        return self.form_numbers.entries

    def fluent_of_form(self) -> Index:
        """The fluent that each form changes."""
        return np.array([form.fluent for form in self.forms], dtype=np.int64)

    def initial_value(self, fluent: int) -> Number:
        """What the state begins with; an undefined fluent gets what it is first assigned, if that is a constant."""
        value = self.reach.intervals.initial[fluent]
        return self.first_values.get(fluent, 0) if value is None else value


def operators(reach: Reachability) -> Operators:
    """See the module's docstring."""
    raw = _unsimplified(reach)
    found = without_void_facts(raw.blocks, raw.precondition, raw.pools)
    found, precondition = with_shared_definedness(found, raw.precondition, raw.conditions)
    return replace(raw, blocks=with_changes_added_up(found, raw.form_numbers), precondition=precondition)


def _unsimplified(reach: Reachability) -> Operators:
    fold = Fold(reach.instances.expressions, reach.intervals)
    conditions = Conditions(reach, fold)
    forms = effect_forms(reach, fold, conditions)
    collected = collect(reach, conditions)
    changed = changes(collected.fired, forms, fold, conditions.logic)
    precondition = join_pairs([*collected.atoms, conditions.required(changed.guards)]).sorted()
    possible, goal = _possible(precondition, len(collected.action), reach.goal_reachable, conditions.logic)
    return Operators(
        reach=reach,
        fold=fold,
        conditions=conditions,
        action=collected.action,
        row=collected.row,
        precondition=precondition,
        possible=possible,
        goal=goal,
        blocks=blocks(collected.fired, changed, forms.defines, conditions, possible),
        form_numbers=forms.numbers,
        first_values=forms.first_values,
    )


def _possible(precondition: Pairs, size: int, goal_reachable: bool, logic: Logic) -> tuple[Mask, int]:
    """Which operators have a precondition that is not plainly contradictory, and the goal's, which is none of them."""
    possible = np.ones(size, dtype=bool)
    possible[precondition.owner[precondition.item == logic.falsity()]] = False
    if not goal_reachable:
        return possible, NONE
    goal = size - 1 if possible[-1] else NONE
    possible[-1] = False
    return possible, goal
