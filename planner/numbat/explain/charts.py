"""A number over the steps of a plan, or over the time of a run, as a picture; with the values that conditions ask for.

In, out      Curve → SVG text
Size         at most a few hundred points, whatever the plan: of a number that changes more often, the picture shows
             how low and how high it went in each of its columns
Words        numbers only; names stand beside the picture, where they can wrap
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction

from numbat.explain.drawing import Frame, round_step
from numbat_validate.reader import Number

COLUMNS = 300
MOST_LABELS = 3  # of limits, if there are no more; else those of the goal are labelled
TAIL = 8  # what the value after the last step gets, right of the axis
LEAST_DASH = 4
_DIGITS = Context(prec=3, Emax=10**6, Emin=-(10**6))
SMALL = Frame(320, 128, 52, 10, 10, 24)
WIDE = Frame(1200, 210, 58, 14, 12, 26)
_SIGNS = {">=": "≥", ">": "&gt;", "=": "=", "<": "&lt;", "<=": "≤"}


@dataclass(frozen=True, slots=True)
class Limit:
    """What the number was compared with before this step; `relation` is >=, >, =, < or <=."""

    step: int
    value: Fraction
    relation: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`points` are the steps after which the number changed, and to what; before the first, nothing is drawn.

    failed     the step that could not be executed, counted from 0
    of_run     the steps are the milliseconds of a run, and the values are seen from 0 on
    other      a second number, of the same kind
    """

    points: Sequence[tuple[int, Number]]
    steps: int
    limits: Sequence[Limit] = ()
    failed: int | None = None
    of_run: bool = False
    other: Sequence[tuple[int, Number]] = ()

    @property
    def end(self) -> int:
        """The number of steps after which nothing is known any more."""
        return self.steps if self.failed is None else self.failed

    def place_name(self, step: int) -> str:
        return f"{round(step / 1000, 2):g} s" if self.of_run else f"{step:,}"


def draw(curve: Curve, label: str, frame: Frame = SMALL) -> str:
    """The whole picture; `label` says the same in words."""
    scale = _Scale(curve, frame)
    parts = [frame.horizontal(scale.y(value), short(value)) for value in scale.ticks()]
    parts += [frame.vertical(scale.x(step), curve.place_name(step)) for step in scale.places()]
    parts.append(frame.vertical(frame.left, curve.place_name(0), "axis"))
    if curve.steps:
        parts.append(frame.vertical(frame.x_end, curve.place_name(curve.steps), "axis", "end"))
    crowded = len(curve.points) > COLUMNS
    parts.append(
        f'<path class="{"band" if crowded else "line curve"}" d="{(_band if crowded else _path)(curve, scale)}"/>'
    )
    if curve.other:
        parts.append(f'<path class="limit" d="{_path(replace(curve, points=curve.other), scale)}"/>')
    parts += _limits(curve, scale)
    if curve.failed is not None:
        parts.append(f'<path class="failure" d="M{scale.x(curve.failed):.1f} {frame.top}V{frame.y_end}"/>')
    parts.append(f'<path class="cursor" d="M{frame.left} {frame.top}V{frame.y_end}"/>')
    return frame.picture(label, parts)


class _Scale:
    """Steps to the right, values upwards; exact numbers become pictures only here."""

    _LINES_APART = 40  # at least

    def __init__(self, curve: Curve, frame: Frame) -> None:
        values = [*(value for _, value in (*curve.points, *curve.other)), *([0] if curve.of_run else [])]
        low, high = min(values), max(values)
        span = high - low
        # A limit far from all values would leave no room for them.
        near = [limit.value for limit in curve.limits if not span or low - span <= limit.value <= high + span]
        self.low, self.high = min([low, *near]), max([high, *near])
        self._frame = frame
        self._steps = max(curve.steps, 1)
        self.tail = 0 if curve.of_run else TAIL

    def x(self, step: float) -> float:
        """Where the value after so many steps begins; where there are more steps than there are, its end."""
        if step > self._steps:
            return self._frame.x_end + self.tail
        return self._frame.left + step / self._steps * (self._frame.x_end - self._frame.left)

    def y(self, value: Number) -> float:
        height = self._frame.y_end - self._frame.top
        if self.low == self.high:
            return self._frame.top + height / 2
        return self._frame.y_end - float(Fraction(value - self.low) / (self.high - self.low)) * height

    def ticks(self) -> list[Number]:
        """The ends, and round numbers between them where there is room."""
        if self.low == self.high:
            return [self.low]
        step = _round(Fraction(self.high - self.low) * self._LINES_APART / (self._frame.y_end - self._frame.top))
        first = self.low // step + 1
        between = [step * number for number in range(first, first + 20) if step * number < self.high]
        ends = (self.y(self.low), self.y(self.high))
        return [self.low, *(v for v in between if all(abs(self.y(v) - y) > 16 for y in ends)), self.high]

    def places(self) -> Iterator[int]:
        """Round steps between the ends, where there is room for their labels."""
        if self._frame.width >= WIDE.width:
            step = round_step(self._steps)
            for place in range(step, self._steps, step):
                if self._frame.x_end - self.x(place) > 60:
                    yield place

    def column(self, step: int) -> int:
        return step * COLUMNS // self._steps

    def x_of_column(self, column: int) -> float:
        return self.x(column * self._steps / COLUMNS)

    def shows(self, value: Number) -> bool:
        return self.low <= value <= self.high

    def clipped_y(self, value: Number) -> float:
        return self.y(min(max(value, self.low), self.high))

    def arrow(self, value: Number) -> str:
        """Where to look for a value that the picture does not show."""
        return "" if self.shows(value) else "↑ " if value > self.high else "↓ "

    def label(self, step: int, y: float, text: str) -> str:
        """Beside the place where a limit is drawn first: above it, or below at the upper edge."""
        x = self.x(step)
        place = f'x="{x + 3:.1f}"' if x < self._frame.width * 0.7 else f'text-anchor="end" x="{x + self.tail:.1f}"'
        return f'<text class="limit" {place} y="{y - 4 if y > 30 else y + 12:.1f}">{text}</text>'


