"""Two experiments task by task: what the second wins and loses, and where it is faster or slower.

In, out      records of two experiments -> Comparison, and its text
Seeds        runs of one configuration that differ only in `--seed` are runs of one task: a task is solved in so many of
             its runs, and its time is the mean over them, an unsolved run counting as the time limit
Names        where each experiment has one configuration, these two are compared, whatever they are called
Won, lost    solved more often, or less often, than before; faster, slower: solved equally often, in a mean time that
             differs by at least FACTOR, and by more than NOISE seconds
Not here     scores of one experiment (scores)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from numbat.lab.outcome import SOLVED
from numbat.lab.results import Record
from numbat.lab.scores import agile_score
from numbat.lab.suites import natural_key

FACTOR = 1.5
NOISE = 0.5

_SEED = re.compile(r"\s+--seed[ =]\S+")
Case = tuple[str, str, str, float, int]  # configuration without its seed, domain, problem, time, memory


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of one case."""

    solved: int
    count: int
    seconds: float  # mean; an unsolved run counts as its limit
    agile: float  # mean score

    @property
    def rate(self) -> float:
        return self.solved / self.count

    def __str__(self) -> str:
        return f"{self.solved}/{self.count} {self.seconds:8.2f} s"


@dataclass(frozen=True, slots=True)
class Pair:
    """One case before and after."""

    case: Case
    before: Runs
    after: Runs

    @property
    def kind(self) -> str:
        if self.after.rate != self.before.rate:
            return "won" if self.after.rate > self.before.rate else "lost"
        fast, slow = sorted((self.before.seconds, self.after.seconds))
        if not self.before.solved or slow < FACTOR * fast or slow - fast < NOISE:
            return "equal"
        return "faster" if self.after.seconds == fast else "slower"


KINDS = ("won", "lost", "faster", "slower", "equal")


@dataclass(frozen=True, slots=True)
class Comparison:
    """All cases that both experiments have, and how many only one of them has."""

    pairs: Sequence[Pair]
    only_before: int
    only_after: int


def seedless(planner: str) -> str:
    """The configuration without its seed."""
    return _SEED.sub("", planner)


def compare(before: Iterable[Record], after: Iterable[Record]) -> Comparison:
    """Arrange the runs of both experiments by case."""
    first, second = _of_one_name(_cases(before), _cases(after))
    shared = sorted(first.keys() & second.keys(), key=lambda case: (case[0], case[1], natural_key(case[2])))
    pairs = [Pair(case, first[case], second[case]) for case in shared]
    return Comparison(pairs, len(first.keys() - second.keys()), len(second.keys() - first.keys()))


def _of_one_name(before: dict[Case, Runs], after: dict[Case, Runs]) -> tuple[dict[Case, Runs], dict[Case, Runs]]:
    """Where each has a single configuration, its name is that of both."""
    names = [{case[0] for case in cases} for cases in (before, after)]
    if names[0] == names[1] or any(len(of_one) != 1 for of_one in names):
        return before, after
    both = " -> ".join(name for of_one in names for name in of_one)
    first, second = ({(both, *case[1:]): runs for case, runs in cases.items()} for cases in (before, after))
    return first, second


def _cases(records: Iterable[Record]) -> dict[Case, Runs]:
    grouped: dict[Case, dict[str, Record]] = defaultdict(dict)
    for record in records:
        name, domain, problem, time, memory = record.key
        grouped[seedless(name), domain, problem, time, memory][name] = record
    return {case: _runs(list(runs.values())) for case, runs in grouped.items()}


def _runs(records: Sequence[Record]) -> Runs:
    times = [record.plan_cpu if record.outcome == SOLVED else None for record in records]
    return Runs(
        solved=sum(record.outcome == SOLVED for record in records),
        count=len(records),
        seconds=sum(record.time if time is None else time for record, time in zip(records, times, strict=True))
        / len(records),
        agile=sum(map(agile_score, times)) / len(records),
    )


def render(comparison: Comparison) -> str:
    """What differs, task by task, then one line per configuration."""
    lines = []
    for kind in KINDS[:-1]:
        found = [pair for pair in comparison.pairs if pair.kind == kind]
        lines += [f"{kind.upper()} ({len(found)})", *(_line(pair) for pair in found), ""]
    names = dict.fromkeys(pair.case[0] for pair in comparison.pairs)
    width = max(map(len, names), default=0)
    for name in names:
        mine = [pair for pair in comparison.pairs if pair.case[0] == name]
        counts = ", ".join(f"{sum(pair.kind == kind for pair in mine)} {kind}" for kind in KINDS)
        before, after = [pair.before for pair in mine], [pair.after for pair in mine]
        solved = " -> ".join(f"{sum(one.rate for one in runs):.4g}" for runs in (before, after))
        agile = " -> ".join(f"{sum(one.agile for one in runs):.2f}" for runs in (before, after))
        lines.append(f"{name:{width}}  {len(mine)} tasks: {counts}; solved {solved}; agile score {agile}")
    if comparison.only_before or comparison.only_after:
        lines.append(f"left out: {comparison.only_before} only before, {comparison.only_after} only after")
    return "\n".join(lines)


def _line(pair: Pair) -> str:
    name, domain, problem, *_ = pair.case
    return f"  {domain} {problem}  {name}:  {pair.before}  ->  {pair.after}"
