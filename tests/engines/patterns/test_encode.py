"""Three oracles worked out by hand, and the mistakes of published encoders, on both solvers."""

from __future__ import annotations

import pytest

from numbat.task.grounded import GroundedTask
from tests.engines.patterns.asking import copies_needed, steps_of
from tests.oracles.builder import Either, Op, When, build

pytestmark = pytest.mark.parametrize("solver", ["cpsat", "smtlib"])


# --- A: counters ---


def counters(goal: int) -> GroundedTask:
    operators = [Op("incx", ["x <= 9"], ["x += 1"]), Op("incy", ["x - y >= 1"], ["y += 1"])]
    return build({}, {"x": 0, "y": 0}, operators, [f"y >= {goal}"])


@pytest.mark.parametrize(
    ("order", "repeat", "expected"),
    [
        ((0, 1), True, 1),
        ((1, 0), True, 2),
        ((0, 1), False, 3),
        ((1, 0), False, 4),
    ],
)
def test_order_and_rolling_decide_the_bound(solver: str, order: tuple[int, int], repeat: bool, expected: int) -> None:
    assert copies_needed(counters(3), 4, order=order, repeat=repeat, solver=solver) == expected


def test_counters_to_the_end(solver: str) -> None:
    assert steps_of(counters(10), 1, solver=solver) == [(0, 10), (1, 10)]
    assert copies_needed(counters(11), 3, solver=solver) is None


# --- B: how often an action may be rolled ---


def driving(goal: int, condition: str = "f >= 3", refuel: bool = False, first: bool = False) -> GroundedTask:
    operators = [Op("drive", [condition], ["f -= 3", "p += 1"])]
    if refuel:
        operators.insert(0 if first else 1, Op("refuel", [], ["f := 21"]))
    return build({}, {"f": 21, "p": 0}, operators, [f"p >= {goal}"])


@pytest.mark.parametrize(("condition", "most"), [("f >= 3", 7), ("f > 3", 6)])
def test_fuel_bounds_the_runs(solver: str, condition: str, most: int) -> None:
    assert steps_of(driving(most, condition), 1, solver=solver) == [(0, most)]
    assert copies_needed(driving(most + 1, condition), 4, solver=solver) is None


@pytest.mark.parametrize("first", [False, True])
def test_refuelling(solver: str, first: bool) -> None:
    assert copies_needed(driving(8, refuel=True, first=first), 3, solver=solver) == 2


# --- C: assignments and amounts that change ---


def test_a_swap_reads_the_old_values(solver: str) -> None:
    swap = [Op("swap", [], ["x := y", "y := x"])]
    assert steps_of(build({}, {"x": 2, "y": 5}, swap, ["x = 5", "y = 2"]), 1, solver=solver) == [(0, 1)]
    assert copies_needed(build({}, {"x": 2, "y": 5}, swap, ["x = 5", "y = 5"]), 3, solver=solver) is None


@pytest.mark.parametrize(("goal", "solvable"), [(1, True), (2, False), (5, False)])
def test_a_precondition_that_reads_an_assigned_variable(solver: str, goal: int, solvable: bool) -> None:
    task = build({}, {"x": 0, "y": 5}, [Op("a", ["x + y >= 0"], ["x += 1", "y := -3"])], [f"x >= {goal}"])
    assert (copies_needed(task, 3, solver=solver) is not None) == solvable


def test_doubling_is_not_rolled(solver: str) -> None:
    doubling = [Op("double", [], ["x += x"])]
    assert copies_needed(build({}, {"x": 1}, doubling, ["x = 4"]), 3, solver=solver) == 2
    assert copies_needed(build({}, {"x": 1}, doubling, ["x = 3"]), 3, solver=solver) is None


def test_amounts_that_the_action_itself_changes(solver: str) -> None:
    task = build({}, {"x": 0, "y": 1}, [Op("a", [], ["x += y", "y += 1"])], ["x = 6"])
    assert copies_needed(task, 4, solver=solver) == 3


def test_adding_and_deleting_is_adding(solver: str) -> None:
    task = build({"ok": True}, {"x": 0}, [Op("a", ["ok"], ["ok", "not ok", "x += 1"])], ["ok", "x >= 3"])
    assert steps_of(task, 1, solver=solver) == [(0, 3)]


# --- what published code got wrong ---


def test_an_upper_bound_with_the_constant_first(solver: str) -> None:
    task = build({}, {"x": 0}, [Op("up", ["10 >= x"], ["x += 1"])], ["x >= 11"])
    assert steps_of(task, 1, solver=solver) == [(0, 11)]


