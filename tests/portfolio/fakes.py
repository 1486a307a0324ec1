"""Fake members for the runner: callables that succeed, hang, crash or eat memory in a real child process."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from numbat.engines.board import Board
from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.member import Work
from numbat.portfolio.memory import MemoryLimit
from numbat.portfolio.processes import resident
from numbat.portfolio.record import CRASHED
from numbat.portfolio.runner import Decision, Ending, Resources, Runner
from numbat.portfolio.schedule import Pattern, Schedule
from numbat.portfolio.stopwatch import Stopwatch
from numbat.run.interruption import Interruption

MEGABYTE = 1 << 20


def succeed(board: Board, seconds: float) -> Outcome:
    return Outcome(Status.SOLVED, (1, 2, 3))


def succeed_after(awake: float) -> Work:
    """Solves the task after so many seconds in which it was not paused, however busy the machine is."""

    def work(board: Board, seconds: float) -> Outcome:
        _stay_awake(awake)
        return Outcome(Status.SOLVED, (7,))

    return work


def exhaust_after(awake: float) -> Work:
    def work(board: Board, seconds: float) -> Outcome:
        _stay_awake(awake)
        return Outcome(Status.GAVE_UP, reason="all tried")

    return work


def long_plan(board: Board, seconds: float) -> Outcome:
    """Far more than a pipe holds."""
    return Outcome(Status.SOLVED, tuple(range(300_000)))


def burn(board: Board, seconds: float) -> Outcome:
    while True:
        pass


def hang(board: Board, seconds: float) -> Outcome:
    while True:
        time.sleep(0.01)


def crash(board: Board, seconds: float) -> Outcome:
    _stay_awake(0.02)
    faulthandler.disable()  # pytest's, which would print a page
    os.kill(os.getpid(), signal.SIGSEGV)
    return hang(board, seconds)


def fail(board: Board, seconds: float) -> Outcome:
    raise ValueError("no such thing")


def hog(board: Board, seconds: float) -> Outcome:
    """Eats memory about as fast as a search does, and never looks at its ceiling."""
    eaten = []
    while True:
        eaten.append(np.ones(MEGABYTE // 8))
        board.memory = len(eaten) * MEGABYTE
        _stay_awake(0.005)


def obedient_hog(board: Board, seconds: float) -> Outcome:
    """Eats memory up to its ceiling, then says so."""
    eaten = []
    while board.memory + 4 * MEGABYTE < board.memory_limit:
        eaten.append(np.ones(4 * MEGABYTE // 8))
        board.memory = len(eaten) * 4 * MEGABYTE
        _stay_awake(0.005)
    return Outcome(Status.OUT_OF_MEMORY, statistics={"eaten": board.memory})


def _stay_awake(seconds: float) -> None:
    awake, last = 0.0, time.monotonic()
    while awake < seconds:
        time.sleep(0.003)
        now = time.monotonic()
        awake += min(now - last, 0.02)  # the rest was a pause
        last = now


class Recorder:
    """A controller that notes what it is told and stops at the first plan."""

    def __init__(self, works: list[Work]) -> None:
        self.works = works
        self.launched: list[int] = []
        self.received: list[tuple[int, str]] = []
        self.plan: tuple[int, ...] | None = None

    def launch(self, member: int) -> Work:
        self.launched.append(member)
        return self.works[member]

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.received.append((member, outcome.status.value))
        if outcome.has_plan:
            self.plan = outcome.plan
            return Decision.STOP
        return Decision.RETIRE

    def failed(self, member: int, reason: str) -> None:
        self.received.append((member, CRASHED))

    def next_round(self) -> Iterable[int]:
        return ()


def play(
    works: list[Work],
    *,
    seconds: float,
    memory: int = 4096 * MEGABYTE,
    pattern: Pattern | None = None,
    cores: int = 1,
    watch: Callable[..., None] | None = None,
    shares: list[float] | None = None,
) -> tuple[Ending, Recorder, Runner]:
    """Run fake members to the end."""
    recorder = Recorder(works)
    schedule = Schedule(shares or [1] * len(works), pattern or Pattern(first_slice=0.05), cores)
    with Interruption() as interruption:
        resources = Resources(Stopwatch(seconds, cores), MemoryLimit(memory), interruption, watch)
        runner = Runner([str(i) for i in range(len(works))], recorder, schedule, resources)
        ending = runner.run()
    return ending, recorder, runner


def children_of(pid: int) -> list[int]:
    """Living children, also paused ones and zombies."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def resident_sum(pid: int) -> int:
    """Resident bytes of a process and its children, shared pages counted once for each, as a batch system does."""
    return sum(map(resident, (pid, *children_of(pid))))
