"""An assign together with another change of the same fluent has no meaning: preconditions that rule it out.

Idea         for every two numeric effects of an action on one function, one of them an assign, the action gets the
             precondition "not both fire on the same fluent". With plain effects that is an object inequality.
In, out      Action -> Action whose effects can never conflict, for every state its precondition allows
Agreement    two assigns of the same expression under the same condition are one and allowed
Limit        a universally quantified effect is expanded over its objects, up to MOST_GUARDS preconditions
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from numbat.errors import TooLarge
from numbat.ground.rewrite import FALSITY, Binding, bind, bind_expression, bind_numeric, conjoin, disjoin, negate
from numbat.task.lifted import Action, Condition, Effect, Expression, NumericEffect, Same, parameter

MOST_GUARDS = 100_000


class _Change(NamedTuple):
    condition: Condition
    numeric: NumericEffect


def without_conflicts(action: Action, types: Sequence[Sequence[int]]) -> Action:
    guards = dict.fromkeys(_guards(action, types))
    return replace(action, precondition=conjoin(action.precondition, *guards)) if guards else action


def _guards(action: Action, types: Sequence[Sequence[int]]) -> Iterator[Condition]:
    changes = [(effect, numeric) for effect in action.effects for numeric in effect.numeric]
    for first, second in combinations(changes, 2):
        if _may_conflict(first[1], second[1]):
            yield from _pair_guards(action, types, first, second)
    for effect, numeric in changes:
        if numeric.kind == "assign" and not _determines(numeric, effect, action):
            yield from _self_guards(action, types, effect, numeric)


def _may_conflict(first: NumericEffect, second: NumericEffect) -> bool:
    """One function, at least one assign, and no argument that is a different object."""
    if first.fluent.function != second.fluent.function or "assign" not in (first.kind, second.kind):
        return False
    pairs = zip(first.fluent.arguments, second.fluent.arguments, strict=True)
    return not any(a >= 0 and b >= 0 and a != b for a, b in pairs)


def _determines(numeric: NumericEffect, effect: Effect, action: Action) -> bool:
    """Do different values of the effect's own parameters change different fluents?"""
    own = range(len(action.parameters), len(action.parameters) + len(effect.parameters))
    return all(parameter(p) in numeric.fluent.arguments for p in own)


def _bindings(action: Action, types: Sequence[Sequence[int]], effect: Effect) -> list[Binding]:
    """All values of the effect's own parameters."""
    first = len(action.parameters)
    count = prod(len(types[t]) for t in effect.parameters)
    if count * count > MOST_GUARDS:
        raise TooLarge(f"{action.name} has an assign under a quantifier over {count:,} tuples of objects", action.span)
    values = product(*(types[t] for t in effect.parameters))
    return [{parameter(first + i): obj for i, obj in enumerate(row)} for row in values]


def _pair_guards(
    action: Action,
    types: Sequence[Sequence[int]],
    first: tuple[Effect, NumericEffect],
    second: tuple[Effect, NumericEffect],
) -> Iterator[Condition]:
    for left in _bindings(action, types, first[0]):
        for right in _bindings(action, types, second[0]):
            guard = _guard(_bound(*first, left), _bound(*second, right))
            if guard is not None:
                yield guard


def _self_guards(
    action: Action, types: Sequence[Sequence[int]], effect: Effect, numeric: NumericEffect
) -> Iterator[Condition]:
    for left, right in combinations(_bindings(action, types, effect), 2):
        guard = _guard(_bound(effect, numeric, left), _bound(effect, numeric, right))
        if guard is not None:
            yield guard


def _bound(effect: Effect, numeric: NumericEffect, binding: Binding) -> _Change:
    return _Change(bind(effect.condition, binding), bind_numeric(numeric, binding))


def _guard(first: _Change, second: _Change) -> Condition | None:
    """The condition that the two do not both fire on the same fluent; None if they cannot, or agree."""
    left, right = first.numeric, second.numeric
    if not _may_conflict(left, right):
        return None
    pairs = list(zip(left.fluent.arguments, right.fluent.arguments, strict=True))
    if left.kind == right.kind and _under(first, pairs) == _under(second, pairs):
        return None
    different = [Same(a, b, negated=True) for a, b in pairs if a != b]
    return disjoin(FALSITY, *different, negate(first.condition), negate(second.condition))


def _under(change: _Change, equal: list[tuple[int, int]]) -> tuple[Condition, Expression]:
    """Condition and amount of a change, in a form that shows whether two are the same when these terms are equal."""
    leader: dict[int, int] = {}
    for a, b in equal:
        low, high = sorted((leader.get(a, a), leader.get(b, b)))
        leader = {term: high if top == low else top for term, top in leader.items()} | {low: high}
    return bind(change.condition, leader), bind_expression(change.numeric.expression, leader)
