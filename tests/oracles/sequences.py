"""The novelty sequences N1, N2 and the record test of docs/heuristics.md 9."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.builder import Description
from tests.oracles.states import State

# two numeric variables and one fact, as in the document; no operator is needed
NOVELTY_TASK = Description({"p": False}, {"x": 0, "y": 0}, [], ["p"])


@dataclass(frozen=True)
class Sequence:
    """States with their base values, and the novelty values by (feature, measure, k)."""

    states: tuple[State, ...]
    h: tuple[Fraction, ...]
    expected: dict[tuple[str, str, int], list[int]]


def states(*rows: tuple[float, float, bool]) -> tuple[State, ...]:
    return tuple(State((p,), (Fraction(x), Fraction(y))) for x, y, p in rows)


N1 = Sequence(
    states((0, 0, False), (1, 0, False), (0, 0, True), (3, -1, False), (2, 0, False), (2, 0, True), (2.5, 0, True)),
    tuple(map(Fraction, (5, 4, 6, 4, 5, 4, 5))),
    {
        ("A", "QB", 1): [1, 1, 2, 1, 2, 1, 2],
        ("A", "QB", 2): [1, 1, 2, 1, 2, 1, 2],
        ("B", "QB", 1): [1, 1, 2, 1, 5, 2, 6],
        ("B", "QB", 2): [1, 1, 2, 1, 5, 2, 9],
    },
)

N2 = Sequence(
    states(
        (0, 0, False),
        (1, 0, False),
        (0, 1, False),
        (1, 1, False),
        (0, 0, True),
        (1, 0, True),
        (1, 1, True),
        (0, 1, True),
        (0.5, 0, False),
    ),
    (Fraction(7),) * 9,
    {
        ("A", "PN", 1): [1, 1, 1, 2, 1, 2, 2, 2, 1],
        ("A", "PN", 2): [1, 1, 1, 2, 1, 2, 2, 3, 1],
        ("B", "PN", 1): [1, 1, 1, 2, 1, 2, 2, 2, 2],
        ("B", "PN", 2): [1, 1, 1, 2, 1, 2, 2, 3, 3],
        ("A", "QB", 1): [1, 2, 2, 3, 2, 3, 3, 3, 2],
        ("A", "QB", 2): [1, 2, 2, 5, 2, 5, 5, 6, 2],
        ("B", "QB", 1): [1, 2, 2, 3, 2, 3, 3, 3, 3],
        ("B", "QB", 2): [1, 2, 2, 5, 2, 5, 5, 6, 6],
    },
)

# value of one variable, its B index; the first value is the centre
RECORDS = [
    (Fraction(value), index)
    for value, index in [("-1.5", 0), ("2.3", 1), ("-5.3", -1), ("0.7", 1), ("4.6", 2), ("2.3", 1), ("3.0", 2)]
]
