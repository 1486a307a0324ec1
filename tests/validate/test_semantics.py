"""The rules of the language, one small task each; the simulator must say the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import numbat_validate as validate
from tests.oracles import simulator
from tests.validate.samples import write_task

PREDICATES = "(:predicates (p) (q) (r ?x))"
FUNCTIONS = "(:functions (f) (g) (h ?x) (counter))"


def verdict_on(folder: Path, action: str, init: str, goal: str, times: int = 1) -> validate.Verdict:
    """The verdict on doing the parameterless action `act` that many times, after asking the simulator."""
    domain, problem = write_task(
        folder,
        f"(:types a b c) {PREDICATES} {FUNCTIONS} (:action act :parameters () {action})",
        f"(:objects x y - a z - b) (:init {init}) (:goal {goal})",
    )
    verdict = validate.check(domain, problem, ["(act)"] * times)
    oracle = simulator.load(domain, problem)
    assert oracle.is_valid([("act",)] * times) == verdict.valid
    assert oracle.first_failure([("act",)] * times) == verdict.step
    return verdict


VALID = {
    "no precondition": (":effect (p)", "", "(p)"),
    "empty lists": (":precondition () :effect (and (and) (p) ())", "", "(and (p) ())"),
    "bare condition": (":precondition (not (p)) :effect (p)", "", "(p)"),
    "old values on the right": (
        ":effect (and (assign (f) (g)) (assign (g) (f)))",
        "(= (f) 1) (= (g) 2)",
        "(and (= (f) 2) (= (g) 1))",
    ),
    "increases add up": (":effect (and (increase (f) 2) (decrease (f) 5) (increase (f) 1))", "(= (f) 0)", "(= (f) -2)"),
    "scalings multiply": (":effect (and (scale-up (f) 3) (scale-down (f) 2))", "(= (f) 1)", "(= (f) 1.5)"),
    "equal assignments agree": (":effect (and (assign (f) 2) (assign (f) (+ 1 1)))", "", "(= (f) 2)"),
    "delete before add": (":effect (and (p) (not (p)))", "", "(p)"),
    "when reads the old state": (":effect (and (p) (when (not (p)) (q)))", "", "(and (p) (q))"),
    "forall when": (
        ":effect (forall (?v - a) (when (r ?v) (increase (f) (h ?v))))",
        "(r x) (r y) (r z) (= (f) 0) (= (h x) 1) (= (h y) 10) (= (h z) 100)",
        "(= (f) 11)",
    ),
    "quantifiers over no object at all": (
        ":precondition (and (forall (?v - c) (r ?v)) (not (exists (?v - c) (r ?v)))) :effect (p)",
        "",
        "(p)",
    ),
    "nested quantifiers and either": (
        ":precondition (forall (?v - (either a b)) (exists (?w - a) (not (= ?v ?w)))) :effect (p)",
        "",
        "(p)",
    ),
    "quantifiers": (
        ":precondition (and (exists (?v) (r ?v)) (forall (?v - b) (r ?v)) (imply (p) (q))) :effect (p)",
        "(r z)",
        "(p)",
    ),
    "unary minus and division": (":effect (assign (f) (/ (- (g)) 4))", "(= (g) 1)", "(= (f) -0.25)"),
    "exact thirds": (":effect (assign (f) (* 3 (/ (g) 3)))", "(= (g) 0.1)", "(= (f) 0.1)"),
    "ten tenths": (":effect (increase (f) (* 10 0.1))", "(= (f) 0)", "(= (f) 1)"),
    "exponents": (":effect (increase (f) 1e-3)", "(= (f) 1E3)", "(= (f) 1000.001)"),
    "uninitialised counter": (":effect (and (p) (increase (counter) 2))", "", "(p)"),
    "an undefined fluent defined by assign": (":effect (assign (f) 1)", "", "(>= (f) 1)"),
    "an inner variable hides an outer one": (
        ":precondition (exists (?v - b) (and (r ?v) (exists (?v - a) (not (r ?v))) (r ?v))) :effect (p)",
        "(r z)",
        "(p)",
    ),
}
REJECTED = {
    "strict comparison at the bound": (":precondition (> (f) 0) :effect (p)", "(= (f) 0)", "(p)", 1),
    "strict from below": (":precondition (< (f) 0) :effect (p)", "(= (f) 0)", "(p)", 1),
    "equality misses by a hair": (":precondition (= (f) 4.00005) :effect (p)", "(= (f) 4)", "(p)", 1),
    "bound missed by a hair": (":precondition (>= (f) 4.00005) :effect (p)", "(= (f) 4)", "(p)", 1),
    "strict goal": (":effect (p)", "(= (f) 4)", "(and (p) (> (f) 4))", None),
    "undefined in a condition": (":precondition (>= (f) 0) :effect (p)", "", "(p)", 1),
    "undefined beside a true alternative": (":precondition (or (q) (>= (f) 0)) :effect (p)", "(q)", "(p)", 1),
    "undefined after a false premise": (":precondition (imply (q) (>= (f) 0)) :effect (p)", "", "(p)", 1),
    "undefined under not": (":precondition (not (= (f) 0)) :effect (p)", "", "(p)", 1),
    "undefined for one object": (
        ":precondition (exists (?v - a) (> (h ?v) 0)) :effect (p)",
        "(= (h x) 1)",
        "(p)",
        1,
    ),
    "undefined in the condition of a when": (":effect (and (p) (when (> (f) 0) (q)))", "", "(p)", 1),
    "undefined on the right": (":effect (and (p) (assign (g) (f)))", "", "(p)", 1),
    "increase of an undefined fluent that is read": (":effect (increase (f) 1)", "", "(>= (f) 0)", 1),
    "undefined in the goal": (":effect (p)", "", "(or (p) (> (f) 0))", None),
    "conflicting assignments": (":effect (and (p) (assign (f) 1) (assign (f) 2))", "", "(p)", 1),
    "assign with increase": (":effect (and (p) (assign (f) 1) (increase (f) 0))", "(= (f) 1)", "(p)", 1),
    "increase with scaling": (":effect (and (p) (scale-up (f) 2) (increase (f) 1))", "(= (f) 1)", "(p)", 1),
    "division by zero": (":effect (and (p) (assign (f) (/ 1 (g))))", "(= (g) 0)", "(p)", 1),
    "scaling down by zero": (":effect (and (p) (scale-down (f) 0))", "(= (f) 1)", "(p)", 1),
    "empty or": (":precondition (or) :effect (p)", "", "(p)", 1),
    "delete hidden by nothing": (":effect (not (p))", "(p)", "(p)", None),
}


@pytest.mark.parametrize("case", VALID.values(), ids=VALID)
def test_valid(case: tuple[str, str, str], tmp_path: Path) -> None:
    verdict = verdict_on(tmp_path, *case)
    assert verdict.valid, verdict.reason
    assert verdict.step is None and not verdict.details


@pytest.mark.parametrize("case", REJECTED.values(), ids=REJECTED)
def test_rejected(case: tuple[str, str, str, int | None], tmp_path: Path) -> None:
    verdict = verdict_on(tmp_path, *case[:3])
    assert not verdict.valid
    assert verdict.step == case[3]
    assert verdict.reason.startswith("goal " if case[3] is None else "(act): ")


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("(fly a b)", "no action has this name"),
        ("(sail swan a)", "takes 3 arguments, found 2"),
        ("(sail swan a b c)", "takes 3 arguments, found 4"),
        ("(sail swan a nowhere)", "'nowhere' is not an object"),
        ("(sail salt a b)", "'salt' has the wrong type"),
        ("(sail swan b a)", "precondition (moored swan b) does not hold"),
        ("(sail swan a c)", "(length a c) is undefined"),
        ("(sail swan ?from b)", "'?from' is not an object"),
    ],
)
def test_failing_step_is_named(step: str, reason: str) -> None:
    folder = Path(__file__).parents[1] / "tasks" / "ferry"
    verdict = validate.check(folder / "domain.pddl", folder / "p1.pddl", ["(load salt swan a)", step])
    assert not verdict.valid and verdict.step == 2
    assert reason in verdict.reason


def test_explanation_has_both_sides_and_the_fluents() -> None:
    folder = Path(__file__).parents[1] / "tasks" / "ferry"
    verdict = validate.check(folder / "domain.pddl", folder / "p1.pddl", ["(sail swan a b)", "(sail swan b c)"])
    assert verdict.step == 2
    assert "(>= (fuel swan) (* (length b c) (burn swan))) does not hold" in verdict.reason
    assert set(verdict.details) == {"(fuel swan) = 0", "(length b c) = 4", "(burn swan) = 2", "0 >= 8 is false"}


def test_tolerance_is_used_on_request_and_reported(tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        "(:predicates (p)) (:functions (f)) (:action act :precondition (> (f) 0) :effect (p))",
        "(:init (= (f) 0)) (:goal (and (p) (not (= (f) 1))))",
    )
    assert not validate.check(domain, problem, ["(act)"]).valid
    verdict = validate.check(domain, problem, ["(act)"], tolerance=Fraction(1, 10000))
    assert verdict.valid and verdict.tolerance == Fraction(1, 10000)


@pytest.mark.parametrize(
    ("metric", "cost", "has_metric"),
    [
        ("", 3, False),
        ("(:metric minimize (f))", 6, True),
        ("(:metric maximize (+ (* 2 (f)) (total-time)))", 15, True),
        ("(:metric minimize total-time)", 3, True),
        ("(:metric minimize (counter))", Fraction(3, 2), True),
        ("(:metric minimize (untouched x))", 0, True),
        ("(:metric minimize (g))", 3, False),
        ("(:metric minimize (* (f) (f) (counter)))", 54, True),
        ("(:metric maximize (/ (f) (* 4 (total-time))))", Fraction(1, 2), True),
        ("(:metric minimize (/ 1 (- (f) 6)))", 3, False),
    ],
)
def test_metric(metric: str, cost: int | Fraction, has_metric: bool, tmp_path: Path) -> None:
    """A counter nobody initialised or touched is 0; a metric that reads an undefined fluent has no value."""
    domain, problem = write_task(
        tmp_path,
        "(:functions (f) (g) (counter) (untouched ?x)) (:action set :effect (assign (f) (g)))"
        "(:action act :effect (and (increase (f) 2) (increase (counter) 0.5)))",
        f"(:objects x) (:init (= (f) 0)) (:goal (>= (f) 6)) {metric}",
    )
    verdict = validate.check(domain, problem, ["(act)"] * 3)
    assert verdict.valid and verdict.cost == cost and verdict.metric == has_metric and verdict.length == 3


def test_declared_total_time_is_an_ordinary_function(tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        "(:functions (total-time)) (:action act :effect (increase (total-time) 7)) (:action idle)",
        "(:init) (:goal (and)) (:metric minimize (total-time))",
    )
    assert validate.check(domain, problem, ["(act)"]).cost == 7
    assert validate.check(domain, problem, ["(idle)"]).cost == 0


@pytest.mark.parametrize(
    "plan",
    [
        "(drip)(drip) (drip)\n(seal)",
        "; a comment\n\n  ( DRIP )\n(Drip) ; (seal)\n(drip)\n\n(seal)\n; cost = 4 (unit cost)",
        "0.001: (drip) [1]\n0.002:(drip)[0.5]\n0.002 : (drip)\n5: (seal) [ 1.000 ]\n",
        "\ufeff(drip)\r\n(drip)\r\n(drip)\r\n(seal)\r\n",
    ],
)
def test_plan_texts(plan: str, tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "tasks" / "tenths"
    place = tmp_path / "plan"
    place.write_bytes(plan.encode())
    verdict = validate.check(folder / "domain.pddl", folder / "p1.pddl", place)
    assert verdict.valid and verdict.length == 4


@pytest.mark.parametrize("plan", ["(move 1 2)\n(2-go)", "0: (move 1 2) [1]\n1: (2-go)"])
def test_names_that_begin_with_a_digit(plan: str, tmp_path: Path) -> None:
    domain, problem = write_task(
        tmp_path,
        "(:predicates (at ?x) (1)) (:functions (f ?x))"
        "(:action move :parameters (?1 ?to) :precondition (and (at ?1) (= ?to 2) (= (f ?1) 1))"
        ":effect (and (not (at ?1)) (at ?to))) (:action 2-go :precondition (at 2) :effect (1))",
        "(:objects 1 2 3-4) (:init (at 1) (= (f 1) 1)) (:goal (and (1) (at 2)))",
    )
    (tmp_path / "plan").write_text(plan)
    assert validate.check(domain, problem, tmp_path / "plan").valid
    refused = validate.check(domain, problem, ["(move 1 3-4)"])
    assert not refused.valid and "(= 3-4 2) does not hold" in refused.reason


@pytest.mark.parametrize(
    "plan",
    [
        "drip",
        "(drip",
        "drip)",
        "((drip))",
        "()",
        "(drip) [",
        "2: (drip)\n1: (drip)",
        "x: (drip)",
        "(drip) [one]",
        "1e9: (drip)",
    ],
)
def test_malformed_plans(plan: str, tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "tasks" / "tenths"
    place = tmp_path / "plan"
    place.write_text(plan, encoding="utf-8")
    with pytest.raises(validate.InputError, match=r"plan:[0-9]+:[0-9]+: "):
        validate.check(folder / "domain.pddl", folder / "p1.pddl", place)


def test_judging_twice_starts_afresh() -> None:
    folder = Path(__file__).parents[1] / "tasks" / "tenths"
    task = validate.load(folder / "domain.pddl", folder / "p1.pddl")
    plan = ["(drip)", "(drip)", "(drip)", "(seal)"]
    assert validate.judge(task, plan) == validate.judge(task, plan)
    assert validate.judge(task, plan).valid
