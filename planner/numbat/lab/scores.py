"""Scores of planners over tasks: coverage, and the two scores of the International Planning Competition.

Coverage      tasks solved: a plan the referee accepts, within the limits
Agile         per task 1 if the plan was there within a second, 1 - ln T / ln 300 up to 300 s, 0 beyond
Satisficing   per task the best known cost divided by the plan's cost; costs of 0 count as equal to each other
Best known    the least cost of any valid plan in the results, and of a reference file DOMAIN,PROBLEM,COST if given
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path

from numbat.errors import InputError, Span
from numbat.lab.outcome import OUTCOMES, SOLVED, UNSOLVABLE
from numbat.lab.results import Record
from numbat.lab.suites import natural_key

AGILE_SECONDS = 300.0
PAPER_SECONDS = 600
PAPER_CONDITIONS = f"{PAPER_SECONDS} s, 8 GB, one 3.2 GHz core"
PAPER_TASKS = 20

TaskName = tuple[str, str]


@dataclass(frozen=True, order=True)
class Column:
    """A planner under its limits: one column of every table."""

    planner: str
    time: float
    memory: int

    @property
    def limits(self) -> str:
        return f"{self.time:g} s, {render_memory(self.memory)}"


def render_memory(memory: int) -> str:
    gigabytes = memory / 2**30
    return f"{gigabytes:g} GB" if gigabytes == round(gigabytes, 1) else f"{memory >> 20} MB"


class Table:
    """Finished runs arranged for reading: columns x tasks."""

    def __init__(self, records: Iterable[Record], reference: Mapping[TaskName, float] | None = None) -> None:
        self.records = list({record.key: record for record in records}.values())
        self.columns = sorted({column_of(record) for record in self.records}, key=_column_order)
        self.cells = {(column_of(record), record.task): record for record in self.records}
        names = {record.task for record in self.records}
        self.tasks = sorted(names, key=lambda task: (task[0], natural_key(task[1])))
        self.domains = list(dict.fromkeys(domain for domain, _ in self.tasks))
        self.best = _best_costs(self.records, reference or {})

    def solved(self, column: Column) -> list[Record]:
        """The runs of a column that solved their task, in task order."""
        found = (self.cells.get((column, task)) for task in self.tasks)
        return [record for record in found if record is not None and record.outcome == SOLVED]

    def runs(self, column: Column, domain: str | None = None) -> int:
        return sum(column_of(record) == column and domain in (None, record.domain) for record in self.records)

    def tasks_of(self, domain: str) -> list[TaskName]:
        return [task for task in self.tasks if task[0] == domain]

    def outcomes(self) -> dict[str, dict[Column, int]]:
        """How often each outcome occurred, those that did."""
        counts = {outcome: dict.fromkeys(self.columns, 0) for outcome in OUTCOMES}
        for record in self.records:
            counts[record.outcome][column_of(record)] += 1
        return {outcome: row for outcome, row in counts.items() if any(row.values())}

    def coverage(self, column: Column) -> dict[str, int]:
        """Solved tasks per domain."""
        counts = dict.fromkeys(self.domains, 0)
        for record in self.solved(column):
            counts[record.domain] += 1
        return counts

    def agile(self, column: Column) -> dict[str, float]:
        return self._sum(column, lambda record: agile_score(record.plan_cpu))

    def satisficing(self, column: Column) -> dict[str, float]:
        return self._sum(column, lambda record: satisficing_score(record.cost, self.best[record.task]))

    def _sum(self, column: Column, score: Callable[[Record], float]) -> dict[str, float]:
        sums = dict.fromkeys(self.domains, 0.0)
        for record in self.solved(column):
            sums[record.domain] += score(record)
        return sums

    def unexplained(self) -> list[tuple[Record, str]]:
        """Every run with something wrong about it, contradictions between planners included."""
        solved = {record.task for record in self.records if record.outcome == SOLVED}
        found = []
        for record in self.records:
            reasons = [record.unexplained] if record.unexplained else []
            if record.outcome == UNSOLVABLE and record.task in solved:
                reasons.append("says unsolvable, but there is a valid plan")
            if reasons:
                found.append((record, "; ".join(reasons)))
        return found


def _column_order(column: Column) -> tuple[int, Column]:
    """As the published table has them, then all others by name."""
    published = list(paper_coverage())
    name = paper_name(column.planner)
    return (published.index(name) if name in published else len(published), column)


def column_of(record: Record) -> Column:
    return Column(record.planner, record.time, record.memory)


def agile_score(seconds: float | None) -> float:
    """The agile score of a plan that was there after so many CPU seconds."""
    if seconds is None or seconds > AGILE_SECONDS:
        return 0.0
    return 1.0 if seconds <= 1 else 1 - math.log(seconds) / math.log(AGILE_SECONDS)


def satisficing_score(cost: float | None, best: float) -> float:
    """The satisficing score of a plan, given the least cost known."""
    if cost is None:
        return 0.0
    return 1.0 if cost <= best else max(best / cost, 0.0)


def _best_costs(records: Iterable[Record], reference: Mapping[TaskName, float]) -> dict[TaskName, float]:
    best: dict[TaskName, float] = defaultdict(lambda: math.inf, reference)
    for record in records:
        if record.outcome == SOLVED and record.cost is not None:
            best[record.task] = min(best[record.task], record.cost)
    return best


def read_reference(file: Path) -> dict[TaskName, float]:
    """Costs or steps known from elsewhere, from lines `domain,problem,number`, which may go on: those of best.py do."""
    costs: dict[TaskName, float] = {}
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            for number, row in enumerate(csv.reader(stream), 1):
                try:
                    domain, problem, cost, *_ = row
                    costs[domain, problem] = float(Fraction(cost))
                except (ValueError, ZeroDivisionError):
                    if number > 1:  # the first line may be a heading
                        raise InputError(
                            "not a known cost",
                            Span(str(file), number),
                            expected="domain,problem,cost",
                            got=",".join(row),
                        ) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(str(file))) from error
    return costs


_SPELLING = str.maketrans({"⟨": "<", "⟩": ">", "‖": "||", " ": None})


def paper_name(planner: str) -> str:
    """A configuration as the published table's headings spell it."""
    return planner.translate(_SPELLING)


@cache
def paper_coverage() -> dict[str, dict[str, int]]:
    """The published coverage: configuration -> domain -> tasks solved of twenty; `sum` is not a domain here."""
    text = (files("numbat.lab") / "data" / "paper_coverage.csv").read_text(encoding="utf-8")
    table: dict[str, dict[str, int]] = defaultdict(dict)
    for row in csv.DictReader(text.splitlines()):
        domain = row.pop("domain")
        for configuration, solved in row.items():
            table[configuration][domain] = int(solved)
    return dict(table)
