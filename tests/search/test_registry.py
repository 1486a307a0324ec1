"""Every configuration of the paper, by its name, on every small task; and the lists people see."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.run.frontend import prepare
from numbat.search import listing
from numbat.search.options import HEURISTIC_COSTS, TIES, VARIANTS, SearchOptions
from numbat.search.outcome import SOLVED
from numbat.search.registry import DEFAULT, PAPER_CONFIGURATIONS, algorithms, configuration, heuristics
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


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("cost", HEURISTIC_COSTS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("seed", "patience"), [(0, 2000), (7, 1)])
def test_every_option_reaches_the_core(
    ties: str, cost: str, variant: str, seed: int, patience: int, tmp_path: Path
) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    grounded = prepare(domain, problem).task
    options = SearchOptions(ties, seed, cost, variant, patience)
    plans = [run(core_task(grounded), configuration("S(hadd)").searches[0], options, LIMITS).plan for _ in range(2)]
    assert plans[0] and plans[0] == plans[1]


def test_seeds_make_a_difference(tmp_path: Path) -> None:
    grounded = prepare(*small_tasks.write(small_tasks.DELIVERY, tmp_path)).task
    search = configuration("S(hgc)").searches[0]
    runs = {run(core_task(grounded), search, SearchOptions(seed=seed), LIMITS).plan for seed in range(10)}
    assert len(runs) > 1


def test_text_lists_all_names() -> None:
    lines = listing.as_text(ENGINES).splitlines()
    for name in [*NAMES, *ENGINES, *(entry["name"] for entry in heuristics())]:
        assert any(line.startswith(name + " ") for line in lines)


def test_markdown_is_five_tables_of_even_rows() -> None:
    tables = listing.as_markdown(ENGINES).strip().split("\n\n")
    assert len(tables) == 5
    for table in tables:
        bars = {line.replace("\\|", "").count("|") for line in table.splitlines()}
        assert len(bars) == 1


def test_json_says_the_same() -> None:
    data = json.loads(listing.as_json(ENGINES))
    assert [entry["name"] for entry in data["configurations"]] == NAMES
    assert [entry["name"] for entry in data["configurations"] if entry["default"]] == [DEFAULT]
    assert len(next(entry for entry in data["configurations"] if entry["default"])["members"]) == 6
    assert data["heuristics"] == heuristics() and data["algorithms"] == algorithms()
    assert list(data["variations"]) == [str(member) for member in configuration(DEFAULT).searches]


def test_markdown_parses_as_csv_of_names() -> None:
    rows = list(csv.reader(listing.as_markdown(ENGINES).replace("\\|", "!").splitlines(), delimiter="|"))
    named = {row[1].strip(" `").replace("!", "|") for row in rows if len(row) > 1}
    assert set(NAMES) <= named
