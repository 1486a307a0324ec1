"""The gate lets a sound planner pass and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from numbat.errors import InputError
from numbat.lab import gate, suites
from numbat.lab.cli import main
from numbat.lab.results import Record
from tests.lab.conftest import write_planners, write_suite

FLOOR = gate.Floor(["ipc2023"], "numbat", 4, 100, 1, 1, {"bell": ["p9"]})


CODES = {"solved": 0, "unsolvable": 11, "incomplete": 12, "out-of-memory": 22, "out-of-time": 23, "unsupported": 34}


def record(outcome: str, problem: str = "p1", unexplained: str = "", code: int | None = None) -> Record:
    code = CODES.get(outcome, 0) if code is None else code
    return Record("numbat", "bell", problem, 4, 100 << 20, outcome=outcome, unexplained=unexplained, exit_code=code)


SOUND = [record("solved"), record("unsolvable", "p9"), *map(record, ("out-of-time", "out-of-memory", "incomplete"))]


def test_a_sound_planner_passes() -> None:
    assert gate.find_faults(FLOOR, SOUND) == []
    assert gate.render(FLOOR, SOUND, []).splitlines()[-1].startswith("gate passed: 1 of 5 tasks solved (floor 1)")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (record("invalid", unexplained="goal not reached"), "goal not reached"),
        (record("crash", unexplained="exit code 30"), "exit code 30"),
        (record("no-plan", unexplained="exit code 0, but no plan"), "no plan"),
        (record("out-of-time", unexplained="killed for going over"), "killed"),
        (record("unsupported"), "unsupported"),
        (record("out-of-time", code=21), "exit code 21"),
        (record("unsolvable"), "said to be unsolvable"),
        (record("solved", "p9"), "lists it as unsolvable"),
    ],
)
def test_one_fault_closes_it(bad: Record, words: str) -> None:
    (fault,) = gate.find_faults(FLOOR, [*SOUND, bad])
    assert words in fault
    assert "gate FAILED with 1 faults" in gate.render(FLOOR, [*SOUND, bad], [fault])


def test_coverage_below_the_floor() -> None:
    assert gate.find_faults(FLOOR, SOUND[1:]) == ["coverage 0 is below the floor of 1"]


@pytest.mark.parametrize(("body", "code"), [("plan.write_text('(ring)\\n' * rings)", 0), ("raise SystemExit(1)", 1)])
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, code: int) -> None:
    table = write_planners(tmp_path / "planners", mine=body)
    floor = tmp_path / "floor.json"
    values = {**vars(FLOOR), "suites": [str(write_suite(tmp_path, problems=2))], "planner": "mine", "coverage": 2}
    floor.write_text(json.dumps(values))
    assert main(["gate", "--floor", str(floor), "--planners", str(table)]) == code
    assert f"{2 - 2 * code} of 2 tasks solved" in capsys.readouterr().out


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("1", 1), ("", 0), ("false", 0)])
def test_without_benchmarks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, code: int
) -> None:
    monkeypatch.setenv(suites.SUITES["ipc2023"].variable, "/nowhere")
    monkeypatch.setenv("CI", ci)
    assert gate.gate(FLOOR, {}, None) == code
    said = capsys.readouterr()
    assert (said.err if code else said.out).startswith("gate FAILED: " if code else "gate skipped: ")


def test_the_committed_floor_is_readable() -> None:
    floor = gate.read_floor(gate.DEFAULT_FLOOR)
    assert sum(map(len, floor.unsolvable.values())) == 6
    assert floor.coverage <= 394


def test_a_bad_floor_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "floor.json"
    file.write_text('{"coverage": 3, "colour": "red"}')
    with pytest.raises(InputError, match="not a floor"):
        gate.read_floor(file)
