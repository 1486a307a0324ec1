"""Syntax tree to LiftedTask: one rewriting per file, listed in pipeline.py."""

from __future__ import annotations

from os import PathLike

from numbat.normalise.pipeline import normalise
from numbat.pddl import load
from numbat.task.lifted import LiftedTask

__all__ = ["lift", "normalise"]


def lift(domain_path: str | PathLike[str], problem_path: str | PathLike[str]) -> tuple[LiftedTask, list[str]]:
    """Both files to the task they mean, and the warnings to show."""
    domain, problem, warnings = load(domain_path, problem_path)
    return normalise(domain, problem), warnings
