"""What each operator costs: how much it changes the metric, plus what the metric asks per step.

Definition   cost = sign * (sum over the metric's fluents of weight * change + per_step), sign -1 for maximize, so that
             smaller is better; the metric's value in the initial state is kept apart
In, out      Operators and the metric -> a constant and linear terms over fluents per operator
Exact        constants are; coefficients of the terms become doubles in the last step
Conditional  changes of the metric are not counted; as a rule conditional_costs has made them unconditional before
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from numbat.errors import UnsupportedFeature
from numbat.ground.columns import Index, Mask, contained
from numbat.ground.fold import EffectForm, Linear, combine, required
from numbat.ground.intervals import Bound, Intervals, plus, times
from numbat.ground.operators import Operators
from numbat.ground.pairs import Pairs
from numbat.ground.statics import Number, double
from numbat.task.lifted import Metric

# Sums of two still fit into 64 bits.
LARGEST_WHOLE = 2**61


@dataclass
class Costs:
    """Per operator a constant; `terms` are pairs (operator, fluent) with `coefficients`."""

    constant: list[Number]
    terms: Pairs
    coefficients: np.ndarray[tuple[int], np.dtype[np.float64]]
    may_gain: Mask  # operators that may cost less than nothing
    exact: bool = True  # false if some change of the metric is conditional, which is not counted
    start: Number = 0  # the metric's value in the initial state


def costs(operators: Operators, metric: Metric | None) -> Costs:
    if metric is None:
        nothing: Index = np.zeros(0, dtype=np.int64)
        size = operators.size
        return Costs([1] * size, Pairs(nothing, nothing), np.zeros(0), np.zeros(size, dtype=bool))
    sign = 1 if metric.direction == "minimize" else -1
    form = _metric_form(operators, metric)
    weights = dict(form.terms)
    by_form = {
        number: _contribution(effect, sign * weights[effect.fluent])
        for number, effect in enumerate(operators.forms)
        if effect.fluent in weights
    }
    place = metric.expression.span
    constant: list[Number] = [sign * metric.per_step] * operators.size
    lowest: list[Bound] = [sign * metric.per_step] * operators.size
    metric_changes = contained(operators.numeric.item, np.array(list(by_form), dtype=np.int64))
    conditional = operators.block_condition[operators.numeric.owner] != 0
    paid = metric_changes & ~conditional
    owners = operators.block_operator[operators.numeric.owner[paid]].tolist()
    triples: dict[tuple[int, int], float] = {}
    for operator, number in zip(owners, operators.numeric.item[paid].tolist(), strict=True):
        contribution = by_form[number]
        constant[operator] += contribution.constant
        lowest[operator] = plus(lowest[operator], _lower_bound(contribution, operators.reach.intervals))
        for fluent, coefficient in contribution.terms:
            triples[operator, fluent] = triples.get((operator, fluent), 0.0) + double(coefficient, place)
    keys = np.array(sorted(triples), dtype=np.int64).reshape(-1, 2)
    coefficients = np.array([triples[key] for key in sorted(triples)])
    everything = not (metric_changes & conditional).any()
    may_gain = np.array([bound < 0 for bound in lowest], dtype=bool)
    start = form.constant + sum(weight * operators.initial_value(fluent) for fluent, weight in form.terms)
    return Costs(constant, Pairs(keys[:, 0], keys[:, 1]), coefficients, may_gain, everything, start)


def whole_costs(constants: Sequence[Number]) -> tuple[NDArray[np.int64], Fraction]:
    """The least integers in the same proportions, and what one is worth; none if 64 bits do not hold them."""
    distinct = set(constants)
    scale = lcm(*(number.denominator for number in distinct))
    whole = {number: number.numerator * (scale // number.denominator) for number in distinct}
    divisor = gcd(*whole.values()) or 1
    if any(abs(number) // divisor > LARGEST_WHOLE for number in whole.values()):
        return np.empty(0, dtype=np.int64), Fraction(1)
    return np.array([whole[number] // divisor for number in constants], dtype=np.int64), Fraction(divisor, scale)


def _metric_form(operators: Operators, metric: Metric) -> Linear:
    number = operators.instances.metric
    if number is None or not operators.reach.intervals.readable(number):
        raise UnsupportedFeature("a metric that reads a fluent that never has a value", metric.expression.span)
    return required(operators.fold.linear(number), metric.expression.span)


def _contribution(effect: EffectForm, weight: Number) -> Linear:
    form = required(effect.form, effect.span)
    if not effect.assign:
        return combine((weight, form))
    return combine((weight, form), (-weight, Linear(0, ((effect.fluent, 1),))))


def _lower_bound(form: Linear, intervals: Intervals) -> Bound:
    """Exact, or minus infinity."""
    bound: Bound = form.constant
    for fluent, coefficient in form.terms:
        low, high = intervals.of[fluent] or (0, 0)
        bound = plus(bound, times(coefficient, low if coefficient > 0 else high))
    return bound
