"""docs/semantics.md through the whole planner: conditional, repeated and simultaneous effects, values that are missing.

Each case is one action `act` (and sometimes a second one), a start, a goal and the length of a shortest plan, None if
there is none. The planner, the validator and the simulator must all agree with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import numbat_validate as validate
from tests.oracles import simulator
from tests.test_cli import numbat

HEADER = """(:types thing nothing) (:constants a b c - thing)
  (:predicates (p) (q) (done) (r ?x - thing))
  (:functions (x) (y) (z) (f ?x - thing) (cost))"""
SET_P = "(:action set-p :parameters () :effect (p))"
DROP_P = "(:action drop-p :parameters () :effect (not (p)))"
GROW_Z = "(:action grow-z :parameters () :effect (increase (z) 1))"
USE_Y = "(:action use-y :parameters () :precondition (>= (y) 0) :effect (q))"
VALUES = "(= (x) 1) (= (f a) 2) (= (f b) 3) (= (f c) -1)"


class Case(NamedTuple):
    effect: str
    init: str
    goal: str
    steps: int | None
    others: str = ""
    metric: str = ""


CASES = {
    # a when that does not fire
    "undefined amount": Case("(done) (when (p) (increase (x) (y)))", "(= (x) 0)", "(and (done) (>= (x) 0))", 1),
    "undefined amount that is read": Case("(done) (when (p) (increase (x) (y)))", "(p) (= (x) 0)", "(done)", None),
    "undefined amount until p goes": Case(
        "(done) (when (p) (increase (x) (y)))", "(p) (= (x) 0)", "(and (done) (= (x) 0))", 2, DROP_P
    ),
    "undefined under forall": Case(
        "(done) (forall (?o - thing) (when (r ?o) (increase (x) (f ?o))))",
        "(r a) (= (x) 0) (= (f a) 1)",
        "(and (done) (= (x) 1))",
        1,
    ),
    "undefined target": Case("(done) (when (p) (increase (y) 1))", "", "(done)", 1, USE_Y),
    "undefined cost": Case(
        "(done) (when (p) (increase (cost) (y)))", "(= (cost) 0)", "(done)", 1, metric="(:metric minimize (cost))"
    ),
    "division by zero": Case(
        "(done) (when (p) (increase (x) (/ 1 (y))))", "(= (x) 0) (= (y) 0)", "(and (done) (= (x) 0))", 1
    ),
    "division by a plain zero": Case(
        "(done) (when (p) (assign (x) (/ 1 0)))", "(= (x) 0)", "(and (done) (= (x) 0))", 1
    ),
    "undefined inner condition": Case("(done) (when (p) (when (>= (y) 1) (q)))", "", "(done)", 1),
    "undefined condition": Case("(done) (when (and (p) (>= (y) 1)) (q))", "", "(done)", None),
    # assignments
    "equal under two conditions": Case(
        "(when (p) (assign (x) 1)) (when (q) (assign (x) 1))", "(p) (q) (= (x) 0)", "(= (x) 1)", 1
    ),
    "equal without conditions": Case("(assign (x) 1) (assign (x) 1)", "(= (x) 0)", "(= (x) 1)", 1),
    "equal in the end": Case("(assign (x) (y)) (assign (x) (z))", "(= (y) 2) (= (z) 0)", "(= (x) 2)", 3, GROW_Z),
    "different": Case("(done) (assign (x) 1) (assign (x) 2)", "", "(done)", None),
    "different under two conditions": Case(
        "(when (p) (assign (x) 1)) (when (q) (assign (x) 2)) (q)", "(p) (= (x) 0)", "(= (x) 2)", 3, DROP_P
    ),
    "equal increments in assignments": Case(
        "(assign (x) (+ (x) 1)) (when (p) (assign (x) (+ (x) 1)))", "(p) (= (x) 0)", "(= (x) 1)", 1
    ),
    "mixed with an increase": Case("(done) (assign (x) 1) (increase (x) 0)", "(= (x) 1)", "(done)", None),
    # scalings
    "up and down": Case("(scale-up (x) 6) (scale-down (x) 2)", VALUES, "(= (x) 3)", 1),
    "twice the same": Case("(scale-up (x) 2) (scale-up (x) 2)", VALUES, "(= (x) 4)", 1),
    "under forall": Case("(forall (?o - thing) (scale-up (x) (f ?o)))", VALUES, "(= (x) -6)", 1),
    "conditional": Case(
        "(forall (?o - thing) (when (r ?o) (scale-up (x) 2)))", f"(r a) (r c) {VALUES}", "(= (x) 4)", 1
    ),
    "mixed with an increase, scaled": Case("(done) (scale-up (x) 2) (increase (x) 1)", VALUES, "(done)", None),
    "of a counter": Case("(done) (scale-up (cost) 2)", "", "(done)", 1),
    # the rest
    "old values are read": Case(
        "(assign (x) (y)) (assign (y) (x))", "(= (x) 1) (= (y) 2)", "(and (= (x) 2) (= (y) 1))", 1
    ),
    "increases cancel": Case("(done) (increase (x) 1) (decrease (x) 1)", "(= (x) 5)", "(and (done) (= (x) 5))", 1),
    "a cost that is read": Case(
        "(increase (cost) 1) (when (>= (cost) 2) (done))",
        "(= (cost) 0)",
        "(done)",
        3,
        metric="(:metric minimize (cost))",
    ),
    "a metric that is a product": Case(
        "(done) (increase (x) 2) (increase (y) 1)",
        "(= (x) 1) (= (y) 0)",
        "(done)",
        1,
        metric="(:metric minimize (* (x) (y)))",
    ),
    "a metric that divides by zero": Case(
        "(done) (decrease (x) 1)", "(= (x) 1)", "(done)", 1, metric="(:metric maximize (/ 1 (x)))"
    ),
    "an impossible or": Case("(q)", "", "(or (and (p) (not (p))) (and (q) (not (q))))", None, SET_P + DROP_P),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    domain, problem, plan = (tmp_path / name for name in ("domain.pddl", "problem.pddl", "plan"))
    domain.write_text(
        f"(define (domain d) {HEADER} {case.others} (:action act :parameters () :effect (and {case.effect})))"
    )
    problem.write_text(f"(define (problem q) (:domain d) (:init {case.init}) (:goal {case.goal}) {case.metric})")
    shortest = simulator.load(domain, problem).shortest_plan(limit=100)
    assert (None if shortest is None else len(shortest)) == case.steps
    done = numbat("solve", domain, problem, plan, "--time", "60")
    if case.steps is None:
        assert done.returncode in (10, 11), done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert validate.check(domain, problem, plan).valid
