"""Every oddity of real files, through both command lines: planned for and judged, or refused by both before the search.

Each case is one small task with a few words replaced; its plan is (go a) or (go a) (go a).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbat.cli import main
from numbat.run import solve as solve_module
from numbat_validate.__main__ import main as referee

DOMAIN = """\
(define (domain oddities)
  (:requirements :typing :numeric-fluents)
  (:types thing)
  (:constants home - thing)
  (:predicates (free ?a - thing) (done))
  (:functions (x) (y) (total-cost))
  (:action go :parameters (?a - thing)
    :precondition (and (free ?a) (<= (x) 5))
    :effect (and (done) (increase (x) 1) (increase (total-cost) 1))))
"""
PROBLEM = """\
(define (problem odd) (:domain oddities)
  (:objects a - thing)
  (:init (free a) (= (x) 0) (= (y) 8) (= (total-cost) 0))
  (:goal (and (done) (>= (x) 1)))
  (:metric minimize (total-cost)))
"""

Changes = dict[str, str]

ACCEPTED: dict[str, Changes] = {
    "bare fluent in an effect": {"(increase (x) 1)": "(increase x 1)"},
    "bare fluent in a condition": {"(>= (x) 1)": "(>= x 1)"},
    "bare fluent in an equality": {"(>= (x) 1)": "(= x 1)"},
    "bare fluents on both sides": {"(>= (x) 1)": "(= (+ x 7) y)"},
    "bare fluent in an initial value": {"(= (x) 0)": "(= x 0)"},
    "bare fluent in the metric": {"(:metric minimize (total-cost))": "(:metric minimize total-cost)"},
    "bare total-time": {"(:metric minimize (total-cost))": "(:metric minimize (+ total-time total-cost))"},
    "bare fluent in a sum": {"(<= (x) 5)": "(<= (+ x (* 2 y)) 21)"},
    "bare fluent and an object of its name": {
        "(x) (y)": "(a) (x) (y)",
        "(>= (x) 1)": "(>= (+ a (x)) 1)",
        ":init": ":init (= a 0)",
    },
    "n-ary minus": {"(>= (x) 1)": "(= (- 10 (x) (y)) 1)"},
    "n-ary quotient": {"(>= (x) 1)": "(= (/ (y) 4 2) (x))"},
    "n-ary sum": {"(>= (x) 1)": "(= (+ (x) 1 1 1) 4)"},
    "n-ary product": {"(>= (x) 1)": "(= (* (x) 2 3 4) 24)"},
    "unary minus": {"(>= (x) 1)": "(<= (- (x)) (- 1))"},
    "dash glued to a fluent": {"(>= (x) 1)": "(<= (-x) -1)"},
    "no blank before a variable": {"(free ?a) (<=": "(free?a) (<="},
    "no blank before a keyword": {"go :parameters (?a - thing)": "go:parameters(?a - thing)"},
    "no blank around a dash": {"a - thing": "a -thing"},
    "upper case": {"(free a)": "(FREE A)", ":goal": ":GOAL", "(increase (x) 1)": "(Increase (X) 1)"},
    "tabs and form feeds": {"(free a)": "(free\ta)\f\v"},
    "byte order mark": {"(define": "\ufeff(define"},
    "byte of Latin-1 in a comment": {"(:types": "; caf\udce9\n(:types", "(:goal": "; \udce9\udcff\n(:goal"},
    "control characters in a comment": {"(:goal": "; \x07\x1b\n(:goal"},
    "numbers": {"(= (x) 0)": "(= (x) -0)", "(= (y) 8)": "(= (y) +8.)", "(<= (x) 5)": "(<= (x) .5e1)"},
    "action named and": {":action go": ":action and"},
    "object named not": {"(:objects a": "(:objects not a", "(free a)": "(free a) (free not)"},
    "type named either": {"(:types thing)": "(:types thing either number define)"},
    "predicates named define, either, number": {"(done))": "(done) (define ?o) (either) (number) (domain))"},
    "function named object": {"(x) (y)": "(object) (when-not) (x) (y)"},
    "sections in another order": {
        "(:requirements :typing :numeric-fluents)": "",
        "(y) (total-cost))": "(y) (total-cost)) (:requirements)",
    },
    "functions of numbers": {"(y) (total-cost))": "(y) - number (total-cost) - number)"},
    "problem for another domain": {"(:domain oddities)": "(:domain other)"},
    "problem that names no domain": {"(:domain oddities)": ""},
    "constant again an object": {"(:objects a": "(:objects home" + " - thing a"},
    "value of an undeclared function": {"(= (x) 0)": "(= (x) 0) (= (z a) 3) (= w 1)"},
    "supertype not declared": {"(:types thing)": "(:types thing - being)"},
    "quantifier over an empty type": {
        "(:types thing)": "(:types none - thing thing)",
        "(done) (>=": "(forall (?n - none) (free ?n)) (>=",
    },
    "variable that hides another": {"(free ?a) (<=": "(exists (?a - thing) (free ?a)) (free ?a) (<="},
    "empty conditions": {"(done) (>= (x) 1)": "(and) () (done)"},
    "length": {"(:metric": "(:length (:serial 5) (:parallel 3)) (:metric"},
    "length of one kind": {"(:goal": "(:length (:parallel 0)) (:goal"},
    "lengths in another order": {"(:goal": "(:length (:parallel 3) (:serial 00000000005)) (:goal"},
    "empty length": {"(:goal": "(:length) (:goal"},
    "object that is a number": {"(:objects a": "(:objects 1", "(free a)": "(free 1)"},
    "objects that begin with a digit": {"(:objects a": "(:objects 2a 3-4 1e5 _ 0x1f a", "(free a)": "(free 3-4)"},
    "object that is a number, in an equality": {
        "(:objects a": "(:objects 1 2 a",
        "(free a)": "(free a) (free 1) (free 2)",
        "(free ?a) (<=": "(free ?a) (= ?a 2) (not (= 1 ?a)) (not (= home 2)) (<=",
    },
    "objects that are numbers, under a quantifier": {
        "(:objects a": "(:objects 1 01 2a a",
        "(done) (>=": "(exists (?o - thing) (= ?o 01)) (forall (?o ?u - thing) (or (= ?o ?u) (not (= ?u ?o)))) (>=",
    },
    "equality of numbers that are objects": {"(:objects a": "(:objects 1 01 a", "(>= (x) 1)": "(= 1 01)"},
    "value that is an object, too": {"(:objects a": "(:objects 1 a", "(>= (x) 1)": "(= (x) 1)"},
    "bare fluent and a number that is an object": {"(:objects a": "(:objects 1 a", "(>= (x) 1)": "(= x 1)"},
    "constant that is a number": {"(:constants home": "(:constants 7 home", "(free a)": "(free 7)"},
    "types that begin with a digit": {
        "(:types thing)": "(:types 1 - thing 2nd - 1 thing)",
        "(:objects a -": "(:objects a - 1 b - 2nd c -",
        "(?a - thing)\n": "(?a - (either 1 2nd))\n",
    },
    "predicate and action that are numbers": {
        "(free ?a - thing)": "(1 ?a - thing)",
        "(free ?a)": "(1 ?a)",
        "(free a)": "(1 a)",
        ":action go": ":action 2",
    },
    "functions that begin with a digit": {
        "(x) (y)": "(5) (2y) (x) (y)",
        "(= (x) 0)": "(= (x) 0) (= (5) 3) (= 2y 4)",
        "(<= (x) 5)": "(< (5) 2y) (<= (x) (5))",
    },
    "variable that begins with a digit": {"(?a - thing)\n": "(?1 - thing)\n", "(free ?a) (<=": "(free ?1) (<="},
    "value of an undeclared function that is a number": {"(= (x) 0)": "(= (x) 0) (= (1 2) 3)"},
    "metric that is a product": {"(total-cost)))\n": "(* (total-cost) (x))))\n"},
    "metric that is a quotient": {"(total-cost)))\n": "(/ (y) (+ (x) 1))))\n"},
    "metric that has no value in the end": {"(total-cost)))\n": "(/ (y) (- 1 (x)))))\n"},
    "metric with total-time in a product": {"(total-cost)))\n": "(* (total-time) (x))))\n"},
    "division by zero": {"(:action go": "(:action never :precondition (>= (/ 1 0) 0) :effect (done)) (:action go"},
}

REFUSED: dict[str, Changes] = {
    **{
        f"predicate named {word}": {"(done)": f"({word})"}
        for word in ("and", "or", "not", "imply", "when", "forall", "exists", "increase", "assign")
    },
    **{
        f"function named {word}": {"(x) (y)": f"({word}) (x) (y)"}
        for word in ("and", "or", "not", "when", "forall", "decrease", "scale-up")
    },
    "byte of Latin-1 in a name": {"(free a)": "(free caf\udce9)"},
    "letter beyond ASCII in a label": {"(domain oddities)": "(domain \u00f6ddities)"},
    "Kelvin sign": {":objects a": ":objects \u212a a"},
    "blank beyond ASCII": {"(free a)": "(free\u00a0a)"},
    "null character in a comment": {"(:goal": "; \0\n(:goal"},
    "bare predicate": {"(done) (>=": "done (>="},
    "bare fluent with an argument": {"(x) (y)": "(x ?a - thing) (y)"},
    "bare fluent not declared": {"(>= (x) 1)": "(>= z 1)"},
    "object for a number": {"(>= (x) 1)": "(>= a 1)"},
    "object equal to a number": {"(>= (x) 1)": "(= a 1)"},
    "quotient of one": {"(>= (x) 1)": "(>= (/ (x)) 1)"},
    "difference of none": {"(>= (x) 1)": "(>= (-) 1)"},
    "operator glued to a number": {"(>= (x) 1)": "(>= (*2 (x)) 1)"},
    "sum without blanks": {"(>= (x) 1)": "(>= (+ x+1) 1)"},
    "comparison glued to a fluent": {"(>= (x) 1)": "(>=x 1)"},
    "initial value computed": {"(= (x) 0)": "(= (x) (- 5))"},
    "value of a predicate": {"(= (x) 0)": "(= (x) 0) (= (done) 1)"},
    "value of an unknown function of a variable": {"(= (x) 0)": "(= (x) 0) (= (z ?a) 1)"},
    "two initial values": {"(= (x) 0)": "(= (x) 0) (= x 1)"},
    "stated and denied": {"(free a)": "(free a) (not (free a))"},
    "object twice": {":objects a": ":objects a - thing a"},
    "constant of another type": {"(:types thing)": "(:types thing kind)", "(:objects a": "(:objects home - kind a"},
    "type with two supertypes": {"(:types thing)": "(:types thing - kind thing - being)"},
    "supertype of object": {"(:types thing)": "(:types thing object - thing)"},
    "either number": {"(x) (y)": "(x) - (either number) (y)"},
    "dash behind functions": {"(y) (total-cost))": "(y) (total-cost) -)"},
    "requirement without a colon": {":typing": "typing"},
    "domain of two names": {"(:domain oddities)": "(:domain oddities two)"},
    "label that is a variable": {"(problem odd)": "(problem ?odd)"},
    "goal twice": {"(:metric minimize (total-cost))": "(:goal (done))"},
    "unknown section": {":metric": ":lengths"},
    "length of an expression": {":metric minimize": ":length"},
    "length of numbers": {"(:goal": "(:length 5 3) (:goal"},
    "length below zero": {"(:goal": "(:length (:serial -5)) (:goal"},
    "length that is not whole": {"(:goal": "(:length (:serial 5.0)) (:goal"},
    "length with an exponent": {"(:goal": "(:length (:serial 1e2)) (:goal"},
    "length of a list": {"(:goal": "(:length (:serial (5))) (:goal"},
    "length of two numbers": {"(:goal": "(:length (:serial 5 3)) (:goal"},
    "length of no number": {"(:goal": "(:length (:serial)) (:goal"},
    "length of another kind": {"(:goal": "(:length (:depth 5)) (:goal"},
    "two serial lengths": {"(:goal": "(:length (:serial 5) (:serial 5)) (:goal"},
    "two lengths": {"(:goal": "(:length (:serial 5)) (:length) (:goal"},
    "length of a domain": {"(:types": "(:length (:serial 5)) (:types"},
    "object that is a decimal": {"(:objects a": "(:objects 1.5 a"},
    "object with a sign": {"(:objects a": "(:objects +1 a"},
    "dash before a digit": {"(:types thing)": "(:types thing 1)", "(:objects a": "(:objects b -1 a"},
    "number that is no object, as argument": {"(free a)": "(free 1)"},
    "number that is no object, in an equality": {"(free ?a) (<=": "(free ?a) (not (= ?a 1)) (<="},
    "variable equal to a decimal": {"(free ?a) (<=": "(free ?a) (not (= ?a 1.0)) (<=", "(:objects a": "(:objects 1 a"},
    "fluent that is a number, without parentheses": {"(x) (y)": "(5) (x) (y)", "(= (x) 0)": "(= (x) 0) (= 5 3)"},
    "long number for a fluent": {"(= (x) 0)": f"(= (x) 0) (= {'1' * 2000} 3)"},
    "large exponent for a fluent": {"(= (x) 0)": "(= (x) 0) (= 1e40000 3)"},
    "change of a fluent that is a number": {"(x) (y)": "(5) (x) (y)", "(increase (x) 1)": "(increase 5 1)"},
    "object that begins with a digit for a number": {"(:objects a": "(:objects 2a a", "(>= (x) 1)": "(>= (x) 2a)"},
    "no goal": {"(:goal (and (done) (>= (x) 1)))": ""},
}


def write(changes: Changes, folder: Path, newline: str = "\n") -> tuple[Path, Path]:
    """The task with the changes made; lone surrogates are bytes that are not UTF-8."""
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(files, (DOMAIN, PROBLEM), strict=True):
        for old, new in changes.items():
            assert old in DOMAIN + PROBLEM, old
            text = text.replace(old, new, 1)
        file.write_bytes(text.replace("\n", newline).encode("utf-8", errors="surrogateescape"))
    return files


def solve(*arguments: object) -> int:
    return main(["solve", *map(str, arguments), "--time", "60", "--memory", "2G"])


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted_by_both(case: str, tmp_path: Path) -> None:
    domain, problem = write(ACCEPTED[case], tmp_path)
    assert solve(domain, problem, tmp_path / "plan") == 0
    assert referee([str(domain), str(problem), str(tmp_path / "plan")]) == 0


@pytest.mark.parametrize("newline", ["\r", "\r\n"], ids=["CR", "CR LF"])
def test_line_ends(newline: str, tmp_path: Path) -> None:
    domain, problem = write({"(:goal": "; comment\n(:goal"}, tmp_path, newline)
    assert solve(domain, problem, tmp_path / "plan") == 0
    assert referee([str(domain), str(problem), str(tmp_path / "plan")]) == 0


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_both(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a place, and without a plan."""
    domain, problem = write(REFUSED[case], tmp_path)
    (tmp_path / "empty").write_text("")
    assert solve(domain, problem, tmp_path / "plan") in (31, 34)
    assert f"{tmp_path}/" in capsys.readouterr().err
    assert referee([str(domain), str(problem), str(tmp_path / "empty")]) in (2, 3)
    assert f"{tmp_path}/" in capsys.readouterr().err
    assert not (tmp_path / "plan").exists()


