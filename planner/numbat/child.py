"""A command of ours as a child process that answers in lines of JSON, and is gone when the caller is done with it.

In, out      words → messages, one object a line, as they come
Input        a pipe to which nothing is written: it is closed when the caller is gone, however it went
Guarantee    after close(), or the timeout, neither the child nor anything it has started runs: it is asked to end
             (SIGTERM, on which the planner ends its members) and killed if it does not, and members die with it
Not here     what is said (numbat.api)
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from numbat.isolated import command
from numbat.quantities import LONGEST_WAIT

# The planner keeps its own limits; so much later (seconds) it is ended, and so long it may take to end.
OVERTIME = 1.0
EXIT_WAIT = 2.0


class ChildFailed(Exception):
    """The child could not be started."""


class Child:
    """One run of a command; a context manager."""

    def __init__(self, module: str, words: Sequence[str], timeout: float | None) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self.timed_out = False
        self._closing = threading.Lock()  # who cancels does so from another thread than the one that reads
        self._deadline = None if timeout is None else time.monotonic() + timeout + OVERTIME
        try:
            self._process = subprocess.Popen(
                [*command(module), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said
            )
        except (OSError, ValueError) as error:  # too long, or with a character that no word may have
            self._said.close()
            raise ChildFailed(f"the planner cannot be started: {error}") from error

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Until the child ends or its time is over."""
        assert self._process.stdout is not None
        rest = b""
        while self._is_readable():
            piece = os.read(self._process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                with contextlib.suppress(ValueError):
                    yield json.loads(line, parse_int=_integer)

    def _is_readable(self) -> bool:
        """Wait for output, or the end of it; False when the time is over."""
        assert self._process.stdout is not None
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        poll = select.poll()
        poll.register(self._process.stdout, select.POLLIN)
        ready = bool(poll.poll(None if left is None else min(1000 * left, LONGEST_WAIT)))
        self.timed_out |= not ready
        return ready

    def last_words(self) -> str:
        """What it wrote to standard error, without our name."""
        self.close()
        return self._words

    def ending(self) -> str:
        """How the process ended."""
        self.close()
        status = self._process.returncode
        return f"ended by signal {-status}" if status < 0 else f"exit code {status}"

    def close(self) -> None:
        """End it, if it has not ended."""
        with self._closing:
            if not self._said.closed:
                self._end()

    def _end(self) -> None:
        if self._process.poll() is None and (self.timed_out or not self._ended_by_itself()):
            self._process.terminate()
            try:
                self._process.wait(EXIT_WAIT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._said.seek(0)
        self._words = self._said.read().decode("utf-8", "replace").strip().removeprefix("numbat: ")
        self._said.close()

    def _ended_by_itself(self) -> bool:
        """Its output is closed: it is about to end."""
        assert self._process.stdout is not None
        poll = select.poll()
        poll.register(self._process.stdout, select.POLLIN)
        if not any(event & select.POLLHUP for _, event in poll.poll(0)):
            return False
        try:
            self._process.wait(EXIT_WAIT)
        except subprocess.TimeoutExpired:
            return False
        return True


def _integer(digits: str) -> int:
    """An integer of any length; Python's own reading of them has a limit."""
    return int(Decimal(digits))
