"""Plan: a sequence of ground actions as text, in the form every IPC tool reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


def decimal(value: Fraction) -> str:
    """The shortest exact decimal, or a fraction where there is none."""
    if value.denominator == 1:
        return str(value.numerator)
    digits, denominator = 0, value.denominator
    while denominator % 10 == 0 or denominator % 2 == 0 or denominator % 5 == 0:
        denominator //= 10 if denominator % 10 == 0 else 2 if denominator % 2 == 0 else 5
        digits += 1
    if denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    scaled = value * 10**digits
    text = str(abs(scaled.numerator) // scaled.denominator).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:].rstrip('0')}".rstrip(".")


class Step(str):
    """A ground action as plan files have it, `(name argument ...)`, and its parts."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self._words[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(self._words[1:])

    @property
    def _words(self) -> list[str]:
        return self.strip("() ").split()


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps, and what they cost once somebody has judged them; `optimal` if it is proved that none costs less."""

    steps: tuple[Step, ...]
    cost: Fraction | None = None
    optimal: bool = False

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        """A plan without steps is a plan, too."""
        return True

    def text(self) -> str:
        """The plan file: one action a line, the cost as the last line."""
        lines: list[str] = list(self.steps)
        if self.optimal:
            lines.append("; optimal: no plan costs less")
        if self.cost is not None:
            lines.append(f"; cost = {decimal(self.cost)}")
        return "".join(line + "\n" for line in lines)