# --- one copy of the text --------------------------------------------------------------------------------------------


def run(*arguments: object, **options: Any) -> int:
    command = [sys.executable, "-m", "numbat", "solve", *map(str, arguments), "--time", "60", "--memory", "2G"]
    return subprocess.run(command, check=False, capture_output=True, **options).returncode


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input(name: str, tmp_path: Path) -> None:
    domain, problem = write({}, tmp_path)
    assert run(domain, name, tmp_path / "plan", input=problem.read_bytes()) == 0
    command = [sys.executable, "-m", "numbat_validate", str(domain), name, str(tmp_path / "plan")]
    assert subprocess.run(command, check=False, capture_output=True, input=problem.read_bytes()).returncode == 0


def test_pipes(tmp_path: Path) -> None:
    """As the shell's process substitution makes them."""
    ends = []
    for file in write({}, tmp_path):
        reading, writing = os.pipe()
        os.write(writing, file.read_bytes())
        os.close(writing)
        ends.append(reading)
    assert run(*(f"/dev/fd/{end}" for end in ends), tmp_path / "plan", pass_fds=ends) == 0
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("change", [Path.unlink, lambda file: file.write_text("(nothing")], ids=["deleted", "changed"])
def test_files_that_go_away(change: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as they are read, nobody needs them any more."""
    files = write({}, tmp_path)
    prepare = solve_module.prepare

    def prepare_and_change(*given: Any) -> Any:
        front = prepare(*given)
        for file in files:
            change(file)
        return front

    monkeypatch.setattr(solve_module, "prepare", prepare_and_change)
    assert solve(*files, tmp_path / "plan") == 0


# --- long names ------------------------------------------------------------------------------------------------------

LONG = "n" * 5_000_000


@pytest.mark.parametrize(
    "changes",
    [
        {"(done))": f"(done) ({LONG}) ({LONG}))"},
        {"(free a)": f"(free {LONG})"},
        {":objects a": f":objects {LONG} {LONG} a"},
        {"(done) (>=": f"({LONG}) (>="},
        {"(>= (x) 1)": f"(>= {LONG} 1)"},
        {"(>= (x) 1)": f"(>= ({LONG} a) 1)"},
        {"(:types thing)": f"(:types thing {LONG} - {LONG})"},
        {"(= (x) 0)": f"(= (x) {'1' * 5_000_000})"},
        {"(:goal": f"({LONG}"},
        {"(:goal": f"(:{LONG}"},
        {":parameters (?a": f":parameters (?{LONG} ?{LONG} ?a"},
        {"(problem odd)": f"(problem {LONG} {LONG})"},
        {":action go": f":action {LONG} {LONG}"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_long_names_are_shortened(changes: Changes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(changes, tmp_path)
    (tmp_path / "empty").write_text("")
    assert solve(domain, problem, tmp_path / "plan") in (31, 34)
    assert len(capsys.readouterr().err) < 2000
    assert referee([str(domain), str(problem), str(tmp_path / "empty")]) in (2, 3)
    assert len(capsys.readouterr().err) < 2000


def test_warnings_and_verdicts_are_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain, problem = write({"(= (x) 0)": f"(= (x) 0) (= ({LONG}) 0)", ":objects a": f":objects a {LONG}"}, tmp_path)
    assert solve(domain, problem, tmp_path / "plan") == 0
    (tmp_path / "wrong").write_text(f"(go {LONG})")
    assert referee(["-v", str(domain), str(problem), str(tmp_path / "wrong")]) == 1
    said = capsys.readouterr()
    assert len(said.out + said.err) < 5000
