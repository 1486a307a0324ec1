"""What a domain and a problem declare: types, objects, predicates, functions.

In, out      the sections of both files → Declarations, against which every name and argument is checked
Leniency     a supertype nobody declared is a child of `object`, predicates and functions have separate names, and a
             variable is refused only where no object could have both types
Not here     actions, initial state, goal and metric (task)
"""

from __future__ import annotations

import re

from validate.reader import Node, is_number, shorten

TypedName = tuple[str, tuple[str, ...]]
Signature = tuple[tuple[str, ...], ...]

_NAME = re.compile(r"[^\W\d][^\s?:\"'|]*\Z")
_RESERVED = frozenset(("and", "or", "not", "imply", "forall", "exists", "when"))


class Declarations:
    """The vocabulary of a task; an object is mapped to all types it has, `object` included."""

    def __init__(self, types: Node, predicates: Node, functions: Node) -> None:
        self._ancestors = _ancestors(types)
        self._members: dict[tuple[str, ...], list[str]] = {}
        self.objects: dict[str, frozenset[str]] = {}
        self.predicates = self._signatures(predicates, "predicate")
        self.functions = self._signatures(functions, "function")

    def add_objects(self, section: Node) -> None:
        for name, types in self.typed(section, 1):
            every = frozenset[str]().union(*(self._ancestors[kind] for kind in types))
            if self.objects.setdefault(name, every) != every:
                raise section.error(f"object '{name}' is declared twice, with different types")

    def typed(self, node: Node, start: int = 0, prefix: str = "") -> list[TypedName]:
        """A list of names or variables with declared types."""
        names = typed_names(node, start, prefix)
        for kind in (kind for _, types in names for kind in types):
            if kind not in self._ancestors:
                raise node.error(f"type '{shorten(kind)}' is not declared")
        return names

    def variables(self, node: Node) -> list[TypedName]:
        """The parameters of a schema or a quantifier, all different."""
        variables = self.typed(node, prefix="?")
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

    def object_at(self, tree: Node, index: int, types: tuple[str, ...]) -> str:
        name = tree[index]
        if isinstance(name, Node) or name not in self.objects:
            found = "a list" if isinstance(name, Node) else f"'{shorten(name)}'"
            raise tree.error(f"expected a declared object, found {found}", index)
        if self.objects[name].isdisjoint(types):
            raise tree.error(f"object '{name}' is not of type {' or '.join(types)}", index)
        return name

    def key(self, tree: Node, table: dict[str, Signature], kind: str) -> tuple[str, ...]:
        """The key of a ground atom or function term."""
        signature = signature_of(tree, table, kind)
        return (head_of(tree), *(self.object_at(tree, index, types) for index, types in enumerate(signature, start=1)))

    def _signatures(self, section: Node, kind: str) -> dict[str, Signature]:
        table: dict[str, Signature] = {}
        for index in range(1, len(section)):
            item, previous = section[index], section[index - 1]
            if kind == "function" and (item == "-" or previous == "-"):
                if item not in ("-", "number"):
                    raise section.unsupported("a function whose values are not numbers")
                continue
            item = list_at(section, index, f"({kind} ...)")
            name = head_of(item)
            if name in table or name in _RESERVED or not is_name(name):
                raise item.error(f"'{shorten(name)}' is declared twice or cannot name a {kind}")
            table[name] = tuple(types for _, types in self.typed(item, 1, prefix="?"))
        return table


def _ancestors(section: Node) -> dict[str, frozenset[str]]:
    """Each type with everything above it, itself and `object` included."""
    parents: dict[str, set[str]] = {}
    for name, supertypes in typed_names(section, 1):
        parents.setdefault(name, set()).update(supertypes)
        for supertype in supertypes:
            parents.setdefault(supertype, set())
    parents.setdefault("object", set()).discard("object")
    closure: dict[str, frozenset[str]] = {}
    for name in parents:
        seen = {name, "object"}
        work = list(parents[name])
        while work:
            supertype = work.pop()
            if supertype == name:
                raise section.error(f"type '{shorten(name)}' is its own supertype")
            if supertype not in seen:
                seen.add(supertype)
                work.extend(parents[supertype])
        closure[name] = frozenset(seen)
    return closure


def typed_names(node: Node, start: int, prefix: str = "") -> list[TypedName]:
    """`a b - t c` from the given child on; what has no type is an `object`."""
    typed: list[TypedName] = []
    pending: list[str] = []
    index = start
    while index < len(node):
        word = node[index]
        if word == "-" and pending and index + 1 < len(node):
            index += 1
            kind = node[index]
            names = [kind] if isinstance(kind, str) else kind[1:]
            types = tuple(name for name in names if isinstance(name, str) and is_name(name))
            if not types or len(types) < len(names) or (isinstance(kind, Node) and kind[0] != "either"):
                raise node.error("expected a type or (either type ...)", index)
            typed += [(name, types) for name in pending]
            pending = []
        elif isinstance(word, str) and word.startswith(prefix) and is_name(word[len(prefix) :]):
            pending.append(word)
        else:
            raise node.error(f"expected {'a variable' if prefix else 'a name'}, possibly with '- type'", index)
        index += 1
    return typed + [(name, ("object",)) for name in pending]


def is_name(word: str) -> bool:
    return _NAME.match(word) is not None and not is_number(word)


def head_of(tree: Node) -> str:
    if tree and isinstance(tree[0], str):
        return tree[0]
    raise tree.error("expected a name after '('")


def list_at(parent: Node, index: int, expected: str) -> Node:
    tree = parent[index]
    if isinstance(tree, Node):
        return tree
    raise parent.error(f"expected {expected}, found '{shorten(tree)}'", index)


def signature_of(tree: Node, table: dict[str, Signature], kind: str) -> Signature:
    """The declaration an atom or function term refers to; its arity is checked."""
    signature = table.get(head_of(tree))
    if signature is None:
        raise tree.error(f"{kind} '{shorten(head_of(tree))}' is not declared")
    if len(tree) != len(signature) + 1:
        raise tree.error(f"{kind} '{tree[0]}' takes {len(signature)} arguments, found {len(tree) - 1}")
    return signature
