"""Random tasks and plans: the referee agrees with the simulator, and with unified-planning where that one can follow.

The tasks are tiny (three objects, a handful of fluents) so that random steps often succeed and random conditions are
as often true as false.
"""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import numbat_validate as validate
from tests.oracles import simulator
from tests.validate.samples import lines_of, write_task

OBJECTS = {"a1": "a", "a2": "a", "b1": "b"}
HEADER = (
    "(:types a b empty - base) (:constants a1 a2 - a b1 - b) (:predicates (p) (q ?x - base) (r ?x ?y - base))"
    "(:functions (f) (g ?x - base) (h ?x - a) (counter))"
)
NUMBERS = ["0", "1", "2", "-1", "0.5", "0.1", "3"]


def numerals() -> st.SearchStrategy[str]:
    return st.sampled_from(NUMBERS)


@st.composite
def expressions(draw: st.DrawFn, variables: dict[str, str], depth: int = 2) -> str:
    kind = draw(st.sampled_from(["number", "f", "g", "h", *(["+", "-", "*", "/"] if depth else [])]))
    if kind == "number":
        return draw(numerals())
    if kind == "/":
        divisor = draw(numerals()) if draw(st.booleans()) else draw(terms(variables, "g"))
        return f"(/ {draw(expressions(variables, depth - 1))} {divisor})"
    if kind in "+-*":
        operands = [draw(expressions(variables, depth - 1)) for _ in range(2)]
        return f"({kind} {' '.join(operands)})"
    return draw(terms(variables, kind))


@st.composite
def terms(draw: st.DrawFn, variables: dict[str, str], kind: str) -> str:
    """An atom or function term over the visible variables and the objects."""
    names = [*variables, *OBJECTS]
    if kind == "h":
        names = [name for name in names if {**OBJECTS, **variables}[name] == "a"]
    arity = {"p": 0, "f": 0, "counter": 0, "r": 2}.get(kind, 1)
    return f"({' '.join([kind, *(draw(st.sampled_from(names)) for _ in range(arity))])})"


@st.composite
def conditions(draw: st.DrawFn, variables: dict[str, str], depth: int = 2) -> str:
    simple = ["p", "q", "r", "compare", "same", "not"]
    kind = draw(st.sampled_from([*simple, *(["and", "or", "imply", "forall", "exists"] if depth else [])]))
    if kind in "pqr":
        return draw(terms(variables, kind))
    if kind == "compare":
        relation = draw(st.sampled_from([">=", "<=", ">", "<", "="]))
        return f"({relation} {draw(expressions(variables))} {draw(expressions(variables))})"
    if kind == "same":
        left, right = (draw(st.sampled_from([*variables, *OBJECTS])) for _ in range(2))
        return f"(= {left} {right})"
    if kind == "not":
        return f"(not {draw(conditions(variables, max(depth - 1, 0)))})"
    if kind in ("forall", "exists"):
        name, of_type = f"?v{depth}", draw(st.sampled_from(["a", "base"]))
        return f"({kind} ({name} - {of_type}) {draw(conditions({**variables, name: of_type}, depth - 1))})"
    return f"({kind} {draw(conditions(variables, depth - 1))} {draw(conditions(variables, depth - 1))})"


@st.composite
def effects(draw: st.DrawFn, variables: dict[str, str], depth: int = 2, tame: bool = False) -> str:
    """One change, or several under a condition or quantifier; often they meet on one fluent."""
    simple = ["add", "delete", "assign", "increase", "decrease", "counter"]
    simple += [] if tame else ["scale-up", "scale-down"]
    kind = draw(
        st.sampled_from([*simple, *(["when", "forall"] if depth else []), *(["together"] if depth > 1 else [])])
    )
    if kind == "add" or kind == "delete":
        atom = draw(terms(variables, draw(st.sampled_from(["p", "q", "r"]))))
        return atom if kind == "add" else f"(not {atom})"
    if kind == "counter":
        return "(increase (counter) 1)"
    if kind == "together":
        return f"(and {' '.join(draw(effects(variables, depth - 1, tame)) for _ in range(2))})"
    if kind == "when":
        return f"(when {draw(conditions(variables, 1))} {draw(effects(variables, depth - 1, tame))})"
    if kind == "forall":
        name, of_type = f"?w{depth}", draw(st.sampled_from(["a", "base"] if tame else ["a", "a", "base", "empty"]))
        inner = {**variables, name: of_type}
        return f"(forall ({name} - {of_type}) {draw(effects(inner, depth - 1, tame))})"
    target = "(f)" if draw(st.booleans()) else draw(terms(variables, draw(st.sampled_from(["f", "g", "h"]))))
    if kind.startswith("scale"):
        return f"({kind} {target} {draw(st.sampled_from(['2', '-1', '0.5', '0']))})"
    return f"({kind} {target} {draw(numerals() if draw(st.booleans()) else expressions(variables))})"


