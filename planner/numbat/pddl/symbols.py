"""What the names of a task refer to: types, objects, predicates, functions.

In, out      tree.Domain, tree.Problem → Symbols; raises where a declaration makes no sense
Types        a hierarchy below `object`; a type that is only named as a supertype counts as a child of `object`
Not here     whether names are used as they were declared (check.py)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from numbat.errors import InputError, Span
from numbat.pddl import tree

Warnings = list[tuple[Span, str]]

# What begins a condition or an effect cannot be the name of an atom or a fluent.
RESERVED = frozenset(("and", "or", "not", "imply", "forall", "exists", "when")) | frozenset(
    ("assign", "increase", "decrease", "scale-up", "scale-down")
)


class Symbols:
    """Names to numbers. Objects: constants first, then those of the problem, each in the order of the file."""

    def __init__(self, domain: tree.Domain, problem: tree.Problem, warnings: Warnings) -> None:
        self._warnings = warnings
        self.supertypes = self._declare_types(domain.types)
        self._ancestors: dict[str, frozenset[str]] = {}
        self._member_names: dict[tuple[str, ...], frozenset[str]] = {}
        for declared in domain.types:
            self._refuse_circle(declared)
        self.objects: dict[str, int] = {}
        self.object_types: list[tuple[str, ...]] = []
        self._declare_objects(domain.constants)
        constants = frozenset(self.objects)
        self._declare_objects(problem.objects, constants)
        self.predicates = self._declare_signatures(domain.predicates, "predicate")
        self.functions = self._declare_signatures(domain.functions, "function")
        self.predicate_numbers = {name: number for number, name in enumerate(self.predicates)}
        self.function_numbers = {name: number for number, name in enumerate(self.functions)}

    # --- types -------------------------------------------------------------------------------------------------------

    def _declare_types(self, declared: Iterable[tree.TypedName]) -> dict[str, tuple[str, ...]]:
        supertypes: dict[str, tuple[str, ...]] = {"object": ()}
        spans: dict[str, Span] = {}
        for entry in declared:
            parents = tuple(dict.fromkeys(parent for parent in entry.types if parent != "object")) or ("object",)
            if entry.name == "object":
                if parents != ("object",):
                    raise InputError("the type object cannot have a supertype", entry.span)
                continue
            if {*supertypes.setdefault(entry.name, parents)} != {*parents}:
                raise InputError(f"the type {entry.name} is declared twice, with different supertypes", entry.span)
            if entry.name in spans:
                self._warnings.append((entry.span, f"the type {entry.name} is declared twice"))
            spans[entry.name] = entry.span
        for name, span in spans.items():
            for parent in supertypes[name]:
                if parent not in supertypes:
                    supertypes[parent] = ("object",)
                    message = f"the supertype {parent} is not declared itself; taken as a child of object"
                    self._warnings.append((span, message))
        return supertypes

    def _refuse_circle(self, start: tree.TypedName) -> None:
        """Walk up from a type; meeting it again means that the hierarchy is circular."""
        seen: set[str] = set()
        pending = list(self.supertypes[start.name])
        while pending:
            name = pending.pop()
            if name == start.name:
                raise InputError(f"the type {name} is its own supertype", start.span)
            if name not in seen:
                seen.add(name)
                pending.extend(self.supertypes[name])

    def ancestors(self, name: str) -> frozenset[str]:
        """The type itself and everything above it."""
        found = self._ancestors.get(name)
        if found is None:
            reached: dict[str, None] = {}
            pending = [name]
            while pending:
                current = pending.pop()
                if current not in reached:
                    reached[current] = None
                    pending.extend(self.supertypes[current])
            found = self._ancestors[name] = frozenset(reached)
        return found

    def _above(self, types: tuple[str, ...]) -> frozenset[str]:
        """Everything that something of all these types is."""
        return frozenset().union(*map(self.ancestors, types))

    def may_be(self, known: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether something of one of the known types could be of one of the wanted types."""
        kinds = {*map(self.ancestors, self.supertypes), *map(self._above, self.object_types)}
        return any(not kind.isdisjoint(known) and not kind.isdisjoint(wanted) for kind in kinds)

    def members(self, types: tuple[str, ...]) -> tuple[int, ...]:
        """The objects of any of these types, in order; all objects if no type is given."""
        wanted = frozenset(types) or frozenset(("object",))
        return tuple(
            number
            for number, own in enumerate(self.object_types)
            if any(not wanted.isdisjoint(self.ancestors(name)) for name in own)
        )

    def member_names(self, types: tuple[str, ...]) -> frozenset[str]:
        """The same by name."""
        found = self._member_names.get(types)
        if found is None:
            names = list(self.objects)
            found = self._member_names[types] = frozenset(names[number] for number in self.members(types))
        return found

    def check_types(self, entries: Iterable[tree.TypedName]) -> None:
        """Every type written behind these names is known."""
        for entry in entries:
            for name in entry.types:
                if name not in self.supertypes:
                    raise InputError(f"unknown type {name} (of {entry.name})", entry.span)

    # --- objects, predicates, functions ------------------------------------------------------------------------------

    def _declare_objects(self, entries: tuple[tree.TypedName, ...], known: frozenset[str] = frozenset()) -> None:
        self.check_types(entries)
        for entry in entries:
            types = entry.types or ("object",)
            number = self.objects.get(entry.name)
            if number is None:
                self.objects[entry.name] = len(self.objects)
                self.object_types.append(types)
            elif entry.name in known and self._above(self.object_types[number]) == self._above(types):
                self._warnings.append((entry.span, f"the object {entry.name} is a constant of the domain already"))
            else:
                raise InputError(f"the object {entry.name} is declared twice", entry.span)

    def _declare_signatures(self, entries: tuple[tree.Signature, ...], kind: str) -> dict[str, tree.Signature]:
        found: dict[str, tree.Signature] = {}
        self.check_types(chain.from_iterable(entry.parameters for entry in entries))
        for entry in entries:
            if entry.name in found:
                raise InputError(f"the {kind} {entry.name} is declared twice", entry.span)
            if entry.name in RESERVED:
                raise InputError(f"{entry.name} is a word of PDDL and cannot name a {kind}", entry.span)
            found[entry.name] = entry
        return found

    # --- uses --------------------------------------------------------------------------------------------------------

    def between_objects(self, comparison: tree.Compare) -> bool:
        """Whether an (= a b) compares objects, not numbers: both sides name one, and one of them is no number."""
        sides = comparison.left, comparison.right
        return (
            comparison.relation == "="
            and any(isinstance(side, tree.Word) for side in sides)
            and all(self._denotes_object(side) for side in sides)
        )

    def _denotes_object(self, side: tree.Expression) -> bool:
        return isinstance(side, tree.Word | tree.Number) and (side.name.startswith("?") or side.name in self.objects)
