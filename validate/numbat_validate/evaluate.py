"""Trees to code: every condition, expression and effect is translated once, then run per step.

No condition is ever cut short, since an undefined fluent anywhere makes it fail as a whole. So plain postfix code on a
stack evaluates it, however deep; quantifiers and `when` alone are translated and run recursively, up to 100 deep.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import prod
from operator import add, eq, ge, gt, itemgetter, le, lt, mul, sub
from typing import Any

from numbat_validate.declare import Declarations, TypedName
from numbat_validate.reader import Key, Node, Number, Unsupported, render, render_number, shorten

Environment = list[str]
GetKey = Callable[[Environment], Key]
Code = list[tuple[Callable[..., Any], int]]  # f(environment, state, *operands), and how many operands it takes
Loop = tuple[list[int], list[list[str]]]  # the slots of quantified variables and the objects each runs over
Route = tuple[Loop | Code, ...]  # the loops (forall) and guards (when) on the way to an effect, outermost first
Change = tuple[str, GetKey, Code]  # the kind is "add", "delete" or a key of _NUMERIC_EFFECTS
Effect = tuple[Route, list[Change]]  # all that one route leads to, so that it is walked once

_MOST_NESTED, _MOST_BINDINGS, _TOO_LARGE = 100, 10_000_000, 10**3000
_FOREIGN = frozenset(("preference", "probabilistic", "oneof", "always", "sometime", "is-violated"))
_NUMERIC_EFFECTS = {"assign": "", "increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}
_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {"+": add, "-": sub, "*": mul, "/": Fraction}
_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq}
_CONNECTIVES: dict[str, Callable[[tuple[bool, ...]], bool]] = {
    "and": all,
    "or": any,
    "not": lambda parts: not parts[0],
    "imply": lambda parts: parts[1] or not parts[0],
}
_OPERAND_COUNTS = {"not": 1, "imply": 2, "forall": 2, "exists": 2, "when": 2, **dict.fromkeys(_COMPARISONS, 2)}


class Failure(Exception):
    """A condition that does not hold, or what has no value: an undefined fluent, a division by zero, a conflict."""


@dataclass
class State:
    """What holds and which values are defined."""

    facts: set[Key]
    values: dict[Key, Number]
    read: set[str]  # functions that are read anywhere; the others are counters, 0 until changed
    tolerance: Number  # the slack granted to comparisons, 0 unless asked for
    notes: dict[str, None] | None = None  # what was read and compared, kept only for an explanation

    def holds(self, key: Key) -> bool:
        answer = key in self.facts
        if self.notes is not None:
            self.notes[f"{render_key(key)} is {str(answer).lower()}"] = None
        return answer

    def value(self, key: Key) -> Number:
        value = self.values.get(key, None if key[0] in self.read else 0)
        if self.notes is not None:
            self.notes[f"{render_key(key)} {'is undefined' if value is None else f'= {render_number(value)}'}"] = None
        if value is None:
            raise Failure(f"{render_key(key)} is undefined")
        return value

    def compare(self, relation: str, left: Number, right: Number) -> bool:
        near = self.tolerance > 0 and -self.tolerance <= left - right <= self.tolerance
        answer = near or _COMPARISONS[relation](left, right)
        if self.notes is not None:
            self.notes[f"{render_number(left)} {relation} {render_number(right)} is {str(answer).lower()}"] = None
        return answer

    def changed(self, key: Key, changes: list[tuple[str, Number]]) -> Number:
        """Increases and decreases add up, scalings multiply, equal assignments agree; anything else conflicts."""
        kinds = {kind for kind, _ in changes}
        if kinds == {"assign"} and len(set(changes)) == 1:
            return changes[0][1]
        if not kinds <= {"increase", "decrease"} and not kinds <= {"scale-up", "scale-down"}:
            raise Failure(f"conflicting effects on {render_key(key)}")
        value = self.value(key)
        for kind, amount in changes:
            value = _calculate(_NUMERIC_EFFECTS[kind], value, amount)
        return value


def _calculate(operator: str, left: Number, right: Number) -> Number:
    """Exactly, as an int where possible, for speed; refuses numbers that only a runaway plan can reach."""
    if operator == "/" and right == 0:
        raise Failure("division by zero")
    value = _ARITHMETIC[operator](left, right)
    if abs(value.numerator) > _TOO_LARGE or value.denominator > _TOO_LARGE:
        raise Unsupported("a number of more than 3000 digits is not supported")
    return value.numerator if value.denominator == 1 else value


def evaluate(code: Code, environment: Environment, state: State) -> Any:
    stack: list[Any] = []
    for function, count in code:
        stack[len(stack) - count :] = [function(environment, state, *(stack[-count:] if count else ()))]
    return stack[0]


def bindings(loop: Loop, environment: Environment) -> Iterator[None]:
    """Let the quantified variables run through all their objects, in place."""
    slots, domains = loop
    for objects in product(*domains):
        for slot, name in zip(slots, objects, strict=True):
            environment[slot] = name
        yield


def render_key(key: Key) -> str:
    return f"({' '.join(key)})"


class Compiler:
    """Translates the trees of one schema (or the goal, or the metric), which share an environment.

    The environment is a list: a step's arguments first, then one slot per quantified variable and one per
    constant or name the schema mentions, so that a fluent's key is a single pick of slots.
    A tree is always given as its parent and its index there, so that an error can point at a single word.
    """

    def __init__(self, declared: Declarations, parameters: list[TypedName]) -> None:
        self.declared = declared
        self.template: Environment = []
        self.read: set[str] = set()
        self._visible: dict[str, tuple[int, tuple[str, ...]]] = {}  # slot and types of each variable
        self._constants: dict[str, int] = {}
        self._depth, self._bindings = 0, 1
        self._declare(parameters)

    def conjunction(self, parent: Node, index: int) -> list[tuple[str | Node, Code]]:
        """The condition cut at its outer conjunctions, so that a failure names the part that fails."""
        parts: list[tuple[str | Node, Code]] = []
        work = [(parent, index)]
        while work:
            parent, index = work.pop()
            tree = parent[index]
            if isinstance(tree, Node) and (not tree or tree[0] == "and"):
                work += reversed(_operands(tree))
            else:
                parts.append((tree, translate(self.condition, parent, index)))
        return parts

    def effects(self, parent: Node, index: int, route: Route = ()) -> list[Effect]:
        changes, found = list[Change](), list[Effect]()
        work = [(parent, index)]
        while work:
            parent, index = work.pop()
            tree = parent.list_at(index, "an effect")
            head = tree.head() if tree else "and"
            operands = _operands(tree, 2 if head in _NUMERIC_EFFECTS else _OPERAND_COUNTS.get(head))
            if head == "and":
                work += reversed(operands)
            elif head == "forall":
                with self._loop(tree) as loop:
                    found += self.effects(tree, 2, (*route, loop))
            elif head == "when":
                if len(route) == _MOST_NESTED:
                    raise tree.unsupported(f"'when' nested more than {_MOST_NESTED} deep")
                found += self.effects(tree, 2, (*route, translate(self.condition, tree, 1)))
            elif head == "not":
                changes.append(("delete", self.key(tree, 1, "predicate"), []))
            elif head in _NUMERIC_EFFECTS:
                changes.append((head, self.key(tree, 1, "function"), translate(self.expression, tree, 2)))
            else:
                changes.append(("add", self.key(parent, index, "predicate"), []))
        return [(route, changes), *found] if changes else found

    def condition(self, parent: Node, index: int) -> list[Any]:
        tree, objects = parent.list_at(index, "a condition"), self.declared.objects
        head = tree.head() if tree else "and"
        operands = _operands(tree, _OPERAND_COUNTS.get(head))
        if head in _CONNECTIVES:
            connect, parts = _CONNECTIVES[head], [(self.condition, *place) for place in operands]
            return [*parts, (lambda environment, state, *values: connect(values), len(parts))]
        if head in ("forall", "exists"):
            with self._loop(tree) as loop:
                body = translate(self.condition, tree, 2)
            combine = all if head == "forall" else any
            return [(lambda names, state: combine([evaluate(body, names, state) for _ in bindings(loop, names)]), 0)]
        names = [word for word in tree[1:] if isinstance(word, str) and (word[0] == "?" or word in objects)]
        if head == "=" and len(names) == 2 and None in (tree.number_at(1), tree.number_at(2)):  # not two numbers
            left, right = self._slot(tree, 1), self._slot(tree, 2)
            return [(lambda environment, state: environment[left] == environment[right], 0)]
        if head in _COMPARISONS:
            sides = [(self.expression, *place) for place in operands]
            return [*sides, (lambda environment, state, left, right: state.compare(head, left, right), 2)]
        key = self.key(parent, index, "predicate")
        return [(lambda environment, state: state.holds(key(environment)), 0)]

    def expression(self, parent: Node, index: int) -> list[Any]:
        number = parent.number_at(index)
        if number is not None:
            return [(lambda environment, state: number, 0)]
        if parent[index] == "#t":
            raise parent.unsupported("a continuous effect")
        tree = parent.list_at(index, "a number or (function ...)", bare=True)
        head = tree.head()
        if head not in _ARITHMETIC:
            key = self.key(parent, index, "function")
            self.read.add(head)
            return [(lambda environment, state: state.value(key(environment)), 0)]
        operands = [(self.expression, *place) for place in _operands(tree)]
        if head == "-" and len(operands) == 1:
            return [*operands, (lambda environment, state, operand: -operand, 1)]
        if not operands or (head == "/" and len(operands) == 1):
            _operands(tree, 2)
        calculate = partial(_calculate, head)
        return [*operands, (lambda environment, state, *values: reduce(calculate, values), len(operands))]

    def key(self, parent: Node, index: int, kind: str) -> GetKey:
        """How to find the key of an atom or function term in an environment, after checking its declaration."""
        tree = parent.list_at(index, f"({kind} ...)", bare=kind == "function")
        head = tree.head()
        signature = self.declared.signatures[kind].get(head)
        if signature is None:
            undeclared = tree.error(f"{kind} '{shorten(head)}' is not declared")
            raise tree.unsupported(f"'{head}'") if head in _FOREIGN else undeclared
        if len(tree) != len(signature) + 1:
            raise tree.error(f"{kind} '{shorten(head)}' takes {len(signature)} arguments, found {len(tree) - 1}")
        slots = [self._slot(tree, place, types) for place, types in enumerate(signature, start=1)]
        if not any(str(word).startswith("?") for word in tree):
            key = (head, *(self.template[slot] for slot in slots))
            return lambda environment: key
        return itemgetter(self._constant(head), *slots)

    def _slot(self, tree: Node, index: int, types: tuple[str, ...] = ("object",)) -> int:
        """Where the environment holds the variable or object at that place, which must be able to have the type."""
        name = render(tree[index], {})
        if name in self._visible:
            slot, known = self._visible[name]
            fits = self.declared.may_be(known, types)
        elif name in self.declared.objects:
            slot, fits = self._constant(name), not self.declared.objects[name].isdisjoint(types)
        else:
            raise tree.error(f"expected a declared variable or object, found '{shorten(name)}'", index)
        if not fits:
            raise tree.error(f"'{shorten(name)}' cannot be of type {' or '.join(types)}", index)
        return slot

    def _constant(self, name: str) -> int:
        if name not in self._constants:
            self._constants[name] = len(self.template)
            self.template.append(name)
        return self._constants[name]

    def _declare(self, variables: list[TypedName]) -> list[int]:
        first = len(self.template)
        self.template += [""] * len(variables)
        slots = {name: (slot, types) for slot, (name, types) in enumerate(variables, start=first)}
        self._visible = {**self._visible, **slots}
        return list(range(first, len(self.template)))

    @contextmanager
    def _loop(self, node: Node) -> Iterator[Loop]:
        """The variables of a forall or exists, visible inside the block, and the objects they run over."""
        variables = self.declared.variables(node.list_at(1, "a list of variables"))
        domains = [self.declared.members(types) for _, types in variables]
        outside = self._visible, self._depth, self._bindings
        self._depth, self._bindings = self._depth + 1, prod((self._bindings, *(len(domain) or 1 for domain in domains)))
        if self._depth > _MOST_NESTED or self._bindings > _MOST_BINDINGS:
            raise node.unsupported(f"a quantifier over {_MOST_BINDINGS:,} combinations or {_MOST_NESTED} levels")
        yield self._declare(variables), domains
        self._visible, self._depth, self._bindings = outside


def translate(unfold: Callable[[Node, int], list[Any]], parent: Node, index: int) -> Code:
    """Postfix code by an explicit stack; `unfold`, a Compiler's method, translates one level of the tree."""
    code: Code = []
    work: list[Any] = [(unfold, parent, index)]
    while work:
        item = work.pop()
        if len(item) == 2:
            code.append(item)
        else:
            work += reversed(item[0](item[1], item[2]))
    return code


def _operands(tree: Node, count: int | None = None) -> list[tuple[Node, int]]:
    """Where the operands stand, which must be that many."""
    if count not in (None, len(tree) - 1):
        raise tree.error(f"'{tree[0]}' takes {count} operands, found {len(tree) - 1}")
    return [(tree, index) for index in range(1, len(tree))]
