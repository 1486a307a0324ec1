"""Whole tasks, from text to LiftedTask: effects, metric, types, names, initial state."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from numbat.normalise import lift
from numbat.task.lifted import And, Compare, Effect, Expression, Fluent, LiftedTask, Literal, NumericEffect, Or, Term

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = Path(os.environ.get("NUMBAT_BENCHMARKS", ROOT.parent / "shared" / "benchmarks" / "ipc2023-numeric"))
DOMAINS = sorted(path.parent for path in BENCHMARKS.glob("*/domain.pddl"))

DECLARATIONS = """
    (:types lamp switch - device device)
    (:constants main - switch)
    (:predicates (on ?l - lamp) (wired ?s - switch ?l - lamp))
    (:functions (power ?l - lamp) (wired ?s - switch) (total-cost))
"""
POWER, WIRED, COST = 0, 1, 2


def task(
    tmp_path: Path,
    *,
    actions: str = "",
    goal: str = "(and)",
    metric: str = "",
    init: str = "",
    declare: str = DECLARATIONS,
) -> tuple[LiftedTask, list[str]]:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(f"(define (domain light) {declare} {actions})")
    problem.write_text(
        f"(define (problem p) (:domain light) (:objects l1 l2 - lamp s - switch)(:init {init}) (:goal {goal}) {metric})"
    )
    return lift(domain, problem)


def effects(tmp_path: Path, effect: str) -> tuple[Effect, ...]:
    lifted, _ = task(tmp_path, actions=f"(:action a :parameters (?l - lamp ?s - switch) :effect {effect})")
    return lifted.actions[0].effects


def change(tmp_path: Path, effect: str) -> NumericEffect:
    ((only,),) = [block.numeric for block in effects(tmp_path, effect)]
    return only


def terms(expression: Expression) -> dict[tuple[Fluent, ...], Fraction]:
    return {term.factors: term.coefficient for term in expression.terms if not term.divisors}


# --- effects ---------------------------------------------------------------------------------------------------------


def test_plain_effects_are_one_block(tmp_path: Path) -> None:
    (block,) = effects(tmp_path, "(and (on ?l) (and (not (wired ?s ?l)) (increase (power ?l) 2)))")
    assert (block.parameters, block.condition) == ((), And(()))
    assert block.adds == (Literal(0, (-1,)),)
    assert block.deletes == (Literal(1, (-2, -1)),)
    assert [entry.fluent for entry in block.numeric] == [Fluent(POWER, (-1,))]


def test_conditional_and_universal_effects(tmp_path: Path) -> None:
    text = """(and (forall (?m - lamp) (and (not (on ?m)) (when (wired ?s ?m) (forall (?t - switch) (wired ?t ?m)))))
                   (when (on ?l) (when (wired ?s ?l) (decrease (power ?l) 1))) (on ?l))"""
    first, every, inner, when = effects(tmp_path, text)
    assert first.adds == (Literal(0, (-1,)),)
    assert (len(every.parameters), every.deletes) == (1, (Literal(0, (-3,)),))
    assert (len(inner.parameters), inner.condition) == (2, Literal(1, (-2, -3)))
    assert inner.adds == (Literal(1, (-4, -3)),)
    assert when.condition == And((Literal(0, (-1,)), Literal(1, (-2, -1))))


def test_effects_that_never_happen_are_left_out(tmp_path: Path) -> None:
    assert effects(tmp_path, "(and (when (> 1 2) (on ?l)) (when (= main s) (on ?l)) (forall (?m - lamp) (and)))") == ()


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("(increase (power ?l) (total-cost))", "increase", {(Fluent(COST, ()),): 1}),
        ("(decrease (power ?l) (- total-cost 3))", "increase", {(Fluent(COST, ()),): -1, (): 3}),
        ("(assign (power ?l) 1e-3)", "assign", {(): Fraction(1, 1000)}),
        ("(scale-up (power ?l) 1.5)", "assign", {(Fluent(POWER, (-1,)),): Fraction(3, 2)}),
        ("(scale-down (power ?l) 4)", "assign", {(Fluent(POWER, (-1,)),): Fraction(1, 4)}),
    ],
)
def test_changes(tmp_path: Path, text: str, kind: str, wanted: dict[tuple[Fluent, ...], Fraction]) -> None:
    effect = change(tmp_path, text)
    assert (effect.fluent, effect.kind) == (Fluent(POWER, (-1,)), kind)
    assert terms(effect.expression) == wanted


def test_scale_down_by_a_fluent_keeps_the_divisor(tmp_path: Path) -> None:
    (term,) = change(tmp_path, "(scale-down (power ?l) (wired ?s))").expression.terms
    assert term.factors == (Fluent(POWER, (-1,)),)
    assert term.divisors[0].terms == (Term(Fraction(1), (Fluent(WIRED, (-2,)),)),)


# --- metric ----------------------------------------------------------------------------------------------------------


def test_metric_with_undeclared_total_time(tmp_path: Path) -> None:
    lifted, _ = task(tmp_path, metric="(:metric maximize (- (* 2 (total-cost)) (* 0.5 total-time)))")
    assert lifted.metric is not None
    assert lifted.metric.direction == "maximize"
    assert lifted.metric.per_step == Fraction(-1, 2)
    assert terms(lifted.metric.expression) == {(Fluent(COST, ()),): 2}
    assert lifted.metric.expression.reads == (Fluent(COST, ()),)


@pytest.mark.parametrize("metric", ["(* total-time (total-cost))", "(/ (total-cost) (+ 1 (total-time)))"])
def test_total_time_in_a_product_is_left_to_the_referee(tmp_path: Path, metric: str) -> None:
    lifted, _ = task(tmp_path, metric=f"(:metric minimize (+ 3 {metric}))")
    assert lifted.metric is not None and not lifted.metric.linear_in_steps
    assert lifted.metric.expression.reads == (Fluent(COST, ()),)
    assert terms(lifted.metric.expression) == {(): 3}


def test_declared_total_time_is_an_ordinary_function(tmp_path: Path) -> None:
    lifted, _ = task(
        tmp_path, declare="(:types lamp switch) (:functions (total-time))", metric="(:metric minimize (total-time))"
    )
    assert lifted.metric is not None
    assert lifted.metric.per_step == 0
    assert terms(lifted.metric.expression) == {(Fluent(0, ()),): 1}


# --- names, types, initial state -------------------------------------------------------------------------------------


def test_constants_come_first_and_name_spaces_are_separate(tmp_path: Path) -> None:
    lifted, warnings = task(tmp_path, init="(wired main l1) (= (wired main) 3) (wired main l1)")
    assert lifted.objects == ("main", "l1", "l2", "s")
    assert lifted.init_atoms == (Literal(1, (0, 1)),)
    assert lifted.init_values == {Fluent(WIRED, (0,)): 3}
    assert warnings == []


def test_types_of_parameters(tmp_path: Path) -> None:
    action = "(:action a :parameters (?x - (either lamp switch) ?y - switch ?z - device ?u))"
    lifted, _ = task(tmp_path, actions=action)
    either, switch, device, untyped = lifted.actions[0].parameters
    assert lifted.types[either] == lifted.types[device] == lifted.types[untyped] == (0, 1, 2, 3)
    assert lifted.types[switch] == (0, 3)
    assert (lifted.actions[0].precondition, lifted.actions[0].effects) == (And(()), ())


def test_goal_and_its_place(tmp_path: Path) -> None:
    lifted, _ = task(tmp_path, goal="(or (not (on l1)) (< (power l1) (power l2)))")
    literal, comparison = lifted.goal.parts if isinstance(lifted.goal, Or) else ()
    assert literal == Literal(0, (1,), negated=True)
    assert isinstance(comparison, Compare)
    assert comparison.relation == ">"
    assert terms(comparison.expression) == {(Fluent(POWER, (1,)),): -1, (Fluent(POWER, (2,)),): 1}
    assert lifted.goal_span.line == 1
    assert comparison.expression.span.column > lifted.goal_span.column


# --- the benchmark ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not DOMAINS, reason="NUMBAT_BENCHMARKS is not there")
@pytest.mark.parametrize("instance", ["pfile1.pddl", "pfile20.pddl"])
@pytest.mark.parametrize("folder", DOMAINS, ids=lambda folder: folder.name)
def test_benchmark(folder: Path, instance: str) -> None:
    lifted, warnings = lift(folder / "domain.pddl", folder / "instances" / instance)
    assert lifted.actions
    assert len(warnings) == len(set(warnings)) <= 4
