"""Signals and the time limit, turned into one question (what ended us?) and one exception.

Signals      SIGTERM, SIGINT, SIGHUP and SIGXCPU from outside; SIGALRM is our own alarm at the time limit
Two manners  inside `immediate()` a signal raises Interrupted at once: for long Python work (grounding, validating) that
             can be thrown away. Outside, it is only noted, and `wake` becomes readable: for the runner's loop.
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
}


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
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interruption:
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in _REASONS:
            # Who started us in the background may have told us to ignore some of them.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self.wake)
        os.close(self._write)

    def alarm(self, seconds: float) -> None:
        """Raise the alarm in so many seconds of wall time."""
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))

    @contextmanager
    def immediate(self) -> Iterator[None]:
        """Inside, a signal raises Interrupted; one that came before raises it on entry."""
        self._immediate = True
        try:
            if self.reason:
                raise Interrupted
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
            self.by_clock = number in (signal.SIGALRM, signal.SIGXCPU)
        # Once is enough: a second signal must not interrupt the cleaning up after the first.
        if first and self._immediate:
            raise Interrupted
