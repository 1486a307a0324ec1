"""What each operator costs: how much it changes the metric, plus what the metric asks per step.

Definition   cost = sign * (sum over the metric's fluents of weight * change + per_step), sign -1 for maximize, so that
             smaller is better; the metric's value in the initial state is kept apart
In, out      Operators and the metric -> a constant and linear terms over fluents per operator, exactly
Conditional  changes of the metric are not counted; as a rule conditional_costs has made them unconditional before
Non-linear   a metric that is not linear in the fluents that change is left to the referee: every operator costs 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numbat.errors import UnsupportedFeature
from numbat.ground.columns import Index, Mask, contained
from numbat.ground.fold import EffectForm, Linear, combine, required
from numbat.ground.guarded import Guarded, lower_bound
from numbat.ground.intervals import Bound, plus
from numbat.ground.operators import Operators
from numbat.ground.pairs import Pairs
from numbat.ground.statics import Number
from numbat.task.lifted import Metric

# Sums of two still fit into 64 bits.
LARGEST_WHOLE = 2**61


@dataclass(frozen=True, slots=True)
class Costs:
    """Per operator an exact constant; `terms` are pairs (operator, fluent) with `coefficients`."""

    values: list[Number]  # all constants that there are
    value_of: Index  # operator -> its constant among them
    terms: Pairs
    coefficients: list[Number]  # of the terms
    may_gain: Mask  # operators that may cost less than nothing
    exact: bool = True  # false if some change of the metric is conditional, which is not counted, or it is not linear
    start: Number = 0  # the metric's value in the initial state
    linear: bool = True  # false if the metric is not


def costs(operators: Operators, metric: Metric | None) -> Costs:
    if metric is None:
        return _steps(operators)
    form = _metric_form(operators, metric)
    if form is None:
        return replace(_steps(operators), exact=False, linear=False)
    sign = 1 if metric.direction == "minimize" else -1
    weights = dict(form.terms)
    by_form = {
        number: _contribution(effect, sign * weights[effect.fluent])
        for number, effect in enumerate(operators.forms)
        if effect.fluent in weights
    }
    per_step = sign * metric.per_step
    blocks = operators.blocks
    metric_changes = contained(blocks.numeric.item, np.array(list(by_form), dtype=np.int64))
    conditional = blocks.condition[blocks.numeric.owner] != 0
    paid = blocks.of_operator(blocks.numeric.where(metric_changes & ~conditional))
    constants = {number: contribution.constant for number, contribution in by_form.items()}
    values, value_of = _sums(operators, paid, constants, per_step)
    terms, coefficients = _terms(paid, by_form)
    may_gain = _may_gain(operators, paid, by_form, per_step)
    everything = not (metric_changes & conditional).any()
    start = form.constant + sum(weight * operators.initial_value(fluent) for fluent, weight in form.terms)
    return Costs(values, value_of, terms, coefficients, may_gain, everything, start)


def _steps(operators: Operators) -> Costs:
    """Every operator costs 1."""
    nothing: Index = np.zeros(0, dtype=np.int64)
    size = operators.size
    one = np.zeros(size, dtype=np.int64)
    return Costs([1], one, Pairs(nothing, nothing), [], np.zeros(size, dtype=bool))


def _sums(
    operators: Operators, paid: Pairs, constants: dict[int, Number], per_step: Number
) -> tuple[list[Number], Index]:
    """What the constants of each operator come to, exactly: the sums that there are, and which one each has."""
    scale = lcm(per_step.denominator, *(constant.denominator for constant in constants.values()))
    whole = {number: int(constant * scale) for number, constant in constants.items()}
    most = int(np.bincount(paid.owner).max()) if len(paid.owner) else 1
    largest = abs(int(per_step * scale)) + most * max(map(abs, whole.values()), default=0)
    # beyond 64 bits Python's own integers add up, slowly
    kind: type = np.int64 if largest <= LARGEST_WHOLE else object
    amounts: NDArray[Any] = np.zeros(len(operators.forms), dtype=kind)
    for number, amount in whole.items():
        amounts[number] = amount
    sums: NDArray[Any] = np.full(operators.size, int(per_step * scale), dtype=kind)
    np.add.at(sums, paid.owner, amounts[paid.item])
    values, value_of = np.unique(sums, return_inverse=True)
    return [Fraction(value, scale) for value in values.tolist()], value_of.reshape(-1)


def _terms(paid: Pairs, by_form: dict[int, Linear]) -> tuple[Pairs, list[Number]]:
    """What state-dependent contributions add up to, by operator and fluent."""
    variable = np.array([number for number, form in by_form.items() if form.terms], dtype=np.int64)
    chosen = paid.where(contained(paid.item, variable))
    triples: dict[tuple[int, int], Number] = {}
    for operator, number in zip(chosen.owner.tolist(), chosen.item.tolist(), strict=True):
        for fluent, coefficient in by_form[number].terms:
            triples[operator, fluent] = triples.get((operator, fluent), 0) + coefficient
    keys = sorted(triples)
    columns = np.array(keys, dtype=np.int64).reshape(-1, 2)
    return Pairs(columns[:, 0], columns[:, 1]), [triples[key] for key in keys]


def _may_gain(operators: Operators, paid: Pairs, by_form: dict[int, Linear], per_step: Number) -> Mask:
    """Operators whose contributions may come to less than 0 together; most have none that is negative."""
    interval = Guarded(operators).interval
    lowest = {number: lower_bound(form, interval) for number, form in by_form.items()}
    doubtful = np.full(operators.size, per_step < 0)
    negative = np.array([number for number, bound in lowest.items() if bound < 0], dtype=np.int64)
    doubtful[paid.owner[contained(paid.item, negative)]] = True
    sums: dict[int, Bound] = dict.fromkeys(np.flatnonzero(doubtful).tolist(), per_step)
    asked = paid.where(doubtful[paid.owner])
    for operator, number in zip(asked.owner.tolist(), asked.item.tolist(), strict=True):
        sums[operator] = plus(sums[operator], lowest[number])
    result = np.zeros(operators.size, dtype=bool)
    result[[operator for operator, bound in sums.items() if bound < 0]] = True
    return result


def whole_costs(amounts: Sequence[Number]) -> tuple[NDArray[np.int64], Fraction]:
    """The least integers in the same proportions, and what one is worth; none if 64 bits do not hold them."""
    distinct = set(amounts)
    scale = lcm(*(number.denominator for number in distinct))
    whole = {number: number.numerator * (scale // number.denominator) for number in distinct}
    divisor = gcd(*whole.values()) or 1
    if any(abs(number) // divisor > LARGEST_WHOLE for number in whole.values()):
        return np.empty(0, dtype=np.int64), Fraction(1)
    return np.array([whole[number] // divisor for number in amounts], dtype=np.int64), Fraction(divisor, scale)


class WholeCosts(NamedTuple):
    """Constants and coefficients of costs in one unit; the constants alone where no unit fits both."""

    constants: NDArray[np.int64]
    coefficients: NDArray[np.int64]
    unit: Fraction


def in_one_unit(constants: Sequence[Number], coefficients: Sequence[Number]) -> WholeCosts:
    """All of them as integers, or the constants alone, or nothing."""
    whole, unit = whole_costs([*constants, *coefficients])
    if len(whole) < len(constants) + len(coefficients):
        whole, unit = whole_costs(constants)
    return WholeCosts(whole[: len(constants)], whole[len(constants) :], unit)


def _metric_form(operators: Operators, metric: Metric) -> Linear | None:
    """None if the metric is not linear."""
    number = operators.instances.metric
    if number is None or not operators.reach.intervals.readable(number):
        raise UnsupportedFeature("a metric that reads a fluent that never has a value", metric.expression.span)
    return operators.fold.linear(number) if metric.linear_in_steps else None


def _contribution(effect: EffectForm, weight: Number) -> Linear:
    form = required(effect.form, effect.span)
    if not effect.assign:
        return combine((weight, form))
    return combine((weight, form), (-weight, Linear(0, ((effect.fluent, 1),))))
