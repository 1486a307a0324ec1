"""Two columns of equal length: long lists of (owner, item), so that joining and dropping are sorts and masks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numbat.ground.columns import Index, Mask, contained, distinct

NONE = -1
EMPTY: Index = np.zeros(0, dtype=np.int64)


@dataclass
class Pairs:
    """An owner (operator or block) and what it has."""

    owner: Index
    item: Index

    def __len__(self) -> int:
        return len(self.owner)

    def where(self, mask: Mask) -> Pairs:
        return Pairs(self.owner[mask], self.item[mask])

    def sorted(self) -> Pairs:
        """Ascending, each pair once."""
        radix = self.radix()
        codes = self.codes(radix)
        ordered = distinct(codes)
        return self if ordered is codes else decode(ordered, radix)

    def radix(self) -> int:
        return int(self.item.max()) + 1 if len(self.item) else 1

    def codes(self, radix: int) -> Index:
        return self.owner * radix + self.item

    def isin(self, other: Pairs) -> Mask:
        radix = max(self.radix(), other.radix())
        return contained(self.codes(radix), other.codes(radix))


def decode(codes: Index, radix: int) -> Pairs:
    return Pairs(codes // radix, codes % radix)


def join_pairs(parts: list[tuple[Index, Index]]) -> Pairs:
    return Pairs(join([owner for owner, _ in parts]), join([item for _, item in parts]))


def join(columns: list[Index]) -> Index:
    return np.concatenate(columns) if columns else EMPTY
