"""Odd but legal tasks, numbers that are too large, tables that are very wide."""

from __future__ import annotations

import time

import numpy as np
import pytest

from numbat.errors import TooLarge, UnsupportedFeature
from numbat.ground import ground, ground_with_report
from numbat.ground.atoms import AtomTable
from numbat.ground.columns import contained, distinct, row_codes
from numbat.ground.conflicts import MOST_GUARDS
from numbat.task.lifted import Symbol, parameter
from tests.ground.arrays import check_arrays
from tests.ground.pddl import action, task

FINISH = action("finish", effect="(done)")
STEP = action("step", effect="(increase (n) 1)")


@pytest.mark.parametrize(
    ("actions", "rest", "reachable", "operators"),
    [
        (FINISH, {"objects": ""}, True, 1),
        (action("finish", "?x", effect="(done)"), {"objects": ""}, False, 0),
        (FINISH, {"goal": "(and)"}, True, 0),
        (FINISH, {"goal": "(or)"}, False, 0),
        ("", {}, False, 0),
        ("", {"init": "(done)"}, True, 0),
        (action("idle"), {}, False, 0),
        (action("square", effect="(assign (n) (* (n) (n)))"), {"init": "(= (n) 1)", "goal": "(= (n) 1)"}, True, 0),
        (STEP, {"init": f"(= (n) -1{'0' * 290})", "goal": "(>= (n) 1)"}, True, 1),
    ],
)
def test_odd_tasks(actions: str, rest: dict[str, str], reachable: bool, operators: int) -> None:
    grounded, report = ground_with_report(task(actions, **rest))
    check_arrays(grounded)
    assert (report.goal_reachable, report.operators) == (reachable, operators)
    assert report.as_dict()["operators"] == operators


@pytest.mark.parametrize(
    ("effect", "goal", "metric", "file"),
    [
        ("(increase (n) 1)", "(>= (n) (* (weight a) (weight a)))", "", "problem"),
        ("(increase (n) (* (weight a) (weight a)))", "(>= (n) 1)", "", "domain"),
        (
            "(and (done) (increase (total-cost) (* (weight a) (weight a))))",
            "(done)",
            "minimize (total-cost)",
            "problem",
        ),
    ],
)
def test_numbers_beyond_doubles_are_refused_with_their_place(effect: str, goal: str, metric: str, file: str) -> None:
    lifted = task(action("step", effect=effect), "(= (n) 0) (= (weight a) 1e200)", goal, metric)
    with pytest.raises(UnsupportedFeature, match=rf"{file}.pddl:1:\d+: a number beyond 10"):
        ground(lifted)


def test_different_assignments_of_one_fluent_are_limited() -> None:
    names = [f"o{i}" for i in range(int((2 * MOST_GUARDS) ** 0.5) + 2)]
    mark = action("mark", "?x", effect="(p ?x)")
    spread = action("spread", effect="(forall (?x) (when (p ?x) (assign (n) (weight ?x))))")
    weights = " ".join(f"(= (weight {name}) {number})" for number, name in enumerate(names))
    with pytest.raises(TooLarge, match=r"domain\.pddl:.*different assignments of one fluent"):
        ground(task(mark + spread, f"(= (n) 0) {weights}", "(>= (n) 1)", objects=" ".join(names)))


def test_products_of_scalings_are_limited() -> None:
    names = [f"o{i}" for i in range(11)]
    mark = action("mark", "?x", effect="(p ?x)")
    grow = action("grow", effect="(forall (?x) (when (p ?x) (scale-up (n) (weight ?x))))")
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
    weights = " ".join(f"(= (weight {name}) {number})" for number, name in zip(primes, names, strict=True))
    with pytest.raises(TooLarge, match=r"domain\.pddl:.*more than 1,000 products"):
        ground(task(mark + grow, f"(= (n) 1) {weights}", "(>= (n) 7)", objects=" ".join(names)))


@pytest.mark.parametrize(
    ("precondition", "goal"),
    [
        (f"(and {'(p ?x) (not (flag)) (>= (n) 0) ' * 1700})", "(done)"),
        ("(and)", f"{'(and ' * 20}{'(p a) ' * 5000}{')' * 20}"),
        ("(and)", f"(or {'(and (p a) (p b)) ' * 5000})"),
    ],
    ids=["precondition", "nested goal", "disjunction"],
)
def test_repeated_conjuncts_count_once(precondition: str, goal: str) -> None:
    work = action("work", "?x", precondition, "(and (done) (flag))")
    lifted = task(work + action("mark", "?x", effect="(p ?x)") + STEP, "(= (n) 0)", goal)
    begin = time.process_time()
    grounded = ground(lifted)
    assert time.process_time() - begin < 1
    assert max(np.diff(grounded.conjunction_start)) <= 3


def test_atoms_wider_than_64_bits_have_names_of_their_own() -> None:
    objects = [f"o{i}" for i in range(1000)]
    table = AtomTable([Symbol("wide", 9)], objects)
    rows = np.random.default_rng(0).integers(0, 1000, (50, 9))
    ids = table.column(0, tuple(parameter(i) for i in range(9)), rows)
    assert len(set(ids.tolist())) == 50
    for number, row in zip(ids.tolist(), rows.tolist(), strict=True):
        assert table.name(number) == f"(wide {' '.join(objects[o] for o in row)})"
        assert table.single(0, tuple(row)) == number


def test_columns() -> None:
    assert distinct(np.array([3, 1, 3, 2, 1])).tolist() == [1, 2, 3]
    assert contained(np.array([5, 0, 2, 9]), np.array([2, 5, 5])).tolist() == [True, False, True, False]
    assert not contained(np.array([1]), np.array([], dtype=np.int64)).any()
    wide = [np.array([0, 1, 1, 0]) * 2**30 for _ in range(5)]
    codes = row_codes(wide, 2**31)
    assert codes[0] == codes[3] != codes[1] == codes[2]
