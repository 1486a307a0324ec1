"""Which argument tuples an action can have at all: a join of the relations that never change.

Idea         a static predicate in a precondition is a table of objects; so is "this static fluent has a value".
             Joining the tables binds most parameters before the cross product of the rest is taken.
In, out      parameter types, relations over them, inequalities -> one row of objects per instance, in lexical order
Order        greedy: the relation with the smallest estimated result next; bound relations act as filters
Limit        no intermediate table above a given number of rows, which is known before the table is made
Not here     anything that changes over time (argument_rows, reach)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numbat.ground.columns import Index, Mask, Rows, distinct, row_codes
from numbat.task.lifted import Arguments


class TooManyRows(Exception):
    """A table would be larger than allowed."""


@dataclass(frozen=True, eq=False)
class Relation:
    """The tuples that `arguments` (parameters and objects) may be bound to."""

    arguments: Arguments
    tuples: Rows


@dataclass(frozen=True)
class Question:
    """What to instantiate. `unequal` are pairs of terms that must differ, `equal` pairs that must be the same."""

    parameters: tuple[int, ...]  # type ids
    relations: tuple[Relation, ...]
    equal: tuple[tuple[int, int], ...]
    unequal: tuple[tuple[int, int], ...]


class Join:
    """A growing table of bound parameters. `origin` is the row of the starting table each row came from."""

    def __init__(
        self, question: Question, types: Sequence[Sequence[int]], objects: int, start: Rows | None, most: int
    ) -> None:
        self.question = question
        self.most = most
        self.radix = objects
        self.domains = [np.array(types[t], dtype=np.int64) for t in question.parameters]
        given = 0 if start is None else start.shape[1]
        self.size = 1 if start is None else len(start)
        self.origin: Index = np.arange(self.size)
        self.bound: dict[int, Index] = {} if start is None else {p: start[:, p] for p in range(given)}
        self.tests = [(pair, True) for pair in question.equal] + [(pair, False) for pair in question.unequal]

    def run(self) -> tuple[Rows, Index]:
        """All rows that satisfy the question; with `start`, its rows extended, and for each the row it extends."""
        self._apply_tests()
        pending = [self._prepare(relation) for relation in self.question.relations]
        while pending:
            best = min(range(len(pending)), key=lambda i: self._estimate(*pending[i]))
            self._join(*pending.pop(best))
        for parameter, domain in enumerate(self.domains):
            if parameter not in self.bound:
                self._join([parameter], domain.reshape(-1, 1))
        columns = [self.bound[p] for p in range(len(self.domains))]
        order = np.lexsort([*reversed(columns), self.origin]) if columns else np.arange(self.size)
        rows = np.stack(columns, axis=1)[order] if columns else np.zeros((self.size, 0), dtype=np.int64)
        return rows, self.origin[order]

    def _prepare(self, relation: Relation) -> tuple[list[int], Rows]:
        """The relation restricted to its constants, repeated parameters and types; one column per parameter."""
        tuples = relation.tuples
        first: dict[int, int] = {}
        keep = np.ones(len(tuples), dtype=bool)
        for position, term in enumerate(relation.arguments):
            column = tuples[:, position]
            if term >= 0:
                keep &= column == term
            elif -1 - term in first:
                keep &= column == tuples[:, first[-1 - term]]
            else:
                first[-1 - term] = position
                keep &= self._members(-1 - term)[column]
        return list(first), tuples[keep][:, list(first.values())]

    def _members(self, parameter: int) -> Mask:
        mask = np.zeros(self.radix, dtype=bool)
        mask[self.domains[parameter]] = True
        return mask

    def _estimate(self, parameters: list[int], tuples: Rows) -> float:
        size = float(self.size * len(tuples))
        for position, parameter in enumerate(parameters):
            if parameter in self.bound:
                size /= max(1, len(distinct(tuples[:, position])))
        return size

    def _join(self, parameters: list[int], tuples: Rows) -> None:
        shared = [p for p in parameters if p in self.bound]
        if shared:
            columns = [tuples[:, parameters.index(p)] for p in shared]
            both = [np.concatenate([self.bound[p], column]) for p, column in zip(shared, columns, strict=True)]
            codes = row_codes(both, self.radix)
            left, right = codes[: self.size], codes[self.size :]
        else:
            left, right = np.zeros(self.size, dtype=np.int64), np.zeros(len(tuples), dtype=np.int64)
        order = np.argsort(right, kind="stable")
        right = right[order]
        begin = np.searchsorted(right, left, side="left")
        counts = np.searchsorted(right, left, side="right") - begin
        total = int(counts.sum())
        if total > self.most:
            raise TooManyRows
        kept = np.repeat(np.arange(self.size), counts)
        offset = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        chosen = order[np.repeat(begin, counts) + offset]
        self._select(kept)
        for position, parameter in enumerate(parameters):
            if parameter not in self.bound:
                self.bound[parameter] = tuples[chosen, position]
        self._apply_tests()

    def _select(self, index: Index) -> None:
        self.origin = self.origin[index]
        self.bound = {p: column[index] for p, column in self.bound.items()}
        self.size = len(self.origin)

    def _apply_tests(self) -> None:
        """Object equalities and inequalities whose sides are known by now."""
        waiting = []
        for (left, right), equal in self.tests:
            if all(term >= 0 or -1 - term in self.bound for term in (left, right)):
                a, b = (term if term >= 0 else self.bound[-1 - term] for term in (left, right))
                same = np.broadcast_to(np.asarray(a == b), (self.size,))
                self._select(np.flatnonzero(same == equal))
            else:
                waiting.append(((left, right), equal))
        self.tests = waiting
