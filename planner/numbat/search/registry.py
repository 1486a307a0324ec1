"""What can be searched with: the core's algorithms and heuristics, and the configurations of the paper's two tables.

In, out      the core's two tables → names for the parser; one list here → `numbat list`, README table, tests
Source       paper, tables "num_and_nov" and "coverage": solved of 400 tasks with 600 s and 8 GB
Not here     how they are written (notation) and run (run)
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from numbat.search.notation import Configuration, Member, Vocabulary, parse

if TYPE_CHECKING:
    from numbat._core import AlgorithmInfo, HeuristicInfo

DEFAULT = "P(3h||3n)"
OPTIMAL = "P(A(hpot), A(hpot, hlmcut), S(hmrp+hj))"
# What --anytime adds to a portfolio once there is a plan (docs/improving.md).
SCOUTS = "P(S(hflow), L(hmrp+hj, hlm))"
# The portfolio of our own, composed by measurement (docs/results.md).
BEST = "best"
_BEST_FILE = Path(__file__).parent / "data" / "best.json"


class PaperConfiguration(NamedTuple):
    """A configuration of the paper: in which of its tables, and how many of 400 tasks it solved there (600 s, 8 GB)."""

    name: str
    tables: tuple[int, ...]
    solved: int


_SINGLE, _COVERAGE, _BOTH = (1,), (2,), (1, 2)
PAPER_CONFIGURATIONS = (
    PaperConfiguration("S(hgc)", _SINGLE, 117),
    PaperConfiguration("S(hmd)", _BOTH, 200),
    PaperConfiguration("S(haibr)", _SINGLE, 119),
    PaperConfiguration("S(hadd)", _BOTH, 183),
    PaperConfiguration("S(hradd)", _SINGLE, 171),
    PaperConfiguration("S(hmrp)", _SINGLE, 176),
    PaperConfiguration("S(hmrp+hj)", _BOTH, 217),
    PaperConfiguration("S(hadd<A,PN>)", _SINGLE, 178),
    PaperConfiguration("S(hadd<B,PN>)", _SINGLE, 181),
    PaperConfiguration("S(hadd<A,QB>)", _SINGLE, 215),
    PaperConfiguration("S(hadd<B,QB>)", _BOTH, 236),
    PaperConfiguration("S(hmd<B,QB>)", _COVERAGE, 185),
    PaperConfiguration("S(hmrp<B,QB>+hj)", _COVERAGE, 222),
    PaperConfiguration("M(3h)", _COVERAGE, 261),
    PaperConfiguration("M(3n)", _COVERAGE, 244),
    PaperConfiguration("M(3h||3n)", _COVERAGE, 274),
    PaperConfiguration("P(3h)", _COVERAGE, 290),
    PaperConfiguration("P(3n)", _COVERAGE, 292),
    PaperConfiguration("P(3h||3n)", _COVERAGE, 315),
)


def heuristics() -> list[HeuristicInfo]:
    """The core's own table."""
    from numbat import _core

    return _core.heuristics()


def algorithms() -> list[AlgorithmInfo]:
    """The core's own table."""
    from numbat import _core

    return _core.algorithms()


def proving_algorithms() -> list[str]:
    """Those that prove optimality; they need an admissible heuristic and integer costs."""
    return [entry["name"] for entry in algorithms() if entry["admissible"]]


def weighted_algorithms() -> list[str]:
    """Those that take a weight; they need integer costs, too."""
    return [entry["name"] for entry in algorithms() if entry["weighted"]]


def best() -> str:
    """The notation of the portfolio called `best`."""
    entries = json.loads(_BEST_FILE.read_text(encoding="utf-8"))["members"]
    members = [Member(entry["search"], entry["share"]) for entry in entries]
    return f"P({', '.join(map(str, members))})"


def configuration(text: str, engines: Collection[str] = ()) -> Configuration:
    """Read a configuration whose members may be these engines; ConfigurationError says where it went wrong."""
    if text.strip() == BEST:
        text = best()
    helpful = {entry["name"]: entry["helpful"] for entry in heuristics()}
    several = {entry["name"]: entry["several"] for entry in algorithms()}
    admissible = [entry["name"] for entry in heuristics() if entry["admissible"]]
    vocabulary = Vocabulary(
        helpful,
        several,
        admissible,
        proving_algorithms(),
        engines,
        weighted_algorithms(),
        planning=[entry["name"] for entry in heuristics() if entry["plans"]],
        ahead=[entry["name"] for entry in algorithms() if entry["plans"]],
    )
    return parse(text, vocabulary)
