"""One run: call a planner on a task, measure it, judge its plan, say what came of it.

In, out      Job -> Record
Grace        a planner that is told its limits may take GRACE_SECONDS and GRACE_MEMORY beyond them to end by itself;
             a plan counts only if it was there within the limit
Wall clock   WALL_FACTOR times the CPU limit plus WALL_SECONDS, a safety against planners that sleep
"""

from __future__ import annotations

import os
import platform
import re
import shutil
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cache
from hashlib import sha1
from pathlib import Path

import numbat_validate as validate
from numbat import __version__
from numbat.lab import process
from numbat.lab.outcome import CRASH, Judgement, classify, plan_seconds
from numbat.lab.planners import WALL_FACTOR, Planner
from numbat.lab.results import Record, RunKey
from numbat.lab.suites import SuiteTask

GRACE_SECONDS = 1.0
GRACE_MEMORY = 1.1
WALL_SECONDS = 15.0
LARGEST_OUTPUT = 1 << 24


@dataclass(frozen=True)
class Job:
    """A run to be done: `time` in CPU seconds, `memory` in bytes, `root` the experiment's folder."""

    planner: Planner
    task: SuiteTask
    time: float
    memory: int
    root: Path

    @property
    def key(self) -> RunKey:
        return (self.planner.name, self.task.domain, self.task.problem, self.time, self.memory)

    @property
    def log(self) -> str:
        """The run's folder, relative to the experiment's."""
        limits = f"{self.time:g}s-{self.memory >> 20}M"
        return f"runs/{self.task.domain}/{self.task.problem}/{_slug(self.planner.name)}-{limits}"


def _slug(name: str) -> str:
    """A readable file name, distinct for distinct names."""
    plain = re.sub(r"[^A-Za-z0-9.+-]+", "_", name)
    return plain if plain == name else f"{plain}-{sha1(name.encode()).hexdigest()[:6]}"


def execute(job: Job) -> Record:
    """Do the run, in this process; see process.py for what that demands. Never raises for a planner's fault."""
    folder = (job.root / job.log).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        measured = _measure(job, folder)
    except OSError as error:
        return failure(job, f"cannot be started or ended: {error}")
    output = _read(folder / "out.txt")
    judgement = _judge(job, folder)
    finding = classify(job.planner, measured, judgement, time=job.time, output=output + _read(folder / "err.txt"))
    valid = judgement if judgement and judgement.valid else None
    return replace(
        failure(job, finding.unexplained),
        outcome=finding.outcome,
        exit_code=measured.exit_code,
        stopped=measured.stopped,
        cpu=round(measured.cpu, 3),
        wall=round(measured.wall, 3),
        peak_memory=measured.memory,
        plan_cpu=round(plan_seconds(measured), 3) if valid else None,
        verdict="" if judgement is None else judgement.reason,
        length=valid.length if valid else None,
        cost=valid.cost if valid else None,
        statistics=job.planner.read_statistics(output),
    )


def failure(job: Job, reason: str) -> Record:
    """The record of a run that ended without anything to measure."""
    planner, domain, problem, time, memory = job.key
    return Record(
        planner,
        domain,
        problem,
        time,
        memory,
        outcome=CRASH,
        unexplained=reason,
        log=job.log,
        machine=machine(),
        version=__version__,
        ended=datetime.now(timezone.utc).isoformat(timespec="seconds"),
    )


def _measure(job: Job, folder: Path) -> process.Measured:
    planner = job.planner
    grace = (job.time + GRACE_SECONDS, int(job.memory * GRACE_MEMORY))
    cpu, memory = grace if planner.limits_itself else (job.time, job.memory)
    command = planner.command_line(
        job.task.domain_file.resolve(),
        job.task.problem_file.resolve(),
        folder / "plan",
        time=job.time,
        memory=job.memory,
    )
    return process.run(
        command,
        process.TreeLimits(cpu, WALL_FACTOR * job.time + WALL_SECONDS, memory),
        folder=folder,
        environment={**os.environ, **planner.environment},
        awaited=lambda: _is_written(planner.find_plan(folder)),
    )


def _is_written(plan: Path | None) -> bool:
    return plan is not None and plan.stat().st_size > 0


def _judge(job: Job, folder: Path) -> Judgement | None:
    """The referee's judgement of the plan, if there is one."""
    plan = job.planner.find_plan(folder)
    if plan is None:
        return None
    try:
        task = validate.load(job.task.domain_file, job.task.problem_file)
    except (validate.InputError, validate.Unsupported) as error:
        return Judgement(None, f"the referee cannot read the task: {error}")
    try:
        verdict = validate.judge(task, plan)
    except validate.InputError as error:
        return Judgement(False, f"the referee cannot read the plan: {error}")
    except Exception as error:  # a fault of the referee must not end the experiment, and must be seen
        return Judgement(None, f"the referee failed: {type(error).__name__}: {error}")
    return Judgement(verdict.valid, verdict.reason, verdict.length, float(verdict.cost))


def _read(file: Path) -> str:
    """The end of an output file, where the statistics are."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - LARGEST_OUTPUT))
        return stream.read().decode("utf-8", errors="replace")


@cache
def machine() -> str:
    """The processor and the number of its cores, as reports name it."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return f"{model}, {os.cpu_count()} cores"
