"""Words and lists of a good file dropped, doubled, replaced: every result is read, or refused with a PlannerError."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numbat.errors import PlannerError
from numbat.normalise import lift
from tests.bad_inputs.cases import DOMAIN, PROBLEM

ROOT = Path(__file__).resolve().parents[2]
WORDS = (ROOT / "tests" / "fuzz" / "words.txt").read_text(encoding="ascii").split()
LISTS = (ROOT / "tests" / "fuzz" / "lists.txt").read_text(encoding="ascii").splitlines()


def words_of(text: str) -> list[str]:
    return re.findall(r"\(\s*[^\s()]*|\)|[^\s()]+", re.sub(r";.*", "", text))


def list_at(words: list[str], start: int) -> slice:
    """The first whole list that starts here or later; nothing if there is none."""
    while start < len(words) and not words[start].startswith("("):
        start += 1
    depth = 0
    for end in range(start, len(words)):
        depth += words[end].startswith("(") - words[end].endswith(")")
        if depth == 0:
            return slice(start, end + 1)
    return slice(start, start)


Edit = tuple[str, int, int, str]


def mutated(words: list[str], edits: list[Edit]) -> str:
    words = list(words)
    for kind, first, second, new in edits:
        first, second = first % max(len(words), 1), second % max(len(words), 1)
        if not words or kind == "insert":
            words.insert(first, new)
        elif kind == "drop":
            del words[first]
        elif kind == "double":
            words.insert(second, words[first])
        elif kind == "exchange":
            words[first], words[second] = words[second], words[first]
        elif kind == "replace":
            words[first] = new
        elif kind == "graft":
            words[list_at(words, first)] = words[list_at(words, second)]
        elif kind == "replace list":
            words[list_at(words, first)] = words_of(LISTS[second % len(LISTS)])
    return " ".join(words)


def edits() -> st.SearchStrategy[list[Edit]]:
    kinds = st.sampled_from(["drop", "double", "exchange", "replace", "insert", "graft", "replace list"])
    place = st.integers(0, 10_000)
    return st.lists(st.tuples(kinds, place, place, st.sampled_from(WORDS)), min_size=1, max_size=5)


@pytest.mark.parametrize("role", ["domain", "problem"])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=edits())
def test_mutations_end_well(tmp_path: Path, role: str, edits: list[Edit]) -> None:
    file = tmp_path / "mutated.pddl"
    file.write_text(mutated(words_of((DOMAIN if role == "domain" else PROBLEM).read_text()), edits))
    domain, problem = (file, PROBLEM) if role == "domain" else (DOMAIN, file)
    try:
        lift(domain, problem)
    except PlannerError as error:
        assert error.span is not None
        assert error.span.file in (str(domain), str(problem))
        assert error.span.line
