"""Goal counting h_gc, Manhattan distance h_md, and the table of all heuristic oracles by the core's names.

Definition   docs/heuristics.md 1; "tuned" gives an unsatisfied numeric goal at least one unit
In, out      (Model, State, Options) → Evaluation
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.oracles.states import Model, State

INFINITY = float("inf")


@dataclass(frozen=True)
class Options:
    """compat: the published code's rules. metric_cost: metric costs in the initial state instead of 1.

    plus_one: the integers that the costs are multiples of, or the metric's costs, plus 1; if all are 1, just that
    """

    compat: bool = False
    metric_cost: bool = False
    plus_one: bool = False


@dataclass(frozen=True)
class Evaluation:
    """helpful and jumps are only filled by h_mrp; ambiguous: a tie the definition leaves open."""

    value: Fraction | float
    helpful: frozenset[int] = frozenset()
    jumps: frozenset[tuple[int, int]] = frozenset()
    ambiguous: bool = False


Oracle = Callable[[Model, State, Options], Evaluation]


def true_costs(model: Model) -> list[int] | None:
    """Costs as the least integers in the same proportions; None if some cost is not a constant or is negative."""
    if any(operator.cost.terms or operator.cost.constant < 0 for operator in model.operators):
        return None
    constants = [operator.cost.constant for operator in model.operators]
    scale = math.lcm(*(cost.denominator for cost in constants))
    integers = [int(cost * scale) for cost in constants]
    divisor = math.gcd(*integers) or 1
    return [integer // divisor for integer in integers]


def operator_costs(model: Model, options: Options) -> list[Fraction]:
    """What each operator costs inside a heuristic."""
    if options.plus_one:
        integers = true_costs(model)
        costs = operator_costs(model, Options(metric_cost=True)) if integers is None else list(map(Fraction, integers))
        return costs if all(cost == 1 for cost in costs) else [cost + 1 for cost in costs]
    if not options.metric_cost:
        return [Fraction(1)] * len(model.operators)
    return [max(Fraction(0), model.cost(o, model.initial)) for o in range(len(model.operators))]


def goal_count(model: Model, state: State, options: Options) -> Evaluation:
    """h_gc: how many conjuncts of the goal are false."""
    return Evaluation(Fraction(sum(not model.holds(atom, state) for atom in model.goal)))


def goal_error(model: Model, atom: int, state: State, options: Options) -> Fraction:
    """How far one conjunct of the goal is from true."""
    if model.holds(atom, state):
        return Fraction(0)
    condition = model.condition_of(atom)
    if condition is None:
        return Fraction(1)
    distance = abs(condition.form.value(state))
    if distance == 0 and not options.compat:
        return condition.unit
    return distance * condition.unit


def manhattan(model: Model, state: State, options: Options) -> Evaluation:
    """h_md: the sum of the errors of the goal's conjuncts."""
    return Evaluation(sum((goal_error(model, atom, state, options) for atom in model.goal), Fraction(0)))


def goals_first(model: Model, state: State, options: Options) -> Evaluation:
    """h_gmrp: h_gc in large units, and h_mrp squeezed into less than one of them."""
    from tests.oracles.subgoaling import relaxed_plan

    found = relaxed_plan(model, state, options)
    if found.value == INFINITY:
        return found
    unit = Fraction(2 ** min(16, 24 - len(model.goal).bit_length()))
    distance = Fraction(found.value)
    squeezed = distance if distance < unit / 2 else unit - (unit / 2) ** 2 / distance
    return replace(found, value=unit * Fraction(goal_count(model, state, options).value) + squeezed)


def oracles() -> dict[str, Oracle]:
    """Every heuristic under the name the core registers it with."""
    from tests.oracles import interval, landmarks, lmcut, optimal, potential, subgoaling
    from tests.oracles.flow import flow
    from tests.oracles.roll import rolling

    return {
        "hgc": goal_count,
        "hmd": manhattan,
        "hroll": rolling,
        "hadd": subgoaling.additive,
        "hradd": subgoaling.redundant_additive,
        "hmrp": subgoaling.relaxed_plan,
        "hgmrp": goals_first,
        "haibr": interval.interval_relaxation,
        "blind": optimal.blind,
        "hmax": optimal.maximum,
        "hlm": landmarks.landmark_count,
        "hlmcut": lmcut.landmark_cut,
        "hpot": potential.potentials,
        "hflow": flow,
    }
