"""LiftedTask to GroundedTask, step by step.

prepare      conditional costs become separate actions
instantiate  argument tuples by joining relations, everything else as columns over them
reach        drop what can never be applied, find what never changes
simplify     operators with merged, folded effects; costs
relevance    drop what cannot matter for the goal
flatten      scale the numbers, number everything, fill the arrays
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from numbat.ground.costs import Costs, costs
from numbat.ground.flatten import flatten
from numbat.ground.instances import Instances
from numbat.ground.operators import Operators, operators
from numbat.ground.prepare import prepare
from numbat.ground.reach import Reachability
from numbat.ground.relevance import Relevance
from numbat.ground.report import GroundingReport
from numbat.ground.scale import Scaling
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import LiftedTask

MEMORY = 8 << 30  # bytes


def ground(task: LiftedTask, memory: int = MEMORY) -> GroundedTask:
    """The task as arrays; an unreachable goal becomes a disjunction without parts."""
    return ground_with_report(task, memory)[0]


def ground_with_report(task: LiftedTask, memory: int = MEMORY) -> tuple[GroundedTask, GroundingReport]:
    """Refuses a task that plainly needs more than so many bytes."""
    clock = _Clock()
    with clock.step("prepare"):
        prepared = prepare(task)
    with clock.step("instantiate"):
        instances = Instances(prepared, memory)
    with clock.step("reach"):
        reach = Reachability(instances)
    with clock.step("simplify"):
        found = operators(reach)
        cost = costs(found, task.metric)
    with clock.step("relevance"):
        relevance = Relevance(found, cost)
    with clock.step("flatten"):
        grounded, scaling = flatten(found, relevance, cost)
    return grounded, _report(found, cost, grounded, scaling, clock.seconds)


class _Clock:
    """CPU seconds per step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begin = time.process_time()
        yield
        self.seconds[name] = time.process_time() - begin


def _report(
    operators: Operators, cost: Costs, task: GroundedTask, scaling: Scaling, seconds: dict[str, float]
) -> GroundingReport:
    reach, instances = operators.reach, operators.instances
    intervals = reach.intervals
    return GroundingReport(
        goal_reachable=reach.goal_reachable,
        actions_instantiated=sum(len(action.rows) for action in instances.actions[:-1]),
        actions_reachable=sum(int(reached.sum()) for reached in reach.reached[:-1]),
        operators=len(task.operator_names),
        facts_mentioned=len(instances.facts),
        facts_varying=int(operators.conditions.varies.sum()),
        facts=len(task.fact_names),
        fluents_mentioned=len(instances.fluents),
        fluents_varying=sum(i is not None and intervals.constant(f) is None for f, i in enumerate(intervals.of)),
        variables=len(task.variable_names),
        conditions=len(task.condition_strict),
        fragment="LNP" if task.numeric_assign.any() or len(task.numeric_term_variable) else "SNP",
        features=tuple(_features(task, cost)),
        exact=scaling.exact,
        metric_linear=cost.linear,
        costs_exact=cost.exact,
        costs_can_fall=bool(cost.may_gain.any()),
        largest_scale=max(scaling.scales.values(), default=1),
        seconds=seconds,
    )


def _features(task: GroundedTask, cost: Costs) -> Iterator[str]:
    """What the search has to cope with."""
    facts, conditions = 2 * len(task.fact_names), len(task.condition_strict)
    atoms = task.conjunction_atom
    found = {
        "negative conditions": bool(((atoms < facts) & (atoms % 2 == 1)).any()),
        "numeric conditions": conditions > 0,
        "strict comparisons": bool(task.condition_strict.any()),
        "conditions over several variables": bool((np.diff(task.condition_start) > 1).any()),
        "disjunctions": len(task.disjunction_start) > 1,
        "conditional effects": bool(task.block_condition.any()),
        "assignments": bool(task.numeric_assign.any()),
        "state-dependent effects": len(task.numeric_term_variable) > 0,
        "metric": task.has_metric,
        "non-linear metric": not cost.linear,
        "state-dependent costs": len(task.cost_term_variable) > 0,
    }
    yield from (name for name, present in found.items() if present)
