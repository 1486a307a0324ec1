"""Who searched when: a lane per member over the time of a run, filled where it was its turn, and an axis below.

In, out      the run's report → HTML text
Size         a lane has at most COLUMNS pieces: turns that a picture cannot keep apart are one
Seen         however short a turn was (the style gives every piece a width), with its true length in words beside it
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from numbat.explain.drawing import round_step
from numbat.portfolio.record import MemberRecord
from numbat.run.solve import Report

COLUMNS = 1000
_ROOM = 0.22  # of the width, which the labels at the end need on a narrow screen


def lanes(report: Report) -> str:
    """The section of the page."""
    started = min((record.turns[0][0] for record in report.members if record.turns), default=report.wall)
    plans = sorted({_place(found.after, report.wall) for found in report.found})
    marks = "".join(f'<path class="plan" d="M{place} 0V20"/>' for place in plans)
    rows = [_lane("preparation", [(0.0, started)], report.wall, duration(started), kind="ready")]
    rows += [_lane(record.name, record.turns, report.wall, _told(record), marks) for record in report.members]
    began = any(record.turns for record in report.members)
    told = "The search did not begin." if not began else "Upright lines are plans." if plans else ""
    note = f'<p class="soft">{told}</p>' if told else ""
    return (
        f'<section><h2>Who searched when</h2>{note}<div class="lanes">{"".join(rows)}'
        f'<div class="axis">{_axis(report.wall)}</div></div></section>'
    )


def _told(record: MemberRecord) -> str:
    if not record.turns:
        return record.status
    turns = f" in {len(record.turns):,} turns" if len(record.turns) > 1 else ""
    return f"{duration(record.seconds)}{turns}"


def _lane(
    name: str, turns: Iterable[tuple[float, float]], end: float, told: str, marks: str = "", kind: str = "busy"
) -> str:
    pieces = "".join(f"M{begin} 4H{last}V16H{begin}Z" for begin, last in _pieces(turns, end))
    busy = f'<path class="{kind}" d="{pieces}"/>' if pieces else ""
    label = escape(f"{name}: {told}", quote=True)
    return (
        f'<span class="who">{escape(name)}</span><span class="told">{escape(told)}</span>'
        f'<svg viewBox="0 0 {COLUMNS} 20" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f"{marks}{busy}</svg>"
    )


def _pieces(turns: Iterable[tuple[float, float]], end: float) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    for begin, last in turns:
        first, final = _place(begin, end), _place(last, end)
        if pieces and first <= pieces[-1][1]:
            first = pieces.pop()[0]
        pieces.append((first, final))
    return pieces


def _place(wall: float, end: float) -> int:
    return round(COLUMNS * min(1.0, wall / end)) if end > 0 else 0


def _axis(end: float) -> str:
    """Round times below the lanes, and the last one."""
    step = 2 * round_step(round(1000 * end)) / 1000
    times = [number * step for number in range(10) if number * step < (1 - _ROOM) * end]
    labels = [f'<span style="left:{100 * time / end:.2f}%">{time:g}</span>' for time in times]
    return "".join([*labels, f'<span class="last">{end:.2f} s</span>'])


def duration(seconds: float) -> str:
    """In few characters, and never 0 for something."""
    if seconds >= 0.1 or not seconds:
        return f"{seconds:,.2f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else "under 1 ms"
