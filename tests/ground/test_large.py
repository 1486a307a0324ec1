"""Large tasks ground within time and memory that were measured, with room for a busy machine."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

DOMAIN = """(define (domain haul) (:requirements :typing :numeric-fluents) (:types truck place box)
(:predicates (at ?t - truck ?p - place) (on ?b - box ?p - place) (in ?b - box ?t - truck))
(:functions (room ?t - truck) (total-cost))
(:action drive :parameters (?t - truck ?a ?b - place) :precondition (at ?t ?a)
  :effect (and (not (at ?t ?a)) (at ?t ?b) (increase (total-cost) 2)))
(:action load :parameters (?t - truck ?b - box ?p - place)
  :precondition (and (at ?t ?p) (on ?b ?p) (>= (room ?t) 1))
  :effect (and (not (on ?b ?p)) (in ?b ?t) (decrease (room ?t) 1) (increase (total-cost) 1)))
(:action unload :parameters (?t - truck ?b - box ?p - place) :precondition (and (at ?t ?p) (in ?b ?t))
  :effect (and (on ?b ?p) (not (in ?b ?t)) (increase (room ?t) 1) (increase (total-cost) 1))))"""

MEASURED = """
import json, sys
from pathlib import Path
from numbat.ground import freed_memory_kept, ground_with_report
from numbat.normalise import lift
lifted, _ = lift(Path(sys.argv[1]), Path(sys.argv[2]))
with freed_memory_kept():
    _, report = ground_with_report(lifted, 4 << 30)
print(json.dumps([report.operators, sum(report.seconds.values())]))
"""


def problem(trucks: int, places: int) -> str:
    """As many boxes as places: 3 * trucks * places^2 ground actions, less those that lead nowhere."""
    objects = [*(f"t{i} - truck" for i in range(trucks)), *(f"p{i} - place b{i} - box" for i in range(places))]
    init = [f"(at t{i} p{i}) (= (room t{i}) 4)" for i in range(trucks)]
    init += [f"(on b{i} p{i * 7 % places})" for i in range(places)]
    goal = [f"(on b{i} p{(i * 3 + 1) % places})" for i in range(places)]
    return (
        f"(define (problem large) (:domain haul) (:objects {' '.join(objects)}) (:init (= (total-cost) 0)"
        f" {' '.join(init)}) (:goal (and {' '.join(goal)})) (:metric minimize (total-cost)))"
    )


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))


@pytest.mark.parametrize(
    ("places", "seconds"), [(58, 1), pytest.param(409, 60, marks=pytest.mark.slow)], ids=["100,000", "5 million"]
)
def test_large_tasks_ground_in_time_and_4_gigabytes(places: int, seconds: float, tmp_path: Path) -> None:
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for file, text in zip(files, (DOMAIN, problem(10, places)), strict=True):
        file.write_text(text)
    command = [sys.executable, "-c", MEASURED, *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, preexec_fn=limited)
    operators, taken = json.loads(done.stdout)
    assert operators > 29 * places**2
    assert taken < seconds
