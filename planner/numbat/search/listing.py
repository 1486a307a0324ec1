"""The tables of algorithms, heuristics, configurations and variations as text, Markdown and JSON: `numbat list`.

The README's tables are the Markdown ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from numbat.search.notation import FEATURES, Search
from numbat.search.options import SearchOptions
from numbat.search.registry import (
    BEST,
    DEFAULT,
    OPTIMAL,
    PAPER_CONFIGURATIONS,
    algorithms,
    best,
    configuration,
    heuristics,
)
from numbat.search.variations import variations

# Those that have a name, or are what an option asks for.
_NAMED = [(BEST, best()), ("--optimal", OPTIMAL)]
_YES = {True: "yes", False: "no"}


class Table(NamedTuple):
    """Cells in the columns numbered `code` are notation."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    code: frozenset[int]


Engines = Mapping[str, str]  # other members of a portfolio: name -> what it does; see numbat.engines.table


def as_text(engines: Engines) -> str:
    tables = ["\n".join(_aligned(table)) for table in _tables(engines)]
    return "\n\n".join([*tables, f"default: {DEFAULT}\n"])


def as_markdown(engines: Engines) -> str:
    return "\n\n".join(map(_markdown, _tables(engines))) + "\n"


def as_json(engines: Engines) -> str:
    default = SearchOptions()
    data = {
        "algorithms": algorithms(),
        "engines": [{"name": name, "summary": summary} for name, summary in engines.items()],
        "heuristics": heuristics(),
        "novelty": [{"name": name, **feature._asdict()} for name, feature in FEATURES.items()],
        "configurations": [
            {**entry._asdict(), "default": entry.name == DEFAULT, "members": _members(entry.name)}
            for entry in PAPER_CONFIGURATIONS
        ],
        "portfolios": dict(_NAMED),
        "default": DEFAULT,
        "variations": {
            str(search): [
                {
                    "search": str(variation.search),
                    "ties": variation.ties,
                    "shuffled": variation.shuffled,
                    "kept": variation.kept,
                    "share": variation.share,
                    "joins_at": variation.joins_at,
                }
                for variation in variations(search, default)
            ]
            for search in configuration(DEFAULT).searches
        },
    }
    return json.dumps(data, indent=2)


def _tables(engines: Engines) -> list[Table]:
    others = Table(("engine", "what it does"), list(engines.items()), frozenset({0}))
    varied = _variations(configuration(DEFAULT).searches)
    named = Table(("portfolio", "members, with shares of the time"), _NAMED, frozenset({0, 1}))
    return [_algorithms(), others, _heuristics(), _novelty(), _configurations(), named, varied]


def _algorithms() -> Table:
    rows = [
        (entry["name"], entry["summary"], _YES[entry["several"]], _YES[entry["complete"]]) for entry in algorithms()
    ]
    return Table(("algorithm", "what it does", "several heuristics", "complete"), rows, frozenset({0}))


def _heuristics() -> Table:
    rows = [
        (
            entry["name"],
            entry["summary"],
            _YES[entry["helpful"]],
            _YES[entry["safe"]],
            _YES[entry["admissible"]],
        )
        for entry in heuristics()
    ]
    head = ("heuristic", "what it estimates", "helpful actions", "safe", "admissible")
    return Table(head, rows, frozenset({0}))


def _novelty() -> Table:
    rows = [
        (", ".join(f"<{name},{measure}>" for measure in feature.measures) or f"<{name}>", feature.summary)
        for name, feature in FEATURES.items()
    ]
    return Table(("novelty", "what it looks at"), rows, frozenset({0}))


def _configurations() -> Table:
    rows = [
        (
            entry.name,
            ", ".join(map(str, entry.tables)),
            str(entry.solved),
            ", ".join(_members(entry.name)) if entry.name.startswith("P") else "",
        )
        for entry in PAPER_CONFIGURATIONS
    ]
    return Table(("configuration", "paper's table", "solved there (of 400)", "members"), rows, frozenset({0, 3}))


def _variations(searches: Sequence[Search]) -> Table:
    """What the members of the default portfolio do besides, from their evaluations on that are named."""
    rows = []
    for search in searches:
        for variation in variations(search, SearchOptions()):
            order = f"{', '.join(variation.ties)}{', shuffled' if variation.shuffled else ''}"
            kept = "kept" if variation.kept else "thrown away"
            first = variation.search == search and variation.kept
            joins = f"evaluation {variation.joins_at}" if variation.joins_at else "" if first else "a stall"
            name, share = str(search) if first else "", str(variation.share)
            rows.append((name, str(variation.search), joins, order, kept, share))
    return Table(("search", "takes turns with", "from", "order", "runs", "share"), rows, frozenset({0, 1}))


def _members(name: str) -> list[str]:
    return [str(member) for member in configuration(name).members]


def _aligned(table: Table) -> list[str]:
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    form = "  ".join(f"{{:{width}}}" for width in widths)
    return [form.format(*row).rstrip() for row in (table.head, *table.rows)]


def _markdown(table: Table) -> str:
    def cell(column: int, text: str) -> str:
        # Markdown reads a bar as the end of a cell, also inside code.
        return "`" + text.replace("|", "\\|") + "`" if text and column in table.code else text

    rows = [[cell(column, text) for column, text in enumerate(row)] for row in table.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in (table.head, ["---"] * len(table.head), *rows))
