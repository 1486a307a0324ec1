"""Many runs on the cores of this machine.

Workers      one process per worker, pinned to one core, doing one run at a time (process.py says why a process);
             only this process writes results
Resuming     runs whose key is in the file of results are not repeated; interrupted runs leave no record
Order        tasks in their suites' order, all planners on one task before the next task
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType
from typing import NoReturn

from numbat.lab import results, runs
from numbat.lab.planners import Planner
from numbat.lab.process import Abandoned
from numbat.lab.progress import Progress
from numbat.lab.results import Record
from numbat.lab.runs import Job
from numbat.lab.suites import SuiteTask

IDLE_SECONDS = 0.2
# How long a worker may take to end its run and itself when told to.
GOODBYE_SECONDS = 10.0
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Experiment:
    """Suites x planners under one pair of limits: CPU seconds and bytes."""

    tasks: Sequence[SuiteTask]
    planners: Sequence[Planner]
    time: float
    memory: int
    folder: Path

    def jobs(self) -> list[Job]:
        return [
            Job(planner, task, self.time, self.memory, self.folder) for task in self.tasks for planner in self.planners
        ]


def run(experiment: Experiment, workers: int) -> list[Record]:
    """Do what is not done yet; the records of all runs of the experiment, in its order."""
    jobs = experiment.jobs()
    with results.appending(experiment.folder) as file:
        records = {record.key: record for record in file.finished}
        waiting = [job for job in jobs if job.key not in records]
        progress = Progress(len(jobs), [records[job.key] for job in jobs if job.key in records])
        with _interruptible():
            for record in _distribute(waiting, min(workers, len(waiting))):
                file.append(record)
                records[record.key] = record
                progress.add(record)
        progress.close()
    return [records[job.key] for job in jobs]


@contextmanager
def _interruptible() -> Iterator[None]:
    """A request to terminate ends the experiment as Ctrl-C does: workers first."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Worker:
    """A process that does runs, and the job it is at."""

    def __init__(self, core: int) -> None:
        self.connection, other = _FORK.Pipe()
        self.core = core
        self.job: Job | None = None
        self.process: ForkProcess = _FORK.Process(target=_work, args=(other, core, os.getpid()), daemon=False)
        self.process.start()
        other.close()

    def give(self, job: Job | None) -> None:
        self.job = job
        self.connection.send(job)

    def take(self) -> Record:
        """The record of its job; of a worker that died, one that says so."""
        assert self.job is not None
        try:
            record: Record = self.connection.recv()
            return record
        except (EOFError, ConnectionResetError):
            self.process.join()
            return runs.failure(self.job, f"the lab's own worker died with exit code {self.process.exitcode}")


def _distribute(jobs: Sequence[Job], count: int) -> Iterator[Record]:
    """Records as they come in; each job is done once."""
    cores = sorted(os.sched_getaffinity(0))
    waiting = iter(jobs)
    workers: list[_Worker] = []
    try:
        for index in range(count):
            workers.append(worker := _Worker(cores[index % len(cores)]))
            worker.give(next(waiting, None))
        while busy := {worker.connection: worker for worker in workers if worker.job is not None}:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                record = worker.take()
                if not worker.process.is_alive():
                    workers.remove(worker)
                    workers.append(worker := _Worker(worker.core))
                worker.give(next(waiting, None))
                yield record
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(GOODBYE_SECONDS)
            worker.process.kill()
            worker.process.join()


def _work(connection: Connection, core: int, parent: int) -> None:
    """A worker's loop: it ends with the last job, with its parent, or when told to; its run ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    told_to_end = False

    def end(number: int, frame: FrameType | None) -> NoReturn:
        nonlocal told_to_end
        told_to_end = True  # in case the exception is raised where it is ignored
        sys.exit(1)

    signal.signal(signal.SIGTERM, end)
    os.sched_setaffinity(0, {core})
    while os.getppid() == parent and not told_to_end:
        if connection.poll(IDLE_SECONDS):
            job = connection.recv()
            if job is None:
                return
            try:
                connection.send(runs.execute(job))
            except (Abandoned, BrokenPipeError):
                return
