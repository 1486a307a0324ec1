"""How good plans are, and how soon: beside the shortest published plans, and beside the best known costs.

In, out      results of one planner or several, two tables of known plans -> per planner a table by domain and one by
             finder
Compared     tasks that are solved and that the table of shortest plans has: by steps, but in domains where costs are
             not steps, which are marked, by cost with the best known one
Score        per task min(1, known / ours), summed; shorter, longer: than the published plan
Times        what a run had by then, as far as it tells when it found its plans (wall time, which is CPU time where the
             run has a core of its own); its last plan stands for the whole of its time
Finders      who found first plans, and who made them better by how much: logarithms of cost ratios, as shares of all
Not here     the best known costs themselves (best), scores among planners (scores)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from numbat.errors import ConfigurationError
from numbat.lab.best import Best
from numbat.lab.outcome import SOLVED
from numbat.lab.results import Record
from numbat.lab.scores import Column, Table, TaskName, satisficing_score

BY_COST = " (cost)"


class Had(NamedTuple):
    """The best plan of a run by some time."""

    steps: int
    cost: float


@dataclass(frozen=True, slots=True)
class Known:
    """The plans to be measured by."""

    shortest: Mapping[TaskName, float]  # steps
    best: Mapping[TaskName, Best]


@dataclass(slots=True)
class Sums:
    """Over some tasks, at one time."""

    solved: int = 0
    compared: int = 0
    shorter: int = 0
    longer: int = 0
    score: float = 0.0

    def add(self, other: Sums) -> None:
        self.solved += other.solved
        self.compared += other.compared
        self.shorter += other.shorter
        self.longer += other.longer
        self.score += other.score

    def cells(self) -> list[str]:
        mean = f"{self.score / self.compared:.3f}" if self.compared else ""
        return [str(self.solved), *([str(self.shorter), str(self.longer), mean] if self.compared else ["", "", ""])]


def had(record: Record, seconds: float) -> Had | None:
    """What the run had after so many seconds."""
    if record.outcome != SOLVED or record.length is None or record.cost is None:
        return None
    if seconds >= record.time:
        return Had(record.length, record.cost)
    plans = record.statistics.get("plans")
    if not isinstance(plans, list):
        raise ConfigurationError(
            f"{record.domain} {record.problem}: the run does not tell when it found its plans",
            expected=f"times of at least its limit, {record.time:g} s",
            got=f"{seconds:g} s",
        )
    by_then = [Had(steps, cost) for after, steps, cost, _ in plans if after <= seconds]
    return by_then[-1] if by_then else None


def costly_domains(records: Iterable[Record], best: Mapping[TaskName, Best]) -> set[str]:
    """Those in which a plan's cost is not its number of steps."""
    ours = {r.domain for r in records if r.length is not None and r.cost is not None and r.cost != r.length}
    return ours | {domain for (domain, _), entry in best.items() if entry.cost != entry.steps}


def sums(records: Sequence[Record], seconds: float, known: Known, *, by_cost: bool) -> Sums:
    """Of the runs of one domain."""
    total = Sums()
    for record in records:
        plan, published = had(record, seconds), known.shortest.get(record.task)
        if plan is None:
            continue
        total.solved += 1
        reference = known.best.get(record.task)
        if published is None or (by_cost and reference is None):
            continue
        total.compared += 1
        total.shorter += plan.steps < published
        total.longer += plan.steps > published
        if by_cost and reference is not None:
            total.score += satisficing_score(plan.cost, float(reference.cost))
        else:
            total.score += min(1.0, published / plan.steps) if plan.steps else 1.0
    return total


@dataclass(slots=True)
class Merit:
    """Of one who finds plans."""

    first: int = 0
    better: int = 0
    gain: float = 0.0


def merits(records: Iterable[Record]) -> dict[str, Merit]:
    """Of all who have found plans, as far as the runs tell; costs that are not positive are passed over."""
    found: dict[str, Merit] = {}
    for record in records:
        plans = record.statistics.get("plans")
        before: float | None = None
        for _, _, cost, by in plans if isinstance(plans, list) else []:
            merit = found.setdefault(by, Merit())
            if before is None:
                merit.first += 1
            else:
                merit.better += 1
                merit.gain += abs(math.log(before / cost)) if min(before, cost) > 0 else 0.0
            before = cost
    return found


def render(table: Table, known: Known, times: Sequence[float]) -> str:
    """Two Markdown tables for each planner: its plans, and who found them."""
    parts = []
    for column in table.columns:
        parts += [f"{column.planner}, {column.limits}", "\n".join(_rows(table, column, known, times))]
        if found := merits(record for (of, _), record in table.cells.items() if of == column and record is not None):
            parts.append("\n".join(_finders(found)))
    return "\n\n".join(parts)


def _finders(found: Mapping[str, Merit]) -> list[str]:
    total = sum(merit.gain for merit in found.values()) or 1.0
    rows = ["| found by | first plans | better plans | of the gain |", "| --- | ---: | ---: | ---: |"]
    for name, merit in sorted(found.items(), key=lambda item: -item[1].gain):
        escaped = name.replace("|", "\\|")
        rows.append(f"| {escaped} | {merit.first} | {merit.better} | {100 * merit.gain / total:.1f} % |")
    return rows


def _rows(table: Table, column: Column, known: Known, times: Sequence[float]) -> list[str]:
    times = [*(time for time in times if time < column.time), column.time]
    costly = costly_domains(table.records, known.best)
    head = ["domain", "runs"]
    for time in times:
        head += [f"solved, {time:g} s", "shorter", "longer", "score"]
    rows = [head, ["---", *["---:"] * (len(head) - 1)]]
    totals, runs = [Sums() for _ in times], 0
    for domain in table.domains:
        cells = (table.cells.get((column, task)) for task in table.tasks_of(domain))
        mine = [record for record in cells if record is not None]
        of_domain = [sums(mine, time, known, by_cost=domain in costly) for time in times]
        for total, more in zip(totals, of_domain, strict=True):
            total.add(more)
        runs += len(mine)
        name = domain + (BY_COST if domain in costly else "")
        rows.append([name, str(len(mine)), *(cell for entry in of_domain for cell in entry.cells())])
    rows.append(["**all**", str(runs), *(cell for total in totals for cell in total.cells())])
    compared = ", ".join(f"{total.compared} at {time:g} s" for total, time in zip(totals, times, strict=True))
    return [*(f"| {' | '.join(row)} |" for row in rows), "", f"compared: {compared}"]
