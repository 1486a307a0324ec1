"""Admissible heuristics blind and h_max, and true optimal costs by uniform-cost search.

Definition   docs/heuristics.md 10: P(u) = max H(precondition), H(fact) = min P(u) + cost,
             H(condition) = min P(u) + min max(1, need / gain) * cost, each minimum over all achievers;
             0 in states outside of the ranges of variables that gains rely on
In, out      (Model, State, Options) → Evaluation; (Model, costs, State) → the cost of a cheapest plan
Costs        the task's integer costs where all costs are constants and not negative, else as Options say
Guarantee    exact fractions; values start from infinity and are repeated until nothing changes
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from tests.oracles.heuristics import INFINITY, Evaluation, Options, operator_costs, true_costs
from tests.oracles.ranges import Number, Ranges
from tests.oracles.states import Block, Model, State


def heuristic_costs(model: Model, options: Options) -> list[Fraction]:
    integers = true_costs(model)
    return operator_costs(model, options) if integers is None else [Fraction(cost) for cost in integers]


@dataclass(frozen=True)
class Action:
    """An operator with one of its blocks."""

    operator: int
    needs: tuple[int, ...]
    block: Block


def actions(model: Model) -> Iterator[Action]:
    for number, operator in enumerate(model.operators):
        for block in operator.blocks:
            yield Action(number, operator.precondition + block.condition, block)


def achieves(model: Model, ranges: Ranges, action: Action, atom: int) -> bool:
    """May it make a fact or condition true?"""
    block = action.block
    condition = model.condition_of(atom)
    if condition is not None:
        return ranges.most(block, condition.form) > 0
    fact, negative = divmod(atom, 2)
    return fact in block.deletes and fact not in block.adds if negative else fact in block.adds


def cheapest_raise(model: Model, ranges: Ranges, atom: int, state: State, costs: list[Fraction]) -> Number:
    """Blocks of one operator may fire together: their gains add up."""
    condition = model.condition_of(atom)
    assert condition is not None
    need = (1 if condition.strict and model.exact else 0) - condition.form.value(state)
    prices: list[Number] = [INFINITY]
    for number, operator in enumerate(model.operators):
        total = sum((max(Fraction(0), ranges.most(block, condition.form)) for block in operator.blocks), Fraction(0))
        if total > 0:
            prices.append(max(Fraction(1), need / total if total != INFINITY else Fraction(0)) * costs[number])
    return min(prices)


def blind(model: Model, state: State, options: Options) -> Evaluation:
    costs, ranges = heuristic_costs(model, options), Ranges(model)
    if not ranges.contain(state):
        return Evaluation(Fraction(0))

    def price(atom: int) -> Number:
        if model.holds(atom, state):
            return Fraction(0)
        if atom >= 2 * model.facts + len(model.conditions):
            return min((conjunction(part) for part in model.parts_of(atom)), default=INFINITY)
        ways = [action for action in actions(model) if achieves(model, ranges, action, atom)]
        return min((costs[action.operator] for action in ways), default=INFINITY)

    def conjunction(atoms: tuple[int, ...]) -> Number:
        return max(map(price, atoms), default=Fraction(0))

    return Evaluation(conjunction(model.goal))


def maximum(model: Model, state: State, options: Options) -> Evaluation:
    costs, ranges = heuristic_costs(model, options), Ranges(model)
    if not ranges.contain(state):
        return Evaluation(Fraction(0))
    plain = 2 * model.facts + len(model.conditions)
    everything = range(plain + len(model.disjunctions))
    label: dict[int, Number] = {
        atom: Fraction(0) if atom < plain and model.holds(atom, state) else INFINITY for atom in everything
    }

    def entry(atoms: tuple[int, ...]) -> Number:
        return max((label[atom] for atom in atoms), default=Fraction(0))

    def price(atom: int) -> Number:
        if atom >= plain:
            return min((entry(part) for part in model.parts_of(atom)), default=INFINITY)
        ways = [action for action in actions(model) if achieves(model, ranges, action, atom)]
        if model.condition_of(atom) is None:
            return min((entry(action.needs) + costs[action.operator] for action in ways), default=INFINITY)
        least = min((entry(action.needs) for action in ways), default=INFINITY)
        return least + cheapest_raise(model, ranges, atom, state, costs) if least < INFINITY else INFINITY

    changed = True
    while changed:
        new = {atom: min(value, price(atom)) for atom, value in label.items()}
        changed, label = new != label, new
    return Evaluation(entry(model.goal))


def optimal_cost(model: Model, costs: list[int], start: State, limit: int) -> int | None:
    """What a cheapest plan costs; None if there is no plan. OverflowError if there are more than `limit` states."""
    order = count()
    queue = [(0, next(order), start)]
    closed: set[State] = set()
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in closed:
            continue
        if model.is_goal(state):
            return cost
        closed.add(state)
        if len(closed) > limit:
            raise OverflowError(f"more than {limit} states")
        for operator, price in enumerate(costs):
            successor = model.apply(operator, state)
            if successor is not None and successor not in closed:
                heapq.heappush(queue, (cost + price, next(order), successor))
    return None
