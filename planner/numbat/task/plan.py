"""Plan: a sequence of ground actions as text, in the form every IPC tool reads."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps, and what they cost once somebody has judged them."""

    steps: tuple[str, ...]
    cost: Fraction | None = None

    def text(self) -> str:
        """The plan file: one action a line, the cost as the last line."""
        lines = list(self.steps)
        if self.cost is not None:
            lines.append(f"; cost = {decimal(self.cost)}")
        return "".join(line + "\n" for line in lines)
