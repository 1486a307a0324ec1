"""The best known costs: one file, `docs/best-known.csv`, that results can only improve.

In, out      results with their plans, and the file -> what is better than the file has it, and the file with it
Ours         plans of our own planners alone; what others publish is no part of it
Evidence     a figure enters with its plan: the file beside the results is judged once more, exactly. A plan that is
             gone, or not what the results say, is named
Better       is less cost, then fewer steps; an entry is replaced by a better one and never by anything else
Left out     metrics to be maximized, for which the score has no meaning
Not here     scores (scores), how runs are made and judged the first time (runs)
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numbat_validate as validate
from numbat.errors import InputError, Span
from numbat.lab import planners, results
from numbat.lab.outcome import SOLVED
from numbat.lab.results import Record
from numbat.lab.scores import Table, TaskName
from numbat.lab.suites import PROJECT_ROOT, SuiteTask, natural_key
from numbat_validate.reader import render_number

DEFAULT = PROJECT_ROOT / "docs" / "best-known.csv"
HEAD = ("domain", "problem", "cost", "steps")


class Best(NamedTuple):
    """Of one task; the order of these pairs is the order of plans."""

    cost: Fraction
    steps: int

    def __str__(self) -> str:
        return f"cost {render_number(self.cost)} in {self.steps} steps"


Known = Mapping[TaskName, Best]


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that says it has solved its task, and where its plan must be."""

    record: Record
    folder: Path

    @property
    def figures(self) -> tuple[float, int]:
        assert self.record.cost is not None and self.record.length is not None
        return self.record.cost, self.record.length


def read(file: Path) -> dict[TaskName, Best]:
    """The entries of a file; one that does not exist has none."""
    if not file.exists():
        return {}
    known: dict[TaskName, Best] = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.reader(stream), 1):
            if number == 1 and tuple(row) == HEAD:
                continue
            try:
                domain, problem, cost, steps = row
                known[domain, problem] = Best(Fraction(cost), int(steps))
            except (ValueError, ZeroDivisionError):
                place = Span(str(file), number)
                raise InputError("not a known cost", place, expected=",".join(HEAD), got=",".join(row)) from None
    return known


def write(file: Path, known: Known) -> None:
    """All entries, in natural order, in the place of the old file at once."""
    draft = file.with_name(f"{file.name}.new")
    with draft.open("w", encoding="utf-8", newline="") as stream:
        lines = csv.writer(stream, lineterminator="\n")
        lines.writerow(HEAD)
        for (domain, problem), best in sorted(known.items(), key=lambda entry: (entry[0][0], natural_key(entry[0][1]))):
            lines.writerow((domain, problem, render_number(best.cost), best.steps))
    draft.replace(file)


def claims(sources: Iterable[Path]) -> list[Claim]:
    """The solved tasks in folders or files of results, as far as they are of our own planners."""
    return [
        Claim(record, (source if source.is_dir() else source.parent) / record.log)
        for source in sources
        for record in results.read(source)
        if record.outcome == SOLVED and record.cost is not None and record.planner not in planners.FOREIGN
    ]


def improvements(
    found: Iterable[Claim], known: Known, tasks: Sequence[SuiteTask]
) -> tuple[dict[TaskName, Best], list[str]]:
    """What is better than known, and what is wrong with claims to be."""
    files = {(task.domain, task.problem): task for task in tasks}
    by_task: dict[TaskName, list[Claim]] = defaultdict(list)
    for claim in found:
        if claim.record.task in files:
            by_task[claim.record.task].append(claim)
    better: dict[TaskName, Best] = {}
    complaints: list[str] = []
    for name, mine in by_task.items():
        best = _best_of(mine, known.get(name), files[name], complaints)
        if best is not None:
            better[name] = best
    return better, complaints


def _best_of(mine: Iterable[Claim], known: Best | None, task: SuiteTask, complaints: list[str]) -> Best | None:
    """The first of the claims, the best first, whose plan is what it says; None if that is not better than known."""
    limit = None if known is None else (float(known.cost), known.steps)
    for claim in sorted(mine, key=lambda claim: claim.figures):
        if limit is not None and claim.figures >= limit:
            return None
        try:
            judged = _judged(claim, task)
        except ValueError as error:
            complaints.append(f"{task.domain} {task.problem}, {claim.record.planner}: {error}")
            continue
        return judged if judged is not None and (known is None or judged < known) else None
    return None


def _judged(claim: Claim, task: SuiteTask) -> Best | None:
    """What the plan of a run is worth; None if the metric is to be maximized, ValueError if it is not as recorded."""
    plan = planners.ours(claim.record.planner).find_plan(claim.folder)
    if plan is None:
        raise ValueError(f"no plan in {claim.folder}")
    referee = validate.load(task.domain_file, task.problem_file)
    if referee.maximizes:
        return None
    verdict = validate.judge(referee, plan)
    if not verdict.valid:
        raise ValueError(f"{plan} is not valid: {verdict.reason}")
    if (float(verdict.cost), verdict.length) != claim.figures:
        raise ValueError(f"{plan} is not the plan of the results")
    return Best(verdict.cost, verdict.length)


def merged(known: Known, better: Known) -> dict[TaskName, Best]:
    """Of every task the better entry."""
    names = {**known, **better}
    return {name: min(table[name] for table in (known, better) if name in table) for name in names}


def render(table: Table, before: Known, better: Known) -> str:
    """What has improved, and how near every planner comes to the best known."""
    lines = []
    for name, best in sorted(better.items(), key=lambda entry: (entry[0][0], natural_key(entry[0][1]))):
        lines.append(f"{' '.join(name)}: {best}" + (f", before {before[name]}" if name in before else ""))
    new = sum(name not in before for name in better)
    lines.append(f"{len(before) + new} tasks: {new} new, {len(better) - new} improved")
    for column in table.columns:
        count, score = len(table.solved(column)), sum(table.satisficing(column).values())
        mean = f" ({score / count:.4f} each)" if count else ""
        lines.append(f"{column.planner}, {column.limits}: best known / ours {score:.2f} of {count} solved{mean}")
    return "\n".join(lines)
