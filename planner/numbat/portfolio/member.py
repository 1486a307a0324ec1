"""A member of a portfolio in its own process: fork, pause, resume, end, and the one message it sends.

Child        runs a callable and sends its Outcome, pickled, through a pipe; the pipe's end of file is its end
Board        a row of doubles shared with the parent: progress out, memory ceiling in (_core.pyi, BOARD_*)
Guarantee    a child dies with its parent, also if it is paused and also if the parent is killed by SIGKILL
Not here     when to do what (runner)
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from numbat.search.outcome import CRASHED, OUT_OF_MEMORY, OUT_OF_TIME, Outcome
from numbat.task.grounded import Doubles

_PR_SET_PDEATHSIG = 1
_PROCESS_MRELEASE = 448
_SIGKILL = int(signal.SIGKILL)  # ctypes takes a plain number faster
_LIBC = ctypes.CDLL(None, use_errno=True)
_kill, _system_call = _LIBC.kill, _LIBC.syscall

# What a child runs: from its board and its time (CPU seconds) to an outcome.
Work = Callable[[Doubles, float], Outcome]


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Where on its board a member writes the bytes it holds and its progress, and where it reads what it may hold."""

    size: int
    memory: int
    memory_limit: int
    progress: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a child that has ended used: CPU seconds and peak resident bytes."""

    cpu: float
    peak: int


class Child:
    """One process. It starts running at once."""

    def __init__(self, work: Work, layout: BoardLayout, *, time: float, memory: int) -> None:
        self.board: Doubles = np.frombuffer(mmap.mmap(-1, layout.size * 8), dtype=np.float64)
        self._layout = layout
        self.paused = False
        self.allow(memory)
        self._message = bytearray()
        self.pipe, write = os.pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _live(work, self.board, time, parent, write)
        # Later children must not inherit the writing end, or this one's end of file would wait for theirs.
        os.close(write)
        os.set_blocking(self.pipe, False)

    @property
    def reporting(self) -> bool:
        """The first bytes of the outcome are here: it is about to end."""
        return bool(self._message)

    def progress(self) -> dict[str, float]:
        """What it has posted so far."""
        return {name: float(self.board[slot]) for name, slot in self._layout.progress.items()}

    def allow(self, memory: int) -> None:
        """It may allocate so many bytes more than it holds now."""
        self.board[self._layout.memory_limit] = self.board[self._layout.memory] + max(1, memory)

    def pause(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)
        self.paused = True

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)
        self.paused = False

    def read(self) -> bool:
        """Take what is in the pipe; True at its end."""
        try:
            while chunk := os.read(self.pipe, 1 << 16):
                self._message += chunk
        except BlockingIOError:
            return False
        return True

    def kill(self) -> None:
        """Let it run no more; `end` is still to be called."""
        os.kill(self.pid, signal.SIGKILL)

    def kill_and_release(self) -> None:
        """Kill it, and take its memory apart on this core while the kernel does so on another: twice as fast.

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
        # Who has begun to exit cannot be helped any more, so the two calls follow each other at once, both made before
        # in vain: the first time takes a little longer.
        _kill(self.pid, 0)
        _system_call(_PROCESS_MRELEASE, descriptor, 0)
        _kill(self.pid, _SIGKILL)
        _system_call(_PROCESS_MRELEASE, descriptor, 0)
        os.close(descriptor)

    def gone_by(self, deadline: float) -> bool:
        """Wait until `end` would not have to, but no longer than until that moment of the monotonic clock."""
        while not os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    def end(self) -> tuple[Outcome, Usage]:
        """End it if it has not ended, and say how it ended. Call once."""
        self.kill()
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.pipe)
        return self._outcome(status), Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)

    def _outcome(self, status: int) -> Outcome:
        try:
            outcome = pickle.loads(self._message)
        except (pickle.UnpicklingError, EOFError):
            outcome = None
        if isinstance(outcome, Outcome):
            return outcome
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if number == signal.SIGXCPU:
            return Outcome(OUT_OF_TIME, reason="its CPU limit was reached")
        how = f"killed by {signal.Signals(number).name}" if number else f"exit status {os.WEXITSTATUS(status)}"
        return Outcome(CRASHED, reason=how)


def _live(work: Work, board: Doubles, time: float, parent: int, write: int) -> None:
    """The child's whole life; never returns."""
    status = 1
    try:
        _die_with(parent)
        # Signals to our whole group (Ctrl-C, Ctrl-Z, timeout) are for the parent, who decides what becomes of us.
        os.setpgid(0, 0)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        gc.disable()
        message = memoryview(pickle.dumps(_guarded(work, board, time), pickle.HIGHEST_PROTOCOL))
        while message:
            message = message[os.write(write, message) :]
        status = 0
    finally:
        os._exit(status)


def _guarded(work: Work, board: Doubles, time: float) -> Outcome:
    try:
        return work(board, time)
    except MemoryError:
        return Outcome(OUT_OF_MEMORY)
    except Exception as error:
        if os.environ.get("NUMBAT_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        return Outcome(CRASHED, reason=f"{type(error).__name__}: {error}")


def _die_with(parent: int) -> None:
    """Have the kernel send SIGKILL when the parent is gone, and go at once if it already is."""
    if _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0 or os.getppid() != parent:
        os._exit(1)
