"""Large numbers through the whole planner: each single search, and the default entry with its referee.

What is solvable is solved, and nothing is called unsolvable that is not.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from numbat import solve
from numbat.errors import ExitCode
from numbat.ground import ground
from numbat.normalise import lift
from numbat.search.options import SearchOptions
from numbat.search.outcome import SearchResult
from numbat.search.registry import PAPER_CONFIGURATIONS, configuration
from numbat.search.run import Limits, core_task, run
from numbat.task.grounded import GroundedTask
from numbat_validate import check
from tests.search import small_tasks

SINGLE = [entry.name for entry in PAPER_CONFIGURATIONS if entry.name.startswith("S")]
LIMITS = Limits(time=30, memory=2**29)
Text = tuple[str, str]  # domain, problem


def pddl(
    actions: str, init: str, goal: str, metric: str = "", *, objects: str = "", functions: str = "(x) (y)"
) -> Text:
    """Predicates (p), (known ?o), (next ?o ?o), (a ?o), (b ?o)."""
    predicates = "(p) (known ?o) (next ?o ?q) (a ?o) (b ?o)"
    domain = f"(define (domain d) (:predicates {predicates}) (:functions {functions} (total-cost)) {actions})"
    measure = f"(:metric {metric})" if metric else ""
    return domain, f"(define (problem q) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}) {measure})"


def action(name: str, effect: str, precondition: str = "(and)", parameters: str = "") -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition {precondition} :effect {effect})"


def line(length: int) -> tuple[str, str]:
    """The objects of a chain, and which comes after which."""
    objects = [f"o{i}" for i in range(length)]
    return " ".join(objects), " ".join(f"(next {one} {two})" for one, two in pairwise(objects))


def production(length: int) -> Text:
    """Every part is made from the one before, of which one must be in stock."""
    objects, order = line(length)
    make = action(
        "make",
        "(and (known ?q) (increase (stock ?q) 1))",
        "(and (next ?o ?q) (known ?o) (>= (stock ?o) 1))",
        "?o ?q",
    )
    stock = " ".join(f"(= (stock o{i}) {int(i == 0)})" for i in range(length))
    goal = f"(and (known o{length - 1}) (>= (stock o{length - 1}) 1))"
    return pddl(make, f"{order} {stock} (known o0)", goal, objects=objects, functions="(stock ?o)")


def ladder(length: int) -> Text:
    """Facts only: both facts of an object need both of the one before."""
    objects, order = line(length)
    steps = [action(f"make-{k}", f"({k} ?q)", "(and (next ?o ?q) (a ?o) (b ?o))", "?o ?q") for k in "ab"]
    last = f"o{length - 1}"
    return pddl(" ".join(steps), f"{order} (a o0) (b o0)", f"(and (a {last}) (b {last}))", objects=objects)


UP = action("up", "(increase (x) 1)")
COSTLY = action("up", "(and (increase (x) 1) (increase (total-cost) 1e39))")

FAR = {
    "production of 141 parts": production(141),
    "ladder of 141 rungs": ladder(141),
    "heavy goal": pddl(UP, "(= (x) 0)", "(>= (* 1e40 (x)) 5e40)"),
    "heavy strict goal": pddl(UP, "(= (x) 0)", "(> (* 1e290 (x)) 5e290)"),
    "costly actions": pddl(COSTLY, "(= (x) 0) (= (total-cost) 0)", "(>= (x) 3)", "minimize (total-cost)"),
}
NOW = 1_700_000_000_000  # milliseconds since 1970
EVERYDAY = {
    "assigned": pddl(action("set", "(assign (x) 100000000)"), "(= (x) 0)", "(= (x) 100000000)"),
    "cents": pddl(
        action("save", "(increase (x) 1999.99)") + action("spend", "(decrease (x) 0.01)", "(>= (x) 0.01)"),
        "(= (x) 123456789.01)",
        "(= (x) 123460788.98)",
    ),
    "bytes": pddl(
        action("copy", "(and (decrease (x) 1099511627776) (increase (y) 1099511627776))", "(>= (x) 1099511627776)"),
        "(= (x) 4398046511105) (= (y) 0)",
        "(and (= (x) 1) (>= (y) 4398046511104))",
    ),
    "milliseconds": pddl(UP, f"(= (x) {NOW}) (= (y) {NOW + 3})", "(= (x) (y))"),
    "nanoseconds": pddl(UP, f"(= (x) {NOW}000000) (= (y) {NOW}000003)", "(and (>= (x) (y)) (<= (x) (y)))"),
    "thousandths of large numbers": pddl(
        action("add", "(increase (x) 0.001)"), "(= (x) 1000000000000)", "(>= (x) 1000000000000.003)"
    ),
    "between two large numbers": pddl(UP, f"(= (x) {2**53 - 1}) (= (y) {2**53 - 2})", "(>= (- (* 5 (x)) (* 5 (y))) 8)"),
    "almost cancelling changes": pddl(
        action("both", f"(and (increase (x) {2**52}) (increase (y) {2**52 - 1}))"),
        "(= (x) 0) (= (y) 0)",
        "(>= (- (* 5 (x)) (* 5 (y))) 10)",
    ),
    "a strict boundary": pddl(UP, f"(= (x) {10**18})", f"(and (> (x) {10**18}) (< (x) {10**18 + 2}))"),
    "a tiny threshold": pddl(UP, "(= (x) 0)", "(>= (x) 0.000000000000000001)"),
    "an increase that cancels a decrease": pddl(
        action("trade", f"(and (increase (x) {2**61}) (decrease (x) {2**61 - 1}))"),
        f"(= (x) {2**61})",
        f"(= (x) {2**61 + 2})",
    ),
    "doubling beyond 64 bits": pddl(
        action("double", "(increase (x) (x))", "(< (x) 1e30)"), "(= (x) 1)", "(>= (x) 1e20)"
    ),
    "doubling two numbers": pddl(
        action("double-x", "(increase (x) (x))", "(p)")
        + action("double-y", "(increase (y) (y))", "(not (p))")
        + action("turn", "(p)", f"(>= (y) {2**44})"),
        "(= (x) 1) (= (y) 1)",
        "(>= (x) (* 500000 (y)))",
    ),
}
SOLVABLE = FAR | EVERYDAY

UNSOLVABLE = {
    "one more than there is": pddl(
        action("tick", "(increase (x) 1)", f"(< (x) {10**17 + 1})"), f"(= (x) {10**17})", f"(>= (x) {10**17 + 2})"
    ),
    "between two large numbers": pddl(
        action("none", "(p)"), f"(= (x) {2**53 - 1}) (= (y) {2**53 - 2})", "(and (p) (>= (- (* 5 (x)) (* 5 (y))) 6))"
    ),
}

# A factor of 0.1, again and again, cannot be kept exactly: no plan is found, and that is not a proof.
TENTH = action("tenth", "(assign (x) (* (x) 0.1))", "(> (x) 1e-30)")
ROUNDED = {
    "a goal that is missed": pddl(TENTH, "(= (x) 1)", "(= (x) 0.3)"),
    "a goal that only rounding reaches": pddl(TENTH, "(= (x) 1)", "(= (x) 0.1000000000000000000001)"),
}


@cache
def grounded(text: Text, folder: Path) -> GroundedTask:
    return ground(lift(*small_tasks.write(text, folder))[0])


def searched(text: Text, search: str, folder: Path, options: SearchOptions) -> SearchResult:
    return run(core_task(grounded(text, folder)), configuration(search).searches[0], options, LIMITS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("numbers")


@pytest.mark.parametrize("search", SINGLE)
@pytest.mark.parametrize("name", SOLVABLE)
def test_every_single_search_plans(name: str, search: str, folder: Path) -> None:
    outcome = searched(SOLVABLE[name], search, folder, SearchOptions(heuristic_cost="metric"))
    assert outcome.status == "solved"
    names = grounded(SOLVABLE[name], folder).operator_names
    files = small_tasks.write(SOLVABLE[name], folder)
    assert check(*files, [names[operator] for operator in outcome.plan]).valid
    assert all(math.isfinite(h) for _, _, h in outcome.history)


@pytest.mark.parametrize("name", [*FAR, "assigned", "nanoseconds", "between two large numbers"])
def test_the_default_entry_plans(name: str, tmp_path: Path) -> None:
    solution = solve(*small_tasks.write(SOLVABLE[name], tmp_path), time=60)
    assert solution.exit_code == ExitCode.SUCCESS


def test_a_chain_beyond_the_largest_double(folder: Path) -> None:
    outcome = searched(ladder(1200), "S(hadd)", folder, SearchOptions())
    assert outcome.status == "solved" and len(outcome.plan) == 2 * 1199


@pytest.mark.parametrize("search", SINGLE)
@pytest.mark.parametrize("name", UNSOLVABLE)
def test_what_is_unsolvable_is_proved_so(name: str, search: str, folder: Path) -> None:
    assert searched(UNSOLVABLE[name], search, folder, SearchOptions()).status == "exhausted-complete"


@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_numbers_prove_nothing(name: str, tmp_path: Path) -> None:
    """Not even where the referee refuses a plan that rounding has made up."""
    solution = solve(*small_tasks.write(ROUNDED[name], tmp_path), time=60, search="S(hadd)")
    assert solution.exit_code == ExitCode.SEARCH_UNSOLVED_INCOMPLETE
    assert "numbers beyond the exact range were met" in solution.summary
