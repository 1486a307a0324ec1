"""From two files to a grounded task and a referee for its plans, with the time and memory each step took.

In, out      paths → FrontEnd: the grounded task, the referee's task, the warnings, and figures for people
One text     each file is read once; planner and referee parse the same copy of it, each with its own parser, so that a
             pipe will do as well and a file may change while we search. What either of them refuses is refused
Memory       while it runs, this process's own data is limited, so that a task that explodes ends with MemoryError
Not here     the steps themselves (numbat.normalise, numbat.ground), what is done with the task (solve)
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numbat_validate as validate
from numbat.errors import InputError, UnsupportedFeature
from numbat.ground import MEMORY, ground_with_report
from numbat.normalise import lift
from numbat.pddl import File, FileOrPath, read_once
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import LiftedTask

NON_LINEAR = "the metric is not linear in the fluents that change: searches count steps, plans are compared by it"


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """The task and how it was made; `steps` maps each step to its CPU seconds and the peak memory after it.

    files   what was read, for whoever has to read it again: a pipe cannot be, and a file may have changed
    """

    files: tuple[File, File]
    lifted: LiftedTask
    task: GroundedTask
    referee: validate.Task
    goal_reachable: bool
    maximize: bool
    warnings: tuple[str, ...]
    grounding: dict[str, Any]
    steps: dict[str, dict[str, float]]


class _Meter:
    def __init__(self) -> None:
        self.steps: dict[str, dict[str, float]] = {"start": _figures(0.0)}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        before = time.process_time()
        yield
        self.steps[name] = _figures(before)


def _figures(before: float) -> dict[str, float]:
    return {"seconds": round(time.process_time() - before, 4), "peak_memory": own_peak()}


def own_peak() -> int:
    """The most that this process has held, in resident bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def prepare(domain: FileOrPath, problem: FileOrPath, memory: int = MEMORY) -> FrontEnd:
    """Read, normalise and ground."""
    meter = _Meter()
    with meter.step("read and normalise"):
        files = read_once(domain), read_once(problem)
        lifted, warnings = lift(*files)
    with meter.step("referee"):
        referee = _referee(*files)
    with meter.step("ground"):
        task, report = ground_with_report(lifted, memory)
    if lifted.metric is not None and not report.metric_linear:
        warnings.append(f"{lifted.metric.expression.span}: {NON_LINEAR}")
    maximize = lifted.metric is not None and lifted.metric.direction == "maximize"
    return FrontEnd(
        files, lifted, task, referee, report.goal_reachable, maximize, tuple(warnings), report.as_dict(), meter.steps
    )


def _referee(domain: File, problem: File) -> validate.Task:
    try:
        return validate.load(domain, problem)
    except validate.InputError as error:
        raise InputError(f"the referee refuses the task: {error}") from error
    except validate.Unsupported as error:
        feature = str(error).removesuffix(" is not supported")
        raise UnsupportedFeature(f"the referee refuses the task: {feature}") from error


@contextmanager
def data_limit(limit: int) -> Iterator[None]:
    """Inside, allocations beyond `limit` bytes fail with MemoryError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
