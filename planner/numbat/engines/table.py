"""The one list of engines that the notation names by a word of their own; a search stands for the compiled one.

A new engine adds one line to ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from numbat.engines.compiled import CompiledSearch
from numbat.engines.engine import Engine
from numbat.engines.patterns.engine import Patterns
from numbat.search.notation import Configuration, Member, Search
from numbat.search.options import SearchOptions
from numbat.search.registry import SCOUTS
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


def maker(member: Member, beside: frozenset[Search] = frozenset()) -> Maker:
    """Of the engine of one member, which runs beside these searches."""
    what = member.what
    return ENGINES[what].make if isinstance(what, str) else partial(_search, what, beside)


def _search(search: Search, beside: frozenset[Search], options: SearchOptions) -> CompiledSearch:
    return CompiledSearch(search, replace(options, beside=beside))


def makers(wanted: Configuration) -> tuple[Maker, ...]:
    """One per member, in their order."""
    return tuple(maker(member, frozenset(wanted.searches) - {member.what}) for member in wanted.members)


def scouts(wanted: Configuration) -> tuple[Member, ...]:
    """The searches that help a portfolio to better plans, if it does not have them; a single search stays alone."""
    if len(wanted.members) == 1:
        return ()
    mine = {member.what for member in wanted.members}
    return tuple(member for member in configuration(SCOUTS).members if member.what not in mine)
