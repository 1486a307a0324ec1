"""Potentials, slowly: the operator-counting programme that they are the dual of, in exact fractions.

Definition   core/heuristics/potential.h: the largest h(s0) over all potentials u of facts and weights w >= 0 of numeric
             conditions of the goal such that no operator lowers h by more than its cost and no goal state has h > 0
In, out      (Model, State, Options) → Evaluation: in the initial state the value, rounded up, at least `blind`;
             elsewhere it depends on which of the best solutions was found (ambiguous)
Method       the simplex method in dictionary form with Bland's rule, which cannot go round in circles
"""

from __future__ import annotations

import math
from fractions import Fraction

from tests.oracles.heuristics import INFINITY, Evaluation, Options
from tests.oracles.optimal import blind, true_costs
from tests.oracles.ranges import Ranges
from tests.oracles.states import Model, Operator, State

Row = list[Fraction]


def maximum(objective: Row, rows: list[Row], limits: Row) -> Fraction | None:
    """The largest objective * x with rows * x <= limits and x >= 0, for limits >= 0; None if there is no largest."""
    table = [list(row) for row in rows]
    limits, gains, value = list(limits), list(objective), Fraction(0)
    others, basics = list(range(len(gains))), list(range(len(gains), len(gains) + len(rows)))
    while rising := [column for column in range(len(gains)) if gains[column] > 0]:
        column = min(rising, key=lambda c: others[c])
        stopping = [r for r in range(len(table)) if table[r][column] > 0]
        if not stopping:
            return None
        pivot = min(stopping, key=lambda r: (limits[r] / table[r][column], basics[r]))
        divisor = table[pivot][column]
        table[pivot][column] = Fraction(1)
        own = table[pivot] = [entry / divisor for entry in table[pivot]]
        limits[pivot] /= divisor
        for r in range(len(table)):
            if r != pivot and table[r][column] != 0:
                factor, table[r][column] = table[r][column], Fraction(0)
                table[r] = [entry - factor * other for entry, other in zip(table[r], own, strict=True)]
                limits[r] -= factor * limits[pivot]
        factor, gains[column] = gains[column], Fraction(0)
        gains = [entry - factor * other for entry, other in zip(gains, own, strict=True)]
        value += factor * limits[pivot]
        others[column], basics[pivot] = basics[pivot], others[column]
    return value


def weighted(model: Model, ranges: Ranges) -> list[int]:
    """Conditions of the goal to which no effect adds without a limit."""
    blocks = [block for operator in model.operators for block in operator.blocks]
    conditions = [atom - 2 * model.facts for atom in set(model.goal) if model.condition_of(atom) is not None]
    return [c for c in conditions if all(ranges.most(block, model.conditions[c].form) != INFINITY for block in blocks)]


def lowered(model: Model, ranges: Ranges, operator: Operator, conditions: list[int]) -> Row:
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
            change = Fraction(ranges.most(block, model.conditions[condition].form))
            row[2 * model.facts + place] += change if certain else max(Fraction(0), change)
    return row


def objective(model: Model, state: State, conditions: list[int]) -> Row:
    row = []
    for fact, truth in enumerate(state.facts):
        row.append(Fraction(truth - (2 * fact + 1 not in model.goal)))
        row.append(Fraction(-truth + (2 * fact in model.goal)))
    for condition in (model.conditions[c] for c in conditions):
        row.append((1 if condition.strict else 0) - condition.form.value(state))
    return row


def potentials(model: Model, state: State, options: Options) -> Evaluation:
    least = blind(model, state, options).value
    costs = true_costs(model)
    if costs is None or not model.exact or not costs or least == INFINITY:
        return Evaluation(least)
    if state != model.initial:
        return Evaluation(least, ambiguous=True)
    ranges = Ranges(model)
    conditions = weighted(model, ranges)
    rows = [lowered(model, ranges, operator, conditions) for operator in model.operators]
    value = maximum(objective(model, state, conditions), rows, [Fraction(cost) for cost in costs])
    return Evaluation(least, ambiguous=True) if value is None else Evaluation(max(least, Fraction(math.ceil(value))))
