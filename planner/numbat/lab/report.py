"""The report of an experiment as text, CSV, Markdown and one HTML page.

Order        everything unexplained comes first; then coverage in the published table's layout, its own figures beside
             ours and marked with their limits; then the scores
In, out      Table -> files report.txt, report.html, runs.csv, coverage.csv, .md and .svg in a folder
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from numbat.lab import page
from numbat.lab.outcome import OUT_OF_TIME
from numbat.lab.scores import PAPER_CONDITIONS, PAPER_TASKS, Column, Table, paper_coverage, paper_name

STARVED_SHARE = 0.8


def write(table: Table, folder: Path) -> list[Path]:
    """Write all forms of the report; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.txt": text(table),
        "runs.csv": runs_csv(table),
        "coverage.csv": coverage_csv(table),
        "coverage.md": coverage_markdown(table),
        "coverage.svg": page.picture(table),
        "report.html": page.render(table, notices(table)),
    }
    for name, content in texts.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in texts]


def notices(table: Table) -> list[str]:
    """What a reader of the tables must know about how they came about."""
    found = []
    starved = sum(
        record.outcome == OUT_OF_TIME and not record.stopped and record.cpu < STARVED_SHARE * record.time
        for record in table.records
    )
    if starved:
        found.append(
            f"{starved} runs ended for lack of time with less than {STARVED_SHARE:.0%} of their CPU time used: "
            "the machine was busy with something else, or the planner waited"
        )
    incomplete = [column.planner for column in table.columns if table.runs(column) < len(table.tasks)]
    if incomplete:
        found.append(f"not finished on all {len(table.tasks)} tasks: {', '.join(incomplete)}")
    fewer = sum(1 for domain in table.domains if len(table.tasks_of(domain)) != PAPER_TASKS)
    if fewer and any(paper_name(column.planner) in paper_coverage() for column in table.columns):
        found.append(f"the paper's figures are of {PAPER_TASKS} tasks per domain, ours of as many as column tasks says")
    return found


def text(table: Table) -> str:
    """The whole report as plain text."""
    parts = ["UNEXPLAINED", ""]
    unexplained = table.unexplained()
    for record, reason in unexplained:
        parts.append(f"  {record.domain} {record.problem} {record.planner}: {record.outcome}: {reason} [{record.log}]")
    if not unexplained:
        parts.append("  nothing")
    parts += ["", *(f"NOTE {notice}" for notice in notices(table)), ""]
    parts += ["COVERAGE (in brackets the paper's, " + PAPER_CONDITIONS + ")", "", *_align(_coverage_rows(table)), ""]
    for title, scores in (("AGILE SCORE", table.agile), ("SATISFICING SCORE", table.satisficing)):
        parts += [title, "", *_score_lines(table, {column: scores(column) for column in table.columns}), ""]
    parts += ["OUTCOMES", "", *_outcome_lines(table), ""]
    return "\n".join(parts)


def coverage_markdown(table: Table) -> str:
    """The coverage table for a document."""
    names, limits, *rows = _coverage_rows(table)
    head = [f"{name}<br>{limit}" if limit else name for name, limit in zip(names, limits, strict=True)]
    ruler = ["---", *("---:" for _ in head[1:])]
    lines = [" | ".join(row).replace("||", "\\|\\|") for row in (head, ruler, *rows)]
    return f"In brackets the paper's: {PAPER_CONDITIONS}.\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n"


def _coverage_rows(table: Table) -> list[list[str]]:
    """Names, limits, one row per domain, the sum; the paper's figures in brackets."""
    published = paper_coverage()
    ours = {column: table.coverage(column) for column in table.columns}
    rows = [["domain", "tasks", *(column.planner for column in table.columns)]]
    rows.append(["", "", *(column.limits for column in table.columns)])
    for domain in table.domains:
        cells = []
        for column in table.columns:
            theirs = published.get(paper_name(column.planner), {}).get(domain)
            cells.append(f"{ours[column][domain]}" + ("" if theirs is None else f" ({theirs})"))
        rows.append([domain, str(len(table.tasks_of(domain))), *cells])
    sums = []
    for column in table.columns:
        figures = published.get(paper_name(column.planner), {})
        known = sum(figures.get(domain, 0) for domain in table.domains)
        sums.append(f"{sum(ours[column].values())}" + (f" ({known})" if figures else ""))
    rows.append(["sum", str(len(table.tasks)), *sums])
    return rows


def _score_lines(table: Table, scores: Mapping[Column, Mapping[str, float]]) -> list[str]:
    rows = [["domain", *(column.planner for column in table.columns)]]
    rows += [[domain, *(f"{scores[column][domain]:.2f}" for column in table.columns)] for domain in table.domains]
    rows.append(["sum", *(f"{sum(scores[column].values()):.2f}" for column in table.columns)])
    return _align(rows)


def _outcome_lines(table: Table) -> list[str]:
    rows = [["outcome", *(column.planner for column in table.columns)]]
    rows += [
        [outcome, *(str(counts[column]) for column in table.columns)] for outcome, counts in table.outcomes().items()
    ]
    return _align(rows)


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        right = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  " + "  ".join([row[0].ljust(widths[0]), *right]))
    return lines


def runs_csv(table: Table) -> str:
    """One line per run."""
    rows: list[dict[str, object]] = []
    for record in sorted(table.records, key=lambda record: table.tasks.index(record.task)):
        row = asdict(record)
        row.pop("statistics")
        for name in ("expanded", "evaluated", "generated", "seconds"):
            row[f"search_{name}"] = record.statistic(name)
        rows.append(row)
    return _csv(list(rows[0]) if rows else [], [list(row.values()) for row in rows])


def coverage_csv(table: Table) -> str:
    """Coverage per domain: ours with its limits, then the paper's figures for the same configurations."""
    published = paper_coverage()
    ours = {column: table.coverage(column) for column in table.columns}
    theirs = [column.planner for column in table.columns if paper_name(column.planner) in published]
    theirs = list(dict.fromkeys(theirs))
    header = ["domain", "tasks", *(f"{column.planner} ({column.limits})" for column in table.columns)]
    header += [f"{name} (paper, {PAPER_TASKS} tasks, {PAPER_CONDITIONS})" for name in theirs]
    rows: list[list[object]] = []
    for domain in table.domains:
        row: list[object] = [domain, len(table.tasks_of(domain)), *(ours[column][domain] for column in table.columns)]
        rows.append(row + [published[paper_name(name)].get(domain, "") for name in theirs])
    sums: list[object] = [sum(int(str(row[index] or 0)) for row in rows) for index in range(1, len(header))]
    return _csv(header, [*rows, ["sum", *sums]])


def _csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()


def summary(table: Table) -> str:
    """One line per planner for a terminal."""
    lines = [
        f"{column.planner}: {len(table.solved(column))} of {table.runs(column)} solved ({column.limits})"
        for column in table.columns
    ]
    count = len(table.unexplained())
    return "\n".join([*lines, f"{count} unexplained" if count else "nothing unexplained"])
