"""Three kinds of plots as inline SVG: solved tasks over time, two planners against each other, and a row per thing.

In, out      numbers -> SVG text; colours are classes s0, s1, ... of plot.css, so that they follow light and dark
Axes         logarithmic with a line per power of ten, except where tasks are counted
Files        a picture that stands alone has its style inside, and is legible on a page of a telephone's width
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from numbat.explain.drawing import Frame, round_step

COLOURS = 10
IN_A_PAGE = Frame(860, 420, 52, 210, 14, 44)
ALONE = Frame(440, 300, 38, 140, 14, 44)
SCREEN_PIXELS = 1.5  # of a unit of a picture that stands alone, where there is room
ROW = 21  # units a row is high
# A disc, a diamond, an upright bar: what is told apart by colour is told apart by shape, too.
SHAPES = ("M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0", "M0 -7L7 0L0 7L-7 0Z", "M0 -8V8")


@dataclass(frozen=True)
class Point:
    """A task in a scatter plot; None where the planner did not solve it."""

    name: str
    x: float | None
    y: float | None


@dataclass(frozen=True)
class Levels:
    """Names and numbers of solved tasks of which no times are known, and what is to be said about all of them."""

    heights: Sequence[tuple[str, int]] = ()
    remark: str = ""


NO_LEVELS = Levels()


@dataclass(frozen=True)
class Dots:
    """A row per thing, with a mark of its own shape for each of two or three named values.

    ticks    of the axis, which they begin and end; it is linear if it begins with 0, else logarithmic
    joined   by a line from the first value to the second: green where the first is more, red where it is less
    """

    rows: Sequence[tuple[str, Sequence[float]]]
    names: Sequence[str]
    ticks: Sequence[float]
    joined: bool = False

    def axis(self, start: float, end: float) -> _Linear | _Log:
        low, high = self.ticks[0], self.ticks[-1]
        return _Log(low, high, start, end) if low else _Linear(high, start, end)


@dataclass(frozen=True)
class _Linear:
    """An axis from 0 to `high` laid over the units from `start` to `end`."""

    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        return self.start + value / self.high * (self.end - self.start)


@dataclass(frozen=True)
class _Log:
    """A logarithmic axis from `low` to `high` laid over the units from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return self.start + min(share, 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        every = max(1, (last - first) // 5 + 1) if last - first > 5 else 1
        return [10.0**power for power in range(first, last + 1, every)]


def cactus(
    series: Sequence[tuple[str, Sequence[float]]],
    limit: float,
    tasks: int,
    levels: Levels = NO_LEVELS,
    frame: Frame = IN_A_PAGE,
) -> str:
    """Solved tasks over CPU seconds, one step line per planner; `series` holds name and solving times."""
    times = [time for _, values in series for time in values]
    low = min([0.1, *(time for time in times if time > 0)])
    axis = _Log(10 ** math.floor(math.log10(low)), max(limit, 1.0), frame.left, frame.x_end)
    heights = [*(len(values) for _, values in series), *(solved for _, solved in levels.heights)]
    top = max([1, *heights])
    unit = (frame.y_end - frame.top) / (top * 1.04)
    parts = [frame.vertical(axis.place(tick), _seconds(tick)) for tick in axis.ticks()]
    step = round_step(top)
    for count in range(0, top + 1, step):
        parts.append(frame.horizontal(frame.y_end - count * unit, str(count)))
    labels = _spread([frame.y_end - height * unit for height in heights], 15, frame.top + 6, frame.y_end)
    for index, (name, values) in enumerate(series):
        colour = f"s{index % COLOURS}"
        path = [f"M{axis.start:.1f} {frame.y_end:.1f}"]
        for count, time in enumerate(sorted(values), 1):
            path.append(f"H{axis.place(time):.1f}V{frame.y_end - count * unit:.1f}")
        path.append(f"H{frame.x_end}")
        parts.append(f'<path class="line {colour}" d="{"".join(path)}"><title>{escape(name)}</title></path>')
        parts.append(
            f'<text class="name {colour}" x="{frame.x_end + 8}" y="{labels[index] + 4:.1f}">'
            f"{len(values)} {escape(name)}</text>"
        )
    for index, (name, solved) in enumerate(levels.heights, len(series)):
        parts.append(f'<path class="grid level" d="M{frame.left} {frame.y_end - solved * unit:.1f}H{frame.x_end}"/>')
        parts.append(
            f'<text class="name" x="{frame.x_end + 8}" y="{labels[index] + 4:.1f}">{solved} {escape(name)}</text>'
        )
    remark = f"; dashed: {levels.remark}" if levels.heights else ""
    parts.append(frame.caption(f"CPU seconds; {tasks} tasks{remark}"))
    return frame.picture("solved tasks over CPU time", parts)


def standalone(picture: str, style: str) -> str:
    """A picture of a page as a file of its own."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', picture)
    assert size is not None
    width, height = map(int, size.groups())
    pixels = f'width="{SCREEN_PIXELS * width:g}" height="{SCREEN_PIXELS * height:g}"'
    # a border of the picture itself would be cut off
    style = f"<style>{escape(style)}svg {{ border: 0; }}</style>"
    card = f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="7"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {pixels} '
    return picture.replace("<svg ", head, 1).replace("<rect ", f"{style}{card}<rect ", 1)


def dots(chart: Dots, label: str, caption: str) -> str:
    """The rows below each other; `label` says in words what is seen."""
    frame = Frame(440, 36 + ROW * len(chart.rows) + 44, 146, 20, 36, 44)
    axis = chart.axis(frame.left, frame.x_end)
    parts = [frame.vertical(axis.place(tick), f"{tick:g}") for tick in chart.ticks]
    x = 16
    for index, name in enumerate(chart.names):
        parts.append(_mark(index, x + 6, 18) + f'<text class="caption" x="{x + 18}" y="22">{escape(name)}</text>')
        x += 34 + 7 * len(name)
    for number, (name, values) in enumerate(chart.rows):
        y = frame.top + ROW * (number + 0.5)
        first, second, *_ = places = [axis.place(value) for value in values]
        parts.append(frame.horizontal(y, escape(name)))
        if chart.joined and first != second:
            parts.append(f'<path class="{"more" if first > second else "less"}" d="M{second:.1f} {y}H{first:.1f}"/>')
        parts += [_mark(index, place, y) for index, place in reversed(list(enumerate(places)))]
    return frame.picture(label, [*parts, frame.caption(caption)])


def _mark(index: int, x: float, y: float) -> str:
    return f'<path class="mark s{index}" transform="translate({x:.1f} {y})" d="{SHAPES[index]}"/>'


def scatter(points: Sequence[Point], title: str, x_name: str, y_name: str, *, least: float) -> str:
    """Each task as a point; those solved by one planner only lie on the edge marked `none`."""
    frame = Frame(330, 330, 50, 12, 28, 46)
    values = [value for point in points for value in (point.x, point.y) if value is not None]
    high = 10 ** math.ceil(math.log10(max([*values, least * 10])) + 1e-9)
    margin = 22
    across = _Log(least, high, frame.left, frame.x_end - margin)
    upward = _Log(least, high, frame.y_end, frame.top + margin)
    parts = [frame.vertical(across.place(tick), _short(tick)) for tick in across.ticks()]
    parts += [frame.horizontal(upward.place(tick), _short(tick)) for tick in upward.ticks()]
    edge_x, edge_y = frame.x_end - margin / 3, frame.top + margin / 3
    parts.append(frame.vertical(edge_x, "", "edge") + frame.horizontal(edge_y, "none", "edge"))
    parts.append(f'<text class="tick" text-anchor="end" x="{frame.x_end}" y="{frame.y_end + 28}">none</text>')
    parts.append(
        f'<path class="diagonal" d="M{across.start} {upward.start}L{across.end} {upward.end}"/>'
        f'<text class="title" x="{frame.left}" y="18">{escape(title)}</text>'
    )
    for point in points:
        x = edge_x if point.x is None else across.place(point.x)
        y = edge_y if point.y is None else upward.place(point.y)
        told = f"{point.name}: {_told(point.x)} and {_told(point.y)}"
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.2"><title>{escape(told)}</title></circle>')
    parts.append(frame.caption(x_name))
    parts.append(
        f'<text class="caption" text-anchor="middle" transform="translate(12 {(frame.top + frame.y_end) / 2})'
        f' rotate(-90)">{escape(y_name)}</text>'
    )
    return frame.picture(f"{title}: {x_name} and {y_name}", parts)


def _spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places as near to the wanted ones as they can be without overlapping, from the bottom up."""
    order = sorted(range(len(wanted)), key=lambda index: -wanted[index])
    places = list(wanted)
    free = bottom
    for index in order:
        places[index] = free = min(places[index], free)
        free -= gap
    overflow = max(0.0, top - min(places, default=top))
    return [place + overflow for place in places]


def _short(value: float) -> str:
    """A power of ten in few characters."""
    if value >= 1000:
        return f"10<tspan dy='-4' font-size='70%'>{round(math.log10(value))}</tspan>"
    return f"{value:g}"


def _seconds(value: float) -> str:
    return f"{value:g} s"


def _told(value: float | None) -> str:
    return "unsolved" if value is None else f"{value:,.6g}"
