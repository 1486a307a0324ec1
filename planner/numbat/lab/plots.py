"""Two kinds of plots as inline SVG: solved tasks over time, and two planners against each other.

In, out      numbers -> SVG text; colours are the page's classes s0, s1, ... so that they follow light and dark
Axes         logarithmic with a line per power of ten, except the cactus plot's count of tasks
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from numbat.explain.drawing import Frame, round_step

COLOURS = 10


@dataclass(frozen=True)
class Point:
    """A task in a scatter plot; None where the planner did not solve it."""

    name: str
    x: float | None
    y: float | None


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
    series: Sequence[tuple[str, Sequence[float]]], limit: float, tasks: int, published: Sequence[tuple[str, int]] = ()
) -> str:
    """Solved tasks over CPU seconds, one step line per planner; `series` holds name and solving times.

    `published` are names and numbers of solved tasks of which no times are known: level lines.
    """
    frame = Frame(860, 420, 52, 210, 14, 44)
    times = [time for _, values in series for time in values]
    low = min([0.1, *(time for time in times if time > 0)])
    axis = _Log(10 ** math.floor(math.log10(low)), max(limit, 1.0), frame.left, frame.x_end)
    heights = [*(len(values) for _, values in series), *(solved for _, solved in published)]
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
    for index, (name, solved) in enumerate(published, len(series)):
        parts.append(f'<path class="grid level" d="M{frame.left} {frame.y_end - solved * unit:.1f}H{frame.x_end}"/>')
        parts.append(
            f'<text class="name" x="{frame.x_end + 8}" y="{labels[index] + 4:.1f}">{solved} {escape(name)}</text>'
        )
    parts.append(frame.caption(f"CPU seconds; {tasks} tasks"))
    return frame.picture("solved tasks over CPU time", parts)


def standalone(picture: str, style: str) -> str:
    """A picture of a page as a file of its own."""
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
        "<rect ", f"<style>{escape(style)}</style><rect ", 1
    )


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
