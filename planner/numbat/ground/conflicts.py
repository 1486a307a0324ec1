"""Several changes of one fluent by one operator: what they do together, and where they have no meaning.

Definition   increases add up, scalings multiply, assignments must agree; any other mixture is a conflict, and a step
             whose effects conflict cannot be executed (docs/semantics.md)
In, out      the changes of one fluent -> a precondition that rules out conflicts, and changes that never meet:
             where the precondition holds, at most one assignment of a fluent takes place, and no increase beside it
Scalings     one assignment for each product that can come out, under the condition that just these factors take place.
             Equal products share a condition, so n scalings by one number need n + 1, not 2^n
Limit        MOST_GUARDS pairs of assignments with different expressions, MOST_PRODUCTS products of one fluent
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import NamedTuple

from numbat.errors import Span, TooLarge
from numbat.ground.expressions import GroundEffect
from numbat.ground.fold import EffectForm, Fold, Linear
from numbat.ground.pools import Conjunction, Logic
from numbat.ground.statics import Number, exact

MOST_GUARDS = 100_000
MOST_PRODUCTS = 1_000


Outcomes = dict[Number | None, Conjunction]  # products, None for those that depend on the state, and their conditions


class Change(NamedTuple):
    """An effect and the condition it is under."""

    condition: Conjunction
    effect: int


class Resolved(NamedTuple):
    """What must hold so that the changes have a meaning (None: they never have), and what they then do."""

    guard: Conjunction | None
    changes: list[tuple[Conjunction, EffectForm]]


class Conflicts:
    def __init__(self, fold: Fold, logic: Logic) -> None:
        self._fold = fold
        self._logic = logic
        self._effects: list[GroundEffect] = fold.table.effects

    def resolve(self, changes: list[Change]) -> Resolved:
        """`changes` are all those of one fluent, some of them not increases."""
        kinds: dict[str, list[Change]] = defaultdict(list)
        for change in changes:
            kinds[self._kind(change)].append(change)
        joins = {"increase": self._apart, "assign": self._assignments, "scale": self._scalings}
        parts = [joins[kind](group) for kind, group in kinds.items()]
        guards = [part.guard for part in parts]
        for first, second in combinations(kinds.values(), 2):
            guards.append(self._logic.some((self._silent(first), self._silent(second))))
        return Resolved(self._logic.every(guards), [change for part in parts for change in part.changes])

    def _silent(self, changes: list[Change]) -> Conjunction | None:
        """None of these takes place."""
        return self._logic.none(change.condition for change in changes)

    def _apart(self, changes: list[Change]) -> Resolved:
        """Each as it is."""
        folded = ((change.condition, self._fold.effect(change.effect)) for change in changes)
        return Resolved((), [(condition, form) for condition, form in folded if form])

    def _kind(self, change: Change) -> str:
        effect = self._effects[change.effect]
        return "increase" if not effect.assign else "assign" if effect.factor is None else "scale"

    # --- assignments ---

    def _assignments(self, changes: list[Change]) -> Resolved:
        """One change per assigned expression, under any of the conditions it has."""
        groups: dict[int, list[Change]] = defaultdict(list)
        for change in changes:
            groups[change.effect].append(change)
        if len(groups) ** 2 > 2 * MOST_GUARDS:
            span = self._fold.assignment(changes[0].effect).span
            raise TooLarge(f"{len(groups):,} different assignments of one fluent in one action", span)
        conditions = {effect: self._logic.some(c.condition for c in group) for effect, group in groups.items()}
        if len(groups) == 1:
            ((effect, condition),) = conditions.items()
            form = self._fold.effect(effect)
            return Resolved((), [(condition, form)] if form and condition is not None else [])
        guards: list[Conjunction | None] = []
        silent = {effect: self._silent(group) for effect, group in groups.items()}
        for first, second in combinations(groups, 2):
            agree = self._agree(first, second)
            guards.append(self._logic.some((silent[first], silent[second], agree)))
            if agree is not None:  # both may take place: the first does it for both
                conditions[second] = self._logic.every((conditions[second], silent[first]))
        forms = {effect: self._fold.assignment(effect) for effect in groups if self._varies(effect)}
        kept = [(condition, forms[e]) for e, condition in conditions.items() if condition is not None and e in forms]
        return Resolved(self._logic.every(guards), kept)

    def _agree(self, first: int, second: int) -> Conjunction | None:
        equal = self._fold.equal(self._fold.assignment(first), self._fold.assignment(second))
        return None if equal is None else tuple(sorted(map(self._logic.of_condition, equal)))

    def _varies(self, effect: int) -> bool:
        return self._fold.intervals.constant(self._effects[effect].fluent) is None

    # --- scalings ---

    def _scalings(self, changes: list[Change]) -> Resolved:
        if not self._varies(changes[0].effect):
            return Resolved((), [])
        if len(changes) == 1:
            return self._apart(changes)
        fluent, span = self._effects[changes[0].effect].fluent, self._fold.assignment(changes[0].effect).span
        factors: dict[Conjunction, Number | None] = {}
        for change in changes:
            factors[change.condition] = _times(factors.get(change.condition, 1), self._factor(change))
        result = []
        for product, condition in self._products(factors, span).items():
            if product != 1:
                form = None if product is None else Linear(0, ((fluent, product),) if product else ())
                result.append((condition, EffectForm(fluent, True, form, span)))
        return Resolved((), result)

    def _products(self, factors: dict[Conjunction, Number | None], span: Span | None) -> Outcomes:
        """Every product that can come out, with the condition for it."""
        logic = self._logic
        outcomes: Outcomes = {1: ()}
        for condition, factor in factors.items():
            parts: dict[Number | None, list[Conjunction | None]] = defaultdict(list)
            for product, before in outcomes.items():
                parts[_times(product, factor)].append(logic.every((before, condition)))
                parts[product].append(logic.every((before, logic.negate(condition))))
            joined = {product: logic.some(conditions) for product, conditions in parts.items()}
            outcomes = {product: joint for product, joint in joined.items() if joint is not None}
            if len(outcomes) > MOST_PRODUCTS:
                raise TooLarge(f"scalings of one fluent with more than {MOST_PRODUCTS:,} products", span)
        return outcomes

    def _factor(self, change: Change) -> Number | None:
        factor = self._effects[change.effect].factor
        assert factor is not None
        form = self._fold.linear(factor)
        return form.constant if form is not None and not form.terms else None


def _times(left: Number | None, right: Number | None) -> Number | None:
    """None stands for what depends on the state."""
    return None if left is None or right is None else exact(left * right)
