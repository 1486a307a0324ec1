"""Evaluations per second, ours beside ENHSP's: the same heuristic on the same tasks, on one core of one machine.

Rate         evaluated states divided by seconds of search alone; reading, grounding and the start of Java do not count
Ours         the core's own count and CPU seconds
ENHSP's      its count and its search time, from its last words if it ended, else from the line it prints every ten
             seconds of search. It measures wall-clock time, so its seconds are reduced to the share of the core that
             the run had
Order        one run at a time, the two planners of a pair one after the other
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from numbat.errors import ConfigurationError
from numbat.lab import experiment, planners, suites
from numbat.lab.results import Record

PAIRS = (("S(hadd)", "enhsp:sat-hadd"), ("S(hmrp)", "enhsp:sat-hmrp"))
DOMAINS = ("block-grouping", "delivery", "drone", "rover", "sugar", "tpp", "zenotravel", "settlersnumeric")
MIDDLE = 10
REPORTING_INTERVAL = 10
START_SECONDS = 5.0
MEMORY = 4 << 30
TITLE = "evaluations per second"


@dataclass(frozen=True)
class Comparison:
    """One pair on one task; a rate is None where the planner evaluated nothing or did not say."""

    task: str
    pair: tuple[str, str]
    ours: float | None
    theirs: float | None
    ours_seconds: float
    theirs_seconds: float

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.ours and self.theirs else None


def measure(seconds: float, folder: Path, tasks: Sequence[str] = ()) -> list[Comparison]:
    """Run every pair on every task for so many seconds of search; finished runs in `folder` are not repeated."""
    if seconds < REPORTING_INTERVAL:
        raise ConfigurationError(f"ENHSP says what it does every {REPORTING_INTERVAL} s", got=f"{seconds:g} s")
    notations = tasks or [f"ipc2023:{domain}:{MIDDLE}" for domain in DOMAINS]
    names = [name for pair in PAIRS for name in pair]
    plan = experiment.Experiment(
        tasks=suites.select(notations),
        planners=[planners.find(name, {}) for name in names],
        time=seconds + START_SECONDS,
        memory=MEMORY,
        folder=folder,
    )
    found = {(record.planner, record.task): record for record in experiment.run(plan, workers=1)}
    comparisons = []
    for task in plan.tasks:
        for pair in PAIRS:
            ours, theirs = (found[name, (task.domain, task.problem)] for name in pair)
            comparisons.append(
                Comparison(
                    task=f"{task.domain} {task.problem}",
                    pair=pair,
                    ours=_rate(ours, 1.0),
                    theirs=_rate(theirs, _share(theirs)),
                    ours_seconds=ours.statistic("seconds") or 0.0,
                    theirs_seconds=(theirs.statistic("seconds") or 0.0) * _share(theirs),
                )
            )
    return comparisons


def _share(record: Record) -> float:
    """How much of its core a run had."""
    return min(1.0, record.cpu / record.wall) if record.wall else 1.0


def _rate(record: Record, share: float) -> float | None:
    evaluated, seconds = record.statistic("evaluated"), record.statistic("seconds")
    return evaluated / (seconds * share) if evaluated and seconds else None


def render(comparisons: Sequence[Comparison]) -> str:
    """The table, with the geometric mean and the least ratio per pair."""
    width = max(map(len, [TITLE, *(comparison.task for comparison in comparisons)]))
    lines = []
    for pair in PAIRS:
        mine = [comparison for comparison in comparisons if comparison.pair == pair]
        lines.append(f"{TITLE:{width}}  {pair[0]:>24}  {pair[1]:>24}   ratio")
        lines += [f"{comparison.task:{width}}  {_cells(comparison)}" for comparison in mine]
        ratios = [comparison.ratio for comparison in mine if comparison.ratio is not None]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            lines.append(f"geometric mean {mean:.1f}, least {min(ratios):.1f}, over {len(ratios)} of {len(mine)} tasks")
        lines.append("")
    return "\n".join(lines)


def _cells(comparison: Comparison) -> str:
    rates = [
        f"{'?' if rate is None else f'{rate:,.0f}':>13} in {seconds:5.1f} s"
        for rate, seconds in (
            (comparison.ours, comparison.ours_seconds),
            (comparison.theirs, comparison.theirs_seconds),
        )
    ]
    ratio = "?" if comparison.ratio is None else f"{comparison.ratio:.1f}"
    return f"{rates[0]:>24}  {rates[1]:>24}  {ratio:>6}"
