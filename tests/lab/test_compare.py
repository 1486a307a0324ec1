"""Two experiments side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.lab import compare, results
from numbat.lab.cli import main
from numbat.lab.results import Record


def run(planner: str, problem: str, seconds: float | None, domain: str = "ants") -> Record:
    outcome = "out-of-time" if seconds is None else "solved"
    return Record(planner, domain, problem, 10.0, 1 << 30, outcome=outcome, plan_cpu=seconds)


def kinds(before: list[Record], after: list[Record]) -> dict[str, str]:
    return {pair.case[2]: pair.kind for pair in compare.compare(before, after).pairs}


def test_what_is_won_lost_faster_and_slower() -> None:
    before = [run("S(h)", f"p{i}", seconds) for i, seconds in enumerate([None, 2.0, 4.0, 1.0, 1.0, None, 0.1])]
    after = [run("S(h)", f"p{i}", seconds) for i, seconds in enumerate([9.0, None, 1.0, 4.0, 1.2, None, 0.4])]
    expected = ["won", "lost", "faster", "slower", "equal", "equal", "equal"]
    assert kinds(before, after) == {f"p{i}": kind for i, kind in enumerate(expected)}


def test_seeds_are_runs_of_one_case() -> None:
    before = [run("S(h) --seed 1", "p1", 1.0), run("S(h) --seed 2", "p1", None)]
    after = [run("S(h) --seed 3", "p1", 3.0), run("S(h) --seed=4 --pure", "p2", 1.0), run("S(h) --seed 2", "p1", 5.0)]
    found = compare.compare(before, after)
    (pair,) = found.pairs
    assert (pair.before.solved, pair.before.count, pair.before.seconds) == (1, 2, 5.5)
    assert (pair.after.solved, pair.after.count, pair.after.seconds) == (2, 2, 4.0)
    assert pair.kind == "won"
    assert (found.only_before, found.only_after) == (0, 1)
    assert compare.seedless("S(h) --seed=4 --pure") == "S(h) --pure"


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, seconds in (("before", None), ("after", 2.0)):
        with results.appending(tmp_path / name) as file:
            file.append(run("S(h)", "p1", seconds))
            file.append(run("S(h)", "p2", 1.0))
    assert main(["compare", str(tmp_path / "before"), str(tmp_path / "after")]) == 0
    shown = capsys.readouterr().out
    assert "WON (1)\n  ants p1  S(h):  0/1    10.00 s  ->  1/1     2.00 s" in shown
    assert "2 tasks: 1 won, 0 lost, 0 faster, 0 slower, 1 equal; solved 1 -> 2; agile score 1.00 -> 1.88" in shown


def test_single_configurations_are_compared_whatever_their_names() -> None:
    before, after = [run("S(h) --seed 1", "p1", 1.0), run("S(h)", "p2", 1.0)], [run("S(g)", "p1", 9.0)]
    found = compare.compare(before, after)
    (pair,) = found.pairs
    assert (pair.case[0], pair.kind) == ("S(h) -> S(g)", "slower")
    assert (found.only_before, found.only_after) == (1, 0)
    assert compare.compare(before, [*after, run("S(i)", "p1", 1.0)]).pairs == []
