"""Between which numbers variables stay, and what effects can add at most.

Definition   core/heuristics/ranges.h
In, out      Model → Ranges: (lower, upper) of each variable, infinite where there is no bound; (Block, Form) → Number
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from tests.oracles.states import Block, Condition, Form, Model, NumericEffect, Operator, State, combine, single

Number = Fraction | float
INFINITY = float("inf")
LARGEST_BOUND = 2**31


class Ranges:
    """Of the variables that amounts read or that are assigned, or of everything; others have none; nor have those of
    inexact tasks.

    Where they are not to be known, whatever depends on the state has no limit.
    """

    def __init__(self, model: Model, *, known: bool = True, everything: bool = False) -> None:
        self.model, self.known = model, known and model.exact
        effects = [e for operator in model.operators for block in operator.blocks for e in block.numeric]
        wanted = {e.variable for e in effects if e.assign} | {v for e in effects for v in e.form.variables}
        if everything:
            wanted = set(range(len(model.initial.values)))
        self.bounds = {v: self._range(v) for v in wanted} if self.known else {}

    def contain(self, state: State) -> bool:
        return all(lower <= state.values[v] <= upper for v, (lower, upper) in self.bounds.items())

    def most(self, block: Block, form: Form) -> Number:
        """What a block adds to a form at most; infinity if there is no limit."""
        weights = dict(form.terms)
        effects = [effect for effect in block.numeric if effect.variable in weights]
        parts = [(weights[effect.variable], effect.form) for effect in effects]
        parts += [(-weights[effect.variable], single(effect.variable)) for effect in effects if effect.assign]
        if not self.known and any(effect.assign or effect.form.terms for effect in effects):
            return INFINITY
        total = combine(parts)
        found: Number = total.constant
        for variable, coefficient in total.terms:
            lower, upper = self.bounds.get(variable, (-INFINITY, INFINITY))
            bound = upper if coefficient > 0 else lower
            if math.isinf(bound):
                return INFINITY
            found += coefficient * bound
        return found

    def conditions(self) -> Iterator[Condition]:
        """What holds in all states within the ranges."""
        for variable, (lower, upper) in self.bounds.items():
            for sign, bound in ((1, lower), (-1, upper)):
                if not math.isinf(bound):
                    form = combine([(Fraction(sign), single(variable)), (Fraction(-sign), Form((), Fraction(bound)))])
                    yield Condition(form, strict=False, unit=Fraction(1))

    def _range(self, variable: int) -> tuple[Number, Number]:
        start = self.model.initial.values[variable]
        changes = [
            self._reached(variable, operator, block, effect)
            for operator in self.model.operators
            for block in operator.blocks
            for effect in block.numeric
            if effect.variable == variable
        ]
        lower = min([start, *(low for low, _ in changes)])
        upper = max([start, *(high for _, high in changes)])
        far_down, far_up = abs(lower) > LARGEST_BOUND, abs(upper) > LARGEST_BOUND
        return -INFINITY if far_down else lower, INFINITY if far_up else upper

    def _reached(self, variable: int, operator: Operator, block: Block, effect: NumericEffect) -> tuple[Number, Number]:
        """How far down and up one effect can lead; where it does not go, infinity."""
        alike = [e for other in operator.blocks for e in other.numeric if e.variable == variable]
        if len(alike) > 1 or effect.form.terms:
            return -INFINITY, INFINITY
        amount = effect.form.constant
        if effect.assign:
            return amount, amount
        least, most = self._required(variable, (*operator.precondition, *block.condition))
        return (least + amount if amount < 0 else INFINITY), (most + amount if amount > 0 else -INFINITY)

    def _required(self, variable: int, atoms: Iterable[int]) -> tuple[Number, Number]:
        least, most = -INFINITY, INFINITY
        for condition in filter(None, map(self.model.condition_of, atoms)):
            if condition.form.variables != (variable,):
                continue
            ((_, coefficient),) = condition.form.terms
            limit = (condition.strict - condition.form.constant) / coefficient
            if coefficient > 0:
                least = max(least, math.ceil(limit))
            else:
                most = min(most, math.floor(limit))
        return least, most
