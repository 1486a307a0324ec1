"""`numbat solve --report`: a run as one page: who searched when, heuristic values, memory, plans found.

In, out      a Recorder watches the run; at its end, with the run's own report → HTML text
Clock        one: the wall time of the run's stopwatch, which the summary line and the limits count by, too
Cost         at most MOST_SAMPLES points of each curve: when there are more, every other one is dropped
Not here     the run (numbat.portfolio), the page's frame (page), the pictures (charts), the lanes (lanes)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from html import escape

from numbat.explain.charts import SMALL, WIDE, Curve, draw
from numbat.explain.lanes import duration, lanes
from numbat.explain.page import LONGEST_NAME, document, resource
from numbat.portfolio.record import MemberRecord
from numbat.portfolio.runner import Snapshot
from numbat.run.optimal import Knowledge
from numbat.run.solve import Report
from numbat.task.plan import decimal
from numbat_validate.reader import shorten

MOST_SAMPLES = 2000
MOST_ROWS = 12  # of plans; longer tables are folded up
MEGABYTE = 1 << 20
TEXT = ' class="text"'
WORDS = ("by", "ended")  # columns of words, not of figures


class Series:
    """A number over the time of a run: when it changed and to what, the first and the last value in any case."""

    def __init__(self) -> None:
        self._points: list[tuple[float, Fraction]] = []
        self._last: tuple[float, Fraction] | None = None
        self._interval = 0.0

    def note(self, wall: float, value: Fraction) -> None:
        if self._last is not None and value == self._last[1]:
            return
        self._last = (wall, value)
        if self._points and wall - self._points[-1][0] < self._interval:
            return
        self._points.append(self._last)
        if len(self._points) > MOST_SAMPLES:
            self._points = self._points[::2]
            self._interval = 1.5 * (wall - self._points[0][0]) / len(self._points)

    @property
    def points(self) -> list[tuple[float, Fraction]]:
        more = self._last is not None and self._last is not self._points[-1]
        return [*self._points, self._last] if more and self._last else self._points

    def curve(self, end: float) -> Curve:
        points = [(_milliseconds(wall), value) for wall, value in self.points]
        return Curve(points, _milliseconds(end), of_run=True)


class Recorder:
    """Keeps what is to be seen of a run only while it goes on: bytes held by all, best values by member, bounds."""

    def __init__(self) -> None:
        self.memory = Series()
        self.best: dict[int, Series] = defaultdict(Series)
        self.lower = Series()

    def watch(self, snapshot: Snapshot) -> None:
        self.memory.note(snapshot.wall, Fraction(round(snapshot.memory / MEGABYTE)))
        for member, _, board in snapshot.running:
            if board.best_h is not None and math.isfinite(board.best_h):
                self.best[member].note(snapshot.wall, Fraction(board.best_h))
        if isinstance(snapshot.note, Knowledge):
            self.lower.note(snapshot.wall, snapshot.note.lower)


def render(recorder: Recorder, report: Report, problem: str, reasons: Iterable[str] = ()) -> str:
    """The page of a run; `reasons` say why there is no plan."""
    body = [_header(report, problem, reasons), "<main>", _plans(report), _bounds(recorder, report), lanes(report)]
    body += [_heuristics(recorder, report), _memory(recorder, report), _members(report), _preparation(report)]
    return document(f"Run on {problem}", "\n".join([*body, "</main>"]), style=resource("show.css"))


def _header(report: Report, problem: str, reasons: Iterable[str]) -> str:
    front, cards = report.front_end, [("wall time", f"{report.wall:.2f} s"), ("CPU time", f"{report.cpu:.2f} s")]
    if report.peak_memory:
        cards.append(("peak memory", _megabytes(report.peak_memory)))
    if report.knowledge is not None:
        cards.append(("lower bound", escape(shorten(decimal(report.knowledge.lower), 20))))
    cards.append(("exit code", str(int(report.exit_code))))
    shown = "".join(
        f'<div class="card"><span class="planner">{what}</span><b>{value}</b></div>' for what, value in cards
    )
    kind = "clear" if report.plan is not None else "note"
    why = "".join(f"<br>{escape(shorten(reason, 600))}" for reason in reasons)
    named = shorten(f"{front.lifted.problem}, a task of {front.lifted.domain}", LONGEST_NAME) if front else ""
    return (
        f'<header><p class="soft kicker">{escape(named)}</p><h1>{escape(problem)}</h1>'
        f'<p class="{kind}">{escape(report.summary)}{why}</p><div class="cards">{shown}</div>'
        '<p class="soft">Times are wall time since the start of the run, unless they are called CPU time.</p></header>'
    )


def _table(columns: tuple[str, ...], rows: Iterator[str]) -> str:
    head = "".join(f"<th{TEXT if column in WORDS else ''}>{column}</th>" for column in columns)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _wide(curve: Curve, label: str) -> str:
    return "".join(
        f'<figure class="{kind}">{draw(curve, label, frame)}</figure>'
        for kind, frame in (("wide", WIDE), ("phone", SMALL))
    )


# --- plans ---


def _plans(report: Report) -> str:
    """When plans were found, and by whom; what they cost over time, if there were several."""
    if not report.found:
        return ""
    rows = (
        f"<tr><td>{found.after:.2f} s</td><td>{found.steps:,}</td>"
        f"<td>{'' if found.cost is None else escape(shorten(decimal(found.cost), 40))}</td>"
        f"<td{TEXT}>{escape(found.by)}</td></tr>"
        for found in report.found
    )
    table = _table(("found after", "steps", "cost", "by"), rows)
    if len(report.found) > MOST_ROWS:
        table = f"<details><summary>All {len(report.found):,} plans</summary>{table}</details>"
    costs, picture = _costs(report), ""
    if len(costs.points) > 1 and report.knowledge is None:
        picture = _wide(costs.curve(report.wall), "cost of the best plan over time")
    note = '<p class="soft">Cost of the best plan over time.</p>' if picture else ""
    unproved = "<p>None of them is proved optimal, so none is written.</p>" if report.plan is None else ""
    return f"<section><h2>Plans</h2>{unproved}{note}{picture}{table}</section>"


def _bounds(recorder: Recorder, report: Report) -> str:
    """Of a search for an optimal plan: what every plan costs at least, over time."""
    if report.knowledge is None:
        return ""
    lower = recorder.lower
    lower.note(report.wall, report.knowledge.lower)
    upper = _costs(report).curve(report.wall).points
    note = "Every plan costs at least this, over time." + (" Dashed: the best plan known." if upper else "")
    picture = _wide(replace(lower.curve(report.wall), other=upper), "lower bound of the cost over time")
    return f'<section><h2>Lower bound of the cost</h2><p class="soft">{note}</p>{picture}</section>'


def _costs(report: Report) -> Series:
    """Of the best plan."""
    costs = Series()
    for found in report.found:
        if found.cost is not None:
            costs.note(found.after, found.cost)
    return costs


# --- curves ---


def _heuristics(recorder: Recorder, report: Report) -> str:
    """The best heuristic value of each member over the time of the run."""
    named = [(report.members[member].name, series) for member, series in sorted(recorder.best.items())]
    # 0 from beginning to end is what engines without a heuristic post, and tells nothing of others
    drawn = [(name, series) for name, series in named if any(value for _, value in series.points)]
    if not drawn:
        return ""
    figures = "".join(_figure(name, series.curve(report.wall)) for name, series in drawn)
    patterns = "; for patterns, the subgoals that are left" if any(name == "patterns" for name, _ in drawn) else ""
    note = f'<p class="soft">The lowest value that a member has met since its last start, over time{patterns}.</p>'
    return f'<section><h2>Best heuristic values</h2>{note}<div class="multiples">{figures}</div></section>'


def _figure(name: str, curve: Curve) -> str:
    caption = f'<figcaption><span class="fluent">{escape(name)}</span></figcaption>'
    return f"<figure>{caption}{draw(curve, f'best heuristic value of {name} over time', SMALL)}</figure>"


def _memory(recorder: Recorder, report: Report) -> str:
    if len(recorder.memory.points) < 2:
        return ""
    note = '<p class="soft">Resident megabytes of all processes together, over time.</p>'
    picture = _wide(recorder.memory.curve(report.wall), "memory of all processes in megabytes over time")
    return f"<section><h2>Memory</h2>{note}{picture}</section>"


def _milliseconds(wall: float) -> int:
    return round(1000 * wall)


# --- tables ---


def _members(report: Report) -> str:
    if not report.members:
        return ""
    columns = ("member", "ended", "starts", "ran", "CPU time", "peak memory", "expanded", "evaluated", "best h")
    note = ""
    if any(record.starts > 1 for record in report.members):
        note = '<p class="soft">How it ended, expanded, evaluated and best h are those of the last start.</p>'
    return f"<section><h2>Members</h2>{_table(columns, map(_member, report.members))}{note}</section>"


def _member(record: MemberRecord) -> str:
    ended = f"{record.status}: {record.reason}" if record.reason else record.status
    cells = [str(record.starts), *[""] * 6]
    if record.starts:
        told = [record.statistics.get(name) for name in ("expanded", "evaluated", "best_h")]
        figures = ["" if value is None else f"{value:,.0f}" for value in told[:2]]
        best = "" if told[2] is None or not told[1] else f"{told[2]:g}"
        cells[1:] = [duration(record.seconds), duration(record.cpu), _megabytes(record.peak), *figures, best]
    filled = "".join(f"<td>{cell or '&ndash;'}</td>" for cell in cells)
    return f"<tr><td>{escape(record.name)}</td><td{TEXT}>{escape(shorten(ended, 200))}</td>{filled}</tr>"


def _preparation(report: Report) -> str:
    if report.front_end is None:
        return ""
    rows = (
        f"<tr><td>{escape(step)}</td><td>{duration(figures['seconds'])}</td>"
        f"<td>{_megabytes(figures['peak_memory'])}</td></tr>"
        for step, figures in report.front_end.steps.items()
    )
    table = _table(("step", "CPU time", "peak memory by then"), rows)
    return f"<section><h2>Before the search</h2>{table}</section>"


def _megabytes(size: float) -> str:
    return f"{size / MEGABYTE:,.0f} MB"
