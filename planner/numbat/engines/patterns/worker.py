"""Work with a solver in a process of its own, so that whatever the solver does is contained.

Worker       a fork inside the caller's process group: paused, measured and killed with it, and it dies with the caller
Memory       RLIMIT_AS: what the worker has mapped at its start plus the given bytes. Allocations beyond that fail
Time         CPU seconds of the worker, read by the caller from the worker's own clock, so that a pause costs nothing;
             a worker that is over its time is killed, whatever the solver is doing
In, out      a function and Limits → what it returns, or OutOfTime, OutOfMemory, Died; what it reports on the way
Guarantee    the worker is gone when `run` or `contain` returns or raises
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import resource
import select
import signal
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from numbat.engines.board import PatternProgress
from numbat.engines.patterns.backends import Solver
from numbat.engines.patterns.formula import Size
from numbat.engines.patterns.reduce import Model
from numbat.engines.patterns.search import PatternResult, PatternSearch
from numbat.search.run import Limits

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)
_LENGTH = struct.Struct("=I")
LOOK_SECONDS = 0.1  # how often the caller looks at the worker's clock


@dataclass(frozen=True, slots=True)
class OutOfTime:
    pass


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    pass


@dataclass(frozen=True, slots=True)
class Died:
    """The worker crashed; says how."""

    reason: str


WorkerFailure = OutOfTime | OutOfMemory | Died
Result = PatternResult | WorkerFailure
ReportProgress = Callable[[PatternProgress], None]
Ended = TypeVar("Ended")
Message = TypeVar("Message")
# Reports messages and returns a result; both can be pickled.
Job = Callable[[Callable[[Any], None]], Any]


def run(
    model: Model, solver: Callable[[], Solver], limits: Limits, report: ReportProgress, size: Size | None = None
) -> Result:
    """Search in a worker until it ends or is over its limits. `solver` is called, and imports, in the worker only."""
    return contain(lambda send: PatternSearch(model, solver(), size or Size(), send).run(), limits, report)


def contain(
    work: Callable[[Callable[[Message], None]], Ended], limits: Limits, report: Callable[[Message], None]
) -> Ended | WorkerFailure:
    """Work in a worker until it ends or is over its limits."""
    worker = _Worker(work, limits)
    try:
        result = worker.follow(report)
    finally:
        how, peak = worker.end()
    if result is not None:
        last: Ended | WorkerFailure = result[0]
        return last
    # A solver that cannot allocate aborts, so a death near the limit is one of memory.
    return OutOfMemory() if peak > limits.memory // 2 else Died(f"the solver's process died: {how}")


class _Worker:
    """One process that sends what it has to say through a pipe, as pickled messages with their length in front."""

    def __init__(self, work: Job, limits: Limits) -> None:
        self._limits = limits
        self._pipe, write = os.pipe()
        self._rest = b""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._pipe)
            _live(work, limits.memory, parent, write)
        os.close(write)

    def follow(self, report: Callable[[Any], None]) -> tuple[Any] | None:
        """Until the worker's last message, the end of its time, or its death (None)."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        while True:
            if poll.poll(1000 * LOOK_SECONDS):
                piece = os.read(self._pipe, 1 << 16)
                if not piece:
                    return None
                for last, message in self._messages(piece):
                    if last:
                        return (message,)
                    report(message)
            if _cpu_seconds(self.pid) > self._limits.time:
                return (OutOfTime(),)

    def _messages(self, piece: bytes) -> Iterator[tuple[bool, Any]]:
        """The messages that are complete now, each with whether it is the last one."""
        self._rest += piece
        while len(self._rest) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._rest)[0]
            if len(self._rest) < end:
                break
            yield pickle.loads(self._rest[_LENGTH.size : end])
            self._rest = self._rest[end:]

    def end(self) -> tuple[str, int]:
        """Kill it if it lives; how it ended and its peak of resident bytes."""
        os.kill(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self._pipe)
        signalled = os.WIFSIGNALED(status)
        how = signal.Signals(os.WTERMSIG(status)).name if signalled else f"exit status {os.WEXITSTATUS(status)}"
        return how, usage.ru_maxrss * 1024


def _cpu_seconds(pid: int) -> float:
    """CPU seconds of another process; the kernel's number of its clock is made as clock_getcpuclockid(3) does."""
    return time.clock_gettime((~pid << 3) | 2)


# --- in the worker ---


def _live(work: Job, memory: int, parent: int, pipe: int) -> NoReturn:
    """What the worker does, from its fork to its end."""
    status = 1
    try:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == parent:
            gc.disable()
            _limit_memory(memory)
            _send(pipe, last=True, message=_result(work, lambda message: _send(pipe, last=False, message=message)))
            status = 0
    finally:
        os._exit(status)


def _result(work: Job, report: Callable[[Any], None]) -> Any:
    try:
        return work(report)
    except MemoryError:
        return OutOfMemory()
    except Exception as error:
        return Died(f"{type(error).__name__}: {error}")


def _limit_memory(memory: int) -> None:
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = mapped + memory if hard == resource.RLIM_INFINITY else min(mapped + memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _send(pipe: int, *, last: bool, message: object) -> None:
    data = pickle.dumps((last, message), pickle.HIGHEST_PROTOCOL)
    rest = memoryview(_LENGTH.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(pipe, rest) :]
