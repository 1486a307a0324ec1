"""Fake members for the runner: callables that succeed, hang, crash or eat memory in a real child process."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from numbat.portfolio.interruption import Interruption
from numbat.portfolio.member import BoardLayout, Work
from numbat.portfolio.memory import MemoryLimit, resident
from numbat.portfolio.runner import Decision, Ending, Resources, Runner
from numbat.portfolio.schedule import Pattern, Schedule
from numbat.portfolio.stopwatch import Stopwatch
from numbat.search.outcome import EXHAUSTED_PRUNED, OUT_OF_MEMORY, SOLVED, Outcome
from numbat.task.grounded import Doubles

MEGABYTE = 1 << 20
LAYOUT = BoardLayout(size=8, memory=3, memory_limit=4)


def succeed(board: Doubles, seconds: float) -> Outcome:
    return Outcome(SOLVED, (1, 2, 3))


def succeed_after(awake: float) -> Work:
    """Solves the task after so many seconds in which it was not paused, however busy the machine is."""

    def work(board: Doubles, seconds: float) -> Outcome:
        _stay_awake(awake)
        return Outcome(SOLVED, (7,))

    return work


def exhaust_after(awake: float) -> Work:
    def work(board: Doubles, seconds: float) -> Outcome:
        _stay_awake(awake)
        return Outcome(EXHAUSTED_PRUNED)

    return work


def long_plan(board: Doubles, seconds: float) -> Outcome:
    """Far more than a pipe holds."""
    return Outcome(SOLVED, tuple(range(300_000)))


def burn(board: Doubles, seconds: float) -> Outcome:
    while True:
        pass


def hang(board: Doubles, seconds: float) -> Outcome:
    while True:
        time.sleep(0.01)


def crash(board: Doubles, seconds: float) -> Outcome:
    _stay_awake(0.02)
    faulthandler.disable()  # pytest's, which would print a page
    os.kill(os.getpid(), signal.SIGSEGV)
    return hang(board, seconds)


def fail(board: Doubles, seconds: float) -> Outcome:
    raise ValueError("no such thing")


def hog(board: Doubles, seconds: float) -> Outcome:
    """Eats memory about as fast as a search does, and never looks at its ceiling."""
    eaten = []
    while True:
        eaten.append(np.ones(MEGABYTE // 8))
        board[LAYOUT.memory] = len(eaten) * MEGABYTE
        _stay_awake(0.005)


def obedient_hog(board: Doubles, seconds: float) -> Outcome:
    """Eats memory up to its ceiling, then says so."""
    eaten = []
    while board[LAYOUT.memory] + 4 * MEGABYTE < board[LAYOUT.memory_limit]:
        eaten.append(np.ones(4 * MEGABYTE // 8))
        board[LAYOUT.memory] = len(eaten) * 4 * MEGABYTE
        _stay_awake(0.005)
    return Outcome(OUT_OF_MEMORY, statistics={"eaten": board[LAYOUT.memory]})


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
        self.received.append((member, outcome.status))
        if outcome.status == SOLVED:
            self.plan = outcome.plan
            return Decision.STOP
        return Decision.RETIRE

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
) -> tuple[Ending, Recorder, Runner]:
    """Run fake members to the end."""
    recorder = Recorder(works)
    schedule = Schedule(len(works), pattern or Pattern(first_slice=0.05), cores)
    with Interruption() as interruption:
        resources = Resources(Stopwatch(seconds, cores), MemoryLimit(memory), interruption, LAYOUT, watch)
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
