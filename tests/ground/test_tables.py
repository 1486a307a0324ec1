"""The tables that grounding is made of equal dictionaries."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbat import _core
from numbat.ground import atoms
from numbat.ground.atoms import AtomTable
from numbat.ground.pairs import Pairs
from numbat.task.lifted import Symbol, parameter
from numbat.task.names import Group, Names

OBJECTS = ("a", "b", "c", "d")
ROW = st.tuples(*[st.integers(0, 3)] * 3)


@pytest.mark.parametrize("arity", [3, 40], ids=["numpy's integers", "Python's integers"])
@pytest.mark.parametrize("most", [0, 1 << 16], ids=["sorted", "by code"])
@given(columns=st.lists(st.tuples(st.integers(0, 1), st.lists(ROW, max_size=6)), max_size=6))
def test_atoms_are_numbered_as_they_come(
    arity: int, most: int, columns: list[tuple[int, list[tuple[int, int, int]]]]
) -> None:
    terms = tuple(parameter(i) for i in range(3)) + (1,) * (arity - 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atoms, "MOST_CODES", most)
        table = AtomTable((Symbol("p", arity), Symbol("q", arity)), OBJECTS)
        known: dict[tuple[int, tuple[int, ...]], int] = {}
        for symbol, rows in columns:
            for row in sorted(set(rows)):
                known.setdefault((symbol, row + (1,) * (arity - 3)), len(known))
            found = table.column(symbol, terms, np.array(rows, dtype=np.int64).reshape(-1, 3))
            assert found.tolist() == [known[symbol, row + (1,) * (arity - 3)] for row in rows]
    for (symbol, arguments), number in known.items():
        assert table.single(symbol, arguments) == number
        assert (table.symbol(number), table.arguments(number)) == (symbol, arguments)
        assert table.argument_rows(np.array([number])).tolist() == [list(arguments)]
    assert len(table) == len(known)
    assert table.by_name(np.arange(len(table))).tolist() == [known[key] for key in sorted(known)]


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=20))
def test_equal_rows_are_found(rows: list[list[int]]) -> None:
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    items = np.array([item for row in rows for item in row], dtype=np.int64)
    assert _core.first_of_equal_rows(sizes, items).tolist() == [rows.index(row) for row in rows]


def pairs_of(rows: list[tuple[int, int]]) -> Pairs:
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Pairs(table[:, 0], table[:, 1])


# few owners have tables, owners far apart do not
PAIRS = st.lists(st.tuples(st.integers(0, 6) | st.integers(0, 10**15), st.integers(-2, 4)), max_size=20)


@given(PAIRS, PAIRS)
def test_pairs_are_sorted_and_found(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> None:
    ordered = pairs_of(some).sorted()
    assert list(zip(ordered.owner.tolist(), ordered.item.tolist(), strict=True)) == sorted(set(some))
    assert pairs_of(some).isin(pairs_of(others)).tolist() == [pair in others for pair in some]


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4), max_size=4))
def test_names_are_those_of_the_groups(groups: list[list[tuple[int, int]]]) -> None:
    arrays = [np.array(rows, dtype=np.int64).reshape(-1, 2) for rows in groups]
    names = Names([Group(f"(p{i}", array) for i, array in enumerate(arrays)], OBJECTS)
    expected = tuple(f"(p{i} {OBJECTS[a]} {OBJECTS[b]})" for i, rows in enumerate(groups) for a, b in rows)
    assert names == expected and tuple(names) == expected and names != (*expected, "(p)")
    assert len(names) == list(accumulate(map(len, groups), initial=0))[-1]
    assert [names[i] for i in range(-len(names), len(names))] == [*expected, *expected]
    assert names[1:3] == expected[1:3]
    with pytest.raises(IndexError):
        names[len(names)]


@pytest.mark.parametrize(("sizes", "items"), [([2], [1]), ([1], [1, 2]), ([-1, 2], [1])])
def test_rows_that_do_not_fit_are_refused(sizes: list[int], items: list[int]) -> None:
    with pytest.raises(ValueError, match="rows must end"):
        _core.first_of_equal_rows(np.array(sizes, dtype=np.int64), np.array(items, dtype=np.int64))


def test_negative_owners_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        pairs_of([(1, 0), (-1, 0)]).sorted()
