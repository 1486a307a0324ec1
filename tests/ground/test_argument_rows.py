"""Relaxed reachability drives the instantiation of large tasks; the result is that of small ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.errors import Span, TooLarge, UnsupportedFeature
from numbat.ground import GroundingReport, argument_rows, ground, ground_with_report
from numbat.ground.statics import Statics
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import Action, And, LiftedTask
from tests.ground.arrays import check_arrays
from tests.ground.lockstep import Lockstep
from tests.ground.meaning import meaning
from tests.ground.pddl import action, task
from tests.ground.random_tasks import TaskMaker
from tests.oracles.instantiation import instances

CHAIN = 200
NO_GOAL = Action("the goal", (), And(()), (), Span("test"))


def objects(count: int) -> str:
    return " ".join(f"o{i}" for i in range(count))


def chain(relation: str, count: int) -> str:
    return " ".join(f"({relation} o{i} o{i + 1})" for i in range(count - 1))


def driven(lifted: LiftedTask) -> tuple[GroundedTask, GroundingReport]:
    """Grounded the way large tasks are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argument_rows, "MOST_JOINED", -1)
        return ground_with_report(lifted)


def test_what_changes_binds_parameters_too() -> None:
    forget = action("forget", "?x ?y", "(q ?x ?y)", "(not (q ?x ?y))")
    pair = action("pair", "?x ?y ?z", "(and (q ?x ?y) (q ?y ?z))", "(p ?y)")
    lifted = task(forget + pair, chain("q", CHAIN), "(p o7)", objects=objects(CHAIN))
    grounded, report = ground_with_report(lifted)
    assert report.actions_instantiated == CHAIN - 1 + CHAIN - 2
    assert sum(name.startswith("(pair") for name in grounded.operator_names) == 1  # others do not matter for the goal


@pytest.mark.parametrize(("fuel", "reachable"), [(3, 0), (5, CHAIN - 1)])
def test_numbers_decide_after_the_facts(fuel: int, reachable: int) -> None:
    move = action("move", "?x ?y", "(and (p ?x) (link ?x ?y) (>= (n) 5))", "(and (not (p ?x)) (p ?y) (decrease (n) 5))")
    lifted = task(move, f"(p o0) (= (n) {fuel}) {chain('link', CHAIN)}", f"(p o{CHAIN - 1})", objects=objects(CHAIN))
    _, report = driven(lifted)
    assert (report.actions_instantiated, report.actions_reachable) == (CHAIN - 1, reachable)


@pytest.mark.parametrize("count", [50, 2000])
def test_static_numbers_bind_parameters(count: int) -> None:
    """Places in a row, known by their numbers alone: of count ** 2 pairs only neighbours are instantiated."""
    step = action("step", "?x ?y", "(and (p ?x) (= (f ?y) (+ (f ?x) 1)))", "(and (not (p ?x)) (p ?y))")
    numbers = " ".join(f"(= (f o{i}) {i})" for i in range(count))
    _, report = ground_with_report(task(step, f"(p o0) {numbers}", f"(p o{count - 1})", objects=objects(count)))
    assert report.actions_instantiated == report.operators == count - 1


@pytest.mark.parametrize(
    ("condition", "instances"),
    [
        ("(>= (f ?x) (f ?y))", 6),
        ("(> (* 0.5 (f ?x)) (f ?y))", 1),
        ("(= (* (f ?x) (f ?y)) 6)", 2),
        ("(>= (f ?x) 4611686018427387904000)", 0),  # beyond 64 bits: decided by whoever folds conditions
        ("(> (/ (f ?x) (f ?y)) 1)", 3),  # divided: likewise
        ("(< (f o2) (f ?x))", 0),
    ],
)
def test_comparisons_of_static_numbers(condition: str, instances: int) -> None:
    pair = action("pair", "?x ?y", condition, "(q ?x ?y)")
    numbers = "(= (f o0) 1) (= (f o1) 2) (= (f o2) 3)"
    goal = "(and (q o0 o0) (q o0 o1) (q o0 o2) (q o1 o0) (q o1 o1) (q o1 o2) (q o2 o0) (q o2 o1) (q o2 o2))"
    lifted = task(pair, numbers, goal, objects=objects(3))
    assert ground_with_report(lifted)[1].actions_reachable == driven(lifted)[1].actions_reachable == instances


@pytest.mark.parametrize("number", [2**62, -(2**63), 10**30])
def test_static_numbers_beyond_64_bits_are_compared_all_the_same(number: int) -> None:
    pair = action("pair", "?x ?y", "(> (f ?x) (f ?y))", "(q ?x ?y)")
    lifted = task(pair, f"(= (f o0) {number}) (= (f o1) 0)", "(and (q o0 o1) (q o1 o0))", objects=objects(2))
    assert ground_with_report(lifted)[1].actions_reachable == driven(lifted)[1].actions_reachable == 1


def test_effects_over_all_objects_are_made_only_where_they_can_fire() -> None:
    go = action("go", "?x ?y", "(and (p ?x) (link ?x ?y))", "(and (p ?y) (forall (?z) (when (q ?z ?x) (q ?z ?y))))")
    count = 400  # action instances times objects: 159,600
    lifted = task(go, f"(p o0) (q o3 o0) {chain('link', count)}", f"(q o3 o{count - 1})", objects=objects(count))
    grounded, report = ground_with_report(lifted)
    assert report.actions_instantiated == report.operators == count - 1
    # the first effect is unconditional, and where the last action leads does not matter
    assert len(grounded.block_condition) == 2 * (count - 2)


def test_too_many_instances_are_refused_with_the_action_and_its_place() -> None:
    pour = action("fill", "?x", effect="(p ?x)") + action("pour", "?x ?y ?z", effect="(p ?x)")
    lifted = task(pour, objects=objects(101))
    with pytest.raises(TooLarge, match=r"domain.pddl:1:\d+: pour has too many instances: .* enough for 1,000,000 "):
        ground(lifted, memory=argument_rows.BYTES_PER_ROW * 1_000_000)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_the_instances_are_those_of_trying_every_binding(seed: int) -> None:
    lifted = TaskMaker(seed).task()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argument_rows, "MOST_JOINED", -1)
        found = argument_rows.argument_rows(lifted, Statics(lifted), (*lifted.actions, NO_GOAL), memory=1 << 30)
    assert [[tuple(row) for row in arguments.rows.tolist()] for arguments in found[:-1]] == instances(lifted)
    for arguments in found:
        for rows, parent in arguments.effects:
            assert (rows[:, : arguments.rows.shape[1]] == arguments.rows[parent]).all()


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_both_ways_lead_to_the_same_task(seed: int) -> None:
    lifted = TaskMaker(seed).task()
    try:
        joined, report = ground_with_report(lifted)
    except UnsupportedFeature as error:
        with pytest.raises(UnsupportedFeature, match="a metric that reads"):
            driven(lifted)
        assert "a metric that reads" in str(error)
        return
    reached, driven_report = driven(lifted)
    check_arrays(reached)
    assert driven_report.actions_instantiated <= report.actions_instantiated
    assert driven_report.actions_reachable == report.actions_reachable
    assert meaning(reached) == meaning(joined)
    if reached.exact:
        Lockstep(lifted, reached, costs=driven_report.costs_exact).run(depth=2, most=10)
