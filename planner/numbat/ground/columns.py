"""Columns of integers: the few operations that grounding is made of.

numpy's own unique and isin hash their input, which is slow for the regular codes that occur here; sorting is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

LARGEST_CODE = 2**62  # of a row as one number; numpy has 63 bits for it


def distinct(column: Index) -> Index:
    """Each entry once, ascending."""
    ordered = in_order(column)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered if first.all() else ordered[first]


def in_order(column: Index) -> Index:
    """Sorted; most columns are already."""
    return column if (column[1:] >= column[:-1]).all() else np.sort(column)


def marked(column: Index, bound: int) -> Index:
    """As distinct, for many entries below a bound."""
    mark = np.zeros(bound, dtype=bool)
    mark[column] = True
    return np.flatnonzero(mark)


def ranked(columns: Sequence[Index], bound: int) -> tuple[Index, list[Index]]:
    """The entries of several columns, each once, ascending, and the columns with places among these as entries."""
    if bound > 8 * sum(map(len, columns)):
        values = distinct(np.concatenate([distinct(column) for column in columns]))
        return values, [np.searchsorted(values, column) for column in columns]
    mark = np.zeros(bound, dtype=bool)
    for column in columns:
        mark[column] = True
    place = np.cumsum(mark) - 1
    return np.flatnonzero(mark), [place[column] for column in columns]


def contained(column: Index, other: Index) -> Mask:
    """Which entries of a column occur in the other."""
    if not len(other):
        return np.zeros(len(column), dtype=bool)
    ordered = in_order(other)
    place = np.minimum(np.searchsorted(ordered, column), len(ordered) - 1)
    found: Mask = ordered[place] == column
    return found


def row_codes(columns: Sequence[Index], radix: int) -> Index:
    """One number per row, equal just where the rows are; entries are in range(radix), there is at least one column."""
    code, bound = columns[0], radix
    for column in columns[1:]:
        if bound > LARGEST_CODE // max(radix, 1):
            values, code = np.unique(code, return_inverse=True)
            bound = len(values)
        code, bound = code * radix + column, bound * radix
    return code
