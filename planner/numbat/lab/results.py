"""The file of finished runs: one JSON object per line, only ever appended to.

Key          (planner, domain, problem, time, memory): a run with the same key is the same run
Guarantee    a line is written in one piece and reaches the disk before the next run is counted as finished; a kill
             can at most tear the last line, which is repaired when the file is next opened for writing
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import BinaryIO

from numbat.errors import ConfigurationError, InputError, Span

FILE_NAME = "results.jsonl"
LOCK_WAIT = 5.0

RunKey = tuple[str, str, str, float, int]


@dataclass(frozen=True)
class Record:
    """One finished run.

    time, memory     the limits: CPU seconds, bytes
    outcome          one of outcome.OUTCOMES; unexplained: "" or what is wrong with the run
    stopped          "" or the limit for which the lab stopped it
    cpu, wall        seconds used; peak_memory: resident bytes, over the process tree
    plan_cpu         CPU seconds used when its plan was there
    verdict          the referee's sentence on the plan, "" without one; length and cost are the referee's too
    log              folder of its output and plan, relative to the file of results
    """

    planner: str
    domain: str
    problem: str
    time: float
    memory: int
    outcome: str
    unexplained: str = ""
    exit_code: int | None = None
    stopped: str = ""
    cpu: float = 0.0
    wall: float = 0.0
    peak_memory: int = 0
    plan_cpu: float | None = None
    verdict: str = ""
    length: int | None = None
    cost: float | None = None
    statistics: dict[str, object] = field(default_factory=dict)
    log: str = ""
    machine: str = ""
    version: str = ""
    ended: str = ""

    @property
    def key(self) -> RunKey:
        return (self.planner, self.domain, self.problem, self.time, self.memory)

    @property
    def task(self) -> tuple[str, str]:
        return (self.domain, self.problem)

    @property
    def set_up(self) -> float:
        """CPU seconds before the search, as far as the planner tells."""
        return self.statistic("set_up") or 0.0

    def statistic(self, name: str) -> float | None:
        """A number among the statistics."""
        value = self.statistics.get(name)
        return float(value) if isinstance(value, (int, float)) else None


def read(file: Path) -> list[Record]:
    """The finished runs in a file, or in the folder of an experiment; a torn last line is not one."""
    file = file / FILE_NAME if file.is_dir() else file
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(str(file))) from error
    torn = lines.pop()
    records = [_parse(line, Span(str(file), number)) for number, line in enumerate(lines, 1)]
    if torn:
        with contextlib.suppress(InputError):
            records.append(_parse(torn, Span(str(file), len(lines) + 1)))
    return records


def _parse(line: str, span: Span) -> Record:
    try:
        values = json.loads(line)
        return Record(**values)
    except (json.JSONDecodeError, TypeError) as error:
        names = ", ".join(field.name for field in fields(Record))
        raise InputError("not a finished run", span, expected=f"an object with {names}", got=line[:80]) from error


@contextlib.contextmanager
def appending(folder: Path) -> Iterator[Appender]:
    """Open an experiment's file of results for this process alone, repaired."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE_NAME
    with path.open("ab") as file:
        _lock(file, path)
        finished = read(path)
        _repair(path)
        yield Appender(file, finished)


def _lock(file: BinaryIO, path: Path) -> None:
    """Refuse to share the file; wait a little, because workers of a killed experiment take a moment to end."""
    deadline = time.monotonic() + LOCK_WAIT
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise ConfigurationError("another experiment is writing here", Span(str(path))) from None
            time.sleep(0.1)


def _repair(path: Path) -> None:
    """End the last line if it is whole, drop it if it is torn."""
    content = path.read_bytes()
    if not content or content.endswith(b"\n"):
        return
    start = content.rfind(b"\n") + 1
    with path.open("r+b") as file:
        try:
            _parse(content[start:].decode("utf-8"), Span(str(path)))
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        except (InputError, UnicodeDecodeError):
            file.truncate(start)


class Appender:
    """A file of results open for writing, and what it held when it was opened."""

    def __init__(self, file: BinaryIO, finished: list[Record]) -> None:
        self._file = file
        self.finished = finished

    def append(self, record: Record) -> None:
        line = json.dumps(asdict(record), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
        os.write(self._file.fileno(), line.encode("utf-8"))
        os.fsync(self._file.fileno())
