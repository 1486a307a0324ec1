"""The one list of engines that the notation names by a word of their own; a search stands for the compiled one.

A new engine adds one line to ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from numbat.engines.compiled import CompiledSearch
from numbat.engines.engine import Engine
from numbat.engines.patterns.engine import Patterns
from numbat.search.notation import Configuration
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration as read

# Makes the engine of one member of a configuration, for the options of a round.
Maker = Callable[[SearchOptions], Engine]


class EngineInfo(NamedTuple):
    """What people see of an engine, and how one is made for a run."""

    summary: str
    make: Maker


ENGINES: Mapping[str, EngineInfo] = {
    "patterns": EngineInfo("patterns of actions with unknown repetitions, by an integer solver", Patterns),
}


def configuration(text: str) -> Configuration:
    """Read a configuration whose members may be engines."""
    return read(text, engines=ENGINES)


def makers(wanted: Configuration) -> tuple[Maker, ...]:
    """One per member, in their order."""
    whats = [member.what for member in wanted.members]
    return tuple(ENGINES[what].make if isinstance(what, str) else partial(CompiledSearch, what) for what in whats)
