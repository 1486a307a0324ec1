"""Runs from the command line: planners that do every wrong thing are classified correctly, and experiments resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError, InputError
from numbat.lab import experiment, planners, results, suites
from numbat.lab.cli import main
from numbat.lab.results import Record
from tests.lab.conftest import write_planners, write_suite

ROOT = Path(__file__).resolve().parents[2]
GOOD = "plan.write_text('(ring)\\n' * rings)\n"
TOLD = {"limits_itself": True, "exit_codes": True}


# name -> (planner, outcome, part of what is unexplained)
BEHAVIOURS: dict[str, tuple[str | dict[str, object], str, str]] = {
    "good": (GOOD, "solved", ""),
    "verbose": ("print('x' * 1000000)\n" + GOOD, "solved", ""),
    "wrong": ("plan.write_text('(ring)\\n')\n", "invalid", "goal"),
    "unknown_action": ("plan.write_text('(sing)\\n')\n", "invalid", "sing"),
    "nonsense": ("plan.write_bytes(bytes(range(256)))\n", "invalid", ""),
    "silent": ("", "no-plan", "exit code 0, but no plan"),
    "failing": ("raise SystemExit(7)\n", "crash", "exit code 7"),
    "segfault": ("os.kill(os.getpid(), signal.SIGSEGV)\n", "crash", "SIGSEGV"),
    "spin": ("while True: pass\n", "out-of-time", ""),
    "sleep": ("time.sleep(100)\n", "out-of-time", "wall-clock"),
    "hungry": ("blocks = []\nwhile True: blocks.append(bytearray(10 << 20))\n", "out-of-memory", ""),
    "plan_then_spin": (GOOD + "while True: pass\n", "solved", ""),
    "plan_then_crash": (GOOD + "raise SystemExit(3)\n", "solved", ""),
    "plan_then_error": (GOOD + "raise SystemExit(30)\n", "solved", "yet exit code 30"),
    "plan_too_late": (
        {"body": "while time.process_time() < 1.3: pass\n" + GOOD, **TOLD},
        "out-of-time",
        "",
    ),
    "orphan": (GOOD + "if os.fork() == 0: time.sleep(100)\n", "solved", "left 1 processes behind"),
    "told_spin": ({"body": "while True: pass\n", **TOLD}, "out-of-time", "over its cpu limit"),
    "told_unsolvable": ({"body": "raise SystemExit(11)\n", **TOLD}, "unsolvable", ""),
    "told_incomplete": ({"body": "raise SystemExit(12)\n", **TOLD}, "incomplete", ""),
    "told_time": ({"body": "raise SystemExit(23)\n", **TOLD}, "out-of-time", ""),
    "told_memory": ({"body": "raise SystemExit(22)\n", **TOLD}, "out-of-memory", ""),
    "told_unsupported": ({"body": "raise SystemExit(34)\n", **TOLD}, "unsupported", ""),
    "told_input_error": ({"body": "raise SystemExit(31)\n", **TOLD}, "crash", "exit code 31"),
    "talks": (
        {"body": "print('no solution exists')\n", "says": {"no solution": "unsolvable"}},
        "unsolvable",
        "",
    ),
    "many_plans": (
        {
            "body": "plan.with_name('plan.9').write_text('(ring)')\n"
            "plan.with_name('plan.10').write_text('(ring)\\n' * rings)\n",
            "plan": "plan.*",
        },
        "solved",
        "",
    ),
}


@pytest.fixture(scope="module")
def behaviours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """One experiment with all the misbehaving planners on one task; wall-clock safety shortened by a small limit."""
    folder = tmp_path_factory.mktemp("behaviours")
    suite = write_suite(folder, problems=2)
    (suite / "p1.pddl").unlink()
    table = write_planners(folder / "planners", **{name: planner for name, (planner, _, _) in BEHAVIOURS.items()})
    names = [word for name in BEHAVIOURS for word in ("-p", name)]
    options = ["--time", "1", "--memory", "200M", "-j", "2", "-o", str(folder / "out"), "--planners", str(table)]
    assert main(["run", str(suite), *names, *options]) == 0
    return {record.planner: record for record in results.read(folder / "out")}


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour(behaviours: dict[str, Record], name: str) -> None:
    _, outcome, unexplained = BEHAVIOURS[name]
    record = behaviours[name]
    assert record.outcome == outcome
    assert unexplained in record.unexplained
    if not unexplained and outcome != "invalid":
        assert record.unexplained == ""
    assert (record.length, record.cost) == ((2, 2.0) if record.plan_cpu is not None else (None, None))


def test_every_run_names_its_log(behaviours: dict[str, Record], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = next(tmp_path_factory.getbasetemp().glob("behaviours*")) / "out"
    output = (folder / behaviours["verbose"].log / "out.txt").read_text()
    assert len(output) >= 1000000


def test_a_plan_counts_when_it_was_there(behaviours: dict[str, Record]) -> None:
    record = behaviours["plan_then_spin"]
    assert record.plan_cpu is not None and record.plan_cpu < record.time < record.cpu


def test_a_planner_that_cannot_be_started(tmp_path: Path) -> None:
    ghost = planners.Planner("ghost", (str(tmp_path / "nothing"),))
    plan = experiment.Experiment(suites.select([str(write_suite(tmp_path))]), [ghost], 1.0, 1 << 28, tmp_path / "out")
    (record,) = experiment.run(plan, 1)
    assert record.outcome == "crash" and "cannot be started or ended" in record.unexplained


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, problems=3)
    killer = "if rings == 2: os.kill(os.getppid(), signal.SIGKILL)\n" + GOOD
    table = write_planners(tmp_path / "planners", killer=killer)
    assert (
        main(["run", str(suite), "-p", "killer", "-j", "1", "-o", str(tmp_path / "out"), "--planners", str(table)]) == 0
    )
    records = {record.problem: record for record in results.read(tmp_path / "out")}
    assert records["p1"].outcome == records["p3"].outcome == "solved"
    assert "worker died" in records["p2"].unexplained


def start_lab(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-m", "numbat", "lab", *arguments],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed_and_resumed(tmp_path: Path, how: signal.Signals) -> None:
    suite = write_suite(tmp_path, problems=6)
    starts = tmp_path / "starts"
    starts.mkdir()
    body = f"Path('{starts}', f'{{rings}}-{{os.getpid()}}').touch()\ntime.sleep(0.4)\n" + GOOD
    table = write_planners(tmp_path / "planners", slow=body)
    arguments = ["run", str(suite), "-p", "slow", "-j", "2", "-o", str(tmp_path / "out"), "--planners", str(table)]
    file = tmp_path / "out" / results.FILE_NAME
    lab = start_lab(arguments)
    while not (file.exists() and len(file.read_text().splitlines()) >= 2):
        time.sleep(0.02)
    lab.send_signal(how)
    lab.wait(timeout=30)
    finished_before = {record.problem for record in results.read(file)}
    started_before = {path.name for path in starts.iterdir()}
    assert main(arguments) == 0
    records = results.read(file)
    assert sorted(record.problem for record in records) == [f"p{number}" for number in range(1, 7)]
    assert all(record.outcome == "solved" for record in records)
    started_again = {f"p{path.name.partition('-')[0]}" for path in starts.iterdir() if path.name not in started_before}
    assert not started_again & finished_before


def test_a_torn_line_is_repaired(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, problems=3)
    table = write_planners(tmp_path / "planners", good=GOOD)
    arguments = ["run", str(suite), "-p", "good", "-j", "1", "-o", str(tmp_path / "out"), "--planners", str(table)]
    assert main(arguments) == 0
    file = tmp_path / "out" / results.FILE_NAME
    whole = file.read_bytes()
    for cut in (1, 2, 40):  # without the line's end, and within the line
        file.write_bytes(whole[:-cut])
        expected = 3 if cut == 1 else 2
        assert len(results.read(file)) == expected
        assert main(arguments) == 0
        records = results.read(file)
        assert sorted(record.problem for record in records) == ["p1", "p2", "p3"]
        assert file.read_bytes().endswith(b"}\n")


def test_a_damaged_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / results.FILE_NAME).write_text('{"planner": 1}\n{}\n')
    with pytest.raises(InputError, match=r"results\.jsonl:1"), results.appending(tmp_path):
        pass


def test_two_experiments_do_not_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LOCK_WAIT", 0.0)
    with (
        results.appending(tmp_path),
        pytest.raises(ConfigurationError, match="another experiment"),
        results.appending(tmp_path),
    ):
        pass


def test_workers_are_pinned_to_different_cores(tmp_path: Path) -> None:
    cores = os.sched_getaffinity(0)
    suite = write_suite(tmp_path, problems=2)
    body = "Path('cores').write_text(repr(sorted(os.sched_getaffinity(0))))\ntime.sleep(1)\n" + GOOD
    table = write_planners(tmp_path / "planners", here=body)
    assert (
        main(["run", str(suite), "-p", "here", "-j", "2", "-o", str(tmp_path / "out"), "--planners", str(table)]) == 0
    )
    seen = [json.loads(file.read_text()) for file in (tmp_path / "out").glob("runs/**/cores")]
    assert all(len(mine) == 1 for mine in seen)
    assert {mine[0] for mine in seen} == set(sorted(cores)[:2])
