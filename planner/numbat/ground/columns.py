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

_LARGEST_CODE = 2**62


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
        if bound > _LARGEST_CODE // max(radix, 1):
            values, code = np.unique(code, return_inverse=True)
            bound = len(values)
        code, bound = code * radix + column, bound * radix
    return code


def first_of_equals(sizes: Index, items: Index) -> Index:
    """Rows of the given sizes stand one after the other in `items`: for each the first row that is equal to it."""
    ends = np.cumsum(sizes)
    first = np.zeros(len(sizes), dtype=np.int64)
    radix = int(items.max()) + 1 if len(items) else 1
    for size in distinct(sizes).tolist():
        rows = np.flatnonzero(sizes == size)
        begin = ends[rows] - size
        columns = [items[begin + place] for place in range(size)] or [np.zeros(len(rows), dtype=np.int64)]
        _, place, inverse = np.unique(row_codes(columns, radix), return_index=True, return_inverse=True)
        first[rows] = rows[place[inverse]]
    return first
