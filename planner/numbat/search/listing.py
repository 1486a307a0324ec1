"""The tables of heuristics and configurations as text, Markdown and JSON: `numbat list`, and the README's tables."""

from __future__ import annotations

import json
from collections.abc import Sequence

from numbat.search.registry import DEFAULT, PAPER_CONFIGURATIONS, configuration, heuristics

_HEURISTIC_HEAD = ("heuristic", "what it estimates", "helpful actions", "safe")
_CONFIGURATION_HEAD = ("configuration", "paper's table", "solved there (of 400)", "members")


def as_text() -> str:
    lines = [*_aligned(_HEURISTIC_HEAD, _heuristic_rows()), "", *_aligned(_CONFIGURATION_HEAD, _configuration_rows())]
    return "\n".join([*lines, "", f"default: {DEFAULT}", ""])


def as_markdown() -> str:
    tables = _table(_HEURISTIC_HEAD, _heuristic_rows(code=True)), _table(_CONFIGURATION_HEAD, _configuration_rows(True))
    return "\n\n".join(tables) + "\n"


def as_json() -> str:
    configurations = [
        {**entry._asdict(), "default": entry.name == DEFAULT, "members": _members(entry.name)}
        for entry in PAPER_CONFIGURATIONS
    ]
    return json.dumps({"heuristics": heuristics(), "configurations": configurations, "default": DEFAULT}, indent=2)


def _heuristic_rows(code: bool = False) -> list[Sequence[str]]:
    yes = {True: "yes", False: "no"}
    return [
        (_code(entry["name"], code), entry["summary"], yes[entry["helpful"]], yes[entry["safe"]])
        for entry in heuristics()
    ]


def _configuration_rows(code: bool = False) -> list[Sequence[str]]:
    return [
        (
            _code(entry.name, code),
            ", ".join(map(str, entry.tables)),
            str(entry.solved),
            _code(", ".join(_members(entry.name)), code) if entry.name.startswith("P") else "",
        )
        for entry in PAPER_CONFIGURATIONS
    ]


def _members(name: str) -> list[str]:
    return [str(member) for member in configuration(name).members]


def _code(text: str, code: bool) -> str:
    # Markdown reads a bar as the end of a cell, also inside code.
    return "`" + text.replace("|", "\\|") + "`" if code else text


def _aligned(head: Sequence[str], rows: list[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    form = "  ".join(f"{{:{width}}}" for width in widths)
    return [form.format(*row).rstrip() for row in (head, *rows)]


def _table(head: Sequence[str], rows: list[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))
