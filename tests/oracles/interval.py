"""The additive interval-based relaxation h_aibr.

Definition   docs/heuristics.md 5; reachability decides infinity, sweeps over all operators in task order count
In, out      (Model, State, Options) → Evaluation
Order        within one operator everything is read in the relaxed state before it, and every effect is the hull of a
             variable's interval there and after this effect alone
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.heuristics import INFINITY, Evaluation, Options
from tests.oracles.states import Block, Form, Model, NumericEffect, State, combine, single

Number = Fraction | float

MOST_SWEEPS = 10_000


@dataclass
class Relaxed:
    """For every fact the truth values it may have, for every variable the interval it may be in."""

    truth: list[set[bool]]
    low: list[Number]
    high: list[Number]

    def range(self, form: Form) -> tuple[Number, Number]:
        low: Number = form.constant
        high: Number = form.constant
        for variable, coefficient in form.terms:
            ends = (coefficient * self.low[variable], coefficient * self.high[variable])
            low, high = low + min(ends), high + max(ends)
        return low, high

    def widen(self, variable: int, low: Number, high: Number) -> None:
        self.low[variable] = min(self.low[variable], low)
        self.high[variable] = max(self.high[variable], high)

    def snapshot(self) -> object:
        return [set(t) for t in self.truth], list(self.low), list(self.high)


def relaxed(state: State) -> Relaxed:
    return Relaxed([{fact} for fact in state.facts], list(state.values), list(state.values))


def holds(model: Model, atom: int, state: Relaxed) -> bool:
    """Whether some state within the relaxed one may satisfy the atom."""
    if atom < 2 * model.facts:
        return (atom % 2 == 0) in state.truth[atom // 2]
    condition = model.condition_of(atom)
    if condition is None:
        return any(all_hold(model, part, state) for part in model.parts_of(atom))
    _, high = state.range(condition.form)
    return high > 0 or (high == 0 and not condition.strict)


def all_hold(model: Model, atoms: Iterable[int], state: Relaxed) -> bool:
    return all(holds(model, atom, state) for atom in atoms)


def amount(effect: NumericEffect) -> Form:
    """What the effect adds; an assignment of an expression adds the difference (the additive trick)."""
    if not effect.assign:
        return effect.form
    return combine([(Fraction(1), effect.form), (Fraction(-1), single(effect.variable))])


def change_facts(block: Block, state: Relaxed) -> None:
    for fact in block.adds:
        state.truth[fact].add(True)
    for fact in set(block.deletes) - set(block.adds):
        state.truth[fact].add(False)


def constant_assignment(effect: NumericEffect) -> bool:
    return effect.assign and not effect.form.terms


def change_asymptotically(block: Block, state: Relaxed) -> None:
    """The block's supporters: an amount that may be positive sends the upper bound to infinity, and so on."""
    change_facts(block, state)
    for effect in block.numeric:
        if constant_assignment(effect):
            state.widen(effect.variable, effect.form.constant, effect.form.constant)
            continue
        low, high = state.range(amount(effect))
        if high > 0:
            state.widen(effect.variable, INFINITY, INFINITY)
        if low < 0:
            state.widen(effect.variable, -INFINITY, -INFINITY)


def reaches_goal(model: Model, start: State) -> bool:
    state, before = relaxed(start), None
    while before != state.snapshot():
        before = state.snapshot()
        for operator in model.operators:
            if all_hold(model, operator.precondition, state):
                for block in operator.blocks:
                    if all_hold(model, block.condition, state):
                        change_asymptotically(block, state)
    return all_hold(model, model.goal, state)


def change(blocks: list[Block], state: Relaxed) -> None:
    """The true interval effects of one operator's firing blocks: for each the hull of old value and new."""
    hulls: list[tuple[int, Number, Number]] = []
    for effect in (effect for block in blocks for effect in block.numeric):
        v, (low, high) = effect.variable, state.range(amount(effect))
        if constant_assignment(effect):
            hulls.append((v, effect.form.constant, effect.form.constant))
        else:
            hulls.append((v, state.low[v] + low, state.high[v] + high))
    for block in blocks:
        change_facts(block, state)
    for variable, low, high in hulls:
        state.widen(variable, low, high)


def interval_relaxation(model: Model, start: State, options: Options) -> Evaluation:
    """h_aibr: how many operator applications until the goal is relaxed-satisfied."""
    if model.is_goal(start):
        return Evaluation(Fraction(0))
    if not reaches_goal(model, start):
        return Evaluation(INFINITY)
    state, count = relaxed(start), 0
    for _ in range(MOST_SWEEPS):
        for operator in model.operators:
            if all_hold(model, operator.precondition, state):
                count += 1
                change([b for b in operator.blocks if all_hold(model, b.condition, state)], state)
                if all_hold(model, model.goal, state):
                    return Evaluation(Fraction(count))
    return Evaluation(Fraction(count))
