"""Standard output and standard error, which must neither break a run nor hold it up.

In, out      text → why it could not be written, or nothing
Guarantee    waits no longer than it is told for somebody to read, raises nothing, and prints no traceback at the end
Not here     the plan file (numbat.run.plan_file)
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
import time
from typing import TextIO

from numbat.quantities import LONGEST_WAIT

# A pipe that is ready takes so many bytes at once; no character needs more than four.
_PIECE = select.PIPE_BUF // 4


def prepare_standard_files() -> None:
    """Closed ones are occupied, so that none of our pipes takes their numbers; names may hold any character."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor <= 2:
        descriptor = os.dup(descriptor)
    os.close(descriptor)
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def write(stream: TextIO | None, text: str, wait: float) -> str:
    """Write and flush; the reason if that fails, or if it takes more than so many seconds for lack of a reader."""
    if stream is None:
        return "it is closed"
    deadline = time.monotonic() + wait
    try:
        for begin in range(0, len(text), _PIECE):
            if not _is_ready(stream, deadline - time.monotonic()):
                return "nobody reads it"
            stream.write(text[begin : begin + _PIECE])
            stream.flush()
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


def discard_rest() -> None:
    """What could not be written must not be tried again, with a complaint, when the interpreter ends."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _is_ready(stream: TextIO, seconds: float) -> bool:
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return True  # not a file
    ready = select.poll()
    ready.register(descriptor, select.POLLOUT)
    return bool(ready.poll(min(1000 * max(0.0, seconds), LONGEST_WAIT)))
