"""Exact integers instead of fractions: a scale per fluent, found as a fixpoint.

Definition   scale s(x) is a positive integer; the core keeps value * s(x). s(x) is a multiple of the denominators of
             x's initial value and of the constants added or assigned to it, and for every effect x (+)= c*v the number
             s(x)*c/s(v) is an integer.
Limit        a cycle with a fractional gain (x := x/2) has no such scales. Then, or where a number does not fit into 64
             bits with some room for growth, the task is not exact. Scales that leave only powers of two in the
             denominators are tried next, since doubles hold such numbers without error for many steps; the last resort
             is scale 1.
Conditions   multiplied by the least factor that makes them integers without common divisor; `unit` undoes it. Where
             that makes them too large (x >= 1e-18), the constant is rounded to the next one that means the same over
             integers.
Not here     which of the exact tasks doubles can hold: core/numbers.h
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm

from numbat.ground.fold import EffectForm, Linear, required
from numbat.ground.statics import Number, exact

LARGEST_SCALE = 2**62
LARGEST_NUMBER = 2**62
LARGEST_FORM_WEIGHT = 2**53  # sum of the coefficients of a form: the core keeps coefficients as doubles
# For numbers that stay doubles, with powers of two in the denominators.
LARGEST_ROUNDED_SCALE = 2**20
LARGEST_ROUNDED_NUMBER = 2**53


@dataclass(frozen=True)
class Scaling:
    """Scale per fluent; effects and conditions over scaled values, with the worth of 1 for each condition."""

    exact: bool
    scales: dict[int, int]
    effects: list[Linear]
    conditions: list[Linear]
    units: list[Fraction]


@dataclass(frozen=True)
class ConditionForm:
    """form >= 0, or > 0 if strict."""

    form: Linear
    strict: bool


def scale(initial: dict[int, Number], effects: Sequence[EffectForm], conditions: Sequence[ConditionForm]) -> Scaling:
    """`initial` has all fluents that occur in the effects and conditions."""
    for ignore_two in (False, True):
        scales = _fixpoint(initial, effects, ignore_two)
        if scales is not None:
            found = _apply(scales, effects, conditions, not ignore_two)
            if (_fits_doubles if ignore_two else _fits)(found, initial):
                return found
    return _apply(dict.fromkeys(initial, 1), effects, conditions, False)


def _fixpoint(initial: dict[int, Number], effects: Sequence[EffectForm], ignore_two: bool) -> dict[int, int] | None:
    scales = {fluent: value.denominator for fluent, value in initial.items()}
    feeds: dict[int, list[tuple[int, Number]]] = defaultdict(list)  # v -> (x, c) for every x (+)= c*v
    for effect in effects:
        form = required(effect.form, effect.span)
        scales[effect.fluent] = lcm(scales[effect.fluent], form.constant.denominator)
        for fluent, coefficient in form.terms:
            feeds[fluent].append((effect.fluent, coefficient))
    todo = list(feeds)
    while todo:
        source = todo.pop()
        for target, coefficient in feeds[source]:
            denominator = coefficient.denominator * scales[source]
            denominator //= gcd(denominator, coefficient.numerator)
            grown = lcm(scales[target], _odd_part(denominator) if ignore_two else denominator)
            if grown != scales[target]:
                scales[target] = grown
                # a larger scale asks nothing new of fluents that this one depends on, but of those that depend on it
                todo.append(target)
            if grown > (LARGEST_ROUNDED_SCALE if ignore_two else LARGEST_SCALE):
                return None
    return scales


def _odd_part(number: int) -> int:
    return number // (number & -number)


def _fits(scaling: Scaling, initial: dict[int, Number]) -> bool:
    """Are values and constants 64-bit integers, with coefficients that a sum of 128 bits has room for?"""
    forms = [*scaling.effects, *scaling.conditions]
    values = [value * scaling.scales[fluent] for fluent, value in initial.items()]
    numbers = all(-LARGEST_NUMBER <= n <= LARGEST_NUMBER for n in (*values, *(form.constant for form in forms)))
    return numbers and all(_weight(form) < LARGEST_FORM_WEIGHT for form in forms)


def _fits_doubles(scaling: Scaling, initial: dict[int, Number]) -> bool:
    numbers: list[Number] = [value * scaling.scales[fluent] for fluent, value in initial.items()]
    for form in (*scaling.effects, *scaling.conditions):
        numbers += [form.constant, *(coefficient for _, coefficient in form.terms)]
    small = max(scaling.scales.values(), default=1) <= LARGEST_ROUNDED_SCALE
    return small and all(-LARGEST_ROUNDED_NUMBER < number < LARGEST_ROUNDED_NUMBER for number in numbers)


def _weight(form: Linear) -> Number:
    return sum(coefficient if coefficient > 0 else -coefficient for _, coefficient in form.terms)


def _apply(
    scales: dict[int, int], effects: Sequence[EffectForm], conditions: Sequence[ConditionForm], is_exact: bool
) -> Scaling:
    scaled = [_scaled_condition(condition.form, scales) for condition in conditions]
    if is_exact:
        scaled = [_tightened(*pair, condition.strict) for pair, condition in zip(scaled, conditions, strict=True)]
    return Scaling(
        is_exact,
        scales,
        [_scaled_effect(effect, scales) for effect in effects],
        [form for form, _ in scaled],
        [unit for _, unit in scaled],
    )


def _scaled_effect(effect: EffectForm, scales: dict[int, int]) -> Linear:
    """The amount in units of the fluent it changes, over scaled values."""
    form, own = required(effect.form, effect.span), scales[effect.fluent]
    terms = ((f, c if own == scales[f] else exact(Fraction(c * own) / scales[f])) for f, c in form.terms)
    return Linear(exact(form.constant * own), tuple(terms))


def _scaled_condition(form: Linear, scales: dict[int, int]) -> tuple[Linear, Fraction]:
    """Integers without common divisor over scaled values, and what 1 of them is worth."""
    tops = [form.constant.numerator, *(c.numerator for _, c in form.terms)]
    bottoms = [form.constant.denominator, *(c.denominator * scales[f] for f, c in form.terms)]
    multiplier = lcm(*bottoms)
    numbers = [top * (multiplier // bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    divisor = gcd(*numbers)
    constant, *coefficients = (number // divisor for number in numbers)
    terms = tuple((f, c) for (f, _), c in zip(form.terms, coefficients, strict=True))
    return Linear(constant, terms), Fraction(divisor, multiplier)


def _tightened(form: Linear, unit: Fraction, strict: bool) -> tuple[Linear, Fraction]:
    """The same condition over integers with smaller coefficients, if they are too large."""
    if not form.terms or (_weight(form) < LARGEST_FORM_WEIGHT and -LARGEST_NUMBER <= form.constant <= LARGEST_NUMBER):
        return form, unit
    divisor = gcd(*(c.numerator for _, c in form.terms))
    constant = Fraction(form.constant, divisor)
    terms = tuple((f, c.numerator // divisor) for f, c in form.terms)
    return Linear(ceil(constant) if strict else floor(constant), terms), unit * divisor
