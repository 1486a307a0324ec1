"""The image under test, built once per session from this working copy, and tasks to try it on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from numbat.lab.integration import in_continuous_integration
from tests.image.tree import ROOT, copy_tree, start

NO_APPTAINER = 77  # build.sh's exit code

# From 0 in steps of two: never an odd number, and no relaxation of these heuristics can tell.
ENDLESS_DOMAIN = """
(define (domain parity) (:requirements :typing :numeric-fluents) (:types counter)
  (:functions (value ?c - counter))
  (:action up :parameters (?c - counter) :effect (increase (value ?c) 2))
  (:action down :parameters (?c - counter) :effect (decrease (value ?c) 2)))
"""
ENDLESS_PROBLEM = """
(define (problem odd) (:domain parity) (:objects a b c d e f - counter)
  (:init (= (value a) 0) (= (value b) 0) (= (value c) 0) (= (value d) 0) (= (value e) 0) (= (value f) 0))
  (:goal (= (value a) 7)))
"""
# A plan is found at once; whether there is a shorter one cannot be decided in time.
TOUR_TREES = 14


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """planner.sif; NUMBAT_IMAGE names one that is built already."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    os.environ["PATH"] = f"{cache}/numbat-image/apptainer/cmd:{os.environ['PATH']}"
    if built := os.environ.get("NUMBAT_IMAGE"):
        return Path(built).resolve()
    output = tmp_path_factory.mktemp("image") / "planner.sif"
    build = subprocess.run(
        [ROOT / "tests/image/build.sh", output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if build.returncode == NO_APPTAINER:
        message = "NO APPTAINER: the image was neither built nor tested"
        (pytest.fail if in_continuous_integration() else pytest.skip)(message)
    assert build.returncode == 0, build.stdout[-3000:]
    return output


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree; the source distribution lies beside it."""
    tree = copy_tree(tmp_path_factory.mktemp("sources") / "tree")
    output = tmp_path_factory.mktemp("wheels")
    environment = os.environ | {"PYTHON": sys.executable}
    command = [tree / "packaging/build-wheel.sh", output]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    (wheel,) = output.glob("numbat_planner-*.whl")
    return wheel


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone that two users started at the same moment."""
    clone = copy_tree(tmp_path_factory.mktemp("clone") / "the planner's place")
    task = [ROOT / "examples/jugs/domain.pddl", ROOT / "examples/jugs/problem.pddl"]
    both = [start(clone, *task, clone / f"plan{i}") for i in range(2)]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sum("setting up" in text for text in said) == 1, said
    return clone


@pytest.fixture
def endless(tmp_path: Path) -> list[str]:
    """Domain and problem of a task whose search never ends."""
    (tmp_path / "parity.pddl").write_text(ENDLESS_DOMAIN)
    (tmp_path / "odd.pddl").write_text(ENDLESS_PROBLEM)
    return ["parity.pddl", "odd.pddl"]


@pytest.fixture
def tour(tmp_path: Path) -> list[str]:
    """Domain and problem of an orchard with so many trees that its plan can be improved for hours."""
    (tmp_path / "orchard.pddl").write_text((ROOT / "examples/orchard/domain.pddl").read_text())
    trees = [f"t{i}" for i in range(TOUR_TREES)]
    places = ["shed", *trees]
    distances = [
        f"(= (distance {a} {b}) {10 + (i - j) ** 2 % 13})" for i, a in enumerate(places) for j, b in enumerate(places)
    ]
    (tmp_path / "tour.pddl").write_text(
        f"(define (problem tour) (:domain orchard) (:objects {' '.join(trees)} - tree shed - crate)"
        f" (:init (at shed) (= (stored shed) 0) (= (basket) 0) (= (capacity) 3) (= (walked) 0)"
        f" {' '.join(f'(= (ripe {t}) 2)' for t in trees)} {' '.join(distances)})"
        f" (:goal (>= (stored shed) {2 * TOUR_TREES})) (:metric minimize (walked)))"
    )
    return ["orchard.pddl", "tour.pddl"]
