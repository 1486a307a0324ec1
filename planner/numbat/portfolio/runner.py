"""Runs the members of a portfolio, each in a process group, within the limits of time and memory, until told to stop.

Loop         give turns (schedule) → wait for a message, a signal or the next look → collect outcomes → look at memory
             (memory) → take back turns that are over. A member is paused by SIGSTOP and resumed by SIGCONT.
Members      start at their first turn, so that one that is never needed costs nothing
Memory       policy in the module memory; a member that was ended for it is started once more, afresh, when nobody
             else is alive, and then has all the memory to itself
Guarantee    when run() returns or raises, no member runs
Not here     what an outcome means (Controller, see numbat.run), signals (Interrupts, likewise)
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from numbat.engines.board import Board
from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.member import Failure, RunningMember, Usage, Work
from numbat.portfolio.memory import MemoryLimit
from numbat.portfolio.processes import resident
from numbat.portfolio.record import STOPPED, MemberRecord
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.portfolio.stopwatch import Stopwatch

# Between two looks at memory and limits, usually and while memory is getting short (seconds).
LOOK = 0.05
SHORT_LOOK = 0.01
# Ending a process gives its pages back: about so long per byte where pages are small.
TEARDOWN = 0.12 / (1 << 30)
# A member that held so much of the memory it could have alone would not get much further with all of it.
SATISFIED = 0.75
# A turn takes at most so many times its length on the wall clock.
LONGEST_STRETCH = 3
FINISH = 0.03
# After a signal nobody waits longer than this for killed members to give their memory back: they run no more.
RELEASE_WAIT = 0.4


class Decision(Enum):
    """What becomes of the portfolio after an outcome."""

    STOP = auto()  # of everybody
    RETIRE = auto()  # of this member
    AGAIN = auto()  # this member starts afresh at its next turn
    GO_ON = auto()  # it does so at once, for the rest of its turn


class Controller(Protocol):
    """Who knows what the members are for."""

    def launch(self, member: int) -> Work:
        """The work of a member that is about to start."""

    def receive(self, member: int, outcome: Outcome) -> Decision:
        """A member has ended by itself."""

    def failed(self, member: int, reason: str) -> None:
        """A member has ended without an outcome, and is not started again in this round."""

    def next_round(self) -> Iterable[int]:
        """Nobody is alive: the members to start again; none ends the run."""


class Interrupts(Protocol):
    """What the runner asks about signals: did one come, was it the clock's, and a descriptor that then is readable."""

    reason: str
    by_clock: bool
    wake: int

    def drain(self) -> None:
        """Make `wake` unreadable again."""


