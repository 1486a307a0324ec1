"""Mutants of good PDDL files: words, lists and bytes dropped, doubled, exchanged and replaced. Seeded, so repeatable.

In, out      a task (two files) and a Random → a task of which one file, now and then both, has up to three faults
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

from numbat.pddl import File

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = Path(os.environ.get("NUMBAT_BENCHMARKS", ROOT.parent / "shared" / "benchmarks" / "ipc2023-numeric"))
LARGEST = 6000  # bytes of a file worth mutating: in a long initial state most faults are the same one

Task = tuple[File, File]

_PIECE = re.compile(rb";[^\n]*|[()]|[^\s();]+|\s+")
_LISTS = [line.encode() for line in (ROOT / "tests" / "fuzz" / "lists.txt").read_text().splitlines()]
_WORDS = (ROOT / "tests" / "fuzz" / "words.txt").read_text().encode().split() + (
    b"and or not imply forall exists when increase decrease assign scale-up scale-down define domain problem either"
    b" object number total-time total-cost minimize ?x ?y ?undeclared ? : - -- -x ( ) () 1. .5 +5 -0 1e5 1e-5 1e400 -.5"
    b" 1.2.3 1x 0 0.0 (-) (-x) (+1) (*2) x+1 a?b a:b =< >= => #t ?x-t -t ;c '\" \xe9 \xc3\xa9 \x07 \x00 \x0c \r \xa0 K"
    b" :strips :action :goal :metric :length :typing (either) (and) (or) (not) (=?x?y) A_B-c"
).split(b" ")
_BLANKS = (b" ", b"\t", b"\r", b"\r\n", b"\n", b"\f", b"\v", b"", b"\x1c", b"\xc2\xa0")


def tasks() -> list[Task]:
    """The tasks of this repository, and the smallest one of each benchmark domain where the benchmarks are at hand."""
    problems = sorted(ROOT.glob("tests/tasks/*/p1.pddl")) + sorted(ROOT.glob("examples/*/problem*.pddl"))
    problems.append(ROOT / "tests" / "bad_inputs" / "companions" / "problem.pddl")
    for domain in sorted(BENCHMARKS.glob("*/domain.pddl")):
        problems.append(min(sorted(domain.parent.glob("instances/*.pddl")), key=lambda file: file.stat().st_size))
    found = []
    for problem in problems:
        folder = problem.parent.parent if problem.parent.name == "instances" else problem.parent
        files = folder / "domain.pddl", problem
        if all(file.stat().st_size <= LARGEST for file in files):
            found.append((File("domain.pddl", files[0].read_bytes()), File("problem.pddl", files[1].read_bytes())))
    return found


def mutant(task: Task, random: Random) -> Task:
    """One to three faults in one of the files, or in both."""
    files = [*task]
    for index in random.choice([(0,), (0,), (1,), (1,), (0, 1)]):
        data = files[index].data
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            data = _with_other_bytes(data, random) if random.random() < 0.1 else _with_other_words(data, random)
        files[index] = File(files[index].name, data)
    return files[0], files[1]


def _with_other_bytes(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + bytes([random.randrange(256)]) + data[place + random.randrange(2) :]


def _with_other_words(data: bytes, random: Random) -> bytes:
    """Parentheses are touched less often than words: where they do not match, there is little left to find."""
    pieces = _PIECE.findall(data)
    every = [place for place, piece in enumerate(pieces) if not piece.isspace()]
    words = [place for place in every if pieces[place] not in b"()" and not pieces[place].startswith(b";")]
    chosen = words if words and random.random() < 0.9 else every
    first = random.choice(chosen)
    alike = [place for place in chosen if _kind(pieces[place]) == _kind(pieces[first])]
    second = random.choice(alike if random.random() < 0.8 else chosen)
    match random.choice(
        ["drop", "double", "exchange", "replace", "own", "own", "insert", "blank", "graft", "list", "move"]
    ):
        case "drop":
            pieces[first] = b" "
        case "double":
            pieces[first] += b" " + pieces[first]
        case "exchange":
            pieces[first], pieces[second] = pieces[second], pieces[first]
        case "replace":
            pieces[first] = random.choice(_WORDS)
        case "own":
            pieces[first] = pieces[second]
        case "insert":
            pieces[first] += b" " + random.choice(_WORDS)
        case "blank":
            pieces[first] += random.choice(_BLANKS)
            pieces[first + 1 : first + 2] = []
        case "graft":
            pieces[_list_at(pieces, first)] = pieces[_list_at(pieces, second)]
        case "list":
            pieces[_list_at(pieces, first)] = [random.choice(_LISTS)]
        case "move":
            moved = pieces[_list_at(pieces, first)]
            pieces[_list_at(pieces, first)] = []
            pieces[second:second] = moved
    return b"".join(pieces)


def _kind(word: bytes) -> bytes:
    """Variables, keywords, numbers and names each have their own kind, and so has every operator."""
    return re.sub(rb"[0-9.]", b"0", re.sub(rb"[a-z_]", b"a", word[:1].lower()))


def _list_at(pieces: list[bytes], start: int) -> slice:
    """The first whole list that starts here or later; nothing if there is none."""
    while start < len(pieces) and pieces[start] != b"(":
        start += 1
    depth = 0
    for end in range(start, len(pieces)):
        depth += (pieces[end] == b"(") - (pieces[end] == b")")
        if depth == 0:
            return slice(start, end + 1)
    return slice(start, start)
