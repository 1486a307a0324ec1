"""The user's plan file: replaced whole, in one step, by a draft that no other process can have changed.

Regular      the draft is created beside the file under a name of its own (O_EXCL, O_NOFOLLOW), written, given the mode
             and, as far as we may, the owner of the file that it replaces, and renamed. A new file gets what the umask
             leaves. Afterwards there is the plan, whole, and no other file.
Links        a plan path that is a symbolic link is followed once, at the start: what it points to is replaced or made,
             and the link stays
Kept         PDDL is never replaced by a plan, so that `numbat solve domain.pddl p*.pddl` destroys nothing
Special      character devices and pipes are written to; a pipe that nobody reads is waited for until `expired` says
             that the time is over
Not here     whether a plan deserves to be written (publish)
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import select
import stat
import time
from collections.abc import Callable
from pathlib import Path

from numbat.errors import ConfigurationError, ExitCode, PlannerError
from numbat.task.plan import Plan

# Between two looks whether somebody has opened the other end of a pipe (seconds).
PIPE_LOOK = 0.02
# How a domain or problem begins, after comments; no step of a plan has a second parenthesis.
_PDDL = re.compile(rb"(?:\s|;[^\r\n]*[\r\n])*\(\s*define\s*\(\s*(?:domain|problem)\s", re.IGNORECASE)
_BEGINNING = 1 << 16
_DRAFT = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class PlanNotWritten(PlannerError):
    """A plan was found, but it could not be written."""

    exit_code = ExitCode.DRIVER_CRITICAL_ERROR


class PlanFile:
    """Where plans go: a file that is replaced whole, a device or pipe that is written to, or nowhere."""

    def __init__(self, path: Path | None, expired: Callable[[], bool] = lambda: False) -> None:
        self.path = _resolved(path) if path else None
        self._expired = expired

    def check(self, *inputs: Path, what: str = "the plan") -> None:
        """Refuse a place that cannot be written to, before any work is done."""
        if self.path is None:
            return
        if reason := self._hindrance(inputs):
            raise ConfigurationError(f"cannot write {what} to {self.path}: {reason}")

    def _hindrance(self, inputs: tuple[Path, ...]) -> str:
        """Why the plan cannot go there; empty if it can, as far as one can tell."""
        assert self.path is not None
        folder = self.path.parent
        try:
            if not stat.S_ISDIR(folder.stat().st_mode):
                return f"{folder} is not a directory"
            there = _status(self.path)
        except OSError as error:
            return f"{folder} is not a directory" if error.errno == errno.ENOENT else os.strerror(error.errno or 0)
        if there and stat.S_ISDIR(there.st_mode):
            return "it is a directory"
        if there and (stat.S_ISSOCK(there.st_mode) or stat.S_ISBLK(there.st_mode)):
            return "it is a socket or a block device"
        if any(self.path == Path(os.path.realpath(name)) for name in inputs):
            return "it is an input file"
        if there and stat.S_ISREG(there.st_mode) and _is_pddl(self.path):
            return "it holds a PDDL domain or problem, which would be lost"
        writable = os.access(self.path, os.W_OK) if _is_special(there) else os.access(folder, os.W_OK | os.X_OK)
        return "" if writable else "permission denied"

    def write(self, plan: Plan) -> None:
        if self.path is None:
            return
        text = plan.text().encode("utf-8", "surrogateescape")
        try:
            before = _status(self.path)
            if _is_special(before):
                self._write_special(text)
            else:
                _replace(self.path, text, before)
        except OSError as error:
            raise PlanNotWritten(f"cannot write the plan to {self.path}: {error.strerror}") from error

    def _write_special(self, text: bytes) -> None:
        descriptor = self._opened()
        try:
            ready = select.poll()
            ready.register(descriptor, select.POLLOUT)
            while text:
                try:
                    text = text[os.write(descriptor, text) :]
                except BlockingIOError:
                    self._give_up_if_expired()
                    ready.poll(1000 * PIPE_LOOK)
        finally:
            os.close(descriptor)

    def _opened(self) -> int:
        assert self.path is not None
        while True:
            try:
                return os.open(self.path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
            except OSError as error:
                if error.errno != errno.ENXIO or not self.path.is_fifo():
                    raise
                self._give_up_if_expired()
                time.sleep(PIPE_LOOK)

    def _give_up_if_expired(self) -> None:
        if self._expired():
            raise PlanNotWritten(f"cannot write the plan to {self.path}: nobody reads it")


def _resolved(path: Path) -> Path:
    """Where the path leads; of a device or pipe, which may be reached by a link that is no name, the path itself."""
    with contextlib.suppress(OSError):
        if _is_special(path.stat()):
            return path.absolute()
    return Path(os.path.realpath(path))


def _is_special(status: os.stat_result | None) -> bool:
    return status is not None and not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode)


def _is_pddl(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return _PDDL.match(file.read(_BEGINNING)) is not None
    return False


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _replace(path: Path, text: bytes, before: os.stat_result | None) -> None:
    # Its name does not contain the plan's, which may be as long as names can be.
    draft = path.with_name(f".numbat-{secrets.token_hex(8)}.draft")
    descriptor = os.open(draft, _DRAFT, 0o600 if before else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            if before:
                _take_after(descriptor, before)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _take_after(descriptor: int, before: os.stat_result) -> None:
    """Owner first: a change of owner clears some bits of the mode."""
    with contextlib.suppress(OSError):
        os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
