"""The pictures of the results: drawn from the tables that stand beside them, and never older than these.

    python -m tests.docs.test_pictures      draws them anew

Sources      docs/results.csv (every run), docs/results.md (the tables), the published coverage (numbat.lab)
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numbat.explain.page import resource
from numbat.lab import page
from numbat.lab.plots import Dots, dots, standalone
from numbat.lab.results import Record
from numbat.lab.scores import PAPER_SECONDS, PAPER_TASKS, Table, paper_coverage
from tests.docs.conftest import ROOT

FOLDER = ROOT / "docs/pictures"
DEFAULT, SECONDS = "P(3h||3n)", 60.0
TEXT = (ROOT / "docs/results.md").read_text(encoding="utf-8")


def default_runs() -> Table:
    """The runs of the default entry on all tasks."""
    records = []
    with (ROOT / "docs/results.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            limits, cpu = (float(row["time"]), int(row["memory"])), float(row["cpu"])
            records.append(
                Record(row["planner"], row["domain"], row["problem"], *limits, row["outcome"], cpu=cpu, plan_cpu=cpu)
            )
    return Table([record for record in records if (record.planner, record.time) == (DEFAULT, SECONDS)])


def rows(title: str) -> dict[str, list[float]]:
    """The numbers of the first table under a heading of the results; without the last row, which sums up."""
    section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.split("\n") if line[:1] == "|"]
    return {name: [float(value.replace(",", "")) for value in values] for name, *values in cells[2:-1]}


def domains() -> str:
    """Solved tasks of every domain."""
    figures = {name: (after_60, paper, there) for name, (*_, after_60, there, paper) in rows("All 400 tasks").items()}
    names = (f"Numbat, {SECONDS:g} s", f"paper, {PAPER_SECONDS} s", "with a plan")
    chart = Dots(list(figures.items()), names, range(0, PAPER_TASKS + 1, 5), joined=True)
    label = f"solved tasks of {PAPER_TASKS} in each domain: Numbat, the paper's planner, and how many have a plan"
    return dots(chart, label, f"solved tasks of {PAPER_TASKS}")


def speed() -> str:
    """Evaluations per second as multiples of ENHSP's."""
    figures = {name: (ratios[2], ratios[5]) for name, ratios in rows("Evaluations per second, against ENHSP").items()}
    chart = Dots(list(figures.items()), ("S(hadd)", "S(hmrp)"), (1, 2, 5, 10, 20, 50, 100, 200))
    label = "evaluations per second, Numbat's divided by ENHSP's, with two heuristics on eight tasks"
    return dots(chart, label, "evaluations per second, as multiples of ENHSP's")


def pictures() -> dict[str, str]:
    style = resource("plot.css")
    return {
        "coverage.svg": page.picture(default_runs()),
        "domains.svg": standalone(domains(), style),
        "speed.svg": standalone(speed(), style),
    }


@pytest.mark.parametrize("name", pictures())
def test_pictures_are_current(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == pictures()[name], "run: python -m tests.docs.test_pictures"


@pytest.mark.parametrize("name", pictures())
def test_pictures_are_shown_with_a_text_alternative(name: str) -> None:
    alternatives = re.findall(rf"!\[([^\]]*)\]\(pictures/{name}\)", TEXT)
    assert len(alternatives) == 1 and len(alternatives[0]) > 40
    root = ElementTree.fromstring((FOLDER / name).read_text(encoding="utf-8"))
    assert root.get("role") == "img" and root.get("aria-label")


def test_the_table_is_of_these_runs() -> None:
    table = default_runs()
    (column,) = table.columns
    assert len(table.tasks) == 400
    published = paper_coverage()[DEFAULT]
    for domain, (*counts, _, paper) in rows("All 400 tasks").items():
        times = [record.cpu for record in table.solved(column) if record.domain == domain]
        assert counts == [sum(time <= limit for time in times) for limit in (4, 10, 60)], domain
        assert paper == published[domain]


def test_a_row_that_got_worse_is_marked_as_such() -> None:
    def kinds(ours: float, theirs: float) -> list[str]:
        return re.findall(
            r'class="(more|less)"', dots(Dots([("a", (ours, theirs))], "ab", (0, 20), joined=True), "", "")
        )

    assert (kinds(3, 5), kinds(5, 3), kinds(4, 4)) == (["less"], ["more"], [])


@pytest.mark.parametrize("file", ["README.md", "docs/results.md"])
def test_the_words_about_coverage_are_true(file: str) -> None:
    pattern = r"!\[[^\]]* (\d+), the paper's figure, after (\d+) s; (\d+) after (\d+) s"
    words = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))
    assert words is not None
    paper, reached, solved, limit = map(int, words.groups())
    times = sorted(record.cpu for record in default_runs().records if record.outcome == "solved")
    assert paper == sum(paper_coverage()[DEFAULT].values()) and round(times[paper - 1]) == reached
    assert (solved, limit) == (len(times), SECONDS)


if __name__ == "__main__":
    for name, picture in pictures().items():
        Path(FOLDER, name).write_text(picture, encoding="utf-8")
