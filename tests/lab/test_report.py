"""Scores by hand-worked figures, and reports that a reader and a real browser can open."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError, InputError
from numbat.lab import report, results
from numbat.lab.cli import main
from numbat.lab.outcome import OUTCOMES
from numbat.lab.page import render
from numbat.lab.results import Record
from numbat.lab.scores import Column, Table, agile_score, paper_coverage, read_reference, satisficing_score
from tests.browser import different_rows, needs_browser, screenshot

MEMORY = 2 << 30
OURS, OTHER = Column("S(hadd)", 10.0, MEMORY), Column("S(hmd)", 10.0, MEMORY)


def run(planner: str, domain: str, number: int, outcome: str = "solved", **values: object) -> Record:
    known: dict[str, object] = {"cpu": 10.0, "log": f"runs/{domain}/{number}", "exit_code": 0, "machine": "abacus"}
    if outcome == "solved":
        known |= {"cpu": 0.5, "plan_cpu": 0.5, "length": 10, "cost": 10.0, "statistics": {"expanded": 100 * number}}
    return Record(planner, domain, f"pfile{number}", 10.0, MEMORY, outcome=outcome, **{**known, **values})  # type: ignore[arg-type]


RECORDS = [
    run("S(hadd)", "rover", 1, cost=20.0),
    run("S(hadd)", "rover", 2, plan_cpu=math.sqrt(300.0), cost=0.0),
    run("S(hadd)", "rover", 10, "unsolvable"),
    run("S(hadd)", "tpp", 1, "crash", unexplained="ended by SIGSEGV <core>"),
    run("S(hmd)", "rover", 1, cost=5.0),
    run("S(hmd)", "rover", 2, cost=3.0),
    run("S(hmd)", "rover", 10, cost=8.0),
    run("S(hmd)", "tpp", 1, "out-of-time", cpu=2.0),
]


@pytest.fixture
def table() -> Table:
    return Table(RECORDS)


def test_agile_score() -> None:
    assert agile_score(0.0) == agile_score(1.0) == 1.0
    assert agile_score(math.sqrt(300)) == pytest.approx(0.5)
    assert agile_score(300.0) == pytest.approx(0.0)
    assert agile_score(301.0) == agile_score(None) == 0.0


def test_satisficing_score() -> None:
    assert satisficing_score(20.0, 5.0) == 0.25
    assert satisficing_score(0.0, 0.0) == 1.0
    assert satisficing_score(3.0, 0.0) == 0.0
    assert satisficing_score(None, 3.0) == 0.0


def test_table(table: Table) -> None:
    assert table.columns == [OTHER, OURS]  # in the published table's order
    assert table.domains == ["rover", "tpp"]
    assert table.coverage(OURS) == {"rover": 2, "tpp": 0}
    assert table.agile(OURS)["rover"] == pytest.approx(1.5)
    assert table.satisficing(OURS)["rover"] == pytest.approx(0.25 + 1.0)
    assert table.satisficing(OTHER)["rover"] == pytest.approx(1.0 + 0.0 + 1.0)


def test_known_costs_count(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text("domain,problem,cost\nrover,pfile1,2.5\n")
    assert Table(RECORDS, read_reference(file)).satisficing(OTHER)["rover"] == pytest.approx(0.5 + 0.0 + 1.0)
    file.write_text("rover,pfile1,2.5\nrover,pfile2\n")
    with pytest.raises(InputError, match=r"known\.csv:2"):
        read_reference(file)


def test_unexplained_comes_first_and_knows_contradictions(table: Table) -> None:
    assert [(record.problem, reason) for record, reason in table.unexplained()] == [
        ("pfile10", "says unsolvable, but there is a valid plan"),
        ("pfile1", "ended by SIGSEGV <core>"),
    ]
    first, _, rest = report.text(table).partition("COVERAGE")
    assert "SIGSEGV" in first and "SIGSEGV" not in rest
    page = render(table, [])
    assert page.index("ended by SIGSEGV &lt;core&gt;") < page.index("<h2>Coverage")


def test_text_shows_the_paper_beside_ours(table: Table) -> None:
    assert re.search(r"rover +3 +3 \(10\) +2 \(4\)", report.text(table))
    assert "600 s, 8 GB" in report.text(table)


def test_a_busy_machine_is_noticed(table: Table) -> None:
    assert any("1 runs ended for lack of time" in notice for notice in report.notices(table))


def test_csv(table: Table) -> None:
    rows = list(csv.DictReader(io.StringIO(report.coverage_csv(table))))
    assert rows[-1]["S(hadd) (10 s, 2 GB)"] == "2"
    assert rows[0]["S(hadd) (paper, 20 tasks, 600 s, 8 GB, one 3.2 GHz core)"] == "4"
    runs = list(csv.DictReader(io.StringIO(report.runs_csv(table))))
    assert len(runs) == len(RECORDS) and float(runs[0]["search_expanded"]) == 100


def test_markdown(table: Table) -> None:
    lines = report.coverage_markdown(Table([*RECORDS, run("M(3h||3n)", "tpp", 1)])).splitlines()
    assert lines[2] == "| domain | tasks | S(hmd)<br>10 s, 2 GB | S(hadd)<br>10 s, 2 GB | M(3h\\|\\|3n)<br>10 s, 2 GB |"
    assert lines[4] == "| rover | 3 | 3 (10) | 2 (4) | 0 (16) |"
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:]}) == 1


def test_the_published_table_adds_up() -> None:
    sums = {name: sum(column.values()) for name, column in paper_coverage().items()}
    assert sums["S(hadd)"] == 183 and sums["P(3h||3n)"] == 315 and sums["best"] == 367
    assert all(len(column) == 20 for column in paper_coverage().values())


def test_the_page_is_self_contained(table: Table) -> None:
    page = render(table, ["a notice"])
    assert not re.search(r"<script|<link|src=|url\(|https?://", page)
    assert page.count("<svg") == 4


@pytest.mark.parametrize("records", [RECORDS[:1], RECORDS[3:4]], ids=["one solved run", "one failed run"])
def test_small_experiments_have_reports(records: list[Record]) -> None:
    assert "<h2>Coverage" in render(Table(records), [])
    assert "COVERAGE" in report.text(Table(records))


def test_every_outcome_has_a_meaning(table: Table) -> None:
    assert {record.outcome for record in RECORDS} <= set(OUTCOMES)


def test_no_results_is_an_error(tmp_path: Path) -> None:
    (tmp_path / results.FILE_NAME).touch()
    with pytest.raises(ConfigurationError, match="no finished run"):
        main(["report", str(tmp_path)])
    with pytest.raises(InputError, match="cannot be read"):
        main(["report", str(tmp_path / "nothing")])


@pytest.mark.slow
@needs_browser
def test_a_browser_shows_the_page(tmp_path: Path) -> None:
    lines = [json.dumps(asdict(record)) for record in RECORDS]
    (tmp_path / results.FILE_NAME).write_text("\n".join(lines) + "\n")
    assert main(["report", str(tmp_path)]) == 0
    blank = tmp_path / "blank.html"
    blank.write_text("<!DOCTYPE html><title>blank</title>")
    empty = different_rows(screenshot(blank, tmp_path / "blank.png"))
    light = screenshot(tmp_path / "report.html", tmp_path / "light.png")
    dark = screenshot(tmp_path / "report.html", tmp_path / "dark.png", "--force-dark-mode")
    assert different_rows(light) > 20 * empty
    assert light != dark
