"""Every configuration of the paper, by its name, on every small task; and the lists people see."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.engines import table
from numbat.run.frontend import prepare
from numbat.search import listing
from numbat.search.notation import FEATURES
from numbat.search.options import HEURISTIC_COSTS, TIES, VARIANTS, SearchOptions
from numbat.search.outcome import SOLVED
from numbat.search.registry import BEST, DEFAULT, PAPER_CONFIGURATIONS, algorithms, best, configuration, heuristics
from numbat.search.run import Limits, core_task, run
from tests.search import small_tasks

NAMES = [entry.name for entry in PAPER_CONFIGURATIONS]
LIMITS = Limits(time=10.0, memory=1 << 29)
ENGINES = {"other": "something of another kind"}


def test_the_tables_are_complete() -> None:
    first = [entry.name for entry in PAPER_CONFIGURATIONS if 1 in entry.tables]
    second = [entry.name for entry in PAPER_CONFIGURATIONS if 2 in entry.tables]
    assert len(first) == 11 and len(second) == 12
    assert len(set(NAMES)) == len(NAMES)
    assert DEFAULT in second


def test_every_heuristic_of_the_paper_is_in_the_core() -> None:
    assert {"hgc", "hmd", "haibr", "hadd", "hradd", "hmrp"} <= {entry["name"] for entry in heuristics()}


@pytest.mark.parametrize("task", small_tasks.SOLVABLE)
@pytest.mark.parametrize("name", NAMES)
def test_every_member_solves_every_small_task(name: str, task: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.SOLVABLE[task], tmp_path)
    grounded = prepare(domain, problem).task
    for search in configuration(name).searches:
        outcome = run(core_task(grounded), search, SearchOptions(), LIMITS)
        assert outcome.status == SOLVED
        verdict = validate.check(domain, problem, [grounded.operator_names[operator] for operator in outcome.plan])
        assert verdict.valid, verdict.reason


# Two ways to the goal: two free steps, or one that costs 10.
TOLL = (
    """(define (domain toll) (:predicates (p) (q) (g)) (:functions (total-cost))
    (:action pay :parameters () :precondition (and) :effect (and (g) (increase (total-cost) 10)))
    (:action walk :parameters () :precondition (and) :effect (and (p) (increase (total-cost) 1)))
    (:action on :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 1)))
    (:action arrive :parameters () :precondition (q) :effect (and (g) (increase (total-cost) 1))))""",
    """(define (problem toll-1) (:domain toll) (:init (= (total-cost) 0)) (:goal (g))
    (:metric minimize (total-cost)))""",
)

# Two numbers that have nothing to do with each other, but for the goal.
BOTH = (small_tasks.PARITY[0], small_tasks.PARITY[1].replace("(= (value a) 7)", "(>= (+ (value a) (value b)) 11)"))


def _searched(task: tuple[str, str], name: str, options: SearchOptions, folder: Path) -> tuple[object, ...]:
    grounded = prepare(*small_tasks.write(task, folder)).task
    outcome = run(core_task(grounded), configuration(name).searches[0], options, LIMITS)
    assert outcome.status == SOLVED
    statistics = outcome.statistics
    return outcome.plan, statistics["evaluated"], statistics["initial_h"]


@pytest.mark.parametrize(
    ("option", "value", "task", "name"),
    [
        *(("ties", ties, small_tasks.DELIVERY, "S(hgc)") for ties in TIES[1:]),
        *(("heuristic_cost", cost, TOLL, "S(hadd)") for cost in HEURISTIC_COSTS[1:]),
        *(("variant", variant, small_tasks.LINEAR, "S(hadd)") for variant in VARIANTS[1:]),
        ("seed", 7, small_tasks.DELIVERY, "S(hgc)"),
        ("patience", 1, small_tasks.DELIVERY, "S(hadd)"),
        ("pruning", (), BOTH, "A(blind)"),
    ],
)
def test_every_option_changes_the_search_and_changes_it_again_alike(
    option: str, value: str | int | tuple[str, ...], task: tuple[str, str], name: str, tmp_path: Path
) -> None:
    changed = replace(SearchOptions(), **{option: value})
    results = [_searched(task, name, options, tmp_path) for options in (SearchOptions(), changed, changed)]
    assert results[0] != results[1] and results[1] == results[2]


def test_no_option_is_forgotten() -> None:
    names = {field.name for field in fields(SearchOptions)}
    above = {"ties", "seed", "heuristic_cost", "variant", "patience", "pruning"}
    assert names == {*above, "variations", "beside"}  # the last two in test_variations


def test_seeds_make_a_difference(tmp_path: Path) -> None:
    grounded = prepare(*small_tasks.write(small_tasks.DELIVERY, tmp_path)).task
    search = configuration("S(hgc)").searches[0]
    runs = {run(core_task(grounded), search, SearchOptions(seed=seed), LIMITS).plan for seed in range(10)}
    assert len(runs) > 1


def test_text_lists_all_names() -> None:
    lines = listing.as_text(ENGINES).splitlines()
    for name in [*NAMES, *ENGINES, *(entry["name"] for entry in heuristics())]:
        assert any(line.startswith(name + " ") for line in lines)


def test_text_lists_novelty_as_it_is_written() -> None:
    """Every way to write it, each of which is read."""
    lines = listing.as_text(ENGINES).splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("novelty"))
    written = [form for line in lines[begin + 1 : begin + 1 + len(FEATURES)] for form in re.findall("<.*?>", line)]
    assert written == ["<A,PN>", "<A,QB>", "<B,PN>", "<B,QB>", "<C>", "<G,PN>"]
    for form in written:
        assert str(configuration(f"S(hadd{form})")) == f"S(hadd{form})"


def test_markdown_is_seven_tables_of_even_rows() -> None:
    tables = listing.as_markdown(ENGINES).strip().split("\n\n")
    assert len(tables) == 7
    for written in tables:
        bars = {line.replace("\\|", "").count("|") for line in written.splitlines()}
        assert len(bars) == 1


def test_json_says_the_same() -> None:
    data = json.loads(listing.as_json(ENGINES))
    assert [entry["name"] for entry in data["configurations"]] == NAMES
    assert [entry["name"] for entry in data["configurations"] if entry["default"]] == [DEFAULT]
    assert len(next(entry for entry in data["configurations"] if entry["default"])["members"]) == 6
    assert [entry["name"] for entry in data["novelty"]] == list(FEATURES)
    assert data["heuristics"] == heuristics() and data["algorithms"] == algorithms()
    assert list(data["variations"]) == [str(member) for member in configuration(DEFAULT).searches]


def test_markdown_parses_as_csv_of_names() -> None:
    rows = list(csv.reader(listing.as_markdown(ENGINES).replace("\\|", "!").splitlines(), delimiter="|"))
    named = {row[1].strip(" `").replace("!", "|") for row in rows if len(row) > 1}
    assert set(NAMES) <= named


def test_best_is_a_portfolio_that_can_be_read_and_is_listed() -> None:
    found = table.configuration(f" {BEST} ")
    assert found == table.configuration(best()) and found.portfolio and len(found.members) > 1
    assert f"| `{BEST}` | `{best()}` |".replace("||", "\\|\\|") in listing.as_markdown(ENGINES)
