"""A portfolio computed from results: which members, and for how long each.

In, out      records of single configurations -> Portfolio: members with slices of CPU seconds, in running order
Score        expected number of tasks solved (or their agile score), over the seeds of each member, every domain
             weighted equally: a member solves a task within t seconds with the share of its seeds that did so
Set-up       is done once for all members: a member's time on a task is what it took without set-up, longer by as much
             as the set-up leaves less than the limit to share
Choice       greedy: of all members and slices, add or lengthen the one with the largest gain per second, until the
             time is used up or no addition gains LEAST_GAIN tasks; then members are removed that the others made
             superfluous, and what they free is spent in the same way
Left out     for every domain, the portfolio chosen without it is scored on that domain alone; the sum over the domains
             is what the portfolio may be expected to do on domains nobody has seen
Sources      greedy schedules after Cedalion (Seipp, Sievers, Helmert, Hutter, AAAI 2015) and Stone Soup
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from numbat.errors import ConfigurationError
from numbat.lab.compare import seedless
from numbat.lab.outcome import SOLVED
from numbat.lab.results import Record
from numbat.lab.scores import TaskName

SLICES = (0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45, 60, 100, 150, 200, 300)
LEAST_GAIN = 0.5

Times = Mapping[str, Mapping[TaskName, Sequence[float | None]]]  # member -> task -> CPU seconds by seed, None: unsolved
Slices = dict[str, float]


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Members and slices in running order, what they score on the tasks they were chosen on, and left out."""

    slices: Slices
    solved: float
    solved_left_out: float
    tasks: int

    def as_json(self) -> str:
        values = {
            "members": [{"search": name, "seconds": seconds} for name, seconds in self.slices.items()],
            "solved": round(self.solved, 2),
            "solved_leaving_one_domain_out": round(self.solved_left_out, 2),
            "tasks": self.tasks,
        }
        return json.dumps(values, indent=2) + "\n"


def times_of(records: Iterable[Record], limit: float) -> Times:
    """The table to choose from for a time limit; every member must have run on every task."""
    table: dict[str, dict[TaskName, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        table[seedless(record.planner)][record.task][record.planner] = _slice_needed(record, limit)
    tasks = {task for row in table.values() for task in row}
    missing = {name: len(tasks - row.keys()) for name, row in table.items() if tasks - row.keys()}
    if missing:
        listed = ", ".join(f"{name} ({count} tasks)" for name, count in missing.items())
        raise ConfigurationError("every member must have run on every task", got=f"missing runs of {listed}")
    return {name: {task: list(runs.values()) for task, runs in row.items()} for name, row in table.items()}


def _slice_needed(record: Record, limit: float) -> float | None:
    """The slice of the limit with which the member would have solved the task; None if none would do."""
    if record.outcome != SOLVED or record.plan_cpu is None or record.set_up >= limit:
        return None
    return max(0.0, record.plan_cpu - record.set_up) * limit / (limit - record.set_up)


def choose(times: Times, limit: float, slices: Sequence[float] = SLICES) -> Portfolio:
    """The portfolio for a time limit, with its score on domains that it was not chosen by."""
    if not times:
        raise ConfigurationError("no finished run to choose members from")
    tasks = sorted(next(iter(times.values())))
    weights = _weights(tasks)
    chosen = _greedy(times, weights, limit, slices)
    left_out = sum(
        expected(times, _greedy(times, _weights([t for t in tasks if t[0] != domain]), limit, slices), mine)
        for domain, mine in _by_domain(tasks).items()
    )
    return Portfolio(_ordered(times, weights, chosen), expected(times, chosen, tasks), left_out, len(tasks))


def expected(times: Times, chosen: Slices, tasks: Iterable[TaskName]) -> float:
    """How many of the tasks the slices may be expected to solve."""
    return sum(1 - _missed(times, chosen, task) for task in tasks)


def _missed(times: Times, chosen: Slices, task: TaskName) -> float:
    """The probability that no member solves the task within its slice."""
    missed = 1.0
    for name, seconds in chosen.items():
        missed *= 1 - _rate(times[name][task], seconds)
    return missed


def _rate(runs: Sequence[float | None], seconds: float) -> float:
    return sum(time is not None and time <= seconds for time in runs) / len(runs)


def _by_domain(tasks: Iterable[TaskName]) -> dict[str, list[TaskName]]:
    found: dict[str, list[TaskName]] = defaultdict(list)
    for task in tasks:
        found[task[0]].append(task)
    return found


def _weights(tasks: Sequence[TaskName]) -> dict[TaskName, float]:
    """Every domain counts as much as an average one, so that the sum is still a number of tasks."""
    domains = _by_domain(tasks)
    return {task: len(tasks) / (len(domains) * len(domains[task[0]])) for task in tasks}


def _greedy(times: Times, weights: Mapping[TaskName, float], limit: float, slices: Sequence[float]) -> Slices:
    chosen = _extend({}, times, weights, limit, slices)
    while True:
        superfluous = [name for name in chosen if _worth(name, chosen, times, weights) < LEAST_GAIN]
        if not superfluous:
            return chosen
        least = min(superfluous, key=lambda name: (_worth(name, chosen, times, weights), name))
        kept = {name: seconds for name, seconds in chosen.items() if name != least}
        chosen = _extend(kept, {name: row for name, row in times.items() if name != least}, weights, limit, slices)


def _extend(
    chosen: Slices, times: Times, weights: Mapping[TaskName, float], limit: float, slices: Sequence[float]
) -> Slices:
    """Add or lengthen slices while that gains enough."""
    chosen = dict(chosen)
    while True:
        left = limit - sum(chosen.values())
        options = [
            (gain / added, gain, name, seconds)
            for name in sorted(times)
            for seconds in slices
            if 0 < (added := seconds - chosen.get(name, 0.0)) <= left
            and (gain := _gain(name, seconds, chosen, times, weights)) >= LEAST_GAIN
        ]
        if not options:
            return chosen
        _, _, name, seconds = max(options, key=lambda option: (option[0], option[1]))
        chosen[name] = seconds


def _gain(name: str, seconds: float, chosen: Slices, times: Times, weights: Mapping[TaskName, float]) -> float:
    others = {other: slice_ for other, slice_ in chosen.items() if other != name}
    now = chosen.get(name, 0.0)
    row = times[name]
    return sum(
        weight * _missed(times, others, task) * (_rate(row[task], seconds) - _rate(row[task], now))
        for task, weight in weights.items()
    )


def _worth(name: str, chosen: Slices, times: Times, weights: Mapping[TaskName, float]) -> float:
    """What would be lost without a member."""
    others = {other: seconds for other, seconds in chosen.items() if other != name}
    return _gain(name, chosen[name], others, times, weights)


def _ordered(times: Times, weights: Mapping[TaskName, float], chosen: Slices) -> Slices:
    """Running order: again and again what gains most per second after those before it."""
    order: Slices = {}
    while len(order) < len(chosen):
        rest = [name for name in chosen if name not in order]
        following = max(
            rest, key=lambda name: (_gain(name, chosen[name], order, times, weights) / chosen[name], -chosen[name])
        )
        order[following] = chosen[following]
    return order


def render(portfolio: Portfolio) -> str:
    """For a terminal."""
    width = max(map(len, portfolio.slices), default=0)
    lines = [f"{name:{width}}  {seconds:6g} s" for name, seconds in portfolio.slices.items()]
    lines.append(
        f"expected to solve {portfolio.solved:.1f} of {portfolio.tasks} tasks; leaving one domain out "
        f"{portfolio.solved_left_out:.1f}"
    )
    return "\n".join(lines)
