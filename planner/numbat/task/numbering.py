"""Distinct things and their numbers, in the order in which they are first asked for.

    names = Numbering(["a"])
    names["b"], names["a"], names["b"]   # 1, 0, 1
    names.entries                        # ["a", "b"]

Cost         one look into a dictionary, without a call of Python code for what is known already
New          `number == len(rows)` tells that it is, where `rows` has more to say about each of them
Not here     many at once, as columns of integers (numbat.ground.atoms)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)


class Numbering(dict[Entry, int]):
    """numbering[entry] is the number of an entry, a new one if need be; `entries` has them by number."""

    __slots__ = ("entries",)

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        for entry in entries:
            self[entry]

    def __missing__(self, entry: Entry) -> int:
        number = self[entry] = len(self.entries)
        self.entries.append(entry)
        return number
