"""What PDDL calls the things of a problem, and which thing a PDDL name means.

In, out      a thing and the name it has → a name that PDDL can spell: lower case, beginning with a letter, no word of
             the language, and not yet taken; `Été`, `robot 1` and `A` beside `a` all get names of their own
Guarantee    different things of one kind have different names; a name that PDDL can spell, and nobody has, stays
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)

_RESERVED = (
    *("object", "number", "either", "define", "domain", "problem", "minimize", "maximize", "total-time"),
    *("and", "or", "not", "imply", "forall", "exists", "when", "at", "over", "start", "end", "all"),
    *("increase", "decrease", "assign", "scale-up", "scale-down", "always", "sometime", "within", "preference"),
)


class Names(Generic[Thing]):
    """The names of things of one kind."""

    def __init__(self, things: Iterable[tuple[Thing, str]] = ()) -> None:
        self._names: dict[Thing, str] = {}
        self._things: dict[str, Thing] = {}
        self._given: dict[str, int] = {}  # how often a name was asked for
        for thing, name in things:
            self.add(thing, name)

    def add(self, thing: Thing, name: str) -> str:
        """Name a thing; its own name if that is possible."""
        spelled = wanted = _spelled(name)
        while spelled in self._things or spelled in _RESERVED:
            self._given[wanted] = self._given.get(wanted, 0) + 1
            spelled = f"{wanted}_{self._given[wanted]}"
        self._names[thing] = spelled
        self._things[spelled] = thing
        return spelled

    def of(self, thing: Thing) -> str:
        return self._names[thing]

    def thing(self, name: str) -> Thing:
        return self._things[name]

    def __contains__(self, thing: Thing) -> bool:
        return thing in self._names


def _spelled(name: str) -> str:
    letters = re.sub(r"[^a-z0-9_-]", "_", name.lower())
    return letters if re.match(r"[a-z_]", letters) else f"n{letters}"
