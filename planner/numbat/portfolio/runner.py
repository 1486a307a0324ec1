"""Runs the members of a portfolio in child processes, within the limits of time and memory, until somebody says stop.

Loop         give turns (schedule) → wait for a message, a signal or the next look → collect outcomes → look at memory
             (memory) → take back turns that are over. A member is paused by SIGSTOP and resumed by SIGCONT.
Members      start at their first turn, so that one that is never needed costs nothing
Memory       policy in the module memory; a member that was ended for it is started once more, afresh, when nobody
             else is alive, and then has all the memory to itself
Guarantee    when run() returns or raises, no child runs
Not here     what an outcome means (Controller, see solve and anytime), signals (interruption)
"""

from __future__ import annotations

import math
import os
import select
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from numbat.portfolio.interruption import Interruption
from numbat.portfolio.member import BoardLayout, Child, Work
from numbat.portfolio.memory import MemoryLimit, resident
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.portfolio.stopwatch import Stopwatch, cpu_of
from numbat.search.outcome import OUT_OF_MEMORY, OUT_OF_TIME, STOPPED, Outcome
from numbat.task.grounded import Doubles

# Between two looks at memory and limits, usually and while memory is getting short (seconds).
LOOK = 0.05
SHORT_LOOK = 0.01
# Ending a process gives its pages back: about so long per byte where pages are small.
TEARDOWN = 0.12 / (1 << 30)
# A member that held so much of the memory it could have alone would not get much further with all of it.
SATISFIED = 0.75
# A turn takes at most so many times its length on the wall clock.
PATIENCE = 3
FINISH = 0.03
# After a signal nobody waits longer than this for killed members to give their memory back: they run no more.
FAREWELL = 0.4


class Decision(Enum):
    """What becomes of the portfolio after an outcome."""

    STOP = auto()  # of everybody
    RETIRE = auto()  # of this member
    AGAIN = auto()  # this member starts afresh at its next turn


class Controller(Protocol):
    """Who knows what the members are for."""

    def launch(self, member: int) -> Work:
        """The work of a member that is about to start."""

    def receive(self, member: int, outcome: Outcome) -> Decision:
        """A member has ended by itself."""

    def next_round(self) -> Iterable[int]:
        """Nobody is alive: the members to start again; none ends the run."""


class Ending(Enum):
    """Why a run ended."""

    STOPPED = "stopped"
    ALL_ENDED = "all members ended"
    TIME = "time"
    INTERRUPTED = "interrupted"


@dataclass(slots=True)
class Record:
    """What happened to one member over the whole run; `outcome` is its last one."""

    name: str
    outcome: Outcome = field(default_factory=lambda: Outcome("not started"))
    starts: int = 0
    evictions: int = 0
    memory_ran_out: bool = False
    seconds: float = 0.0
    cpu: float = 0.0
    peak: int = 0

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "name": self.name,
            "status": self.outcome.status,
            "reason": self.outcome.reason or None,
            "starts": self.starts,
            "evictions": self.evictions,
            "seconds": round(self.seconds, 4),
            "cpu": round(self.cpu, 4),
            "peak_memory": self.peak,
            "statistics": {name: _finite(value) for name, value in self.outcome.statistics.items()},
            "history": [[_finite(value) for value in improvement] for improvement in self.outcome.history],
        }


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a person may want to see while it runs."""

    wall: float
    memory: int
    running: tuple[tuple[str, Doubles], ...]  # names and boards


@dataclass(frozen=True, slots=True)
class Resources:
    """The limits of a run, and how its members' boards are laid out."""

    stopwatch: Stopwatch
    memory: MemoryLimit
    interruption: Interruption
    board: BoardLayout
    watch: Callable[[Snapshot], None] | None = None


@dataclass(slots=True)
class _Running:
    """A turn under way: it ends when the member has used `seconds` of CPU time, or at `latest` on the wall clock.

    CPU time makes turns equally long on a busy machine; the wall clock ends the turn of a member that only waits.
    """

    seconds: float
    latest: float
    cpu_before: float
    charged: float  # until when its wall time is accounted for

    def left(self, cpu: float, now: float) -> float:
        return min(self.seconds - (cpu - self.cpu_before), self.latest - now)


