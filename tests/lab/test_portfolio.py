"""Portfolios computed from results: a case worked out by hand, and what the figures must mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError
from numbat.lab import portfolio, results
from numbat.lab.cli import main
from tests.lab.test_compare import run

# seconds by member and task; one domain
HAND_WORKED = {
    "A": {"t1": 1.0, "t2": 1.0, "t3": 50.0, "t4": None},
    "B": {"t1": None, "t2": None, "t3": 5.0, "t4": 5.0},
    "C": {"t1": 40.0, "t2": 40.0, "t3": 40.0, "t4": 40.0},
}


def table(seconds: dict[str, dict[str, float | None]], domain: str = "ants") -> portfolio.Times:
    return {name: {(domain, task): [time] for task, time in row.items()} for name, row in seconds.items()}


def test_hand_worked() -> None:
    chosen = portfolio.choose(table(HAND_WORKED), 20)
    assert chosen.slices == {"A": 1, "B": 5} and list(chosen.slices) == ["A", "B"]
    assert chosen.solved == 4


def test_what_only_one_member_solves_is_lost_when_its_domain_is_left_out() -> None:
    times = {name: dict(row) for name, row in table(HAND_WORKED).items()}
    for name, seconds in (("A", None), ("B", None), ("C", 30.0)):
        times[name]["bees", "t5"] = [seconds]
    chosen = portfolio.choose(times, 100)
    assert chosen.slices == {"A": 1, "B": 5, "C": 30}
    assert chosen.solved == 5
    # without the bees nobody needs C, without the ants nothing but C is chosen, and 30 s of it solve none of them
    assert chosen.solved_left_out == 0


def test_set_up_is_shared() -> None:
    """Of 12 s it takes 4, so that 8 s are shared: a member that searches for 2 s needs 2 of 8, as 3 of 12."""
    record = run("A", "t1", 6.0)
    record.statistics["set_up"] = 4.0
    assert portfolio.times_of([record], 12) == {"A": {("ants", "t1"): [3.0]}}
    assert portfolio.times_of([record], 4) == {"A": {("ants", "t1"): [None]}}


def test_seeds_are_chances() -> None:
    times = {"A": {("ants", "t1"): [1.0, None]}, "B": {("ants", "t1"): [1.0, None]}}
    assert portfolio.expected(times, {"A": 1.0}, [("ants", "t1")]) == 0.5
    assert portfolio.expected(times, {"A": 1.0, "B": 1.0}, [("ants", "t1")]) == 0.75


def test_a_member_that_others_made_superfluous_goes() -> None:
    times = table(
        {
            "early": {"t1": 1.0, "t2": 1.0, "t3": None, "t4": None, "t5": None},
            "late": {"t1": 2.0, "t2": 2.0, "t3": 2.0, "t4": 2.0, "t5": None},
        }
    )
    assert portfolio.choose(times, 10).slices == {"late": 2}


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with results.appending(tmp_path) as file:
        for name, row in HAND_WORKED.items():
            for task, seconds in row.items():
                file.append(run(name, task, seconds))
    output = tmp_path / "best.json"
    assert main(["portfolio", str(tmp_path), "--time", "20", "-o", str(output)]) == 0
    assert "expected to solve 4.0 of 4 tasks" in capsys.readouterr().out
    assert json.loads(output.read_text())["members"][0] == {"search": "A", "seconds": 1}


def test_missing_runs_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        portfolio.times_of([run("A", "t1", 1.0), run("A", "t2", 1.0), run("B", "t1", 1.0)], 10)
    assert caught.value.got == "missing runs of B (1 tasks)"