def _path(curve: Curve, scale: _Scale) -> str:
    """From value to value, step by step."""
    path = [f"M{scale.x(curve.points[0][0]):.1f} {scale.y(curve.points[0][1]):.1f}"]
    path += [f"H{scale.x(step):.1f}V{scale.y(value):.1f}" for step, value in curve.points[1:]]
    return "".join([*path, f"H{_end(curve, scale):.1f}"])


def _end(curve: Curve, scale: _Scale) -> float:
    return scale.x(curve.end if curve.failed is not None else curve.end + 1)


def _band(curve: Curve, scale: _Scale) -> str:
    """From the lowest to the highest value of each column; a line where nothing changes."""
    upper: list[str] = []
    lower: list[str] = []
    before, column = curve.points[0][1], 0
    for group in _columns(curve.points, scale):
        x = scale.x(group[0][0])
        if scale.column(group[0][0]) > column + 1:
            still = f"{x:.1f} {scale.y(before):.1f}"
            upper += [f"{scale.x_of_column(column + 1):.1f} {scale.y(before):.1f}", still]
            lower += upper[-2:]
        values = [before, *(value for _, value in group)]
        upper.append(f"{x:.1f} {scale.y(max(values)):.1f}")
        lower.append(f"{x:.1f} {scale.y(min(values)):.1f}")
        before, column = values[-1], scale.column(group[-1][0])
    last = [f"{x:.1f} {scale.y(before):.1f}" for x in (scale.x(curve.points[-1][0]), _end(curve, scale))]
    return f"M{'L'.join([*upper, *last, *reversed(last), *reversed(lower)])}Z"


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
    """A dash at every step that asks for a value, a thin line between those that ask for the same one, and labels."""
    asked: dict[tuple[Fraction, str], list[int]] = {}
    for limit in curve.limits:
        asked.setdefault((limit.value, limit.relation), []).append(limit.step)
    if asked:
        yield _dashes(curve, scale)
    all_labelled = len(asked) <= MOST_LABELS
    labelled = [kind for kind, steps in asked.items() if all_labelled or steps[-1] == curve.steps]
    used: list[tuple[float, float]] = []
    for value, relation in sorted(labelled, key=lambda kind: (not scale.shows(kind[0]), -kind[0]))[:MOST_LABELS]:
        steps = asked[value, relation]
        x, y = scale.x(steps[0]), scale.clipped_y(value)
        if len(steps) > 1 and scale.shows(value):
            yield f'<path class="limit" d="M{x:.1f} {y:.1f}H{scale.x(steps[-1] + 1):.1f}"/>'
        if all(abs(x - other_x) > 110 or abs(y - other_y) > 11 for other_x, other_y in used):
            used.append((x, y))
            yield scale.label(steps[0], y, f"{scale.arrow(value)}{_SIGNS[relation]} {short(value)}")


def _dashes(curve: Curve, scale: _Scale) -> str:
    """As long as the value is the one that was compared; one per column and relation, where it asks for most."""
    drawn: dict[tuple[int, str], Limit] = {}
    for limit in curve.limits:
        if scale.shows(limit.value):
            column = (scale.column(limit.step), limit.relation)
            kept = drawn.setdefault(column, limit)
            if (limit.value < kept.value) == limit.relation.startswith("<"):
                drawn[column] = limit
    dashes = []
    for limit in drawn.values():
        begin, end = scale.x(limit.step), scale.x(limit.step + 1)
        dashes.append(f"M{begin:.1f} {scale.y(limit.value):.1f}h{max(end - begin, LEAST_DASH):.1f}")
    return f'<path class="demand" d="{"".join(dashes)}"/>'


def _round(least: Fraction) -> Fraction:
    """The smallest of 1, 2 and 5 times a power of ten that is not smaller."""
    power = Fraction(10) ** (len(str(least.numerator)) - len(str(least.denominator)) - 1)
    return next(power * digit for digit in (1, 2, 5, 10, 20, 50, 100) if power * digit >= least)


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
