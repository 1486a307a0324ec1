"""Progress: plain lines for files, one self-rewriting line for terminals."""

from __future__ import annotations

import io

import pytest

from numbat.lab.progress import Progress
from numbat.lab.results import Record

SOLVED = Record("S(hadd)", "bell", "p1", 1, 1 << 20, outcome="solved", cpu=0.5, length=3)
CRASHED = Record("S(hadd)", "bell", "p2", 1, 1 << 20, outcome="crash", unexplained="exit code 30")
LATE = Record("S(hadd)", "bell", "p3", 1, 1 << 20, outcome="out-of-time")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def follow(stream: io.StringIO) -> str:
    progress = Progress(4, [SOLVED], stream)
    for record in (CRASHED, LATE):
        progress.add(record)
    progress.close()
    return stream.getvalue()


def test_plain_lines() -> None:
    lines = follow(io.StringIO()).splitlines()
    assert lines[0] == "1 of 4 runs were finished before"
    assert lines[1] == "[2/4] bell p2 S(hadd): crash, 0.00 s, 0 MB  !! exit code 30"
    assert lines[2].startswith("[3/4] bell p3")
    assert lines[3].startswith("1 solved, 2 not, 1 unexplained, 1 left; ")


def test_a_terminal_sees_a_bar_and_what_is_unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = follow(Terminal())
    assert "1 solved, 1 not, 1 unexplained, 2 left, ends " in text
    assert "!! exit code 30" in text
    assert "[3/4]" not in text  # explained runs leave no line
