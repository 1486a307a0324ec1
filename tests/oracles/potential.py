"""Potentials, slowly: the operator-counting programme that they are the dual of, in exact fractions.

Definition   core/heuristics/potential.h: the largest h(s0) over all potentials u of facts and weights w >= 0 of numeric
             conditions of the goal and bounds of variables such that no operator lowers h by more than its cost and no
             goal state has h > 0
In, out      (Model, State, Options) → Evaluation: in the initial state the value, rounded up, at least `blind`;
             elsewhere it depends on which of the best solutions was found (ambiguous); at least the bounds of
             acceleration and landmark_weights
"""

from __future__ import annotations

import math
from fractions import Fraction

from tests.oracles.acceleration import acceleration
from tests.oracles.heuristics import INFINITY, Evaluation, Options
from tests.oracles.landmark_weights import landmark_weights
from tests.oracles.optimal import blind, true_costs
from tests.oracles.programme import Row, maximum
from tests.oracles.ranges import Ranges
from tests.oracles.states import Condition, Model, Operator, State


def weighted(model: Model, ranges: Ranges, everywhere: Ranges) -> list[Condition]:
    """Conditions of the goal, and bounds, to which no effect adds without a limit."""
    blocks = [block for operator in model.operators for block in operator.blocks]
    conditions = [*filter(None, map(model.condition_of, sorted(set(model.goal)))), *everywhere.conditions()]
    return [c for c in conditions if all(ranges.most(block, c.form) != INFINITY for block in blocks)]


def lowered(model: Model, ranges: Ranges, operator: Operator, conditions: list[Condition]) -> Row:
    """What an operator lowers h by: coefficients of max(0, u) and max(0, -u) of each fact, then of the weights."""
    row = [Fraction(0)] * (2 * model.facts + len(conditions))
    for block in operator.blocks:
        certain = not block.condition
        for fact in set(block.deletes) - set(block.adds):
            row[2 * fact] += 1
            row[2 * fact + 1] -= certain and 2 * fact in operator.precondition
        for fact in set(block.adds):
            row[2 * fact + 1] += 1
            row[2 * fact] -= certain and 2 * fact + 1 in operator.precondition
        for place, condition in enumerate(conditions):
            change = Fraction(ranges.most(block, condition.form))
            row[2 * model.facts + place] += change if certain else max(Fraction(0), change)
    return row


def objective(model: Model, state: State, conditions: list[Condition]) -> Row:
    row = []
    for fact, truth in enumerate(state.facts):
        row.append(Fraction(truth - (2 * fact + 1 not in model.goal)))
        row.append(Fraction(-truth + (2 * fact in model.goal)))
    for condition in conditions:
        row.append((1 if condition.strict else 0) - condition.form.value(state))
    return row


def potentials(model: Model, state: State, options: Options) -> Evaluation:
    least = blind(model, state, options).value
    costs = true_costs(model)
    if costs is None or not model.exact or not costs or least == INFINITY:
        return Evaluation(least)
    ranges = Ranges(model)
    if not ranges.contain(state):
        return Evaluation(least)
    landmarks = landmark_weights(model, state, costs)
    least = max(least, Fraction(acceleration(model, state, costs)), Fraction(landmarks or 0))
    if state != model.initial or landmarks is None:
        return Evaluation(least, ambiguous=True)
    conditions = weighted(model, ranges, Ranges(model, everything=True))
    rows = [lowered(model, ranges, operator, conditions) for operator in model.operators]
    value = maximum(objective(model, state, conditions), rows, [Fraction(cost) for cost in costs])
    return Evaluation(least, ambiguous=True) if value is None else Evaluation(max(least, Fraction(math.ceil(value))))
