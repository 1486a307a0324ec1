"""Rolling, h_roll, and what a step is for a condition.

Definition   docs/heuristics.md 1.1
In, out      (Model, State, Options) → Evaluation
Guarantee    exact fractions but for the last logarithm; costs are repeated until nothing changes
Ambiguous    a run that is best only beyond numbers of 2^40: the core may have left its range before
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from tests.oracles.heuristics import INFINITY, Evaluation, Options
from tests.oracles.states import Block, Form, Model, State, combine

PART = 32
LONGEST_RUN = 32
MOST_APPLICATIONS = 1024
APPLICATION = 1 / 1024
SAFE = 2**40


def change(block: Block, form: Form) -> Fraction:
    """By how much a block changes a form, if by a constant; else 0."""
    weights = dict(form.terms)
    effects = [effect for effect in block.numeric if effect.variable in weights]
    if any(effect.assign or effect.form.terms for effect in effects):
        return Fraction(0)
    return abs(sum((weights[e.variable] * e.form.constant for e in effects), Fraction(0)))


def width(form: Form, other: Form) -> Fraction:
    """How far apart two bounds of one expression are; 0 if they are not such bounds."""
    if not form.terms or not other.terms or form.terms[0][0] != other.terms[0][0]:
        return Fraction(0)
    factor = -form.terms[0][1] / other.terms[0][1]
    total = combine([(Fraction(1), form), (factor, other)])
    return total.constant if factor > 0 and not total.terms else Fraction(0)


@lru_cache(maxsize=4)
def steps(model: Model) -> list[Fraction]:
    """Of every condition."""
    found = []
    for number, condition in enumerate(model.conditions):
        atom = 2 * model.facts + number
        changes = [change(block, condition.form) for operator in model.operators for block in operator.blocks]
        beside = [model.condition_of(b) for row in model.conjunctions if atom in row for b in row if b != atom]
        widths = [width(condition.form, other.form) for other in beside if other is not None]
        found.append(min((s for s in chain(changes, widths) if s > 0), default=1 / condition.unit))
    return found


@lru_cache(maxsize=4)
def ways(model: Model) -> list[tuple[int, int, set[int]]]:
    """An atom, what it costs to make it true, and what that needs."""
    found: list[tuple[int, int, set[int]]] = []
    for operator in model.operators:
        for block in operator.blocks:
            made = [2 * fact for fact in block.adds] + [2 * f + 1 for f in block.deletes if f not in block.adds]
            found += [(atom, 1, {*operator.precondition, *block.condition}) for atom in made]
    first = 2 * model.facts + len(model.conditions)
    for atom in range(first, first + len(model.disjunctions)):
        found += [(atom, 0, set(part)) for part in model.parts_of(atom)]
    return found


def atom_costs(model: Model, state: State) -> dict[int, Fraction | float]:
    atoms = range(2 * model.facts + len(model.conditions) + len(model.disjunctions))
    costs: dict[int, Fraction | float] = dict.fromkeys(atoms, INFINITY)
    for atom in range(2 * model.facts):
        if model.holds(atom, state):
            costs[atom] = Fraction(0)
    for number, (condition, step) in enumerate(zip(model.conditions, steps(model), strict=True)):
        value = condition.form.value(state)
        error = Fraction(0) if condition.holds(state) else -value / step if value < 0 else Fraction(1)
        costs[2 * model.facts + number] = error
    while True:
        before = dict(costs)
        for atom, cost, needs in ways(model):
            costs[atom] = min(costs[atom], cost + sum(costs[need] for need in needs))
        if costs == before:
            return costs


def distance(model: Model, state: State) -> float:
    costs = atom_costs(model, state)
    parts = [costs[atom] for atom in model.goal if model.condition_of(atom) is None]
    if INFINITY in parts:
        return INFINITY
    is_open = [cost for cost in parts if cost > 0]
    nearest = min(is_open, default=sum(costs[atom] for atom in model.goal))
    return PART * len(is_open) + min(math.log2(1 + nearest), PART - 1)


def rolling(model: Model, state: State, options: Options) -> Evaluation:
    """h_roll."""
    here = distance(model, state)
    if here == INFINITY:
        return Evaluation(INFINITY)
    safe = beyond = here
    rolled = [
        number
        for number in model.enabled(state)
        if any(effect.form.terms for block in model.operators[number].blocks for effect in block.numeric)
    ]
    for number in rolled:
        reached, in_range = model.apply(number, state), True
        for done in range(1, min(LONGEST_RUN, MOST_APPLICATIONS // len(rolled)) + 1):
            if reached is None:
                break
            in_range &= all(abs(value) < SAFE for value in reached.values)
            value = distance(model, reached) + done * APPLICATION
            safe, beyond = min(safe, value) if in_range else safe, min(beyond, value)
            reached = model.apply(number, reached)
    return Evaluation(safe, ambiguous=beyond < safe)
