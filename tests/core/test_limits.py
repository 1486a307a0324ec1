"""Time, memory and the shared board end a search soon enough, whatever the configuration."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from numbat import _core
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task
from tests.core.configurations import CONFIGURATIONS, search
from tests.oracles.builder import Description, Op, When

MEGABYTE = 2**20
ROOT = Path(__file__).resolve().parents[2]


def parity() -> GroundedTask:
    """Three counters in steps of two, an odd goal: infinite, and no heuristic can see that it is hopeless."""
    names = ("x", "y", "z")
    steps = [Op(f"{name}{sign}", effects=[f"{name} {sign}= 2"]) for name in names for sign in "+-"]
    return Description({}, dict.fromkeys(names, 0), steps, ["x = 5", "y = 3", "z = 1"]).task()


def bits(count: int) -> GroundedTask:
    """Switches that can be set in any way, and a goal that asks for one to be on and off at once."""
    switches = {f"p{i}": False for i in range(count)}
    flips = [
        Op(f"flip{i}", effects=[When([f"p{i}"], [f"not p{i}"]), When([f"not p{i}"], [f"p{i}"])]) for i in range(count)
    ]
    end = Op("end", ["p0", "not p0"], ["g"])
    return Description({**switches, "g": False}, {}, [*flips, end], ["g"]).task()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_time_limit(name: str) -> None:
    task = core_task(parity())
    start = time.process_time()
    result = search(task, name, time=0.1, memory=1000 * MEGABYTE)
    elapsed = time.process_time() - start
    assert result.status == "out-of-time"
    assert 0.08 <= elapsed < 0.25


@pytest.mark.parametrize(
    "name",
    [
        "S(hgc)",
        "S(hadd)",
        "S(hmrp+hj)",
        "S(hmd<B,QB>)",
        "S(hmd<A,PN>)",
        "S(hlm)",
        "M(3h||3n)",
        "L(hgc)",
        "L(hadd<B,QB>, hmrp+hj)",
        "Y(hadd)",
        "Y(hmrp+hj, hlm)",
    ],
)
def test_memory_limit_as_the_search_counts_it(name: str) -> None:
    limit = 24 * MEGABYTE
    result = search(bits(24), name, time=60, memory=limit)
    assert result.status == "out-of-memory"
    assert 0.3 * limit <= result.statistics["memory"] <= 1.05 * limit


RESIDENT = """
import sys
from tests.core.bridge import core_task
from tests.core.configurations import search
from tests.core.test_limits import bits

def kilobytes(field):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(field))

task = core_task(bits(26))
before = kilobytes("VmRSS")
result = search(task, sys.argv[1], time=100, memory=int(sys.argv[2]))
print(result.status, 1024 * (kilobytes("VmHWM") - before), int(result.statistics["memory"]))
"""


@pytest.mark.parametrize("name", ["S(hgc)", "S(hmd<B,QB>)", "M(3h)", "L(hmd)", "Y(hadd)"])
def test_memory_limit_as_the_system_counts_it(name: str) -> None:
    limit = 200 * MEGABYTE
    run = subprocess.run(
        [sys.executable, "-c", RESIDENT, name, str(limit)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    status, grown, counted = run.stdout.split()
    assert status == "out-of-memory"
    assert int(counted) <= 1.05 * limit
    assert 0.3 * limit <= int(grown) <= 1.05 * limit


def test_the_board_reports_and_stops() -> None:
    board = np.zeros(_core.BOARD_SIZE)
    results: list[_core.Result] = []
    task = core_task(parity())
    worker = threading.Thread(
        target=lambda: results.append(search(task, "M(3h)", time=30, memory=1000 * MEGABYTE, board=board))
    )
    worker.start()
    time.sleep(0.3)
    evaluated = board[_core.BOARD_EVALUATED]
    assert evaluated > 0
    assert board[_core.BOARD_EXPANDED] > 0
    assert board[_core.BOARD_MEMORY] > 0
    assert 0 < board[_core.BOARD_BEST_H] <= 9
    board[_core.BOARD_STOP] = 1
    worker.join(timeout=5)
    assert results and results[0].status == "stopped"
    assert results[0].statistics["evaluated"] >= evaluated


def test_the_board_replaces_the_memory_limit() -> None:
    board = np.zeros(_core.BOARD_SIZE)
    board[_core.BOARD_MEMORY_LIMIT] = 20 * MEGABYTE
    result = search(bits(24), "S(hgc)", time=60, memory=4000 * MEGABYTE, board=board)
    assert result.status == "out-of-memory"
    assert result.statistics["memory"] <= 1.05 * 20 * MEGABYTE
