"""The oracle's numbers: exact fractions, integers where that is possible; whatever has no value is Undefined."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, sub
from typing import Any

Exact = int | Fraction
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}
_CHANGES = {"increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}


class Undefined(Exception):
    """A fluent without a value is read, a division by zero, or changes that contradict each other."""


def exact(value: Exact) -> Exact:
    """Integers are faster."""
    return value.numerator if value.denominator == 1 else value


def defined(value: Exact | None) -> Exact:
    if value is None:
        raise Undefined
    return value


def calculated(operator: str, operands: list[Exact]) -> Exact:
    value, *others = operands
    for other in others:
        value = _quotient(value, other) if operator == "/" else exact(_OPERATIONS[operator](value, other))
    return value


def _quotient(value: Exact, divisor: Exact) -> Exact:
    if divisor == 0:
        raise Undefined
    return exact(Fraction(value) / divisor)


def changed(value: Exact | None, parts: list[tuple[str, Exact]]) -> Exact:
    kinds = {kind for kind, _ in parts}
    if kinds == {"assign"} and len({amount for _, amount in parts}) == 1:
        return parts[0][1]
    if not kinds <= {"increase", "decrease"} and not kinds <= {"scale-up", "scale-down"}:
        raise Undefined
    result = defined(value)
    for kind, amount in parts:
        result = calculated(_CHANGES[kind], [result, amount])
    return result
