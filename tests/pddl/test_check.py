"""What is accepted with a warning, and what without; mistakes are in test_bad_inputs.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.pddl import load
from tests.bad_inputs.cases import DOMAIN, PROBLEM


def warnings_of(
    tmp_path: Path, *, domain: tuple[str, str] = ("", ""), problem: tuple[str, str] = ("", "")
) -> list[str]:
    """The warnings after one replacement in each of the two good files."""
    files = []
    for path, (old, new) in ((DOMAIN, domain), (PROBLEM, problem)):
        text = path.read_text()
        assert old in text
        file = tmp_path / path.name
        file.write_text(text.replace(old, new, 1) if old else text)
        files.append(file)
    return load(*files)[2]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("- thing thing place)", "- thing place)", "the supertype thing is not declared itself"),
        ("- thing thing place)", "- thing thing place place)", "the type place is declared twice"),
        ("(?v - van ?a ?b - place)", "(?v - thing ?a ?b - place)", "?v is of type thing where (fuel ...) wants van"),
        ("(?v - van ?a ?b - place)", "(?v ?a ?b - object)", "?a is of type object where (at ...) wants place"),
    ],
)
def test_warnings_about_the_domain(tmp_path: Path, old: str, new: str, message: str) -> None:
    warnings = warnings_of(tmp_path, domain=(old, new))
    assert warnings
    assert any(message in warning and str(tmp_path / "domain.pddl") in warning for warning in warnings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(:domain courier)", "(:domain postman)", "the problem is for the domain postman, not courier"),
        ("(:domain courier)", "", "the problem does not name its domain"),
        ("mill - place)", "mill hub - place)", "the object hub is a constant of the domain already"),
        (
            "(= (fuel van1) 10)",
            "(= (fuel van1) 10) (= (oil van1) 1) (= (oil box) 2)",
            "the function oil is not declared",
        ),
    ],
)
def test_warnings_about_the_problem(tmp_path: Path, old: str, new: str, message: str) -> None:
    (warning,) = warnings_of(tmp_path, problem=(old, new))
    assert warning.startswith(str(tmp_path / "problem.pddl"))
    assert message in warning


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at van1 hub) (at box mill)", "(at van1 hub) (at box mill) (at box mill) (not (at box hub))"),
        ("(= (fuel van1) 10)", "(= (fuel van1) 10) (= (fuel van1) 10.0)"),
        ("van1 - van", "van1 - van both - (either van parcel)"),
    ],
)
def test_fine_without_a_warning(tmp_path: Path, old: str, new: str) -> None:
    assert warnings_of(tmp_path, problem=(old, new)) == []


def test_a_quantified_variable_may_hide_another(tmp_path: Path) -> None:
    new = "(exists (?v - parcel) (<= (weight ?v) 20))"
    assert warnings_of(tmp_path, domain=("(<= (weight ?p) 20)", new)) == []


def test_an_object_of_two_types_fits_both(tmp_path: Path) -> None:
    objects = tmp_path / "both.pddl"
    text = PROBLEM.read_text().replace("van1 - van", "van1 - van robot - (either van parcel)")
    objects.write_text(text.replace("(in box van1)", "(in robot robot) (>= (fuel robot) (weight robot))"))
    assert load(DOMAIN, objects)[2] == []
