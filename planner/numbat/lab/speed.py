"""States per second, ours beside ENHSP's: the same heuristic on the same tasks, on one core of one machine.

Rate         evaluated states, or expanded ones where evaluating them is trivial, divided by seconds of search alone;
             reading, grounding and the start of Java do not count
Ours         the core's own count and CPU seconds
ENHSP's      its count and its search time, from its last words if it ended, else from the line it prints every ten
             seconds of search. It measures wall-clock time, so its seconds are multiplied by the cores that the run had
First state  CPU seconds from our start to the first evaluated state
Memory       states per gigabyte of what the process held at most; a Java heap also holds what is no longer needed
Order        one run at a time, the two planners of a trial one after the other
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from numbat.errors import ConfigurationError
from numbat.lab import experiment, planners, suites
from numbat.lab.results import Record

DOMAINS = ("block-grouping", "delivery", "drone", "rover", "sugar", "tpp", "zenotravel", "settlersnumeric")
MIDDLE = 10
REPORTING_INTERVAL = 10
START_SECONDS = 5.0
MEMORY = 4 << 30
GIGABYTE = 1 << 30


@dataclass(frozen=True)
class Trial:
    """A configuration of ours, what it is compared with if anything, and which states are counted."""

    ours: str
    theirs: str | None = None
    counted: str = "evaluated"

    @property
    def names(self) -> list[str]:
        return [self.ours, *([self.theirs] if self.theirs else [])]


TRIALS = (
    Trial("S(hadd)", "enhsp:sat-hadd"),
    Trial("S(hmrp)", "enhsp:sat-hmrp"),
    Trial("L(hmrp+hj)"),
    Trial("A(blind) --pruning none", "enhsp:opt-blind", "expanded"),
)


@dataclass(frozen=True)
class Side:
    """What one planner did on one task; None where it did nothing or did not say."""

    rate: float | None
    seconds: float
    per_gigabyte: float | None


@dataclass(frozen=True)
class TrialResult:
    """One trial on one task."""

    task: str
    trial: Trial
    ours: Side
    theirs: Side | None
    first_state: float | None

    @property
    def ratio(self) -> float | None:
        return self.ours.rate / self.theirs.rate if self.ours.rate and self.theirs and self.theirs.rate else None


def measure(seconds: float, folder: Path, tasks: Sequence[str] = ()) -> list[TrialResult]:
    """Run every trial on every task for so many seconds of search; finished runs in `folder` are not repeated."""
    if seconds < REPORTING_INTERVAL:
        raise ConfigurationError(f"ENHSP says what it does every {REPORTING_INTERVAL} s", got=f"{seconds:g} s")
    notations = tasks or [f"ipc2023:{domain}:{MIDDLE}" for domain in DOMAINS]
    plan = experiment.Experiment(
        tasks=suites.select(notations),
        planners=[planners.find(name, {}) for trial in TRIALS for name in trial.names],
        time=seconds + START_SECONDS,
        memory=MEMORY,
        folder=folder,
    )
    found = {(record.planner, record.task): record for record in experiment.run(plan, workers=1)}
    return [
        compare(
            f"{task.domain} {task.problem}", trial, [found[name, (task.domain, task.problem)] for name in trial.names]
        )
        for task in plan.tasks
        for trial in TRIALS
    ]


def compare(task: str, trial: Trial, records: Sequence[Record]) -> TrialResult:
    """Ours, and theirs if the trial has one."""
    ours, *theirs = records
    return TrialResult(
        task,
        trial,
        _side(ours, trial.counted, 1.0),
        _side(theirs[0], trial.counted, _cores(theirs[0])) if theirs else None,
        ours.statistic("first_state"),
    )


def _cores(record: Record) -> float:
    """How many cores a run had on average."""
    return record.cpu / record.wall if record.wall else 1.0


def _side(record: Record, counted: str, cores: float) -> Side:
    count, seconds = record.statistic(counted), (record.statistic("seconds") or 0.0) * cores
    states = record.statistic("evaluated")
    return Side(
        count / seconds if count and seconds else None,
        seconds,
        states / record.peak_memory * GIGABYTE if states and record.peak_memory else None,
    )


def render(results: Sequence[TrialResult]) -> str:
    """A table per trial, with the geometric mean and the least ratio."""
    return "\n\n".join(_table(trial, [one for one in results if one.trial == trial]) for trial in TRIALS)


def _table(trial: Trial, results: Sequence[TrialResult]) -> str:
    title = f"{trial.counted} states per second"
    headings = ["first state", f"{trial.ours} per GB", trial.ours]
    if trial.theirs:
        headings += [f"{trial.theirs} per GB", trial.theirs, "ratio"]
    rows = [[title, *headings], *([one.task, *_cells(one)] for one in results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        f"{first:{widths[0]}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        for first, *rest in rows
    ]
    ratios = [result.ratio for result in results if result.ratio is not None]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        lines.append(f"geometric mean {mean:.1f}, least {min(ratios):.1f}, over {len(ratios)} of {len(results)} tasks")
    return "\n".join(lines)


def _cells(result: TrialResult) -> list[str]:
    cells = [_number(result.first_state, ".2f", " s"), *_of_side(result.ours)]
    if result.theirs:
        cells += [*_of_side(result.theirs), _number(result.ratio, ".1f")]
    return cells


def _of_side(side: Side) -> list[str]:
    return [_number(side.per_gigabyte, ",.0f"), f"{_number(side.rate, ',.0f')} in {side.seconds:4.1f} s"]


def _number(value: float | None, form: str, unit: str = "") -> str:
    return "?" if value is None else f"{value:{form}}{unit}"
