"""A number over the steps of a plan as a small picture, with the values that conditions ask for drawn in.

In, out      Curve → SVG text
Size         at most a few hundred points, whatever the plan: of a number that changes more often, the picture shows
             how low and how high it went in each of its columns
Words        numbers only; names stand beside the picture, where they can wrap
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import inf

from numbat.explain.drawing import Frame
from numbat_validate.reader import Number

COLUMNS = 300
MOST_LINES = 3  # limits that are the same throughout get a line each, up to so many
_DIGITS = Context(prec=3, Emax=10**6, Emin=-(10**6))
SMALL = Frame(320, 128, 46, 10, 10, 24)
WIDE = Frame(1200, 210, 56, 14, 12, 26)
_SIGNS = {">=": "≥", ">": "&gt;", "=": "=", "<": "&lt;", "<=": "≤"}


@dataclass(frozen=True, slots=True)
class Limit:
    """What the number was compared with before this step; `relation` is >=, >, =, < or <=."""

    step: int
    value: Fraction
    relation: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`points` are the steps after which the number changed, and to what; before the first, nothing is drawn."""

    points: Sequence[tuple[int, Number]]
    steps: int
    limits: Sequence[Limit] = ()
    failed: int | None = None  # the step that could not be executed, counted from 0

    @property
    def end(self) -> int:
        """The number of steps after which nothing is known any more."""
        return self.steps if self.failed is None else self.failed


def draw(curve: Curve, label: str, frame: Frame = SMALL) -> str:
    """The whole picture; `label` says the same in words."""
    scale = _Scale(curve, frame)
    parts = [frame.horizontal(scale.y(value), short(value)) for value in scale.ticks()]
    parts.append(frame.vertical(frame.left, "0", "axis"))
    if curve.steps:
        parts.append(frame.vertical(frame.x_end, f"{curve.steps:,}", "axis", "end"))
    crowded = len(curve.points) > COLUMNS
    parts.append(
        f'<path class="{"band" if crowded else "line curve"}" d="{(_band if crowded else _path)(curve, scale)}"/>'
    )
    parts += _limits(curve, scale)
    if curve.failed is not None:
        parts.append(f'<path class="failure" d="M{scale.x(curve.failed):.1f} {frame.top}V{frame.y_end}"/>')
    parts.append(f'<path class="cursor" d="M{frame.left} {frame.top}V{frame.y_end}"/>')
    return frame.picture(label, parts)


class _Scale:
    """Steps to the right, values upwards; exact numbers become pictures only here."""

    def __init__(self, curve: Curve, frame: Frame) -> None:
        values = [*(value for _, value in curve.points), *(limit.value for limit in curve.limits)]
        self.low, self.high = min(values), max(values)
        self._frame = frame
        self._steps = max(curve.steps, 1)

    def x(self, step: float) -> float:
        return self._frame.left + step / self._steps * (self._frame.x_end - self._frame.left)

    def y(self, value: Number) -> float:
        height = self._frame.y_end - self._frame.top
        if self.low == self.high:
            return self._frame.top + height / 2
        return self._frame.y_end - float(Fraction(value - self.low) / (self.high - self.low)) * height

    def ticks(self) -> list[Number]:
        return [self.low] if self.low == self.high else [self.low, self.high]

    def column(self, step: int) -> int:
        return step * COLUMNS // self._steps


def _path(curve: Curve, scale: _Scale) -> str:
    """From value to value, step by step."""
    path = [f"M{scale.x(curve.points[0][0]):.1f} {scale.y(curve.points[0][1]):.1f}"]
    path += [f"H{scale.x(step):.1f}V{scale.y(value):.1f}" for step, value in curve.points[1:]]
    return "".join([*path, f"H{scale.x(curve.end):.1f}"])


def _band(curve: Curve, scale: _Scale) -> str:
    """From the lowest to the highest value of each column."""
    upper: list[str] = []
    lower: list[str] = []
    before = curve.points[0][1]
    for group in _columns(curve.points, scale):
        x = scale.x(group[0][0])
        values = [before, *(value for _, value in group)]
        upper.append(f"{x:.1f} {scale.y(max(values)):.1f}")
        lower.append(f"{x:.1f} {scale.y(min(values)):.1f}")
        before = values[-1]
    last = f"{scale.x(curve.end):.1f} {scale.y(before):.1f}"
    return f"M{'L'.join([*upper, last, *reversed(lower)])}Z"


def _columns(points: Sequence[tuple[int, Number]], scale: _Scale) -> Iterator[list[tuple[int, Number]]]:
    group: list[tuple[int, Number]] = []
    for point in points:
        if group and scale.column(group[0][0]) != scale.column(point[0]):
            yield group
            group = []
        group.append(point)
    if group:
        yield group


def _limits(curve: Curve, scale: _Scale) -> Iterator[str]:
    """A line across for a limit that is always the same, a dash at its step for one that changes."""
    kinds = dict.fromkeys((limit.value, limit.relation) for limit in curve.limits)
    if len(kinds) > MOST_LINES:
        yield _dashes(curve, scale)
        return
    last = inf
    for value, relation in sorted(kinds, reverse=True):
        y = scale.y(value)
        yield f'<path class="limit" d="M{scale.x(0):.1f} {y:.1f}H{scale.x(curve.steps or 1):.1f}"/>'
        if abs(last - y) > 11:
            place = f'x="{scale.x(0) + 4:.1f}" y="{y - 4 if y > 30 else y + 12:.1f}"'
            yield f'<text class="limit" {place}>{_SIGNS[relation]} {short(value)}</text>'
            last = y


def _dashes(curve: Curve, scale: _Scale) -> str:
    """One dash per column and relation, where it asks for most."""
    drawn: dict[tuple[int, str], Limit] = {}
    for limit in curve.limits:
        column = (scale.column(limit.step), limit.relation)
        kept = drawn.setdefault(column, limit)
        if (limit.value < kept.value) == limit.relation.startswith("<"):
            drawn[column] = limit
    dashes = (f"M{scale.x(limit.step) - 2:.1f} {scale.y(limit.value):.1f}h4" for limit in drawn.values())
    return f'<path class="demand" d="{"".join(dashes)}"/>'


def short(value: Number) -> str:
    """A number in at most six characters or so; the exact one stands in the list of steps."""
    if value.denominator == 1 and -10_000 < value < 10_000:
        return f"{value.numerator}"
    if (
        value and not Fraction(1, 10**300) < abs(Fraction(value)) < 10**300
    ):  # beyond what a float tells from 0 and infinity
        return f"{_DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize():.3g}"
    number = float(value)
    for size, letter in ((1e9, ""), (1e6, "M"), (1e4, "k")):
        if abs(number) >= size:
            return f"{number / (1e3 if letter == 'k' else 1e6):.4g}{letter}" if letter else f"{number:.3g}"
    return f"{number:.4g}"
