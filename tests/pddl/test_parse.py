"""Text to tree: every written form, every place, every oddity of the files people really have."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from numbat.errors import Span
from numbat.pddl import load, tree
from numbat.pddl.parse import parse_domain, parse_problem
from tests.bad_inputs.cases import DOMAIN, PROBLEM


def domain_of(tmp_path: Path, sections: str) -> tree.Domain:
    file = tmp_path / "domain.pddl"
    file.write_text(f"(define (domain d) {sections})")
    return parse_domain(file)


def problem_of(tmp_path: Path, sections: str) -> tree.Problem:
    file = tmp_path / "problem.pddl"
    file.write_text(f"(define (problem p) (:domain d) {sections})")
    return parse_problem(file)


def condition_of(tmp_path: Path, text: str) -> tree.Condition:
    return problem_of(tmp_path, f"(:goal {text})").goal


def effect_of(tmp_path: Path, text: str) -> tree.Effect:
    return domain_of(tmp_path, f"(:action a :effect {text})").actions[0].effect


# --- places ----------------------------------------------------------------------------------------------------------


def test_every_node_knows_its_place() -> None:
    domain, problem = parse_domain(DOMAIN), parse_problem(PROBLEM)
    drive = domain.actions[0]
    assert drive.span == Span(str(DOMAIN), 8, 3)
    assert isinstance(drive.precondition, tree.And)
    assert [part.span.column for part in drive.precondition.parts] == [24, 35, 48]
    assert domain.predicates[1].span == Span(str(DOMAIN), 5, 43)
    assert domain.predicates[1].parameters[1].span == Span(str(DOMAIN), 5, 59)
    assert problem.init_atoms[2].span == Span(str(PROBLEM), 5, 38)
    assert problem.init_values[3].fluent.span == Span(str(PROBLEM), 7, 10)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
def test_places_with_other_line_ends_and_a_byte_order_mark(tmp_path: Path, newline: str, mark: bytes) -> None:
    file = tmp_path / "problem.pddl"
    text = "; comment (\n(define (problem p) ; another )\n  (:goal (at home)))\n"
    file.write_bytes(mark + text.replace("\n", newline).encode())
    assert parse_problem(file).goal.span == Span(str(file), 3, 10)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_foreign_letters_in_comments(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "problem.pddl"
    file.write_bytes("(define (problem p); Th\u00e9r\u00e8se\n (:goal (q)))".encode(encoding))
    assert parse_problem(file).goal.span.line == 2


# --- names, lists, numbers -------------------------------------------------------------------------------------------


def test_case_does_not_matter(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "(:OBJECTS Box-A bOX_b - Crate) (:Init (AT Box-A)) (:GOAL (And (at BOX-A)))")
    assert [entry.name for entry in problem.objects] == ["box-a", "box_b"]
    assert problem.objects[1].types == ("crate",)
    assert problem.init_atoms[0][:2] == ("at", ("box-a",))


def test_glued_dashes_and_missing_blanks(tmp_path: Path) -> None:
    domain = domain_of(
        tmp_path,
        "(:types farm field-object truck -object plot-place)(:action go:parameters(?a ?b -farm)"
        ":precondition(and(not(p ?a))(>(f ?a)0)(>= 1(f ?b))(q ?a?b)):effect(and(p ?a)))",
    )
    assert [(entry.name, entry.types) for entry in domain.types] == [
        ("farm", ("object",)),
        ("field-object", ("object",)),
        ("truck", ("object",)),
        ("plot-place", ()),
    ]
    (action,) = domain.actions
    assert [entry.types for entry in action.parameters] == [("farm",), ("farm",)]
    assert isinstance(action.precondition, tree.And)
    assert len(action.precondition.parts) == 4
    assert action.precondition.parts[3][:2] == ("q", ("?a", "?b"))


def test_comments_inside_lists_and_atoms(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path, "(:init (at ; here\n a ; there)\n b);) ;;\n (= ; value\n (f a) ; of\n 3)) (:goal (and);; x\n)"
    )
    assert problem.init_atoms[0][:2] == ("at", ("a", "b"))
    assert problem.init_values[0].value == 3


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", Fraction(3)),
        ("-1.5", Fraction(-3, 2)),
        (".5", Fraction(1, 2)),
        ("-.25", Fraction(-1, 4)),
        ("7.", Fraction(7)),
        ("+7", Fraction(7)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+2", Fraction(250)),
        ("1.05", Fraction(21, 20)),
        ("007", Fraction(7)),
        ("-0", Fraction(0)),
    ],
)
def test_numbers(tmp_path: Path, text: str, number: Fraction) -> None:
    problem = problem_of(tmp_path, f"(:init (= (f) {text}) (= g {text})) (:goal (>= (f) {text}))")
    assert [item.value for item in problem.init_values] == [number, number]
    assert isinstance(problem.goal, tree.Compare)
    assert isinstance(problem.goal.right, tree.Number)
    assert problem.goal.right.value == number


def test_words_are_reserved_only_where_they_mean_something(tmp_path: Path) -> None:
    domain = domain_of(
        tmp_path,
        "(:types time name) (:predicates (at ?x) (domain) (problem) (define) (minimize) (either) (number))"
        "(:action action :parameters (?name - name)"
        ":precondition (and (at ?name) (domain) (minimize)) :effect (problem))",
    )
    assert " ".join(entry.name for entry in domain.predicates) == "at domain problem define minimize either number"
    problem = problem_of(tmp_path, "(:objects and or not object) (:init (at and) (domain)) (:goal (at not))")
    assert [entry.name for entry in problem.objects] == ["and", "or", "not", "object"]
    assert problem.goal[:2] == ("at", ("not",))


def test_names_may_begin_with_a_digit(tmp_path: Path) -> None:
    domain = domain_of(
        tmp_path,
        "(:types 2nd - 1) (:constants 7 8-9 - 2nd) (:predicates (1 ?0 - 2nd)) (:functions (5) (3f ?x))"
        "(:action 4 :parameters (?1 - 2nd) :precondition (1 ?1) :effect (increase (3f ?1) (+ (5) 5)))",
    )
    assert [(entry.name, entry.types) for entry in domain.types] == [("2nd", ("1",))]
    assert [entry.name for entry in domain.constants] == ["7", "8-9"]
    assert [entry.name for entry in domain.functions] == ["5", "3f"]
    (action,) = domain.actions
    assert (action.name, action.parameters[0].name) == ("4", "?1")
    assert action.precondition[:2] == ("1", ("?1",))
    assert isinstance(action.effect, tree.Change)
    assert isinstance(action.effect.expression, tree.Arithmetic)
    assert [type(operand).__name__ for operand in action.effect.expression.operands] == ["Atom", "Number"]
    problem = problem_of(tmp_path, "(:objects 1 01 1e5) (:init (p 1 1e5) (= (f 01) 2)) (:goal (p 1))")
    assert [entry.name for entry in problem.objects] == ["1", "01", "1e5"]
    assert problem.init_atoms[0].arguments == ("1", "1e5")
    assert problem.init_values[0].fluent.arguments == ("01",)


def test_where_a_number_may_stand_it_is_one(tmp_path: Path) -> None:
    goal = condition_of(tmp_path, "(and (>= 1e5 2a) (= ?x 01) (= (f) 1) (= 3-4 2))")
    assert isinstance(goal, tree.And)
    sides = [(type(part.left).__name__, type(part.right).__name__) for part in goal.parts]  # type: ignore[union-attr]
    assert sides == [("Number", "Word"), ("Word", "Number"), ("Atom", "Number"), ("Word", "Number")]
    assert goal.parts[1].right.name == "01"  # type: ignore[union-attr]


# --- sections --------------------------------------------------------------------------------------------------------


def test_sections_in_any_order_or_missing(tmp_path: Path) -> None:
    domain = domain_of(
        tmp_path, "(:action a :effect (p) :parameters ()) (:functions) (:predicates (p)) (:requirements) (:types)"
    )
    assert (domain.actions[0].parameters, domain.constants, domain.functions) == ((), (), ())
    assert domain.actions[0].precondition[:1] == ((),)
    problem = problem_of(
        tmp_path, "(:metric maximize (f)) (:goal ()) (:init) (:objects) (:requirements :strips :typing)"
    )
    assert problem.metric is not None
    assert problem.metric.direction == "maximize"
    assert problem.goal[:1] == ((),)


@pytest.mark.parametrize("text", ["", "(:serial 5)", "(:parallel 3)", "(:serial 5) (:parallel 3)"])
def test_a_length_changes_nothing(tmp_path: Path, text: str) -> None:
    assert problem_of(tmp_path, f"(:goal (p)) (:length {text})").goal[:2] == ("p", ())


def test_an_action_may_be_empty(tmp_path: Path) -> None:
    for text in ("(:action a)", "(:action a :parameters () :precondition () :effect ())", "(:action a :effect (and))"):
        (action,) = domain_of(tmp_path, text).actions
        assert isinstance(action.precondition, tree.And)
        assert isinstance(action.effect, tree.Effects)
        assert (action.precondition.parts, action.effect.parts) == ((), ())


def test_typed_lists(tmp_path: Path) -> None:
    domain = domain_of(
        tmp_path, "(:constants a b - t c - (either t u) d) (:functions (f ?x ?y - t) (g) - number (h) (k) - number)"
    )
    assert [(entry.name, entry.types) for entry in domain.constants] == [
        ("a", ("t",)),
        ("b", ("t",)),
        ("c", ("t", "u")),
        ("d", ()),
    ]
    assert [entry.name for entry in domain.functions] == ["f", "g", "h", "k"]


def test_initial_state(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path, "(:init (p) (not (q a)) (= (f a) 1) (r a) (= g 2) (not (p b)) (= (h) 3)) (:goal (p))"
    )
    assert [atom.name for atom in problem.init_atoms] == ["p", "r"]
    assert [atom.arguments for atom in problem.init_negations] == [("a",), ("b",)]
    assert [(item.fluent.name, item.value) for item in problem.init_values] == [("f", 1), ("g", 2), ("h", 3)]


# --- conditions, expressions, effects --------------------------------------------------------------------------------


def test_conditions(tmp_path: Path) -> None:
    text = "(or (imply (p) (q)) (exists (?x ?y - t) (forall () (not (= ?x a)))) (< (f) 1) (<= 1 g) (> 1 2) (= (f) g))"
    goal = condition_of(tmp_path, text)
    assert isinstance(goal, tree.Or)
    imply, exists, less, at_most, more, equal = goal.parts
    assert isinstance(imply, tree.Imply)
    assert isinstance(exists, tree.Quantified)
    assert (exists.quantifier, [entry.name for entry in exists.variables]) == ("exists", ["?x", "?y"])
    assert isinstance(exists.part, tree.Quantified)
    assert exists.part.variables == ()
    relations = [part.relation for part in (less, at_most, more, equal) if isinstance(part, tree.Compare)]
    assert relations == ["<", "<=", ">", "="]


def test_expressions(tmp_path: Path) -> None:
    goal = condition_of(tmp_path, "(>= (+ 1 (f a) (- (g)) (* 2 h 3)) (/ (-(g)1) -2))")
    assert isinstance(goal, tree.Compare)
    assert isinstance(goal.left, tree.Arithmetic)
    assert [type(operand).__name__ for operand in goal.left.operands] == ["Number", "Atom", "Arithmetic", "Arithmetic"]
    assert isinstance(goal.right, tree.Arithmetic)
    assert (goal.right.operator, len(goal.right.operands)) == ("/", 2)


def test_effects(tmp_path: Path) -> None:
    text = "(and (p) (not (q ?x)) (when (p) (and (q ?x))) (forall (?y - t) (p)) (assign g 1) (scale-up (f ?x) 2))"
    effect = effect_of(tmp_path, text)
    assert isinstance(effect, tree.Effects)
    kinds = [type(part).__name__ for part in effect.parts]
    assert kinds == ["Add", "Delete", "When", "ForAll", "Change", "Change"]
    assign, scale = effect.parts[4:]
    assert isinstance(assign, tree.Change)
    assert isinstance(scale, tree.Change)
    assert (assign.operator, assign.fluent.name, scale.operator) == ("assign", "g", "scale-up")


# --- the cached grammar ----------------------------------------------------------------------------------------------

PROGRAM = "import sys; from numbat.pddl import load; load(*sys.argv[1:])"


def run_with_cache(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", PROGRAM, str(DOMAIN), str(PROBLEM)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_cache_is_written_used_and_renewed(tmp_path: Path) -> None:
    run_with_cache(tmp_path)
    (file,) = tmp_path.rglob("*.grammar")
    good = file.read_bytes()
    written = file.stat().st_mtime_ns
    run_with_cache(tmp_path)
    assert file.stat().st_mtime_ns == written
    for damaged in (b"", good[: len(good) // 2], b"stale" + good[5:], b"\0" * 100):
        file.write_bytes(damaged)
        run_with_cache(tmp_path)


def test_without_a_place_for_the_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    run_with_cache(blocked)


def test_the_companions_load() -> None:
    domain, problem, warnings = load(DOMAIN, PROBLEM)
    assert (domain.name, problem.domain, warnings) == ("courier", "courier", [])
