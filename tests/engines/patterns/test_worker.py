"""What a solver may do to its process: crash, hang, eat memory, be paused; with stand-ins for the solver."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from numbat.engines.board import PatternProgress
from numbat.engines.patterns.backends import Answer, Solver, load
from numbat.engines.patterns.formula import Formula, Size
from numbat.engines.patterns.reduce import reduce
from numbat.engines.patterns.search import GaveUp, Solved, Unsolvable
from numbat.engines.patterns.worker import Died, OutOfMemory, OutOfTime, Result, run
from numbat.search.run import Limits
from tests.oracles.builder import Op, build

GIGABYTE = 1 << 30
COUNTER = reduce(build({}, {"x": 0}, [Op("up", ["x <= 9"], ["x += 1"])], ["x >= 5"]))
LIMITS = Limits(time=30.0, memory=4 * GIGABYTE)


class Crashing:
    def solve(self, formula: Formula, effort: float) -> Answer:
        os.kill(os.getpid(), signal.SIGTRAP)
        raise AssertionError


class Raising:
    def solve(self, formula: Formula, effort: float) -> Answer:
        raise ValueError("no such value")


class Hungry:
    def solve(self, formula: Formula, effort: float) -> Answer:
        return Answer("unknown", bytearray(3 * GIGABYTE))


class Endless:
    """Ignores its limit."""

    def solve(self, formula: Formula, effort: float) -> Answer:
        while True:
            pass


class Slow:
    """Uses some CPU time, then answers: the action is executed, five times."""

    def solve(self, formula: Formula, effort: float) -> Answer:
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        return Answer("sat", [1, 1, 5])


def children() -> set[int]:
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


def outcome(solver: type[Solver], limits: Limits = LIMITS) -> Result:
    before = children()
    result = run(COUNTER, solver, limits, lambda _: None)
    assert children() == before
    return result


@pytest.mark.parametrize("solver", ["cpsat", "smtlib"])
def test_solves_and_reports(solver: str) -> None:
    told: list[PatternProgress] = []
    assert run(COUNTER, lambda: load(solver), LIMITS, told.append) == Solved((0,) * 5)
    assert told == [PatternProgress(pattern_length=1, copies=1, subgoals=0, of_subgoals=1)]


def test_the_relaxed_fixpoint_is_the_only_proof() -> None:
    far = reduce(build({"p": False}, {"x": 0}, [Op("up", ["x <= 9"], ["x += 1"])], ["x >= 11"]))
    odd = reduce(build({}, {"x": 0}, [Op("up", ["x <= 9"], ["x += 2"])], ["x = 5"]))
    assert run(far, lambda: load("cpsat"), LIMITS, lambda _: None) == Unsolvable()
    assert isinstance(run(odd, lambda: load("cpsat"), LIMITS, lambda _: None, Size(positions=20)), GaveUp)


def test_a_crash_is_contained() -> None:
    assert outcome(Crashing) == Died("the solver's process died: SIGTRAP")
    assert outcome(Raising) == Died("ValueError: no such value")


def test_memory_ends_the_worker_alone() -> None:
    assert outcome(Hungry, Limits(time=30.0, memory=GIGABYTE)) == OutOfMemory()


def test_a_solver_that_ignores_its_limit_is_killed() -> None:
    assert outcome(Endless, Limits(time=0.5, memory=GIGABYTE)) == OutOfTime()


def test_a_pause_longer_than_the_limit_costs_nothing() -> None:
    """The worker is stopped for longer than its time, of which it needs a part only."""

    def pause() -> None:
        while not (found := children() - before):
            time.sleep(0.01)
        worker = found.pop()
        os.kill(worker, signal.SIGSTOP)
        time.sleep(1.5)
        os.kill(worker, signal.SIGCONT)

    before = children()
    pauser = threading.Thread(target=pause)
    pauser.start()
    result = run(COUNTER, Slow, Limits(time=1.0, memory=GIGABYTE), lambda _: None)
    pauser.join()
    assert isinstance(result, Solved)


def test_the_worker_stays_in_the_group_and_dies_with_its_parent(tmp_path: Path) -> None:
    note = tmp_path / "worker"

    class Noting(Endless):
        def solve(self, formula: Formula, effort: float) -> Answer:
            note.with_suffix(".new").write_text(f"{os.getpid()} {os.getpgid(0)}")
            note.with_suffix(".new").rename(note)
            return super().solve(formula, effort)

    parent = os.fork()
    if parent == 0:
        os.setpgid(0, 0)
        run(COUNTER, Noting, LIMITS, lambda _: None)
        os._exit(0)
    while not note.exists():
        time.sleep(0.01)
    worker, group = map(int, note.read_text().split())
    assert group == parent
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{worker}/stat").exists() and " Z " not in Path(f"/proc/{worker}/stat").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
