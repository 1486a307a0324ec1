"""Processes that work on numbered tasks: a crash or a hang costs one task and is reported.

In, out      seeds → for each seed what `work` returns for it, or a Lost: the process died or did not answer
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

Result = TypeVar("Result")
_PATIENCE = 120.0  # wall seconds for one task
_FORK = get_context("fork")


@dataclass(frozen=True, slots=True)
class Lost:
    """How a process ended that should have answered."""

    reason: str


class _Worker(Generic[Result]):
    """One process, which holds one seed at a time."""

    def __init__(self, work: Callable[[int], Result]) -> None:
        self.connection, theirs = _FORK.Pipe()
        self.process = _FORK.Process(target=_serve, args=(work, theirs, self.connection), daemon=True)
        self.process.start()
        theirs.close()
        self.seed = 0
        self.since = 0.0

    def give(self, seed: int) -> None:
        self.seed, self.since = seed, time.monotonic()
        self.connection.send(seed)

    def take(self) -> Result | Lost:
        try:
            answer: Result = self.connection.recv()
            return answer
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode or 0
            return Lost(f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}")

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(work: Callable[[int], Result], connection: Connection, theirs: Connection) -> None:
    theirs.close()
    while True:
        try:
            seed = connection.recv()
        except EOFError:
            os._exit(0)
        connection.send(work(seed))


def run(work: Callable[[int], Result], seeds: Iterator[int], jobs: int) -> Iterator[tuple[int, Result | Lost]]:
    """All answers, as they come."""
    workers: list[_Worker[Result]] = []
    try:
        for seed in (next(seeds, None) for _ in range(jobs)):
            if seed is not None:
                workers.append(_Worker(work))
                workers[-1].give(seed)
        while workers:
            ready = wait([worker.connection for worker in workers], timeout=1)
            for worker in list(workers):
                answer: Result | Lost
                if worker.connection in ready:
                    answer = worker.take()
                elif time.monotonic() - worker.since > _PATIENCE:
                    answer = Lost(f"no answer in {_PATIENCE:.0f} s")
                else:
                    continue
                seed, following = worker.seed, next(seeds, None)
                if isinstance(answer, Lost) or following is None:
                    workers.remove(worker)
                    worker.end()
                    worker = _Worker(work) if following is not None else worker
                    workers += [worker] if following is not None else []
                if following is not None:
                    worker.give(following)
                yield seed, answer
    finally:
        for worker in workers:
            worker.end()
