"""Words of a good file dropped, doubled, exchanged and replaced: every result is read or refused with a PlannerError."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.errors import PlannerError
from planner.normalise import lift
from tests.bad_inputs.cases import DOMAIN, PROBLEM

ROOT = Path(__file__).resolve().parents[2]
WORDS = (ROOT / "tests" / "fuzz" / "words.txt").read_text(encoding="ascii").split()


def words_of(path: Path) -> list[str]:
    return re.findall(r"\(\s*[^\s()]*|\)|[^\s()]+", re.sub(r";.*", "", path.read_text()))


Edit = tuple[str, int, int, str]


def mutated(words: list[str], edits: list[Edit]) -> str:
    words = list(words)
    for kind, first, second, new in edits:
        first, second = first % len(words), second % len(words)
        if kind == "drop" and len(words) > 1:
            del words[first]
        elif kind == "double":
            words.insert(second, words[first])
        elif kind == "exchange":
            words[first], words[second] = words[second], words[first]
        elif kind == "replace":
            words[first] = new
        elif kind == "insert":
            words.insert(first, new)
        elif kind == "close":
            words.insert(first, ")")
            words.insert(min(first, second), "(" + new)
    return " ".join(words)


def edits() -> st.SearchStrategy[list[Edit]]:
    kinds = st.sampled_from(["drop", "double", "exchange", "replace", "insert", "close"])
    place = st.integers(0, 10_000)
    return st.lists(st.tuples(kinds, place, place, st.sampled_from(WORDS)), min_size=1, max_size=5)


@pytest.mark.parametrize("role", ["domain", "problem"])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=edits())
def test_mutations_end_well(tmp_path: Path, role: str, edits: list[Edit]) -> None:
    file = tmp_path / "mutated.pddl"
    file.write_text(mutated(words_of(DOMAIN if role == "domain" else PROBLEM), edits))
    domain, problem = (file, PROBLEM) if role == "domain" else (DOMAIN, file)
    try:
        lift(domain, problem)
    except PlannerError as error:
        assert error.span is not None
        assert error.span.file in (str(domain), str(problem))
        assert error.span.line
