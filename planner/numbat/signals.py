"""Signals before and after the planning itself, where there is nothing to clean up (meanwhile: run.interruption).

Loading the planner takes some tenths of a second. A signal that comes meanwhile ends the run as one that comes later
does: with a sentence, the documented exit code and no traceback. Once it is known how a run ended, none changes that.
This module is loaded first and therefore imports next to nothing.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU)
# numbat.errors.ExitCode.TRANSLATE_OUT_OF_TIME, which is not loaded yet; a signal counts as time.
_OUT_OF_TIME = 21


def listen() -> None:
    """From now on, end at once when a signal comes that is not ignored."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def end_with_standard_input() -> None:
    """From now on, take the end of standard input, a pipe, for SIGTERM: whoever held its other end is gone."""
    import fcntl
    import select

    if hasattr(fcntl, "F_SETSIG"):  # Linux
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGTERM)
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    if any(event & select.POLLHUP for _, event in poll.poll(0)):  # it was closed before we asked
        os.kill(os.getpid(), signal.SIGTERM)


def settle() -> None:
    """From now on, ignore what was listened to."""
    for number in _listened_to():
        signal.signal(number, signal.SIG_IGN)


def restore() -> None:
    """Treat what was listened to as Python does."""
    for number in _listened_to():
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def _listened_to() -> list[signal.Signals]:
    return [number for number in _SIGNALS if signal.getsignal(number) is _leave]


def _leave(number: int, _frame: FrameType | None) -> None:
    text = f"no plan found ({signal.Signals(number).name} before the search began)"
    try:
        if "--json" in sys.argv:
            os.write(1, f'{{\n  "exit_code": {_OUT_OF_TIME},\n  "error": "{text}"\n}}\n'.encode())
        os.write(2, f"numbat: {text}\n".encode())
    finally:
        os._exit(_OUT_OF_TIME)
