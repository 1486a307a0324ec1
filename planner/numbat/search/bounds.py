"""What all searches for a cheapest plan know of its cost together: shared memory, made before they are forked.

Costs        are the task's integer costs (numbat.search.costs)
Layout       the core's (_core.pyi, BOUNDS_*), which prunes by the upper bound and raises the lower one itself
"""

from __future__ import annotations

import mmap

import numpy as np
from numpy.typing import NDArray

from numbat import _core

_NONE = 2**63 - 1
# Beyond this, costs are not bounded by: sums of two must fit into 64 bits.
LARGEST = 2**61


class Bounds:
    """`upper` is the cost of a known plan, `lower` what every plan costs at least."""

    def __init__(self) -> None:
        self.row: NDArray[np.int64] = np.frombuffer(mmap.mmap(-1, 8 * _core.BOUNDS_SIZE), dtype=np.int64)
        self.row[_core.BOUNDS_UPPER] = _NONE

    @property
    def lower(self) -> int:
        return int(self.row[_core.BOUNDS_LOWER])

    @property
    def upper(self) -> int | None:
        known = int(self.row[_core.BOUNDS_UPPER])
        return None if known == _NONE else known

    @upper.setter
    def upper(self, cost: int) -> None:
        self.row[_core.BOUNDS_UPPER] = cost
