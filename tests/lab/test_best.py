"""The best known costs: a figure needs a plan, and nothing ever gets worse."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbat.errors import InputError
from numbat.lab import best, results
from numbat.lab.best import Best
from numbat.lab.cli import main
from numbat.lab.results import Record
from tests.lab.conftest import write_suite

NAMES = [("bell", "p1"), ("bell", "p2"), ("bell", "p10"), ("ants", "p1")]
BESTS = st.builds(Best, st.fractions(min_value=0, max_value=50, max_denominator=12), st.integers(0, 40))
TABLES = st.dictionaries(st.sampled_from(NAMES), BESTS)


@given(TABLES, TABLES)
def test_nothing_gets_worse(known: dict[tuple[str, str], Best], better: dict[tuple[str, str], Best]) -> None:
    after = best.merged(known, better)
    assert after.keys() == known.keys() | better.keys()
    for name, entry in after.items():
        assert entry in (known.get(name), better.get(name))
        assert name not in known or entry <= known[name]
        assert name not in better or entry <= better[name]


@given(known=TABLES)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, known: dict[tuple[str, str], Best]) -> None:
    file = tmp_path_factory.getbasetemp() / "known.csv"
    best.write(file, known)
    assert best.read(file) == known


def test_lines_are_in_natural_order_and_exact(tmp_path: Path) -> None:
    known = {name: Best(Fraction(7, 4), 3) for name in NAMES} | {("ants", "p1"): Best(Fraction(1, 3), 1)}
    best.write(tmp_path / "known.csv", known)
    assert (tmp_path / "known.csv").read_text() == (
        "domain,problem,cost,steps\nants,p1,1/3,1\nbell,p1,1.75,3\nbell,p2,1.75,3\nbell,p10,1.75,3\n"
    )


@pytest.mark.parametrize("line", ["bell,p1,x,3", "bell,p1,1/0,3", "bell,p1,1", "bell,p1,1,2.5"])
def test_a_wrong_line_is_told_with_its_place(tmp_path: Path, line: str) -> None:
    (tmp_path / "known.csv").write_text(f"domain,problem,cost,steps\n{line}\n")
    with pytest.raises(InputError, match=r"known\.csv:2.*not a known cost"):
        best.read(tmp_path / "known.csv")


class Lab:
    """Results on the bell's problem 2, which wants two rings; a run rings `rings` times."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.suite = write_suite(folder / "suite", problems=2)
        self.known = folder / "known.csv"

    def run(self, name: str, rings: int, *, says: int | None = None, planner: str = "numbat") -> Path:
        """The folder of an experiment with one run; `says` is the cost it claims."""
        cost = rings if says is None else says
        record = Record(planner, "bell", "p2", 9.0, 1 << 30, "solved", length=cost, cost=float(cost), log="runs/1")
        with results.appending(self.folder / name) as file:
            file.append(record)
        (self.folder / name / "runs/1").mkdir(parents=True)
        (self.folder / name / "runs/1/plan").write_text("(ring)\n" * rings)
        return self.folder / name

    def best(self, *sources: Path, update: bool = True) -> int:
        words = ["best", *map(str, sources), "--known", str(self.known), "--suite", str(self.suite)]
        return main([*words, "--update"] if update else words)

    def entries(self) -> list[str]:
        return self.known.read_text().splitlines()[1:]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_results_improve_the_file_and_never_worsen_it(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    long, short = lab.run("long", 4), lab.run("short", 2)
    assert lab.best(long) == 0 and lab.entries() == ["bell,p2,4,4"]
    assert "bell p2: cost 4 in 4 steps\n1 tasks: 1 new, 0 improved" in capsys.readouterr().out
    assert lab.best(short) == 0 and lab.entries() == ["bell,p2,2,2"]
    assert "bell p2: cost 2 in 2 steps, before cost 4 in 4 steps" in capsys.readouterr().out
    assert lab.best(long) == 0 and lab.entries() == ["bell,p2,2,2"]
    shown = capsys.readouterr().out
    assert "1 tasks: 0 new, 0 improved" in shown
    assert "numbat, 9 s, 1 GB: best known / ours 0.50 of 1 solved (0.5000 each)" in shown


def test_without_update_nothing_is_written(lab: Lab) -> None:
    assert lab.best(lab.run("short", 2), update=False) == 0
    assert not lab.known.exists()


@pytest.mark.parametrize(
    ("rings", "says", "complaint"), [(1, 1, "is not valid"), (3, 2, "is not the plan of the results"), (2, 3, "is not")]
)
def test_a_figure_without_its_plan_is_refused(
    lab: Lab, capsys: pytest.CaptureFixture[str], rings: int, says: int, complaint: str
) -> None:
    wrong, right = lab.run("wrong", rings, says=says), lab.run("right", 4)
    assert lab.best(wrong, right) == 1
    assert complaint in capsys.readouterr().err
    assert lab.entries() == ["bell,p2,4,4"]


def test_a_plan_that_is_gone_is_named(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    gone = lab.run("gone", 2)
    (gone / "runs/1/plan").unlink()
    assert lab.best(gone) == 1 and not lab.known.exists()
    assert "bell p2, numbat: no plan in" in capsys.readouterr().err


def test_plans_of_others_are_not_ours(lab: Lab) -> None:
    assert lab.best(lab.run("other", 2, planner="enhsp:sat-hadd")) == 0
    assert not lab.known.exists()


def test_a_metric_to_be_maximized_is_left_out(lab: Lab) -> None:
    problem = lab.suite / "p2.pddl"
    problem.write_text(problem.read_text().rstrip().removesuffix(")") + "(:metric maximize (rings)))")
    assert lab.best(lab.run("short", 2)) == 0
    assert not lab.known.exists()


def test_the_repository_s_file_is_read() -> None:
    known = best.read(best.DEFAULT)
    assert known and all(entry.cost >= 0 and entry.steps >= 0 for entry in known.values())
