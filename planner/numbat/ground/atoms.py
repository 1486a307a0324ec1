"""Ground atoms and ground fluents get numbers; the same class serves both.

Idea         symbol and arguments become one integer code; distinct codes of a whole column are numbered at once.
In, out      (symbol, argument terms, rows of objects) -> one id per row
Order        first come, first numbered: deterministic, since columns come in file order and are sorted inside
Not here     the final numbering of what is left in the end (flatten)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numbat.ground.columns import Index, Rows
from numbat.task.lifted import Arguments, Symbol


class AtomTable:
    """Ids for symbol(arguments); symbols are those of one kind, predicates or functions."""

    def __init__(self, symbols: Sequence[Symbol], objects: Sequence[str]) -> None:
        self.symbols = symbols
        self.objects = objects
        self.radix = max(len(objects), 1)
        self.symbol_of: list[int] = []
        self._code_of: list[int] = []
        self._ids: list[dict[int, int]] = [{} for _ in symbols]

    def __len__(self) -> int:
        return len(self.symbol_of)

    def _number(self, symbol: int, code: int) -> int:
        known = self._ids[symbol]
        number = known.get(code)
        if number is None:
            number = known[code] = len(self.symbol_of)
            self.symbol_of.append(symbol)
            self._code_of.append(code)
        return number

    def single(self, symbol: int, arguments: Arguments) -> int:
        """The id of an atom whose arguments are objects."""
        code = 0
        for argument in arguments:
            code = code * self.radix + argument
        return self._number(symbol, code)

    def column(self, symbol: int, arguments: Arguments, rows: Rows) -> Index:
        """The id of the atom in each row; negative arguments are columns of `rows`."""
        if all(argument >= 0 for argument in arguments):
            return np.full(len(rows), self.single(symbol, arguments), dtype=np.int64)
        # beyond 62 bits numpy's integers would wrap; Python's own do not
        kind = np.int64 if self.radix ** len(arguments) < 2**62 else object
        code = np.zeros(len(rows), dtype=kind)
        for argument in arguments:
            code = code * self.radix + (argument if argument >= 0 else rows[:, -1 - argument])
        distinct, inverse = np.unique(code, return_inverse=True)
        numbers = [self._number(symbol, int(c)) for c in distinct.tolist()]
        return np.array(numbers, dtype=np.int64)[inverse]

    def arguments(self, number: int) -> Arguments:
        code, arguments = self._code_of[number], []
        for _ in range(self.symbols[self.symbol_of[number]].arity):
            code, argument = divmod(code, self.radix)
            arguments.append(argument)
        return tuple(reversed(arguments))

    def name(self, number: int) -> str:
        names = [self.symbols[self.symbol_of[number]].name]
        names += [self.objects[argument] for argument in self.arguments(number)]
        return f"({' '.join(names)})"
