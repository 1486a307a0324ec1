"""Whatever is wrong with a file: an exit code that says so, a message with a place, no traceback."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numbat_validate as validate
from numbat_validate.__main__ import main
from tests.validate.samples import ROOT, TASKS, domain_of, name_of, write_task

BAD_INPUTS = ROOT / "tests" / "bad_inputs"
FILES = sorted(path for path in BAD_INPUTS.glob("*") if path.is_file() and path.suffix == ".pddl")
DOMAIN, PROBLEM = (BAD_INPUTS / "companions" / name for name in ("domain.pddl", "problem.pddl"))
PLAN = "(drive van1 hub mill)\n(load box van1 mill)\n(drive van1 mill hub)\n"

# Files that are wrong for a planner, not for a referee: too large to ground or not linear, yet every plan has a
# verdict; or merely used where another file is expected.
MEANINGFUL = {
    "coefficient-too-large": 0,
    "division-by-a-changing-fluent": 0,
    "domain-as-problem": 0,
    "nested-conjunctions": 0,
    "nested-negations": 0,
    "nested-sums": 0,
    "non-linear-condition": 1,
    "non-linear-effect": 1,
    "non-linear-goal": 0,
    "problem-as-domain": 0,
    "product-blow-up": 0,
    "scale-up-by-a-changing-fluent": 1,
    "too-many-ground-actions": 0,
    "undefined-fluent-in-metric": 0,
}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "plan").write_text(PLAN, encoding="utf-8")
    return tmp_path / "plan"


def test_companions_are_good(plan: Path) -> None:
    assert FILES
    assert main([str(DOMAIN), str(PROBLEM), str(plan)]) == 0


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_corpus(file: Path, plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As domain and as problem: refused in both roles, unless it has a meaning in one of them."""
    codes = []
    for arguments in ((file, PROBLEM, plan), (DOMAIN, file, plan)):
        codes.append(main([str(argument) for argument in arguments]))
        complaint = capsys.readouterr().err
        assert ("validate: " in complaint) == (codes[-1] in (2, 3))
        assert file.name in complaint or codes[-1] not in (2, 3)
    assert max(codes) >= 2
    if file.stem in MEANINGFUL:
        assert min(codes) == MEANINGFUL[file.stem]
    else:
        assert min(codes) >= 2, "the referee overlooks a mistake, or this file belongs to MEANINGFUL"


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_corpus_as_plan(file: Path) -> None:
    assert main([str(DOMAIN), str(PROBLEM), str(file)]) in (1, 2)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "found 0"),
        (b"\x00", "outside of a comment"),
        (b"(define (domain d)\x00)", "outside of a comment"),
        (b"(define (domain caf\xe9))", "outside of a comment"),
        (b"\xff\xfe(\x00", "outside of a comment"),
        (b"(" * 100_000, "never closed"),
        (b"(" * 100_000 + b")" * 100_000, "expected (define"),
        (b")", "expected a list"),
        (b"(define (domain d) (:predicates (p) (p)))", "declared twice"),
        (b"(define (domain d) (:types a - b b - a))", "its own supertype"),
        (b"(define (domain d) (:predicates (p ?x - ghost)))", "type 'ghost' is not declared"),
        (b"(define (domain d) (:functions (f) - colour))", "not supported"),
        (b"(define (domain d) (:functions (f)) (:action a :effect (increase (f) (* #t 1))))", "not supported"),
        (b"(define (domain d) (:action a :parameters ?x))", "a list of parameters"),
        (b"(define (domain d) (:action a :effect))", "with values"),
    ],
)
def test_bytes_as_domain(content: bytes, complaint: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pddl"
    bad.write_bytes(content)
    _, problem = write_task(tmp_path, "", "(:goal (and))")
    with pytest.raises((validate.InputError, validate.Unsupported)) as caught:
        validate.load(bad, problem)
    assert str(caught.value).startswith(str(bad))
    assert complaint in str(caught.value)


@given(content=st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_random_bytes_as_plan(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.getbasetemp() / "random.plan"
    place.write_bytes(content)
    assert main([str(DOMAIN), str(PROBLEM), str(place)]) in (1, 2)


@given(text=st.text(alphabet="()ab01.:; \n[]-?", max_size=60))
@settings(max_examples=200, deadline=None)
def test_random_words_as_plan(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.getbasetemp() / "random.plan"
    place.write_text(text, encoding="utf-8")
    assert main([str(DOMAIN), str(PROBLEM), str(place)]) in (1, 2)


def cut(text: str, random: Random) -> str:
    return text[: random.randrange(len(text))]


def drop(text: str, random: Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + text[place + random.randint(1, 10) :]


def put(text: str, random: Random) -> str:
    place = random.randrange(len(text))
    return (
        text[:place]
        + random.choice(["(", ")", "-", "?", ":", " 7 ", "\x00", "é", "and", "(= 1)", "- x"])
        + text[place:]
    )


def shuffle(text: str, random: Random) -> str:
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    place = random.randrange(len(words) - 1)
    words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


@pytest.mark.parametrize("change", [cut, drop, put, shuffle])
@pytest.mark.parametrize("problem", sorted(TASKS.glob("*/p1.pddl")), ids=name_of)
def test_damaged_files_never_surprise(problem: Path, change: Callable[[str, Random], str], tmp_path: Path) -> None:
    """A damaged file is refused, or still means something; nothing else is ever raised."""
    random = Random(f"{problem}{change.__name__}".replace(os.fspath(ROOT), ""))
    refused = 0
    for original in (domain_of(problem), problem):
        for _ in range(15):
            damaged = tmp_path / "damaged.pddl"
            damaged.write_text(change(original.read_text(encoding="utf-8"), random), encoding="utf-8")
            files = (damaged, problem) if original != problem else (domain_of(problem), damaged)
            try:
                validate.check(*files, [])
            except (validate.InputError, validate.Unsupported) as refusal:
                assert ".pddl" in str(refusal)
                refused += 1
    assert refused
