"""Linear programmes in exact fractions: the simplex method in dictionary form with Bland's rule, which ends."""

from __future__ import annotations

from fractions import Fraction

Row = list[Fraction]


def maximum(objective: Row, rows: list[Row], limits: Row) -> Fraction | None:
    """The largest objective * x with rows * x <= limits and x >= 0, for limits >= 0; None if there is no largest."""
    table = [list(row) for row in rows]
    limits, gains, value = list(limits), list(objective), Fraction(0)
    others, basics = list(range(len(gains))), list(range(len(gains), len(gains) + len(rows)))
    while rising := [column for column in range(len(gains)) if gains[column] > 0]:
        column = min(rising, key=lambda c: others[c])
        stopping = [r for r in range(len(table)) if table[r][column] > 0]
        if not stopping:
            return None
        pivot = min(stopping, key=lambda r: (limits[r] / table[r][column], basics[r]))
        divisor = table[pivot][column]
        table[pivot][column] = Fraction(1)
        own = table[pivot] = [entry / divisor for entry in table[pivot]]
        limits[pivot] /= divisor
        for r in range(len(table)):
            if r != pivot and table[r][column] != 0:
                factor, table[r][column] = table[r][column], Fraction(0)
                table[r] = [entry - factor * other for entry, other in zip(table[r], own, strict=True)]
                limits[r] -= factor * limits[pivot]
        factor, gains[column] = gains[column], Fraction(0)
        gains = [entry - factor * other for entry, other in zip(gains, own, strict=True)]
        value += factor * limits[pivot]
        others[column], basics[pivot] = basics[pivot], others[column]
    return value
