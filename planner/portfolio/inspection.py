"""`numbat inspect`: what a task consists of, before and after grounding, and what making it cost."""

from __future__ import annotations

import json as encoder
from pathlib import Path
from typing import Any

from planner.portfolio.frontend import prepare


def inspect(domain: Path, problem: Path, *, json: bool) -> tuple[str, tuple[str, ...]]:
    """The report as text, and the warnings."""
    front = prepare(domain, problem)
    report: dict[str, Any] = {**front.grounding, "steps": front.steps, "warnings": list(front.warnings)}
    if json:
        return encoder.dumps(report, indent=2), front.warnings
    report.pop("warnings")
    return "\n".join(_lines(report, "")), front.warnings


def _lines(entries: dict[str, Any], indent: str) -> list[str]:
    lines = []
    width = max(map(len, entries), default=0)
    for key, value in entries.items():
        name = f"{indent}{key.replace('_', ' ')}"
        if isinstance(value, dict):
            lines += [name, *_lines(value, indent + "  ")]
        else:
            lines.append(f"{name.ljust(len(indent) + width)}  {_shown(key, value)}")
    return lines


def _shown(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key == "peak_memory":
        return f"{value / (1 << 20):.0f} MB"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
