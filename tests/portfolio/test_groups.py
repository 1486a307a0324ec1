"""Members that start processes of their own: paused, resumed, measured and killed with all of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from numbat.engines.board import Board
from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.member import Failure, RunningMember
from numbat.portfolio.processes import resident
from numbat.portfolio.runner import Ending
from tests.portfolio.fakes import MEGABYTE, hang, play

ROOT = Path(__file__).parents[2]
SLEEPER = [sys.executable, "-c", "import time\nwhile True: time.sleep(0.01)"]
BURNER = [sys.executable, "-c", "while True: pass"]
PARENT = """
from tests.portfolio.fakes import play
from tests.portfolio.test_groups import forking
play([forking] * 3, seconds=60)
"""


def forking(board: Board, seconds: float) -> Outcome:
    """Forks a child that forks another, which nobody in the group is the parent of any more; both hold the pipes."""
    if os.fork() == 0:
        if os.fork() == 0:
            while True:
                time.sleep(0.01)
        os._exit(0)
    os.wait()
    if os.fork() == 0:
        while True:
            time.sleep(0.01)
    return hang(board, seconds)


def spawning(command: list[str]) -> Callable[[Board, float], Outcome]:
    def work(board: Board, seconds: float) -> Outcome:
        subprocess.Popen(command)
        return hang(board, seconds)

    return work


def hogging(board: Board, seconds: float) -> Outcome:
    """Its child eats the memory."""
    if os.fork() == 0:
        eaten = []
        while True:
            eaten.append(np.ones(MEGABYTE // 8))
            time.sleep(0.003)
    return hang(board, seconds)


def finishing(board: Board, seconds: float) -> Outcome:
    """Ends and leaves a process behind that holds its pipes."""
    if os.fork() == 0:
        return hang(board, seconds)
    return Outcome(Status.SOLVED, (1, 2, 3))


def group(leader: int) -> dict[int, str]:
    """The processes of a group and their states, without those that only wait to be collected."""
    states = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, number, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(number) == leader and state not in "ZX":
                states[int(entry.name)] = state
    return states


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def members() -> Iterator[list[RunningMember]]:
    started: list[RunningMember] = []
    yield started
    for member in started:
        member.end()
        assert not group(member.pid)


def start(members: list[RunningMember], work: Callable[[Board, float], Outcome], size: int) -> RunningMember:
    members.append(RunningMember(work, time=60, memory=1 << 30))
    assert eventually(lambda: len(group(members[-1].pid)) == size)
    return members[-1]


@pytest.mark.parametrize(("work", "size"), [(forking, 3), (spawning(SLEEPER), 2)])
def test_pause_and_resume_reach_everybody(
    work: Callable[[Board, float], Outcome], size: int, members: list[RunningMember]
) -> None:
    member = start(members, work, size)
    member.pause()
    assert eventually(lambda: set(group(member.pid).values()) == {"T"})
    member.resume()
    assert eventually(lambda: "T" not in group(member.pid).values())
    assert eventually(lambda: len(group(member.pid)) == size)


def test_memory_and_time_of_all_are_counted(members: list[RunningMember]) -> None:
    member = start(members, spawning(BURNER), 2)
    assert eventually(lambda: member.cpu() > 0.3)
    member.pause()
    assert eventually(lambda: set(group(member.pid).values()) == {"T"})
    assert member.resident() == sum(map(resident, group(member.pid)))


def test_ending_ends_everybody(members: list[RunningMember]) -> None:
    member = start(members, forking, 3)
    members.remove(member)
    ending, _ = member.end()
    assert isinstance(ending, Failure) and not group(member.pid)


def test_a_plan_is_heard_though_somebody_holds_the_pipe() -> None:
    ending, recorder, _ = play([hang, finishing], seconds=30)
    assert ending is Ending.STOPPED and recorder.plan == (1, 2, 3)


def test_the_memory_of_a_childs_child_ends_the_member() -> None:
    limit = resident(os.getpid()) * 3 + 150 * MEGABYTE
    ending, recorder, _ = play([hogging], seconds=30, memory=limit)
    assert ending is Ending.ALL_ENDED and recorder.received == [(0, Status.OUT_OF_MEMORY.value)]


def test_the_time_of_a_childs_child_is_time_of_the_run() -> None:
    started = time.monotonic()
    ending, _, runner = play([spawning(BURNER)] * 2, seconds=2)
    assert ending is Ending.TIME and time.monotonic() - started < 8
    assert 0.05 < sum(record.cpu for record in runner.records) < 2.5


def test_nothing_survives_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT)
    leaders: list[int] = []

    def all_started() -> bool:
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text()
        leaders[:] = map(int, children.split())
        return len(leaders) == 3 and all(len(group(leader)) == 3 for leader in leaders)

    try:
        assert eventually(all_started)
        time.sleep(0.1)
        assert sum("T" in group(leader).values() for leader in leaders) >= 2  # they wait for their turn
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    assert eventually(lambda: not any(map(group, leaders)), 5.0)
