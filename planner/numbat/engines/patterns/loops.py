"""Round trips as actions: cycles of four actions that a pattern can repeat as one.

Definition   fill^m leave empty^n back: `back` takes back what `leave` does to the facts; `fill` and `empty` change
             numbers alone, the first needs a fact that `leave` destroys, the second one that it provides. What the
             first raises, the load, the second lowers, and nothing else; after the trip the load is as before
Load         m is as large as the bounds of the load allow; where it has none, one trip is enough and none is made
Effect       the trip is one action: needs what its steps need, as far as the trip itself does not see to it, and
             changes numbers by constants. So it can be repeated (rolling), and a thousand trips are one position
Use          where supplies have to be carried, plans have more trips than a pattern can have copies
Guarantee    none is needed: a round trip is replayed step by step (decode)
Cost         pairs of actions meet by the facts they change; at most MOST_PAIRS are looked at, and MOST_LOOPS made
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from math import inf

from numbat.engines.patterns.layers import Interval, Relaxation
from numbat.engines.patterns.reduce import Action, Block, Change, Form, Model
from numbat.engines.patterns.rolling import may_repeat
from numbat.task.numbering import Numbering

MOST_LOOPS = 2_000
MOST_PAIRS = 10_000  # of leaving and coming back
MOST_LOADS = 100  # tried for one trip, the largest ones

LEAVE = 1  # the place of `leave` in a cycle
Cycle = tuple[tuple[int, int], ...]  # actions and runs


class _Finder:
    """Finds the round trips of one task."""

    def __init__(self, model: Model, relaxation: Relaxation) -> None:
        self._model, self._intervals = model, relaxation.intervals
        self._simple = [number for number, action in enumerate(model.actions) if _is_simple(model, action)]
        self._changes = {number: _changes(model.actions[number]) for number in self._simple}
        self._handlers = self._handlers_by_fact()

    def cycles(self) -> Iterator[Cycle]:
        for leave, back in islice(self._there_and_back(), MOST_PAIRS):
            yield from self._trips(leave, back)

    def _there_and_back(self) -> Iterator[tuple[int, int]]:
        by_facts: dict[tuple[frozenset[int], frozenset[int]], list[int]] = defaultdict(list)
        for number in self._simple:
            block = self._model.actions[number].blocks[0]
            by_facts[frozenset(block.adds), frozenset(block.deletes)].append(number)
        for (adds, deletes), leaving in by_facts.items():
            if any(self._handlers[fact] for fact in adds) and any(self._handlers[fact] for fact in deletes):
                yield from product(leaving, by_facts.get((deletes, adds), ()))

    def _handlers_by_fact(self) -> dict[int, list[int]]:
        """Per fact the actions that need it and change numbers alone, again and again."""
        handlers: dict[int, list[int]] = defaultdict(list)
        for number in self._simple:
            action = self._model.actions[number]
            if not action.blocks[0].adds and not action.blocks[0].deletes and may_repeat(self._model, action):
                for atom in self._model.conjunctions[action.precondition]:
                    if atom < self._model.first_condition and not atom & 1:
                        handlers[atom >> 1].append(number)
        return handlers

    def _trips(self, leave: int, back: int) -> Iterator[Cycle]:
        block = self._model.actions[leave].blocks[0]
        by_load: dict[frozenset[int], list[int]] = defaultdict(list)
        for empty in sorted({empty for fact in block.adds for empty in self._handlers[fact]}):
            by_load[frozenset(v for v, change in self._changes[empty].items() if change < 0)].append(empty)
        for fill in sorted({fill for fact in block.deletes for fill in self._handlers[fact]}):
            load = frozenset(v for v, change in self._changes[fill].items() if change > 0)
            for empty in by_load.get(load, ()) if load else ():
                runs = self._runs(fill, leave, empty, back, load)
                if runs is not None:
                    yield (fill, runs[0]), (leave, 1), (empty, runs[1]), (back, 1)

    def _runs(self, fill: int, leave: int, empty: int, back: int, load: frozenset[int]) -> tuple[int, int] | None:
        """The largest load, and what of it is left at the other end; None where loads have no bound or do not fit."""
        filling, emptying = self._changes[fill], self._changes[empty]
        moving = {v: self._changes[leave].get(v, 0) + self._changes[back].get(v, 0) for v in load}
        most = min(_room(self._intervals[v]) / filling[v] for v in load)
        most = int(most) if most < inf else 0
        for filled in range(most, max(0, most - MOST_LOADS), -1):
            rests = [divmod(filled * filling[v] + moving[v], -emptying[v]) for v in load]
            emptied, remainder = rests[0]
            if emptied < 1:
                break
            if remainder == 0 and len(set(rests)) == 1:
                return filled, emptied
        return None


def with_loops(model: Model, relaxation: Relaxation) -> Model:
    """The model with its round trips behind the other actions."""
    conditions: Numbering[Form] = Numbering()
    first = model.first_disjunction  # the atom of the first new condition
    actions, preconditions = [], []
    for cycle in islice(_Finder(model, relaxation).cycles(), MOST_LOOPS):
        composed = _compose(model, cycle)
        if composed is None:
            continue
        literals, forms, changes = composed
        preconditions.append((*literals, *(first + conditions[form] for form in forms)))
        block = Block(0, (), (), tuple(Change(v, False, Form((), amount)) for v, amount in changes.items()))
        precondition = len(model.conjunctions) + len(preconditions) - 1
        actions.append(Action(-1, precondition, (block,), (), cycle))
    moved = tuple(
        tuple(atom + len(conditions) * (atom >= model.first_disjunction) for atom in atoms)
        for atoms in model.conjunctions
    )
    return replace(
        model,
        conditions=(*model.conditions, *conditions.entries),
        conjunctions=(*moved, *preconditions),
        actions=(*model.actions, *actions),
    )


def _compose(model: Model, cycle: Cycle) -> tuple[list[int], list[Form], dict[int, int]] | None:
    """What a cycle needs, facts and forms, and how it changes numbers; None if its steps never follow each other."""
    needed: dict[int, bool] = {}
    now: dict[int, bool] = {}
    least: dict[tuple[tuple[int, int], ...], int] = {}
    total: dict[int, int] = defaultdict(int)
    for number, runs in cycle:
        action = model.actions[number]
        changes = _changes(action)
        for atom in model.conjunctions[action.precondition]:
            form = model.condition(atom)
            if form is None:
                fact, value = atom >> 1, not atom & 1
                if now.setdefault(fact, value) != value:
                    return None
                needed.setdefault(fact, value)
                continue
            first = form.constant + sum(c * total[v] for v, c in form.terms)
            slope = sum(c * changes.get(v, 0) for v, c in form.terms)
            lowest = first + min(0, slope) * (runs - 1)
            least[form.terms] = min(lowest, least.get(form.terms, lowest))
        for v, amount in changes.items():
            total[v] += runs * amount
        block = action.blocks[0]
        for facts, value in ((block.deletes, False), (block.adds, True)):
            for fact in facts:
                needed.setdefault(fact, not value)
                now[fact] = value
    literals = [2 * fact + (not value) for fact, value in needed.items()]
    changed = {v: amount for v, amount in total.items() if amount}
    if now != needed or not changed:
        return None
    return literals, [Form(terms, constant) for terms, constant in least.items()], changed


def _is_simple(model: Model, action: Action) -> bool:
    """One unconditional block, numbers changed by constants, no disjunction."""
    return (
        len(action.blocks) == 1
        and action.blocks[0].condition == 0
        and not any(change.assign or change.form.terms for change in action.blocks[0].changes)
        and all(atom < model.first_disjunction for atom in model.conjunctions[action.precondition])
    )


def _changes(action: Action) -> dict[int, int]:
    return {change.variable: change.form.constant for change in action.blocks[0].changes}


def _room(interval: Interval) -> float:
    return interval[1] - interval[0]
