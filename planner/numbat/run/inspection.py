"""`numbat inspect`: what a task consists of, before and after grounding, and what making it cost.

In, out      two files → Inspection: text() for people, as_dict() for JSON
With --expressions, instead: every numeric expression of the two files, as written and in sympy's normal form.
"""

from __future__ import annotations

import json as encoder
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbat.errors import shown
from numbat.ground.report import GroundingReport
from numbat.pddl import FileOrPath, load
from numbat.run.frontend import prepare


@dataclass(frozen=True, slots=True)
class Inspection:
    """A task in figures.

    grounding   how many operators, facts, variables and conditions there are, before and after grounding
    steps       step → its CPU time (`seconds`) and the memory of this process after it (`peak_memory`, bytes)
    warnings    what the planner found odd
    """

    grounding: GroundingReport
    steps: dict[str, dict[str, float]]
    warnings: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.grounding.as_dict(), "steps": self.steps, "warnings": self.warnings}

    def text(self) -> str:
        report = self.grounding.as_dict()
        seconds = {f"ground: {name}": time for name, time in self.grounding.seconds.items()}
        del report["seconds"]
        title = "CPU time and peak memory of each step"
        return "\n".join([*_table(report), "", title, *_table({**self.steps, **seconds})])


def inspect(domain: FileOrPath, problem: FileOrPath) -> Inspection:
    front = prepare(domain, problem)
    return Inspection(GroundingReport(**front.grounding), front.steps, front.warnings)


def expressions(domain: Path, problem: Path, *, json: bool) -> tuple[str, tuple[str, ...]]:
    """Place, text and normal form of every expression, and the warnings."""
    from numbat.normalise.polynomial import normal_forms  # imports sympy

    domain_tree, problem_tree, warnings = load(domain, problem)
    forms = list(normal_forms(domain_tree, problem_tree))
    if json:
        entries = [{"place": str(form.span), "written": form.written, "normal": form.normal} for form in forms]
        return encoder.dumps({"expressions": entries, "warnings": warnings}, indent=2), tuple(warnings)
    lines = [f"{form.span}: {shown(form.written)}  ->  {shown(form.normal)}" for form in forms]
    return "\n".join(lines) or "no numeric expressions", tuple(warnings)


def _table(entries: dict[str, Any]) -> list[str]:
    width = max(map(len, entries))
    return [f"{key.replace('_', ' ').ljust(width)}  {_shown(value)}" for key, value in entries.items()]


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3f} s"
    if isinstance(value, dict):
        return f"{value['seconds']:.3f} s, {value['peak_memory'] >> 20} MB"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
