"""Signals and the time limit, turned into one question (what ended us?) and one exception.

Signals      SIGTERM, SIGINT, SIGHUP and SIGXCPU from outside; SIGALRM and SIGPROF are our own alarms at the limits of
             wall time and of this process's CPU time (of all processes the runner knows)
Inherited    what we were started to ignore stays ignored, except our alarms, and SIGCHLD, without which our children's
             ends were lost to us; what we were started to block is blocked no more
Two modes    inside `immediate()` a signal raises Interrupted at once, or after some seconds of grace: for long Python
             work (grounding, validating) that can be thrown away. Outside, it is only noted, and `wake` becomes
             readable: for the runner's loop.
Not here     what is done then (solve, runner)
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_REASONS = {
    signal.SIGTERM: "terminated (SIGTERM)",
    signal.SIGINT: "interrupted (SIGINT)",
    signal.SIGHUP: "terminal closed (SIGHUP)",
    signal.SIGXCPU: "CPU limit of the shell reached (SIGXCPU)",
    signal.SIGALRM: "time limit reached",
    signal.SIGPROF: "time limit reached",
}
_ALARMS = (signal.SIGALRM, signal.SIGPROF)
# The longest time that an alarm is set for: a year, well within what the system's clocks count.
_LONGEST_ALARM = 3.2e7


class Interrupted(BaseException):
    """Not an Exception: nothing on the way may mistake it for a failure of its own."""


class Interruption:
    """Install as a context manager; the handlers of before come back at its end."""

    def __init__(self) -> None:
        self.reason = ""
        self.by_clock = False
        self.wake, self._write = os.pipe()
        os.set_blocking(self._write, False)
        os.set_blocking(self.wake, False)
        self._immediate = False
        self._grace = 0.0
        self._alarmed = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interruption:
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in _REASONS:
            if number in _ALARMS or signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, _REASONS)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        for number, handler in self._before.items():
            # None is a handler that is not Python's, which only its owner can bring back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self.wake)
        os.close(self._write)

    def alarm(self, wall: float, cpu: float = _LONGEST_ALARM) -> None:
        """Raise the alarm in so many seconds of wall time, or of this process's CPU time if those are over earlier."""
        for clock, seconds in ((signal.ITIMER_REAL, wall), (signal.ITIMER_PROF, cpu)):
            signal.setitimer(clock, min(max(seconds, 1e-6), _LONGEST_ALARM))

    @contextmanager
    def immediate(self, grace: float = 0.0) -> Iterator[None]:
        """Inside, a signal raises Interrupted, after the seconds of grace if it is not the alarm itself.

        One that came before counts as if it came on entry.
        """
        self._immediate = True
        self._grace = grace
        try:
            if self.reason:
                self._interrupt()
            yield
        finally:
            self._immediate = False

    def drain(self) -> None:
        """Make `wake` unreadable again."""
        try:
            while os.read(self.wake, 512):
                pass
        except BlockingIOError:
            pass

    def _note(self, number: int, _frame: FrameType | None) -> None:
        first = not self.reason
        if first:
            self.reason = _REASONS[signal.Signals(number)]
            self.by_clock = number in (*_ALARMS, signal.SIGXCPU)
        self._alarmed |= number in _ALARMS
        # Once is enough: a second signal must not interrupt the cleaning up after the first.
        if self._immediate and (first or self._alarmed):
            self._interrupt()

    def _interrupt(self) -> None:
        if self._grace and not self._alarmed:
            self.alarm(self._grace)
            return
        self._immediate = False
        raise Interrupted