def test_an_increase_by_a_negative_number(solver: str) -> None:
    task = build({}, {"x": 10}, [Op("down", ["x >= 0"], ["x += -5"])], ["x <= -5"])
    assert steps_of(task, 1, solver=solver) == [(0, 3)]


def test_tenths_are_exact(solver: str) -> None:
    from fractions import Fraction

    from tests.oracles.builder import Description

    description = Description({}, {"x": 0}, [Op("up", [], ["x += 0.1"])], ["x = 0.3"])
    assert steps_of(description.task(units={"x": Fraction(1, 10)}), 1, solver=solver) == [(0, 3)]


def test_negative_preconditions_end_a_run(solver: str) -> None:
    task = build({"done": False}, {"x": 0}, [Op("a", ["not done"], ["done", "x += 1"])], ["x >= 2"])
    assert copies_needed(task, 3, solver=solver) is None


# --- amounts read from other variables, conditional effects, disjunctions ---


def test_an_amount_that_another_action_sets(solver: str) -> None:
    operators = [Op("faster", ["v <= 3"], ["v += 2"]), Op("move", ["x <= 90"], ["x += v"])]
    task = build({}, {"v": 3, "x": 0}, operators, ["x = 77"])
    assert copies_needed(task, 3, solver=solver) == 2  # steps of 3 first, then steps of 5
    assert copies_needed(build({}, {"v": 3, "x": 0}, operators, ["x >= 96"]), 3, solver=solver) is None


def test_an_amount_that_is_constant_here(solver: str) -> None:
    operators = [Op("move", ["x <= 90"], ["x += v"])]
    assert steps_of(build({}, {"v": 7, "x": 0}, operators, ["x = 91"]), 1, solver=solver) == [(0, 13)]
    assert copies_needed(build({}, {"v": 7, "x": 0}, operators, ["x >= 99"]), 2, solver=solver) is None


def test_conditional_effects_fire_when_they_must(solver: str) -> None:
    operators = [Op("a", [], ["x += 1", When(["x >= 2"], ["p", "y += 10"]), When(["not p"], ["y -= 1"])])]
    goal_values = {1: -1, 2: -2, 3: 7, 4: 17}  # y after so many runs
    for runs, y in goal_values.items():
        task = build({"p": False}, {"x": 0, "y": 0}, operators, [f"y = {y}", f"x = {runs}"])
        assert copies_needed(task, 4, solver=solver) == runs
    task = build({"p": False}, {"x": 0, "y": 0}, operators, ["x >= 3", "y <= 0"])
    assert copies_needed(task, 4, solver=solver) is None


def test_assignment_and_increase_must_not_meet(solver: str) -> None:
    operators = [Op("a", [], [When(["x >= 1"], ["x := 5"]), When(["x <= 1"], ["x += 1"])])]
    assert copies_needed(build({}, {"x": 0}, operators, ["x = 1"]), 3, solver=solver) == 1
    assert copies_needed(build({}, {"x": 0}, operators, ["x >= 2"]), 3, solver=solver) is None
    assert copies_needed(build({}, {"x": 2}, operators, ["x = 5"]), 3, solver=solver) == 1


def test_assignments_must_agree(solver: str) -> None:
    operators = [Op("a", [], [When(["x >= 0"], ["y := x"]), When(["x <= 5"], ["y := 3"]), "x += 1"])]
    assert copies_needed(build({}, {"x": 3, "y": 0}, operators, ["y = 3", "x = 4"]), 2, solver=solver) == 1
    assert copies_needed(build({}, {"x": 2, "y": 0}, operators, ["y >= 1"]), 3, solver=solver) is None
    assert copies_needed(build({}, {"x": 6, "y": 0}, operators, ["y = 7"]), 3, solver=solver) == 2


def test_one_part_of_a_disjunction_holds_before_every_run(solver: str) -> None:
    either = Either(["x <= 3"], ["x >= 8", "x <= 9"])
    task = build({}, {"x": 0}, [Op("up", [either], ["x += 1"])], ["x >= 4"])
    assert steps_of(task, 1, solver=solver) == [(0, 4)]
    assert copies_needed(build({}, {"x": 0}, [Op("up", [either], ["x += 1"])], ["x >= 5"]), 3, solver=solver) is None


def test_a_disjunctive_goal(solver: str) -> None:
    task = build({"p": False}, {"x": 0}, [Op("up", ["x <= 2"], ["x += 1"])], [Either(["p"], ["x = 2"], ["x = 7"])])
    assert steps_of(task, 1, solver=solver) == [(0, 2)]
