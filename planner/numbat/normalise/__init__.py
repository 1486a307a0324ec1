"""Syntax tree to LiftedTask: one rewriting per file, listed in pipeline.py."""

from __future__ import annotations

from numbat.normalise.pipeline import normalise
from numbat.pddl import FileOrPath, load
from numbat.task.lifted import LiftedTask

__all__ = ["lift", "normalise"]


def lift(domain_file: FileOrPath, problem_file: FileOrPath) -> tuple[LiftedTask, list[str]]:
    """Both files to the task they mean, and the warnings to show."""
    domain, problem, warnings = load(domain_file, problem_file)
    return normalise(domain, problem), warnings
