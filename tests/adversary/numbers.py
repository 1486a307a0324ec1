"""Random numbers of a kind that people, or their machines, really write: each function has a base and a unit.

Idea         values are the base and a few units, amounts are a few units, so that plans stay short whatever the numbers
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tests.adversary import syntax as s


@dataclass(frozen=True, slots=True)
class Scale:
    """Values lie around the base, at a distance of a few units."""

    base: Fraction
    unit: Fraction

    def value(self, random: Random) -> Fraction:
        return self.base + random.randint(-2, 4) * self.unit

    def amount(self, random: Random) -> Fraction:
        return random.choice((1, 1, 1, 2, 3, -1)) * self.unit


def _scale(base: str | int, unit: str | int) -> Scale:
    return Scale(Fraction(base), Fraction(unit))


SMALL = (_scale(0, 1), _scale(1, 1), _scale(2, 2), _scale(-3, 1))
DECIMAL = (_scale(0, "0.5"), _scale(0, "0.1"), _scale("19.99", "0.01"), _scale(1, "0.125"), _scale("-0.3", "0.1"))
EVERYDAY = (
    _scale(0, 10**8),  # a number as such
    _scale(123456789, 100),  # money in cents
    _scale("1234567.89", "0.01"),
    _scale(1_700_000_000_000, 1000),  # milliseconds since 1970
    _scale(0, 2**20),  # bytes
    _scale(2**31 - 1, 1),
    _scale(2**32, 2**30),
)
EDGE = (_scale(2**53 - 2, 1), _scale(-(2**53), 1), _scale(2**52, "0.5"), _scale(2**62, 2**60), _scale(2**63 - 2, 1))
HUGE = (_scale(0, "1e40"), _scale("1e20", "1e19"), _scale("1e39", "1e38"), _scale("1e30", 1), _scale(0, "-1e25"))
TINY = (_scale(0, "1e-12"), _scale(0, "1e-40"), _scale(1, "1e-17"), _scale("1e-7", "1e-9"))
FACTORS = ("2", "2", "3", "0.5", "10", "-1", "1", "0.1", "1.5", "100")
LARGE_FACTORS = ("1e40", "1e-20", "100000000", "0.000001", "65536")


def random_scale(random: Random) -> Scale:
    kinds = (SMALL, DECIMAL, EVERYDAY, EDGE, HUGE, TINY)
    return random.choice(random.choices(kinds, (40, 15, 18, 10, 10, 7))[0])


def factor(random: Random) -> Fraction:
    return Fraction(random.choice(FACTORS if random.random() < 0.85 else LARGE_FACTORS))


def number(value: Fraction, random: Random) -> s.Expression:
    """The number in one of the ways to write it; a quotient where it has no end as a decimal."""
    text = decimal(value)
    if text is None:
        top, bottom = decimal(Fraction(value.numerator)), decimal(Fraction(value.denominator))
        assert top is not None and bottom is not None
        return s.Arithmetic("/", (s.Number(top), s.Number(bottom)))
    return s.Number(_varied(text, value, random))


def _varied(text: str, value: Fraction, random: Random) -> str:
    if random.random() < 0.85:
        return text
    if "." not in text:
        zeros = len(text) - len(text.rstrip("0")) if value else 0
        return random.choice((text + ".0", f"{text[: len(text) - zeros]}e{zeros}", text + "e0", text + ".00"))
    return random.choice((text + "0", text + "e0", text.replace("0.", ".", 1) if text.startswith("0.") else text))


def decimal(value: Fraction) -> str | None:
    """All digits; None if they never end."""
    digits = next((digits for digits in range(80) if 10**digits % value.denominator == 0), None)
    if digits is None:
        return None
    whole = str(abs(value.numerator) * (10**digits // value.denominator)).rjust(digits + 1, "0")
    sign, point = "-" if value < 0 else "", len(whole) - digits
    return f"{sign}{whole[:point]}.{whole[point:]}" if digits else sign + whole
