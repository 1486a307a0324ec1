"""Two columns of equal length: long lists of (owner, item), so that joining and dropping are sorts and masks.

Cost         linear (core/grounding/columns)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numbat import _core
from numbat.ground.columns import Index, Mask

NONE = -1
EMPTY: Index = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Pairs:
    """An owner (operator or block) and what it has."""

    owner: Index
    item: Index

    def __len__(self) -> int:
        return len(self.owner)

    def where(self, mask: Mask) -> Pairs:
        return self if mask.all() else Pairs(self.owner[mask], self.item[mask])

    def sorted(self) -> Pairs:
        """Ascending, each pair once."""
        owner, item = self.owner, self.item
        ascends = (owner[1:] > owner[:-1]) | ((owner[1:] == owner[:-1]) & (item[1:] > item[:-1]))
        return self if ascends.all() else Pairs(*_core.sorted_pairs(*self._contiguous()))

    def isin(self, other: Pairs) -> Mask:
        return _core.pairs_contained(*self._contiguous(), *other._contiguous()).view(np.bool_)

    def codes(self, radix: int) -> Index:
        return self.owner * radix + self.item

    def _contiguous(self) -> tuple[Index, Index]:
        return np.ascontiguousarray(self.owner), np.ascontiguousarray(self.item)


def join_pairs(parts: list[tuple[Index, Index]]) -> Pairs:
    return Pairs(join([owner for owner, _ in parts]), join([item for _, item in parts]))


def join(columns: list[Index]) -> Index:
    return np.concatenate(columns) if columns else EMPTY
