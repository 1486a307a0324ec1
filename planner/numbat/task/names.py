"""Names of many ground things, made when they are asked for: a large task has millions that nobody reads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Group:
    """One symbol with its arguments, row by row: "(drive" + " truck1 depot" + ")"."""

    before: str
    arguments: NDArray[np.integer]  # object numbers
    after: str = ")"


class Names(Sequence[str]):
    """The names of all groups in a row; equal to any sequence of the same strings."""

    def __init__(self, groups: Sequence[Group], objects: Sequence[str]) -> None:
        self._groups = groups
        self._objects = objects
        self._ends = list(accumulate(len(group.arguments) for group in groups))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = int(index) + (len(self) if index < 0 else 0)
        if not 0 <= place < len(self):
            raise IndexError(index)
        number = bisect_right(self._ends, place)
        group = self._groups[number]
        return self._name(group, group.arguments[place - self._ends[number]].tolist())

    def __iter__(self) -> Iterator[str]:
        for group in self._groups:
            for row in group.arguments.tolist():
                yield self._name(group, row)

    def _name(self, group: Group, row: Sequence[int]) -> str:
        return " ".join((group.before, *(self._objects[argument] for argument in row))) + group.after

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))
