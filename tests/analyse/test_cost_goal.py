"""The cost as a goal: the same task, step by step, whose cost variable is what the operators cost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from numbat import _core
from numbat.analyse.cost_goal import LARGEST, below, stopped_at_bound, with_cost_goal
from numbat.run.frontend import prepare
from numbat.search.run import core_task
from numbat.search.simulate import Simulator
from numbat.task.grounded import GroundedTask
from tests.search import small_tasks

# Costs that depend on the state, operators with nothing but a conditional effect, with no effect at all, a disjunction.
ODD = (
    """(define (domain odd) (:predicates (on) (off)) (:functions (x) (debt))
    (:action flip :parameters () :effect (when (not (on)) (on)))
    (:action earn :parameters () :precondition (or (on) (off)) :effect (decrease (debt) 2))
    (:action grow :parameters () :effect (and (increase (x) 1) (increase (debt) (* 0.5 (x)))))
    (:action reset :parameters () :precondition (>= (x) 2) :effect (and (assign (x) 0) (not (on)))))""",
    """(define (problem odd) (:domain odd) (:init (= (x) 1) (= (debt) 10))
    (:goal (and (on) (or (>= (x) 3) (off)))) (:metric minimize (debt)))""",
)


def grounded(task: tuple[str, str], folder: Path) -> GroundedTask:
    return prepare(*small_tasks.write(task, folder)).task


@pytest.mark.parametrize("task", [ODD, *small_tasks.SOLVABLE.values()])
def test_random_walks_agree_with_the_task_itself(task: tuple[str, str], tmp_path: Path) -> None:
    plain = grounded(task, tmp_path)
    core, simulator = core_task(plain), Simulator(plain, core_task(plain))
    with_goal = with_cost_goal(plain)
    assert with_goal.exact
    unit, costed = float(plain.cost_unit), core_task(below(with_goal, 4.0))
    random = np.random.default_rng(7)
    for _ in range(20):
        state = simulator.initial
        facts, values = state.facts, np.append(state.values, 0)
        for _ in range(12):
            goal = simulator.is_goal(state)
            assert _core.is_goal(costed, facts, values) == (goal and state.cost < 4)
            applicable = _core.applicable(core, state.facts, state.values)
            assert _core.applicable(costed, facts, values) == applicable
            if not applicable:
                break
            operator = int(random.choice(applicable))
            after, costed_after = simulator.step(state, operator), _core.apply(costed, operator, facts, values)
            assert after is not None and costed_after is not None
            state, (facts, values, _) = after, costed_after
            assert np.array_equal(facts, state.facts) and np.array_equal(values[:-1], state.values)
            assert values[-1] * unit == pytest.approx(state.cost)


def test_at_the_bound_nothing_is_applicable(tmp_path: Path) -> None:
    plain = grounded(small_tasks.DELIVERY, tmp_path)
    task = below(with_cost_goal(plain), 3.0)
    free, stopped = core_task(task), core_task(stopped_at_bound(task))
    for cost, expected in ((0, _core.applicable(core_task(plain), plain.init_facts, plain.init_values)), (3, [])):
        values = np.append(plain.init_values, cost)
        assert _core.applicable(stopped, plain.init_facts, values) == expected
        assert _core.applicable(free, plain.init_facts, values)


@pytest.mark.parametrize(
    "change",
    [
        {"cost_whole": np.zeros(0, np.int64)},
        {"cost_term_whole": np.zeros(0, np.int64)},
        {"cost_term_whole": np.array([LARGEST + 1])},
        {"exact": False},
    ],
    ids=["no constants", "no coefficients", "too large", "rounded"],
)
def test_without_exact_costs_it_is_not_exact(change: dict[str, object], tmp_path: Path) -> None:
    task = grounded(ODD, tmp_path)
    assert len(task.cost_term_whole) == 1 and with_cost_goal(task).exact
    changed = replace(task, **change)  # type: ignore[arg-type]
    assert not with_cost_goal(changed).exact
    assert below(with_cost_goal(changed), 0.25).condition_constant[-1] == 0.25


def test_a_bound_is_a_whole_number_of_units(tmp_path: Path) -> None:
    task = with_cost_goal(grounded(ODD, tmp_path))
    assert task.cost_unit == Fraction(1, 2)
    assert [int(below(task, bound).condition_constant[-1]) for bound in (0.1 + 0.2 + 0.2, Fraction(-3, 2))] == [1, -3]
