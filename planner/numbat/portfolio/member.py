"""A member of a portfolio in a process group of its own: fork, pause, resume, measure, end, and its one message.

Leader       the forked process that runs a callable and sends its Outcome, pickled, through a pipe
Group        the leader and whatever processes it has started: paused, resumed, measured and killed as one
Guarantee    the group dies with the planner, also if it is paused and also if the planner is killed by SIGKILL: the
             planner alone holds the writing end of a pipe, and the kernel sends SIGKILL to the whole group when it is
             closed (F_SETOWN, F_SETSIG, O_ASYNC). Only a process that leaves the group (setsid) survives.
Not here     when to do what (runner), which processes there are and what they hold (processes)
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import os
import pickle
import signal
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from numbat.engines.board import Board
from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.processes import ProcessGroup

_PR_SET_PDEATHSIG = 1
_PROCESS_MRELEASE = 448
_F_SETSIG = 10
_SIGKILL = int(signal.SIGKILL)  # ctypes takes a plain number faster
_LIBC = ctypes.CDLL(None, use_errno=True)
_kill, _system_call = _LIBC.kill, _LIBC.syscall
# A message begins with its length.
_LENGTH = struct.Struct("=Q")

# What a member runs: from its board and its time (CPU seconds) to an outcome.
Work = Callable[[Board, float], Outcome]


@dataclass(frozen=True, slots=True)
class Failure:
    """It ended without an outcome."""

    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a group that has ended used: CPU seconds, of which some nobody has waited for, and peak resident bytes."""

    cpu: float
    peak: int
    unclaimed_cpu: float


class RunningMember:
    """One process group. It starts running at once."""

    _lifelines: ClassVar[set[int]] = set()  # the writing ends that the planner holds

    def __init__(self, work: Work, *, time: float, memory: int) -> None:
        self.board = Board()
        self.board.allow(memory)
        self.paused = False
        self.measured = False  # has anybody asked what it holds?
        self._at_rest: tuple[float, int] | None = None  # CPU seconds and resident bytes of a paused group
        self._message = bytearray()
        self.pipe, write = os.pipe()
        lifeline, self._lifeline = os.pipe()
        self._lifelines.add(self._lifeline)
        planner = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _live(lambda: work(self.board, time), planner, (lifeline, self._lifelines), write)
        # On both sides of the fork: neither may go on before it is done.
        with contextlib.suppress(PermissionError, ProcessLookupError):
            os.setpgid(self.pid, self.pid)
        self._group = ProcessGroup(self.pid)
        # Later members must not inherit the writing end, or this one's end of file would wait for theirs.
        os.close(write)
        os.close(lifeline)
        os.set_blocking(self.pipe, False)

    @property
    def reporting(self) -> bool:
        """The first bytes of the outcome are here: it is about to end."""
        return bool(self._message)

    def cpu(self) -> float:
        """CPU seconds of the group so far."""
        return self._usage()[0] if self.paused else self._group.cpu()

    def resident(self) -> int:
        """Resident bytes of the group."""
        self.measured = True
        return self._usage()[1] if self.paused else self._group.resident()

    def _usage(self) -> tuple[float, int]:
        """Of a paused group, which does not change: measured once in every pause."""
        if self._at_rest is None:
            self._at_rest = self._group.cpu(), self._group.resident()
        return self._at_rest

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)
        self.paused = True

    def resume(self) -> None:
        self._signal(signal.SIGCONT)
        self.paused = False
        self._at_rest = None

    def read(self) -> bool:
        """Take what is in the pipe; True if nothing more is to come.

        What the leader has started may hold the pipe open: its end of file is not waited for.
        """
        try:
            while chunk := os.read(self.pipe, 1 << 16):
                self._message += chunk
        except BlockingIOError:
            return self._is_complete() or self._is_gone()
        return True

    def kill(self) -> None:
        """Let it run no more; `end` is still to be called."""
        self._signal(signal.SIGKILL)

    def kill_and_release(self) -> None:
        """Kill it, and take the leader's memory apart on this core while the kernel does so on another: twice as fast.

        Where there is no other core, or the kernel does not know how, it is killed, no more.
        """
        if len(os.sched_getaffinity(0)) < 2:
            self.kill()
            return
        try:
            descriptor = os.pidfd_open(self.pid)
        except OSError:
            self.kill()
            return
        # A process that has begun to exit can no longer be helped with its memory, so the two calls must follow each
        # other at once. The first use of each takes longer: both are made once without an effect.
        _kill(-self.pid, 0)
        _system_call(_PROCESS_MRELEASE, descriptor, 0)
        _kill(-self.pid, _SIGKILL)
        _system_call(_PROCESS_MRELEASE, descriptor, 0)
        os.close(descriptor)

    def gone_by(self, deadline: float) -> bool:
        """Wait until `end` would not have to, but no longer than until that moment of the monotonic clock."""
        while not self._is_gone():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    def end(self) -> tuple[Outcome | Failure, Usage]:
        """End it if it has not ended, and say how it ended. Call once."""
        before = self._group.cpu()
        self.kill()
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.pipe)
        self._lifelines.remove(self._lifeline)
        os.close(self._lifeline)
        self._group.wait_for_others()
        claimed = usage.ru_utime + usage.ru_stime
        unclaimed = max(0.0, before - claimed) if self._group.had_others else 0.0
        peak = max(usage.ru_maxrss * 1024, self._group.peak)
        return self._ending(status), Usage(claimed + unclaimed, peak, unclaimed)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def _is_gone(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _is_complete(self) -> bool:
        size = _LENGTH.size
        return len(self._message) >= size and len(self._message) - size == _LENGTH.unpack_from(self._message)[0]

    def _ending(self, status: int) -> Outcome | Failure:
        if self._is_complete():
            outcome = pickle.loads(self._message[_LENGTH.size :])
            assert isinstance(outcome, Outcome | Failure)
            return outcome
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if number == signal.SIGXCPU:
            return Outcome(Status.OUT_OF_TIME, reason="its CPU limit was reached")
        how = f"killed by {signal.Signals(number).name}" if number else f"exit status {os.WEXITSTATUS(status)}"
        return Failure(how)


def _live(work: Callable[[], Outcome], planner: int, lifelines: tuple[int, set[int]], write: int) -> None:
    """What the leader does, from its fork to its end; never returns."""
    status = 1
    try:
        # Signals to the planner's group (Ctrl-C, Ctrl-Z, timeout) are for the planner, who decides what becomes of us.
        os.setpgid(0, 0)
        _die_with(planner, *lifelines)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGALRM, signal.SIGPROF):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        gc.disable()
        message = pickle.dumps(_guarded(work), pickle.HIGHEST_PROTOCOL)
        unsent = memoryview(_LENGTH.pack(len(message)) + message)
        while unsent:
            unsent = unsent[os.write(write, unsent) :]
        status = 0
    finally:
        os._exit(status)


def _guarded(work: Callable[[], Outcome]) -> Outcome | Failure:
    try:
        return work()
    except MemoryError:
        return Outcome(Status.OUT_OF_MEMORY)
    except Exception as error:
        if os.environ.get("NUMBAT_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        return Failure(f"{type(error).__name__}: {error}")


def _die_with(planner: int, lifeline: int, others: set[int]) -> None:
    """Have the kernel send SIGKILL to our group when the planner is gone, and go at once if it already is."""
    for writing_end in others:  # our own and those of earlier members: all the planner's
        os.close(writing_end)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpid())
    fcntl.fcntl(lifeline, _F_SETSIG, _SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if _LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0) != 0 or os.getppid() != planner:
        os._exit(1)
