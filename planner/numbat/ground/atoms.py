"""Ground atoms and ground fluents get numbers; the same class serves both.

Idea         symbol and arguments become one integer code; distinct codes of a whole column are numbered at once.
In, out      (symbol, argument terms, rows of objects) -> one id per row
Order        first come, first numbered: deterministic, since columns come in file order and are sorted inside
Cost         one look into a table per row where the codes of a symbol are few enough for one, else a sort
Not here     the final numbering of what is left in the end (flatten)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numbat.ground.columns import LARGEST_CODE, Index, Rows, distinct, marked
from numbat.task.lifted import Arguments, Symbol, parameter

# A symbol with more possible codes than this has no table by code, unless a column is nearly as long.
MOST_CODES = 1 << 16


class AtomTable:
    """Ids for symbol(arguments); symbols are those of one kind, predicates or functions."""

    def __init__(self, symbols: Sequence[Symbol], objects: Sequence[str]) -> None:
        self.symbols = symbols
        self.objects = objects
        self.radix = max(len(objects), 1)
        self.symbol_of: Index = np.zeros(0, dtype=np.int64)
        self._places = [_Places(self.radix**symbol.arity) for symbol in symbols]
        self._code_of: Index = np.zeros(0, dtype=np.int64)  # of objects, if some code does not fit
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def _append(self, symbol: int, codes: Index) -> Index:
        """Number codes that are new and distinct."""
        end = self._size + len(codes)
        if codes.dtype == object and self._code_of.dtype != object:
            self._code_of = self._code_of.astype(object)
        if end > len(self.symbol_of):
            more = max(end, 2 * len(self.symbol_of), 16) - len(self.symbol_of)
            self.symbol_of = np.concatenate([self.symbol_of, np.zeros(more, dtype=np.int64)])
            self._code_of = np.concatenate([self._code_of, np.zeros(more, dtype=self._code_of.dtype)])
        self.symbol_of[self._size : end], self._code_of[self._size : end] = symbol, codes
        numbers = np.arange(self._size, end)
        self._size = end
        return numbers

    def _number(self, symbol: int, codes: Index) -> Index:
        places = self._places[symbol]
        missing = places.missing(codes)
        if len(missing):
            places.add(missing, self._append(symbol, missing))
        return places.of(codes)

    def single(self, symbol: int, arguments: Arguments) -> int:
        """The id of an atom whose arguments are objects."""
        code = 0
        for argument in arguments:
            code = code * self.radix + argument
        places = self._places[symbol]
        known = places.singles.get(code)
        if known is None:
            known = places.singles[code] = int(self._number(symbol, np.array([code], dtype=places.kind))[0])
        return known

    def column(self, symbol: int, arguments: Arguments, rows: Rows) -> Index:
        """The id of the atom in each row; negative arguments are columns of `rows`."""
        if all(argument >= 0 for argument in arguments):
            return np.full(len(rows), self.single(symbol, arguments), dtype=np.int64)
        code = np.zeros(len(rows), dtype=self._places[symbol].kind)
        for argument in arguments:
            code *= self.radix
            code += argument if argument >= 0 else rows[:, -1 - argument]
        return self._number(symbol, code)

    def all_of(self, symbol: int, rows: Rows) -> Index:
        """The ids of the atoms whose arguments are the rows."""
        if not rows.shape[1]:
            return np.array([self.single(symbol, ())] * len(rows), dtype=np.int64)
        return self.column(symbol, tuple(parameter(i) for i in range(rows.shape[1])), rows)

    def argument_rows(self, numbers: Index) -> Rows:
        """The arguments of atoms of one symbol, a row each."""
        arity = self.symbols[int(self.symbol_of[numbers[0]])].arity if len(numbers) else 0
        rows = np.zeros((len(numbers), arity), dtype=np.int64)
        code = self._code_of[numbers]
        for place in reversed(range(arity)):
            code, rows[:, place] = code // self.radix, code % self.radix
        return rows

    def symbol(self, number: int) -> int:
        return int(self.symbol_of[number])

    def arguments(self, number: int) -> Arguments:
        code, arguments = int(self._code_of[number]), []
        for _ in range(self.symbols[self.symbol_of[number]].arity):
            code, argument = divmod(code, self.radix)
            arguments.append(argument)
        return tuple(reversed(arguments))

    def by_name(self, numbers: Index) -> Index:
        """Sorted by symbol, then arguments."""
        symbols, codes = self.symbol_of[numbers], self._code_of[numbers]
        if codes.dtype == object:
            order = sorted(range(len(numbers)), key=lambda place: (symbols[place], codes[place]))
            return numbers[np.array(order, dtype=np.int64)]
        return numbers[np.lexsort((codes, symbols))]

    def name(self, number: int) -> str:
        names = [self.symbols[self.symbol_of[number]].name]
        names += [self.objects[argument] for argument in self.arguments(number)]
        return f"({' '.join(names)})"


class _Places:
    """The numbers of the codes of one symbol: a table by code if the codes are few, else sorted codes."""

    def __init__(self, possible: int) -> None:
        self._possible = possible
        # beyond 62 bits numpy's integers would wrap; Python's own do not
        self.kind = np.int64 if possible < LARGEST_CODE else object
        self.singles: dict[int, int] = {}
        self._codes: Index = np.zeros(0, dtype=self.kind)
        self._numbers: Index = np.zeros(0, dtype=np.int64)
        self._table: Index | None = None

    def _needs_table(self, size: int) -> bool:
        if self._table is None and (self._possible <= MOST_CODES or self._possible <= 2 * size):
            self._table = np.full(self._possible, -1, dtype=np.int64)
            self._table[self._codes] = self._numbers
        return self._table is not None

    def missing(self, codes: Index) -> Index:
        """Those without a number, each once, ascending."""
        if self._needs_table(len(codes)):
            assert self._table is not None
            new = codes[self._table[codes] < 0]
            if len(new) <= 1:
                return new
            return distinct(new) if 8 * len(new) < self._possible else marked(new, self._possible)
        found = distinct(codes)
        if not len(self._codes):
            return found
        place = np.minimum(np.searchsorted(self._codes, found), len(self._codes) - 1)
        missing: Index = found[self._codes[place] != found]
        return missing

    def add(self, codes: Index, numbers: Index) -> None:
        if self._table is not None:
            self._table[codes] = numbers
        else:
            place = np.searchsorted(self._codes, codes)
            self._codes, self._numbers = np.insert(self._codes, place, codes), np.insert(self._numbers, place, numbers)

    def of(self, codes: Index) -> Index:
        if self._table is not None:
            return self._table[codes]
        place: Index = np.searchsorted(self._codes, codes)
        return self._numbers[place]
