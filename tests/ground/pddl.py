"""Tasks for the tests of single steps, written as the few lines of PDDL that matter."""

from __future__ import annotations

import tempfile
from pathlib import Path

from numbat.normalise import lift
from numbat.task.lifted import LiftedTask

PREDICATES = "(flag) (done) (p ?x) (q ?x ?y) (static ?x) (link ?x ?y)"
FUNCTIONS = "(n) (m) (f ?x) (g ?x ?y) (weight ?x) (total-cost)"


def task(actions: str, init: str = "", goal: str = "(done)", metric: str = "", objects: str = "a b c") -> LiftedTask:
    """`actions` are whole (:action ...) forms; metric is e.g. "minimize (total-cost)"."""
    domain = f"(define (domain d) (:predicates {PREDICATES}) (:functions {FUNCTIONS}) {actions})"
    rest = f"(:metric {metric})" if metric else ""
    problem = f"(define (problem q) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}) {rest})"
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        for path, text in zip(paths, (domain, problem), strict=True):
            path.write_text(text)
        return lift(*paths)[0]


def action(name: str, parameters: str = "", precondition: str = "(and)", effect: str = "(and)") -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition {precondition} :effect {effect})"
