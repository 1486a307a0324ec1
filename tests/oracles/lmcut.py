"""Numeric LM-cut, slowly: every round starts from nothing, in exact fractions.

Definition   core/heuristics/lmcut.h; among equally costly preconditions the one with the smallest number supports
In, out      (Model, State, Options) → Evaluation
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.heuristics import INFINITY, Evaluation, Options
from tests.oracles.optimal import actions, heuristic_costs, maximum
from tests.oracles.ranges import Number, Ranges
from tests.oracles.states import Model, State

NOBODY = -1


@dataclass(frozen=True)
class Act:
    """An operator with one of its blocks, or a part of a disjunction; `effects` are atoms with their repetitions."""

    operator: int
    needs: tuple[int, ...]
    effects: dict[int, Fraction]


def acts(model: Model, state: State) -> list[Act]:
    first_condition, plain = 2 * model.facts, 2 * model.facts + len(model.conditions)
    found, ranges = [], Ranges(model)
    for action in actions(model):
        block = action.block
        effects = {2 * fact: Fraction(1) for fact in block.adds}
        effects |= {2 * fact + 1: Fraction(1) for fact in block.deletes if fact not in block.adds}
        for number, condition in enumerate(model.conditions):
            if ranges.most(block, condition.form) > 0:
                blocks = model.operators[action.operator].blocks
                gains = [max(Fraction(0), ranges.most(other, condition.form)) for other in blocks]
                total = sum(gains, Fraction(0))
                need = (1 if condition.strict and model.exact else 0) - condition.form.value(state)
                effects[first_condition + number] = max(Fraction(1), need / total if total < INFINITY else Fraction(0))
        found.append(Act(action.operator, tuple(sorted(set(action.needs))), effects))
    for number in range(len(model.disjunctions)):
        parts = model.parts_of(plain + number)
        found += [Act(NOBODY, tuple(sorted(set(part))), {plain + number: Fraction(1)}) for part in parts]
    return found


class Round:
    """Labels, supporters, zone and cut under the costs that are left."""

    def __init__(self, model: Model, state: State, all_acts: list[Act], costs: dict[int, Fraction]) -> None:
        self.acts, self.costs = all_acts, costs
        plain = 2 * model.facts + len(model.conditions)
        self.true = {atom for atom in range(plain) if model.holds(atom, state)}
        everything = range(plain + len(model.disjunctions))
        self.label: dict[int, Number] = {atom: Fraction(0) if atom in self.true else INFINITY for atom in everything}
        changed = True
        while changed:
            changed = False
            for act in all_acts:
                for atom, times in act.effects.items():
                    price = self.entry(act.needs) + times * costs[act.operator]
                    if price < self.label[atom]:
                        self.label[atom], changed = price, True

    def entry(self, needs: tuple[int, ...]) -> Number:
        return max((self.label[atom] for atom in needs), default=Fraction(0))

    def supporter(self, needs: tuple[int, ...]) -> int | None:
        return next((atom for atom in needs if self.label[atom] == self.entry(needs)), None)

    def possible(self) -> list[tuple[Act, int | None]]:
        return [(act, self.supporter(act.needs)) for act in self.acts if self.entry(act.needs) < INFINITY]

    def cut(self, goal: tuple[int, ...]) -> dict[int, Fraction]:
        """The operators of the next landmark with their m."""
        zone = {self.supporter(goal)}
        grown = True
        while grown:
            free = {by for act, by in self.possible() if self.costs[act.operator] == 0 and zone & act.effects.keys()}
            grown, zone = bool(free - zone), zone | free
        least: dict[int, Fraction] = {}
        for act, by in self.possible():
            for atom in zone & act.effects.keys():
                if by not in zone and act.operator != NOBODY:
                    least[act.operator] = min(least.get(act.operator, act.effects[atom]), act.effects[atom])
        reached: set[int | None] = {None, *self.true}
        found: set[int] = set()
        grown = True
        while grown:
            before = len(reached)
            for act, by in self.possible():
                if by in reached and by not in zone:
                    found |= {act.operator} & least.keys()
                    limit = least.get(act.operator, INFINITY)
                    reached |= {atom for atom, times in act.effects.items() if times < limit} - zone
            grown = len(reached) > before
        return {operator: least[operator] for operator in found}


def landmark_cut(model: Model, state: State, options: Options) -> Evaluation:
    other = maximum(model, state, options).value
    if other == INFINITY or not Ranges(model).contain(state):
        return Evaluation(other)
    all_acts = acts(model, state)
    costs = {NOBODY: Fraction(0), **dict(enumerate(heuristic_costs(model, options)))}
    value = Fraction(0)
    while (now := Round(model, state, all_acts, costs)).entry(tuple(sorted(set(model.goal)))) > 0:
        cut = now.cut(tuple(sorted(set(model.goal))))
        price = min(m * costs[operator] for operator, m in cut.items())
        value += price
        costs = {
            operator: cost - price / cut[operator] if operator in cut else cost for operator, cost in costs.items()
        }
    return Evaluation(max(value, other))
