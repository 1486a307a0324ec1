"""Exact integers instead of fractions: a scale per fluent, found as a fixpoint.

Definition   scale s(x) is a positive integer; the core keeps value * s(x). s(x) is a multiple of the denominators of
             x's initial value and of the constants added or assigned to it, and for every effect x (+)= c*v the number
             s(x)*c/s(v) is an integer.
Limit        a cycle with a fractional gain (x := x/2) has no such scales; beyond LARGEST_SCALE, or where a number does
             not fit into the 53 bits of a double, the task is not exact: scales are 1 and numbers nearest doubles
Conditions   multiplied by the least factor that makes them integers, divided by their common divisor; `unit` undoes it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from planner.ground.fold import EffectForm, Linear, required
from planner.ground.statics import Number

LARGEST_SCALE = 2**20
LARGEST_NUMBER = 2**53


@dataclass(frozen=True)
class Scaling:
    """`of` maps a fluent to its scale; with `exact` false every scale is 1."""

    exact: bool
    of: dict[int, int]


def find_scales(initial: dict[int, Number], effects: Sequence[EffectForm], conditions: Iterable[Linear]) -> Scaling:
    """Scales for the fluents of `initial`, all that occur in the effects and conditions."""
    scales = _fixpoint(initial, effects)
    if scales is not None and _fits(scales, initial, effects, conditions):
        return Scaling(True, scales)
    return Scaling(False, dict.fromkeys(initial, 1))


def _fixpoint(initial: dict[int, Number], effects: Sequence[EffectForm]) -> dict[int, int] | None:
    scales = {fluent: value.denominator for fluent, value in initial.items()}
    feeds: dict[int, list[tuple[int, Number]]] = defaultdict(list)  # v -> (x, c) for every x (+)= c*v
    for effect in effects:
        form = required(effect.form, effect.span)
        scales[effect.fluent] = lcm(scales[effect.fluent], form.constant.denominator)
        for fluent, coefficient in form.terms:
            feeds[fluent].append((effect.fluent, coefficient))
    todo = list(dict.fromkeys(feeds))
    while todo:
        source = todo.pop()
        for target, coefficient in feeds[source]:
            scale = lcm(scales[target], (Fraction(coefficient) / scales[source]).denominator)
            if scale > LARGEST_SCALE:
                return None
            if scale != scales[target]:
                scales[target] = scale
                # a grown scale asks less of the fluents it is fed by, and more of those it feeds
                todo.append(target)
    return scales


def _fits(
    scales: dict[int, int], initial: dict[int, Number], effects: Sequence[EffectForm], conditions: Iterable[Linear]
) -> bool:
    forms = [scaled_effect(effect, scales) for effect in effects]
    forms += [scaled_condition(condition, scales)[0] for condition in conditions]
    numbers: list[Number] = [value * scales[fluent] for fluent, value in initial.items()]
    for form in forms:
        numbers += [form.constant, *(coefficient for _, coefficient in form.terms)]
    return max(scales.values(), default=1) <= LARGEST_SCALE and all(-LARGEST_NUMBER < n < LARGEST_NUMBER for n in numbers)


def scaled_effect(effect: EffectForm, scales: dict[int, int]) -> Linear:
    """The amount in units of the fluent it changes, over scaled values."""
    form, own = required(effect.form, effect.span), scales[effect.fluent]
    return Linear(form.constant * own, tuple((f, Fraction(c * own) / scales[f]) for f, c in form.terms))


def scaled_condition(form: Linear, scales: dict[int, int]) -> tuple[Linear, Fraction]:
    """Integers without common divisor over scaled values, and what 1 of them is worth."""
    terms = [(f, Fraction(c) / scales[f]) for f, c in form.terms]
    numbers = [Fraction(form.constant), *(c for _, c in terms)]
    multiplier = lcm(*(number.denominator for number in numbers))
    divisor = gcd(*(int(number * multiplier) for number in numbers))
    factor = Fraction(multiplier, divisor)
    return Linear(form.constant * factor, tuple((f, c * factor) for f, c in terms)), 1 / factor
