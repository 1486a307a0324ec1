"""Solvers behind one small interface; none is imported before `load`.

A backend    solve(formula, effort) → Answer. `effort` is in the solver's own deterministic units, about seconds of an
             idle core, so that a process that is paused loses nothing
Answers      "unsat" holds within the bounds of the formula's integers and is a reason to ask another formula, no more
A new one    is a module with a class `Solver` and a line in the table
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Literal, NamedTuple, Protocol

from numbat.engines.patterns.formula import Formula

Satisfiability = Literal["sat", "unsat", "unknown"]


class Answer(NamedTuple):
    """The values of all variables with "sat", else none; `optimal`: none cost less, within the bounds."""

    status: Satisfiability
    values: Sequence[int] = ()
    optimal: bool = False


class Solver(Protocol):
    def solve(self, formula: Formula, effort: float) -> Answer: ...


# name -> the package it needs, in the order of preference
BACKENDS = {"cpsat": "ortools", "smtlib": "z3"}


def available() -> list[str]:
    """The backends whose solver is installed, best first."""
    return [name for name, package in BACKENDS.items() if find_spec(package) is not None]


def load(name: str) -> Solver:
    solver: Solver = importlib.import_module(f"numbat.engines.patterns.backends.{name}").Solver()
    return solver