class Runner:
    """One run of a portfolio; see the module's docstring."""

    def __init__(self, names: Iterable[str], controller: Controller, schedule: Schedule, resources: Resources) -> None:
        self.records = [Record(name) for name in names]
        self.controller = controller
        self.schedule = schedule
        self.resources = resources
        self.peak = 0
        self.dying_cpu = 0.0  # of members that were killed, but not yet gone when the run ended
        self._children: dict[int, Child] = {}
        self._turns: dict[int, _Running] = {}
        self._evicted: list[int] = []
        self._pattern = schedule.pattern
        self._held = 0  # bytes of all children at the last look
        self._look = LOOK
        self._stop = False

    def run(self) -> Ending:
        """Until the controller stops it, everybody has ended, or a limit or a signal comes."""
        try:
            while True:
                self._give_turns()
                ending = self._ending()
                if ending is not None:
                    return ending
                self._wait()
                self._collect()
                self._charge()
                self._look_at_memory()
                self._take_back_turns()
        finally:
            self._end_everybody()

    # --- time -----------------------------------------------------------------------------------------------------

    def remaining(self) -> float:
        """Seconds left for searching: what ending everybody will take is set aside."""
        pids = [child.pid for child in self._children.values()]
        return self.resources.stopwatch.remaining(pids) - FINISH - self._held * TEARDOWN

    def _ending(self) -> Ending | None:
        if self.resources.interruption.reason:
            return Ending.TIME if self.resources.interruption.by_clock else Ending.INTERRUPTED
        if self._stop:
            return Ending.STOPPED
        if self._turns:
            return Ending.TIME if self.remaining() <= 0 else None
        return Ending.TIME if self.schedule.alive else Ending.ALL_ENDED

    def _give_turns(self) -> None:
        if self._stop or self.resources.interruption.reason:
            return
        if not self.schedule.alive:
            self._next_round()
        remaining = self.remaining()
        given = []
        while len(self._turns) < self.schedule.cores and (turn := self.schedule.next_turn(remaining)):
            now = time.monotonic()
            latest = now + min(PATIENCE * turn.seconds, self.schedule.owed(turn.member, remaining))
            cpu = cpu_of(self._children[turn.member].pid) if turn.member in self._children else 0.0
            self._turns[turn.member] = _Running(turn.seconds, latest, cpu, now)
            given.append(turn.member)
        for member, child in self._children.items():
            if member not in self._turns and not child.paused and not child.reporting:
                child.pause()
        for member in given:
            self._start_or_resume(member, remaining)

    def _next_round(self) -> None:
        if self._evicted:
            # One after the other: side by side they would outgrow the memory again.
            self.schedule.revive(self._evicted, PATTERNS["sequential"])
            self._evicted = []
        else:
            self.schedule.revive(self.controller.next_round(), self._pattern)

    def _start_or_resume(self, member: int, remaining: float) -> None:
        child = self._children.get(member)
        free = self.resources.memory.free(*self._sizes()) // self.schedule.cores
        if child is None:
            work = self.controller.launch(member)
            self._children[member] = Child(work, self.resources.board, time=remaining, memory=free)
            self.records[member].starts += 1
        elif child.paused:
            child.allow(free)
            child.resume()

    def _charge(self) -> None:
        now = time.monotonic()
        for member, turn in self._turns.items():
            self.schedule.charge(member, now - turn.charged)
            self.records[member].seconds += now - turn.charged
            turn.charged = now

    def _take_back_turns(self) -> None:
        for member, left in self._left().items():
            if left <= 0 and not self._children[member].reporting:
                self._drop_turn(member)

    def _left(self) -> dict[int, float]:
        """How much of its turn each running member has left, at least."""
        now = time.monotonic()
        return {member: turn.left(cpu_of(self._children[member].pid), now) for member, turn in self._turns.items()}

    def _drop_turn(self, member: int) -> None:
        self._turns.pop(member, None)
        self.schedule.end_turn(member)

    # --- messages -------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Until a message, a signal, the end of a turn, or the next look."""
        poll = select.poll()
        poll.register(self.resources.interruption.wake, select.POLLIN)
        for child in self._children.values():
            poll.register(child.pipe, select.POLLIN)
        soonest = min(self._look, self.remaining(), *self._left().values())
        poll.poll(max(0.0, soonest) * 1000)
        self.resources.interruption.drain()

    def _collect(self) -> None:
        for member, child in list(self._children.items()):
            ended = child.read()
            if not ended and child.reporting and child.paused:
                child.resume()  # it was paused in the middle of its last message
            if ended and not self._stop:
                self._charge()
                outcome = self._end(member)
                self._decide(member, outcome)

    def _decide(self, member: int, outcome: Outcome) -> None:
        self.records[member].outcome = outcome
        self.records[member].memory_ran_out |= outcome.status == OUT_OF_MEMORY
        self._drop_turn(member)
        if outcome.status == OUT_OF_MEMORY and self._could_have_more(member):
            self._evict(member)
            return
        decision = self.controller.receive(member, outcome)
        self._stop = decision is Decision.STOP
        if decision is Decision.RETIRE:
            self.schedule.retire(member)

    # --- memory ---------------------------------------------------------------------------------------------------

    def _sizes(self) -> tuple[int, dict[int, int]]:
        members = {member: resident(child.pid) for member, child in self._children.items()}
        return resident(os.getpid()), members

    def _look_at_memory(self) -> None:
        limit = self.resources.memory
        parent, sizes = self._sizes()
        self._held = sum(sizes.values())
        self.peak = max(self.peak, parent + self._held)
        remaining = self.remaining()
        served = {m for m in sizes if m not in self._turns and self.schedule.owed(m, remaining) <= LOOK}
        victim = limit.victim(parent, sizes, served)
        if victim is not None:
            self._decide(victim, self._cut_off(victim, OUT_OF_MEMORY))
            parent, sizes = self._sizes()
        free = limit.free(parent, sizes)
        self._look = SHORT_LOOK if free < 4 * limit.margin else LOOK
        for member in self._turns:
            self._children[member].allow(free // len(self._turns))
        self._tell(parent + self._held)

    def _could_have_more(self, member: int) -> bool:
        """Is it worth starting once more, alone?"""
        record = self.records[member]
        alone = self.resources.memory.free(resident(os.getpid()), {})
        return record.evictions == 0 and record.peak < SATISFIED * alone

    def _evict(self, member: int) -> None:
        """It comes back when nobody else is alive."""
        self.records[member].evictions += 1
        self.records[member].memory_ran_out = True
        self._drop_turn(member)
        self.schedule.retire(member)
        self._evicted.append(member)

    def _tell(self, memory: int) -> None:
        if self.resources.watch:
            running = tuple((self.records[m].name, self._children[m].board) for m in self._turns)
            self.resources.watch(Snapshot(self.resources.stopwatch.wall(), memory, running))

    # --- ends -----------------------------------------------------------------------------------------------------

    def _end(self, member: int) -> Outcome:
        outcome, usage = self._children.pop(member).end()
        record = self.records[member]
        record.cpu += usage.cpu
        record.peak = max(record.peak, usage.peak)
        return outcome

    def _end_everybody(self) -> None:
        deadline = time.monotonic() + FAREWELL
        by_size = sorted(self._children.values(), key=lambda child: resident(child.pid))
        for child in by_size[:-1]:
            child.kill()
        for child in by_size[-1:]:
            child.kill_and_release()
        status = STOPPED if self._stop else OUT_OF_TIME
        for member, child in list(self._children.items()):
            if self.resources.interruption.reason and not child.gone_by(deadline):
                cpu = cpu_of(child.pid)
                self.dying_cpu += cpu
                self.records[member].cpu += cpu
                self.records[member].outcome = Outcome(status, statistics=self._children.pop(member).progress())
            else:
                self.records[member].outcome = self._cut_off(member, status)

    def _cut_off(self, member: int, status: str) -> Outcome:
        """End a member that would have gone on; what it did is known from its board."""
        done = self._children[member].progress()
        self._end(member)
        return Outcome(status, statistics=done)
