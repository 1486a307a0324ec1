"""What a condition of the goal costs at least whose changes others make larger, slowly.

Definition   core/heuristics/acceleration.h: the least B such that, for a moving operator with rate L and cost c, and an
             A of 0 to B, (L + r * A) * (B - A) >= need * c, where r is what a unit of cost adds to L at most
In, out      (Model, State, costs) → the least such integer over the conditions of the goal, 0 where nothing is known
Method       for each B the largest product, which is a parabola in A, in fractions; B by bisection
"""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.ranges import INFINITY, Number, Ranges
from tests.oracles.states import Block, Form, Model, Operator, State, combine

Mover = tuple[Form, Fraction, Fraction]  # rate, cost, what a unit of cost adds to the rate


def gain(ranges: Ranges, operator: Operator, form: Form) -> Number:
    """What an operator adds at most, by all of its blocks together."""
    return sum((max(Fraction(0), ranges.most(block, form)) for block in operator.blocks), Fraction(0))


def rate(block: Block, form: Form) -> Form | None:
    weights = dict(form.terms)
    effects = [effect for effect in block.numeric if effect.variable in weights]
    if any(effect.assign for effect in effects):
        return None
    return combine((weights[effect.variable], effect.form) for effect in effects)


def movers(model: Model, ranges: Ranges, form: Form, costs: list[int]) -> list[Mover] | None:
    """Whoever adds to the form; None if that tells nothing."""
    gains = [gain(ranges, operator, form) for operator in model.operators]
    if INFINITY not in gains:
        return None
    found: list[Mover] = []
    for operator, cost, most in zip(model.operators, costs, gains, strict=True):
        if most == 0:
            continue
        moving: Form | None = Form((), Fraction(most)) if most != INFINITY else None
        if most == INFINITY and len(operator.blocks) == 1 and not operator.blocks[0].condition:
            moving = rate(operator.blocks[0], form)
        if moving is None or cost == 0:
            return None
        faster = Fraction(0)
        for other, price, moves in zip(model.operators, costs, gains, strict=True):
            more = gain(ranges, other, moving) if moving.terms else Fraction(0)
            if more == 0:
                continue
            if more == INFINITY or moves != 0 or price == 0:
                return None
            faster = max(faster, Fraction(more) / price)
        found.append((moving, Fraction(cost), faster))
    return found


def reaches(budget: int, need: Fraction, state: State, mover: Mover) -> bool:
    """May operators that cost this much in all add the need?"""
    form, cost, faster = mover
    start = form.value(state)
    spent = [Fraction(0)]
    if faster > 0:
        spent.append(min(Fraction(budget), max(Fraction(0), (faster * budget - start) / (2 * faster))))
    return any((start + faster * on_speed) * (budget - on_speed) >= need * cost for on_speed in spent)


def acceleration(model: Model, state: State, costs: list[int]) -> int:
    ranges, costliest = Ranges(model), 0
    for condition in filter(None, map(model.condition_of, model.goal)):
        need = (1 if condition.strict else 0) - condition.form.value(state)
        ways = movers(model, ranges, condition.form, costs) if need > 0 else None
        # a rate that is not positive and that nobody raises leads nowhere
        possible = [way for way in ways or [] if way[2] > 0 or way[0].value(state) > 0]
        if not possible:
            continue
        high = 1
        while not any(reaches(high, need, state, way) for way in possible):
            high *= 2
        low = high // 2
        while low + 1 < high:
            middle = (low + high) // 2
            met = any(reaches(middle, need, state, way) for way in possible)
            low, high = (low, middle) if met else (middle, high)
        costliest = max(costliest, high)
    return costliest
