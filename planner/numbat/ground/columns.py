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
    if not len(column):
        return column
    ordered = np.sort(column)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def contained(column: Index, other: Index) -> Mask:
    """Which entries of a column occur in the other."""
    if not len(other):
        return np.zeros(len(column), dtype=bool)
    ordered = np.sort(other)
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
