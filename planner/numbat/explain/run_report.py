"""`numbat solve --report`: a run as one page: who searched when, heuristic values, memory, plans found.

In, out      a Recorder watches the run; at its end, with the run's own report → HTML text
Cost         a sample per look of the runner, at most MOST_SAMPLES: when there are more, every other one is dropped
Not here     the run (numbat.portfolio), the page's frame (page), the pictures (charts)
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from numbat.explain.charts import SMALL, WIDE, Curve, draw
from numbat.explain.page import document, resource
from numbat.portfolio.record import Record
from numbat.portfolio.runner import Snapshot
from numbat.run.solve import Report
from numbat.task.plan import Plan, decimal

MOST_SAMPLES = 2000
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """Who was running since the sample before, with the best heuristic values so far; bytes held by all."""

    wall: float
    memory: int
    best: dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    wall: float
    plan: Plan


class Recorder:
    """Keeps what happens in a run."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.found: list[Found] = []
        self._interval = 0.0
        self._origin = time.monotonic()  # what the wall clock of the run calls 0, as far as is known

    def watch(self, snapshot: Snapshot) -> None:
        self._origin = time.monotonic() - snapshot.wall
        if self.samples and snapshot.wall - self.samples[-1].wall < self._interval:
            return
        best = {name: board.progress()["best_h"] for name, board in snapshot.running}
        self.samples.append(Sample(snapshot.wall, snapshot.memory, best))
        if len(self.samples) > MOST_SAMPLES:
            self.samples = self.samples[1::2]
            self._interval = 1.5 * (self.samples[-1].wall - self.samples[0].wall) / len(self.samples)

    def publish(self, plan: Plan) -> None:
        self.found.append(Found(time.monotonic() - self._origin, plan))


def render(recorder: Recorder, report: Report, problem: str) -> str:
    """The page of a run."""
    end = max([report.wall, *(sample.wall for sample in recorder.samples)])
    body = [_header(report, problem), "<main>", _plans(recorder)]
    body += [_lanes(recorder, report, end), _heuristics(recorder, end), _memory(recorder, end), _members(report)]
    return document(f"Run on {problem}", "\n".join([*body, "</main>"]), style=resource("show.css"))


def _header(report: Report, problem: str) -> str:
    cards = [
        ("exit code", str(int(report.exit_code))),
        ("wall", f"{report.wall:.2f} s"),
        ("CPU", f"{report.cpu:.2f} s"),
        ("peak memory", f"{report.peak_memory / MEGABYTE:,.0f} MB"),
    ]
    shown = "".join(
        f'<div class="card"><span class="planner">{what}</span><b>{value}</b></div>' for what, value in cards
    )
    kind = "clear" if report.plan is not None else "note"
    return (
        f'<header><h1>{escape(problem)}</h1><p class="{kind}">{escape(report.summary)}</p>'
        f'<div class="cards">{shown}</div></header>'
    )


def _table(head: str, rows: Iterator[str]) -> str:
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _plans(recorder: Recorder) -> str:
    if not recorder.found:
        return ""
    rows = (
        f"<tr><td>{found.wall:.2f} s</td><td>{len(found.plan.steps):,}</td>"
        f"<td>{'' if found.plan.cost is None else escape(decimal(found.plan.cost))}</td></tr>"
        for found in recorder.found
    )
    return f"<section><h2>Plans</h2>{_table('<th>found after</th><th>steps</th><th>cost</th>', rows)}</section>"


def _lanes(recorder: Recorder, report: Report, end: float) -> str:
    """A bar per member over the time of the run, filled where it was running."""
    marks = "".join(f'<path class="plan" d="M{_share(found.wall, end):.1f} 0V20"/>' for found in recorder.found)
    lanes = "".join(_lane(record, recorder, end, marks) for record in report.members)
    note = f"0 to {end:.1f} s; upright lines are plans." if recorder.found else f"0 to {end:.1f} s."
    return f'<section><h2>Who searched when</h2><p class="soft">{note}</p><div class="lanes">{lanes}</div></section>'


def _lane(record: Record, recorder: Recorder, end: float, marks: str) -> str:
    before, path = min((sample.wall for sample in recorder.samples), default=0.0), []
    for sample in recorder.samples:
        if record.name in sample.best:
            path.append(f"M{_share(before, end):.1f} 3H{_share(sample.wall, end):.1f}V17H{_share(before, end):.1f}Z")
        before = sample.wall
    label = escape(f"{record.name}: {record.cpu:.1f} s of CPU time", quote=True)
    return (
        f'<span>{escape(record.name)}</span><svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img"'
        f' aria-label="{label}"><path class="busy" d="{"".join(path)}"/>{marks}</svg>'
    )


def _share(wall: float, end: float) -> float:
    return 1000 * min(1.0, wall / end) if end > 0 else 0.0


def _heuristics(recorder: Recorder, end: float) -> str:
    """The best heuristic value of each member over the time of the run."""
    points: dict[str, list[tuple[int, Fraction]]] = {}
    for sample in recorder.samples:
        for name, best in sample.best.items():
            known = points.setdefault(name, [])
            if math.isfinite(best) and (not known or known[-1][1] != Fraction(best)):
                known.append((_milliseconds(sample.wall), Fraction(best)))
    figures = "".join(_figure(name, known, end) for name, known in points.items() if known)
    if not figures:
        return ""
    note = '<p class="soft">Over the milliseconds of the run.</p>'
    return f'<section><h2>Best heuristic values</h2>{note}<div class="multiples">{figures}</div></section>'


def _figure(name: str, points: list[tuple[int, Fraction]], end: float) -> str:
    curve = Curve(points, _milliseconds(end))
    caption = f'<figcaption><span class="fluent">{escape(name)}</span></figcaption>'
    return f"<figure>{caption}{draw(curve, f'best heuristic value of {name}', SMALL)}</figure>"


def _memory(recorder: Recorder, end: float) -> str:
    if not recorder.samples:
        return ""
    points = [(_milliseconds(sample.wall), Fraction(sample.memory, MEGABYTE)) for sample in recorder.samples]
    curve = Curve(points, _milliseconds(end))
    pictures = "".join(
        f'<figure class="{kind}">{draw(curve, "memory of all processes", frame)}</figure>'
        for kind, frame in (("wide", WIDE), ("phone", SMALL))
    )
    return f'<section><h2>Memory</h2><p class="soft">Megabytes over milliseconds.</p>{pictures}</section>'


def _milliseconds(wall: float) -> int:
    return round(1000 * wall)


def _members(report: Report) -> str:
    columns = ("member", "ended", "starts", "CPU", "peak memory", "expanded", "evaluated")
    head = "".join(f"<th>{column}</th>" for column in columns)
    rows = (
        f"<tr><td>{escape(record.name)}</td><td>{escape(record.status)}</td><td>{record.starts}</td>"
        f"<td>{record.cpu:.2f} s</td><td>{record.peak / MEGABYTE:,.0f} MB</td>"
        f"<td>{record.statistics.get('expanded', 0):,.0f}</td>"
        f"<td>{record.statistics.get('evaluated', 0):,.0f}</td></tr>"
        for record in report.members
    )
    return f"<section><h2>Members</h2>{_table(head, rows)}</section>"