@st.composite
def tasks(draw: st.DrawFn, tame: bool = False, lively: bool = False) -> tuple[str, str]:
    """A domain of two actions and a problem.

    tame    no undefined fluents, no scalings
    lively  actions often apply, and the goal mentions everything, so that nothing is irrelevant
    """
    actions = []
    for name, variables in (("one", {"?x": "a"}), ("two", {"?x": "base", "?y": "a"})):
        parameters = " ".join(f"{variable} - {of_type}" for variable, of_type in variables.items())
        changes = " ".join(draw(st.lists(effects(variables, 1 if tame else 2, tame), min_size=1, max_size=3)))
        precondition = "(and)" if lively and draw(st.booleans()) else draw(conditions(variables))
        actions.append(
            f"(:action {name} :parameters ({parameters}) :precondition {precondition} :effect (and {changes}))"
        )
    atoms = ["(p)", *(f"(q {x})" for x in OBJECTS), *(f"(r {x} {y})" for x in OBJECTS for y in OBJECTS)]
    fluents = ["(f)", *(f"(g {x})" for x in OBJECTS), "(h a1)", "(h a2)", "(counter)"]
    facts = draw(st.lists(st.sampled_from(atoms), unique=True))
    defined = [fluent for fluent in fluents if tame or draw(st.integers(0, 9))]
    values = [f"(= {fluent} {draw(numerals())})" for fluent in defined]
    sides = [f"(or {atom} (not {atom}))" for atom in atoms]
    sides += [f"(or (>= {fluent} 0) (< {fluent} 0))" for fluent in defined if fluent != "(counter)"]
    goal = f"(and {' '.join(sides)})" if lively else draw(conditions({}))
    problem = f"(:init {' '.join([*facts, *values])}) (:goal {goal}) (:metric minimize (+ (counter) 1))"
    return f"{HEADER} {' '.join(actions)}", problem


STEPS = st.one_of(
    st.tuples(st.just("one"), st.sampled_from(["a1", "a2"])),
    st.tuples(st.just("two"), st.sampled_from(list(OBJECTS)), st.sampled_from(["a1", "a2"])),
)
ODD_STEPS = st.one_of(STEPS, st.just(("one", "b1")), st.just(("one",)), st.just(("three", "a1")))


