"""Planners: how they are called, how their words are read, and ENHSP for real where Java and its jar are."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError, InputError
from numbat.lab import planners, results, speed
from numbat.lab.cli import main
from numbat.lab.results import Record
from tests.lab.conftest import write_suite
from tests.search import small_tasks

ENHSP_HERE = shutil.which("java") is not None and planners._enhsp_jar().is_file()

ENDED = """
h(I):4.0
-------------Time: 10s ; Expanded Nodes: 11 (Avg-Speed 1.0 n/s); Evaluated States: 107
Problem Solved
Search Time (msec): 12500
Expanded Nodes:609
States Evaluated:2303
Number of Dead-Ends detected:1338
Number of Duplicates detected:815
"""
INTERRUPTED = """
-------------Time: 10s ; Expanded Nodes: 1289 (Avg-Speed 128.0 n/s); Evaluated States: 16837
-------------Time: 20s ; Expanded Nodes: 2000 (Avg-Speed 100.0 n/s); Evaluated States: 30000
"""


def test_enhsp_statistics() -> None:
    enhsp = planners.FOREIGN["enhsp:sat-hadd"]
    ended = enhsp.read_statistics(ENDED)
    assert (ended["expanded"], ended["evaluated"], ended["seconds"]) == (609, 2303, 12.5)
    interrupted = enhsp.read_statistics(INTERRUPTED)
    assert (interrupted["expanded"], interrupted["evaluated"], interrupted["seconds"]) == (2000, 30000, 20)
    assert enhsp.read_statistics("nothing of interest") == {}


def test_enhsp_in_its_anytime_mode() -> None:
    command = planners.FOREIGN["enhsp:sat-hadd-anytime"].command
    assert command[command.index("-planner") + 1 :][:2] == ("sat-hadd", "-anytime")
    assert "-anytime" not in planners.FOREIGN["enhsp:sat-hadd"].command


def test_our_statistics_are_summed_over_members() -> None:
    member = {"name": "S(hmd)", "cpu": 3.0, "statistics": {"evaluated": 10, "expanded": 4, "seconds": 0.5}}
    stopped = {"name": "S(hadd)", "cpu": 2.0, "statistics": {}}
    steps = {"start": {"seconds": 0.25, "peak_memory": 9}, "ground": {"seconds": 1.5, "peak_memory": 9}}
    report = {"exit_code": 0, "found_by": "S(hmd)", "plan": ["(ring)"], "front_end": {"steps": steps}}
    report["members"] = [member, stopped]
    report["plans"] = [{"steps": 3, "cost": 2.5, "found_by": "S(hmd)", "after": 0.75}]
    digest = planners.ours("P(3h)").read_statistics(json.dumps(report, indent=2))
    assert digest["found_by"] == "S(hmd)" and "plan" not in digest
    assert (digest["evaluated"], digest["expanded"], digest["seconds"]) == (10, 4, 2.5)
    assert digest["set_up"] == 1.75 and digest["plans"] == [[0.75, 3, 2.5, "S(hmd)"]]
    assert planners.ours("P(3h)").read_statistics("Segmentation fault") == {}


def test_our_command_line() -> None:
    command = planners.ours("S(hadd)").command_line(Path("d"), Path("p"), Path("out"), time=2.5, memory=3 << 30)
    assert command[1] == "-I"
    arguments = command[command.index("solve") :]
    assert arguments[:4] == ["solve", "d", "p", "out"]
    assert arguments[4:] == ["--search", "S(hadd)", "--time", "2.5", "--wall", "7.5", "--memory", "3072M", "--json"]
    assert "--search" not in planners.ours(planners.DEFAULT_NAME).command


def test_unknown_planners_are_errors() -> None:
    with pytest.raises(ConfigurationError, match="no planner 'enhsp:sat-nothing'"):
        planners.find("enhsp:sat-nothing", {})
    with pytest.raises(ConfigurationError, match=r"'S.hfoo.' is not a configuration"):
        planners.find("S(hfoo)", {})
    assert planners.find("S(hadd)", {}).name == "S(hadd)"
    ghost = planners.Planner("ghost", ("no-such-program",))
    with pytest.raises(ConfigurationError, match="no-such-program"):
        planners.find("ghost", {"ghost": ghost})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not a table"),
        ('{"x": {}}', "'x' is not declared properly"),
        ('{"x": {"command": "ls"}}', "'x' is not declared properly"),
        ('{"x": {"command": ["ls"], "colour": "red"}}', "'x' is not declared properly"),
    ],
)
def test_bad_tables_are_errors(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "planners.json"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        planners.read_table(file)


def test_missing_table_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        planners.read_table(tmp_path / "planners.json")


def test_speed_comparison_is_worked_out_by_hand() -> None:
    trial = speed.TRIALS[0]
    ours = Record("S(hadd)", "d", "p", 25, 1, outcome="out-of-time", cpu=20, wall=40, peak_memory=1 << 28)
    theirs = Record("enhsp:sat-hadd", "d", "p", 25, 1, outcome="out-of-time", cpu=20, wall=40, peak_memory=1 << 30)
    assert speed.compare("d p", trial, [ours, theirs]).ratio is None
    ours.statistics.update(evaluated=1000, seconds=10, first_state=0.5)
    theirs.statistics.update(evaluated=100, seconds=20)
    result = speed.compare("d p", trial, [ours, theirs])
    # ENHSP had half a core, so its twenty seconds were ten
    assert result.theirs == speed.Side(10.0, 10.0, 100.0)
    assert result.ours == speed.Side(100.0, 10.0, 4000.0)
    table = speed.render([result])
    assert ["d", "p", "0.50", "s", "4,000", "100", "in", "10.0", "s", "100", "10", "in", "10.0", "s", "10.0"] in [
        line.split() for line in table.splitlines()
    ]
    assert "geometric mean 10.0, least 10.0, over 1 of 1 tasks" in table


def test_speed_counts_two_cores_twice_and_does_without_a_partner() -> None:
    alone = next(trial for trial in speed.TRIALS if trial.theirs is None)
    ours = Record(alone.ours, "d", "p", 25, 1, outcome="solved", cpu=1, wall=1)
    ours.statistics.update(evaluated=50, seconds=0.5)
    assert speed.compare("d p", alone, [ours]).ours.rate == 100
    assert "geometric mean" not in speed.render([speed.compare("d p", alone, [ours])])
    blind = next(pair for pair in speed.TRIALS if pair.counted == "expanded")
    theirs = Record("enhsp:opt-blind", "d", "p", 25, 1, outcome="out-of-time", cpu=30, wall=15)
    theirs.statistics.update(evaluated=9000, expanded=100, seconds=10)
    assert speed.compare("d p", blind, [ours, theirs]).theirs == speed.Side(5.0, 20.0, None)


def test_speed_needs_time_for_a_report_of_enhsp() -> None:
    with pytest.raises(ConfigurationError, match="every 10 s"):
        speed.measure(5, Path("unused"))


@pytest.mark.skipif(not ENHSP_HERE, reason="Java or up-enhsp is not here")
def test_enhsp_and_ours_side_by_side(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, problems=2)
    options = ["--time", "20", "-j", "1", "-o", str(tmp_path / "out")]
    assert main(["run", str(suite), "-p", "S(hadd)", "-p", "enhsp:sat-hadd", *options]) == 0
    found = {(record.planner, record.problem): record for record in results.read(tmp_path / "out")}
    assert len(found) == 4
    for (_, problem), record in found.items():
        assert record.outcome == "solved" and record.unexplained == ""
        assert record.length == int(problem.removeprefix("p"))
        assert record.statistic("evaluated")


@pytest.mark.parametrize("name", ["numbat", "sympy", "json", "site"])
def test_our_planner_imports_nothing_from_where_it_runs(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    files = small_tasks.write(small_tasks.COUNTER, tmp_path)
    words = planners.ours("S(hmd)").command_line(*files, tmp_path / "plan", time=20.0, memory=1 << 30)
    environment = {**os.environ, "PYTHONPATH": "."}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
