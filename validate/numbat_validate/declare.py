"""What a domain and a problem declare: types, objects, predicates, functions.

Every name in a task is checked against them; a variable is refused only where no object could have both types.
"""

import re
from collections.abc import Container

from numbat_validate.reader import Node, shorten

TypedName = tuple[str, tuple[str, ...]]
Signature = tuple[tuple[str, ...], ...]

NAME = re.compile(r"[a-z0-9_][a-z0-9_-]*\Z")
_CONDITIONS = frozenset(("and", "or", "not", "imply", "forall", "exists", "when"))
_RESERVED = _CONDITIONS.union(("assign", "increase", "decrease", "scale-up", "scale-down"))


class Declarations:
    """The vocabulary of a task; an object is mapped to all types it has, `object` included."""

    def __init__(self, types: Node, predicates: Node, functions: Node) -> None:
        self._ancestors = _ancestors(types)
        self._members: dict[tuple[str, ...], list[str]] = {}
        self.objects: dict[str, frozenset[str]] = {}
        self.signatures = {"predicate": self._table(predicates, "predicate")}
        self.signatures["function"] = self._table(functions, "function")

    def add_objects(self, section: Node) -> None:
        constants = frozenset(self.objects)
        for name, types in _typed_names(section, 1, "", self._ancestors):
            every = frozenset[str]().union(*(self._ancestors[kind] for kind in types))
            if name in self.objects and (name not in constants or self.objects[name] != every):
                raise section.error(f"object '{shorten(name)}' is declared twice")
            self.objects[name] = every

    def variables(self, node: Node) -> list[TypedName]:
        """The parameters of a schema or a quantifier, all different."""
        variables = _typed_names(node, 0, "?", self._ancestors)
        if len(dict(variables)) < len(variables):
            raise node.error("a variable is declared twice in this list")
        return variables

    def members(self, types: tuple[str, ...]) -> list[str]:
        """The objects of any of the types, in the order of declaration."""
        if types not in self._members:
            self._members[types] = [name for name, every in self.objects.items() if not every.isdisjoint(types)]
        return self._members[types]

    def may_be(self, known: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether something of one of the known types could be of one of the wanted types."""
        kinds = {*self._ancestors.values(), *self.objects.values()}
        return any(not kind.isdisjoint(known) and not kind.isdisjoint(wanted) for kind in kinds)

    def _table(self, section: Node, kind: str) -> dict[str, Signature]:
        table: dict[str, Signature] = {}
        for index in range(1, len(section)):
            result = kind == "function" and section[index - 1] == "-"
            if result and section[index] != "number":
                raise section.unsupported("a function whose values are not numbers")
            if result or (kind == "function" and section[index] == "-" and index + 1 < len(section)):
                continue
            item = section.list_at(index, f"({kind} ...)")
            name = item.head()
            if name in table or name in _RESERVED or not NAME.match(name):
                raise item.error(f"'{shorten(name)}' is declared twice or cannot name a {kind}")
            table[name] = tuple(types for _, types in _typed_names(item, 1, "?", self._ancestors))
        return table


def _ancestors(section: Node) -> dict[str, frozenset[str]]:
    """Each type with everything above it, itself and `object` included."""
    parents: dict[str, set[str]] = {}
    for name, supertypes in _typed_names(section, 1):
        above = {*supertypes} - {"object"}
        if parents.setdefault(name, above) != above or (name == "object" and above):
            raise section.error(f"type '{shorten(name)}' is declared twice, or above 'object'")
    for supertype in {"object"}.union(*parents.values()):
        parents.setdefault(supertype, set())
    closure: dict[str, frozenset[str]] = {}
    for name in parents:
        seen, work = {name, "object"}, list(parents[name])
        while work:
            supertype = work.pop()
            if supertype == name:
                raise section.error(f"type '{shorten(name)}' is its own supertype")
            if supertype not in seen:
                seen.add(supertype)
                work.extend(parents[supertype])
        closure[name] = frozenset(seen)
    return closure


def _typed_names(node: Node, start: int, prefix: str = "", known: Container[str] | None = None) -> list[TypedName]:
    """`a b - t c` from the given child on, all types among the known ones; what has no type is an `object`."""
    typed: list[TypedName] = []
    pending: list[str] = []
    for index in range(start, len(node)):
        word = node[index]
        if index > start and node[index - 1] == "-":
            names = word[1:] if isinstance(word, Node) and word[:1] == ["either"] else [word]
            types = tuple(name for name in names if isinstance(name, str) and NAME.match(name))
            if not types or len(types) < len(names):
                raise node.error("expected a type or (either type ...)", index)
            unknown = [kind for kind in types if known is not None and kind not in known]
            if unknown:
                raise node.error(f"type '{shorten(unknown[0])}' is not declared", index)
            typed += [(name, types) for name in pending]
            pending = []
        elif isinstance(word, str) and word.startswith(prefix) and NAME.match(word[len(prefix) :]):
            pending.append(word)
        elif word != "-" or not pending or index + 1 == len(node):
            raise node.error(f"expected {'a variable' if prefix else 'a name'}, possibly with '- type'", index)
    return typed + [(name, ("object",)) for name in pending]
