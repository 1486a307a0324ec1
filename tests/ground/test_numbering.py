"""Numbers are given in the order of first questions, and asking whether something has one gives it none."""

from __future__ import annotations

from numbat.task.numbering import Numbering


def test_numbers_are_given_in_order_and_kept() -> None:
    numbering = Numbering(["a", "b", "a"])
    assert [numbering[entry] for entry in "cbadc"] == [2, 1, 0, 3, 2]
    assert numbering.entries == ["a", "b", "c", "d"]


def test_asking_whether_something_has_a_number_gives_it_none() -> None:
    numbering: Numbering[str] = Numbering()
    assert "a" not in numbering and numbering.get("a") is None
    assert numbering["b"] == 0 and numbering.entries == ["b"]