class Ending(Enum):
    """Why a run ended."""

    STOPPED = "stopped"
    ALL_ENDED = "all members ended"
    TIME = "time"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a person may want to see while it runs; members by their numbers, as two may have one name."""

    wall: float
    memory: int
    running: tuple[tuple[int, str, Board], ...]
    note: object = ""  # of whoever passes it on, with a text for people


@dataclass(frozen=True, slots=True)
class Resources:
    """The limits of a run, and who watches it."""

    stopwatch: Stopwatch
    memory: MemoryLimit
    interruption: Interrupts
    watch: Callable[[Snapshot], None] | None = None


@dataclass(slots=True)
class _Running:
    """A turn under way: it ends when the member has used `seconds` of CPU time, or at `latest` on the run's clock.

    CPU time makes turns equally long on a busy machine, and is what a member is charged with; the wall clock ends the
    turn of a member that only waits, which is charged with a part of that time.
    """

    seconds: float
    latest: float
    cpu_before: float
    begin: float
    told: float  # until when its record knows that it ran
    charged: float = 0.0

    def left(self, cpu: float, now: float) -> float:
        return min(self.seconds - (cpu - self.cpu_before), self.latest - now)

    def uncharged(self, cpu: float, now: float) -> float:
        """What the member is to be charged with now."""
        before = self.charged
        self.charged = max(before, cpu - self.cpu_before, (now - self.begin) / LONGEST_STRETCH)
        return self.charged - before


class Runner:
    """One run of a portfolio; see the module's docstring."""

    def __init__(self, names: Iterable[str], controller: Controller, schedule: Schedule, resources: Resources) -> None:
        self.records = [MemberRecord(name) for name in names]
        self.controller = controller
        self.schedule = schedule
        self.resources = resources
        self.peak = 0
        self.unclaimed_cpu = 0.0  # of processes that were killed and that nobody has waited for
        self._members: dict[int, RunningMember] = {}
        self._turns: dict[int, _Running] = {}
        self._evicted: list[int] = []
        self._pattern = schedule.pattern
        self._held = 0  # bytes of all children at the last look
        self._look = LOOK
        self._stop = False
        self._clock = resources.stopwatch.wall

    def run(self) -> Ending:
        """Until the controller stops it, everybody has ended, or a limit or a signal comes."""
        self.peak = resident(os.getpid())
        self._tell(self.peak, {})
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
        others = self.unclaimed_cpu + sum(member.cpu() for member in self._members.values())
        return self.resources.stopwatch.remaining(others) - FINISH - self._held * TEARDOWN

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
            now = self._clock()
            latest = now + min(LONGEST_STRETCH * turn.seconds, self.schedule.owed(turn.member, remaining))
            cpu = self._members[turn.member].cpu() if turn.member in self._members else 0.0
            self._turns[turn.member] = _Running(turn.seconds, latest, cpu, now, now)
            given.append(turn.member)
        for number, member in self._members.items():
            if number not in self._turns and not member.paused and not member.reporting:
                member.pause()
        for number in given:
            if number in self._turns:  # it may have been ended to make room for the one before
                self._start_or_resume(number, remaining)
        if given and not self._turns:  # there was no room
            self._give_turns()

    def _next_round(self) -> None:
        if self._evicted:
            # One after the other: side by side they would outgrow the memory again.
            self.schedule.revive(self._evicted, PATTERNS["sequential"])
            self._evicted = []
        else:
            self.schedule.revive(self.controller.next_round(), self._pattern)

    def _start_or_resume(self, number: int, remaining: float) -> None:
        member = self._members.get(number)
        if member is None:
            own = self._make_room(number)
            if own is None:
                self._evict(number)
                return
            free = self.resources.memory.free(*self._sizes()) // self.schedule.cores
            self._members[number] = RunningMember(self.controller.launch(number), time=remaining, memory=free - own)
            self.records[number].starts += 1
        elif member.paused:
            member.board.allow(self.resources.memory.free(*self._sizes()) // self.schedule.cores)
            member.resume()

    def _charge(self) -> None:
        now = self._clock()
        for number, turn in self._turns.items():
            self.schedule.charge(number, turn.uncharged(self._members[number].cpu(), now))
            self.records[number].ran(turn.told, now)
            turn.told = now

    def _take_back_turns(self) -> None:
        for member, left in self._left().items():
            if left <= 0 and not self._members[member].reporting:
                self._drop_turn(member)

    def _left(self) -> dict[int, float]:
        """How much of its turn each running member has left, at least."""
        now = self._clock()
        return {number: turn.left(self._members[number].cpu(), now) for number, turn in self._turns.items()}

    def _drop_turn(self, member: int) -> None:
        self._turns.pop(member, None)
        self.schedule.end_turn(member)

    # --- messages -------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Until a message, a signal, the end of a turn, or the next look."""
        poll = select.poll()
        poll.register(self.resources.interruption.wake, select.POLLIN)
        for member in self._members.values():
            poll.register(member.pipe, select.POLLIN)
        soonest = min(self._look, self.remaining(), *self._left().values())
        poll.poll(max(0.0, soonest) * 1000)
        self.resources.interruption.drain()

    def _collect(self) -> None:
        for number, member in list(self._members.items()):
            ended = member.read()
            if not ended and member.reporting and member.paused:
                member.resume()  # it was paused in the middle of its last message
            if ended and not self._stop:
                self._charge()
                left = self._left().get(number, 0.0)
                ending, usage = self._end(number)
                self._look_back(number, member, usage.peak)
                self._decide(number, ending, left)

    def _decide(self, number: int, ending: Outcome | Failure, left: float = 0.0) -> None:
        """What becomes of a member that has ended, with so much left of its turn."""
        self.records[number].note(ending)
        self._drop_turn(number)
        if isinstance(ending, Failure):
            self.controller.failed(number, ending.reason)
            self.schedule.retire(number)
            return
        if ending.status is Status.OUT_OF_MEMORY and self._could_have_more(number):
            self._evict(number)
            return
        decision = self.controller.receive(number, ending)
        self._stop = decision is Decision.STOP
        if decision is Decision.RETIRE:
            self.schedule.retire(number)
        elif decision is Decision.GO_ON and left > 0:
            self.schedule.resume_turn(number, left)

    # --- memory ---------------------------------------------------------------------------------------------------

    def _sizes(self) -> tuple[int, dict[int, int]]:
        return resident(os.getpid()), {number: member.resident() for number, member in self._members.items()}

    def _look_at_memory(self) -> None:
        limit = self.resources.memory
        parent, sizes = self._sizes()
        self._held = sum(sizes.values())
        self.peak = max(self.peak, parent + self._held)
        if (victim := self._victim(parent, sizes)) is not None:
            self._end_for_memory(victim)
            parent, sizes = self._sizes()
        free = limit.free(parent, sizes)
        self._look = SHORT_LOOK if free < 4 * limit.margin else LOOK
        for member in self._turns:
            self._members[member].board.allow(free // len(self._turns))
        self._tell(parent + self._held, {number: self._members[number].board for number in self._turns})

    def _look_back(self, number: int, ended: RunningMember, peak: int) -> None:
        """At a member that may have come and gone between two looks: then its peak counts beside what others hold."""
        parent, sizes = self._sizes()
        memory = parent + sum(sizes.values()) + (0 if ended.measured else peak)
        self.peak = max(self.peak, memory)
        self._tell(memory, {number: ended.board})

    def _make_room(self, newcomer: int) -> int | None:
        """What one more member, as large as this process at its start, will hold; None: others come first."""
        while True:
            own, sizes = self._sizes()
            victim = self._victim(own, {**sizes, newcomer: own}) if sizes else None
            if victim is None:
                return own
            if victim == newcomer:
                return None
            self._end_for_memory(victim)

    def _victim(self, parent: int, sizes: dict[int, int]) -> int | None:
        remaining = self.remaining()
        served = {m for m in sizes if m not in self._turns and self.schedule.owed(m, remaining) <= LOOK}
        return self.resources.memory.victim(parent, sizes, served, self.schedule.weight)

    def _end_for_memory(self, victim: int) -> None:
        done = self._members[victim].board.progress()
        self._end(victim)
        self._decide(victim, Outcome(Status.OUT_OF_MEMORY, statistics=done))

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

    def _tell(self, memory: int, boards: dict[int, Board]) -> None:
        if self.resources.watch:
            running = tuple((number, self.records[number].name, board) for number, board in boards.items())
            self.resources.watch(Snapshot(self._clock(), memory, running))

    # --- ends -----------------------------------------------------------------------------------------------------

    def _end(self, number: int) -> tuple[Outcome | Failure, Usage]:
        ending, usage = self._members.pop(number).end()
        record = self.records[number]
        record.cpu += usage.cpu
        record.peak = max(record.peak, usage.peak)
        self.unclaimed_cpu += usage.unclaimed_cpu
        return ending, usage

    def _end_everybody(self) -> None:
        deadline = time.monotonic() + RELEASE_WAIT
        by_size = sorted(self._members.values(), key=RunningMember.resident)
        for member in by_size[:-1]:
            member.kill()
        for member in by_size[-1:]:
            member.kill_and_release()
        for number, member in list(self._members.items()):
            record = self.records[number]
            record.status, record.reason = STOPPED if self._stop else Status.OUT_OF_TIME.value, ""
            record.statistics, record.history = member.board.progress(), ()
            if self.resources.interruption.reason and not member.gone_by(deadline):
                cpu = member.cpu()
                self.unclaimed_cpu += cpu
                record.cpu += cpu
                del self._members[number]
            else:
                self._end(number)