@given(task=tasks(), plan=st.lists(ODD_STEPS, max_size=4))
@settings(max_examples=600, deadline=None)
def test_agrees_with_the_simulator(
    task: tuple[str, str], plan: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    domain, problem = write_task(tmp_path_factory.getbasetemp(), *task)
    oracle = simulator.load(domain, problem)
    loaded = validate.load(domain, problem)
    executable = plan[: (oracle.first_failure(plan) or len(plan) + 1) - 1]
    for steps in (plan, executable):
        verdict = validate.judge(loaded, lines_of(steps))
        assert verdict.valid == oracle.is_valid(steps), verdict.reason
        assert verdict.step == oracle.first_failure(steps), verdict.reason
        if verdict.valid:
            assert verdict.cost == oracle.metric_value(steps)


def unified_verdict(domain: Path, problem: Path, steps: list[tuple[str, ...]]) -> bool:
    """What unified-planning's validator says; it raises where it cannot follow."""
    up: Any = pytest.importorskip("unified_planning.shortcuts")
    from unified_planning.engines.plan_validator import SequentialPlanValidator
    from unified_planning.io import PDDLReader

    up.get_environment().credits_stream = None
    reader = PDDLReader()
    parsed = reader.parse_problem(str(domain), str(problem))
    plan = reader.parse_plan_string(parsed, "\n".join(lines_of(steps)))
    return bool(SequentialPlanValidator().validate(parsed, plan))


@given(task=tasks(tame=True), plan=st.lists(STEPS, max_size=3))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_agrees_with_unified_planning(
    task: tuple[str, str], plan: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Over there actions that assign and increase one fluent are refused at once; a division by zero ends it all,
    one of constants by an assertion.
    """
    exceptions = pytest.importorskip("unified_planning.exceptions")
    domain, problem = write_task(tmp_path_factory.getbasetemp(), *task)
    verdict = validate.check(domain, problem, lines_of(plan))
    try:
        theirs = unified_verdict(domain, problem, plan)
    except (exceptions.UPConflictingEffectsException, ZeroDivisionError, AssertionError):
        assume(False)
    assert theirs == verdict.valid, verdict.reason


AGREED = {
    "add wins over delete": (":effect (and (p) (not (p)))", "(p)", True),
    "add wins over a conditional delete": (":effect (and (p) (when (not (q)) (not (p))))", "(p)", True),
    "equal assignments": (":effect (and (assign (f) 0) (when (not (p)) (assign (f) (g))))", "(= (f) 0)", True),
    "conflicting assignments": (":effect (and (assign (f) 2) (when (not (p)) (assign (f) (g))))", "(>= (f) 0)", False),
    "assignment and increase": (":effect (and (assign (f) 2) (when (not (p)) (increase (f) 1)))", "(>= (f) 0)", False),
    "two increases": (":effect (and (increase (f) 2) (increase (f) 2))", "(= (f) 4)", True),
    "strict comparison": (":precondition (> (f) 0) :effect (p)", "(p)", False),
    "missed by a hair": (":precondition (>= (f) 0.00001) :effect (p)", "(p)", False),
}
# What unified-planning does not follow, and our verdict. It wants every fluent initialised, so it has no opinion on
# undefined ones and on counters; it does not read scalings; a division by zero ends it.
NOT_FOLLOWED = {
    "undefined fluent read": ("", ":precondition (>= (f) 0) :effect (p)", "(p)", "UPUsageError", False),
    "uninitialised counter": ("", ":effect (and (p) (increase (f) 1))", "(p)", "UPUsageError", True),
    "scaling": ("(= (f) 1)", ":effect (scale-up (f) 2)", "(= (f) 2)", "SyntaxError", True),
    "division by zero": ("(= (f) 0)", ":effect (assign (f) (/ 1 (f)))", "(= (f) 0)", "ZeroDivisionError", False),
}


@pytest.mark.parametrize("case", AGREED.values(), ids=AGREED)
def test_agreed_corners(case: tuple[str, str, bool], tmp_path: Path) -> None:
    action, goal, valid = case
    domain, problem = write_task(
        tmp_path,
        f"(:predicates (p) (q)) (:functions (f) (g)) (:action act :parameters () {action})",
        f"(:init (= (f) 0) (= (g) 0)) (:goal {goal})",
    )
    assert validate.check(domain, problem, ["(act)"]).valid == valid
    assert unified_verdict(domain, problem, [("act",)]) == valid


@pytest.mark.parametrize("case", NOT_FOLLOWED.values(), ids=NOT_FOLLOWED)
def test_disagreements_are_refusals(case: tuple[str, str, str, str, bool], tmp_path: Path) -> None:
    exceptions = pytest.importorskip("unified_planning.exceptions")
    init, action, goal, exception, valid = case
    domain, problem = write_task(
        tmp_path,
        f"(:predicates (p)) (:functions (f)) (:action act :parameters () {action})",
        f"(:init {init}) (:goal {goal})",
    )
    assert validate.check(domain, problem, ["(act)"]).valid == valid
    with pytest.raises(getattr(exceptions, exception, None) or getattr(builtins, exception)):
        unified_verdict(domain, problem, [("act",)])
