"""Trees to code: every condition, expression and effect is translated once, then run per step.

Idea         Conditions are never cut short (an undefined fluent anywhere makes the whole condition fail), so plain
             postfix code on a stack evaluates them: a flat list of small functions, whatever the nesting.
In, out      a tree and the names visible in it → Code or Effects; Code and a State → a value
Limit        quantifiers and `when` may nest 100 deep, since these alone are translated and run recursively
Not here     what a step does with the results (execute)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import add, eq, ge, gt, itemgetter, le, lt, mul, sub
from typing import Any

from validate.declare import Declarations, Signature, TypedName, head_of, list_at, signature_of
from validate.reader import Node, Number, Unsupported, is_number, number_at, render_number, shorten

Key = tuple[str, ...]
Environment = list[str]
GetKey = Callable[[Environment], Key]
Code = list[tuple[Callable[..., Any], int]]  # f(environment, state, *operands), and how many operands it takes
Loop = tuple[list[int], list[list[str]]]  # the slots of quantified variables and the objects each runs over
Route = tuple[Loop | Code, ...]  # the loops (forall) and guards (when) on the way to an effect, outermost first
Effect = tuple[Route, str, GetKey, Code]  # the kind is "add", "delete" or one of NUMERIC_EFFECTS

_MOST_NESTED = 100
_MOST_BINDINGS = 10_000_000
_TOO_LARGE = 10**3000
_FOREIGN = frozenset(("preference", "probabilistic", "oneof", "always", "sometime", "is-violated"))
_NUMERIC_EFFECTS = frozenset(("assign", "increase", "decrease", "scale-up", "scale-down"))


class Failure(Exception):
    """A condition or effect that cannot be evaluated: an undefined fluent, a division by zero, a conflict."""


def exact(value: Number) -> Number:
    """An int where possible, for speed; refuses numbers that only a runaway plan can reach."""
    if value.denominator == 1:
        value = value.numerator
    if abs(value.numerator) > _TOO_LARGE or value.denominator > _TOO_LARGE:
        raise Unsupported("a number of more than 3000 digits is not supported")
    return value


def divide(dividend: Number, divisor: Number) -> Number:
    if divisor == 0:
        raise Failure("division by zero")
    return Fraction(dividend, divisor)


_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq}
_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {"+": add, "-": sub, "*": mul, "/": divide}


class State:
    """What holds and which values are defined.

    read        functions that are read anywhere; the others are counters, 0 until changed
    tolerance   the slack granted to comparisons, 0 unless asked for
    notes       what was read and compared, kept only for an explanation
    """

    def __init__(self, facts: set[Key], values: dict[Key, Number], read: set[str], tolerance: Number) -> None:
        self.facts = facts
        self.values = values
        self.read = read
        self.tolerance = tolerance
        self.notes: dict[str, None] | None = None

    def holds(self, key: Key) -> bool:
        answer = key in self.facts
        if self.notes is not None:
            self.notes[f"{render_key(key)} is {str(answer).lower()}"] = None
        return answer

    def value(self, key: Key) -> Number:
        value = self.values.get(key, None if key[0] in self.read else 0)
        if self.notes is not None:
            self.notes[f"{render_key(key)} {'is undefined' if value is None else f'= {_shown(value)}'}"] = None
        if value is None:
            raise Failure(f"{render_key(key)} is undefined")
        return value

    def compare(self, relation: str, left: Number, right: Number) -> bool:
        answer = _COMPARISONS[relation](left, right)
        if self.tolerance and not answer:
            answer = -self.tolerance <= left - right <= self.tolerance
        if self.notes is not None:
            self.notes[f"{_shown(left)} {relation} {_shown(right)} is {str(answer).lower()}"] = None
        return answer


def evaluate(code: Code, environment: Environment, state: State) -> Any:
    stack: list[Any] = []
    for function, count in code:
        if count:
            stack[-count:] = [function(environment, state, *stack[-count:])]
        else:
            stack.append(function(environment, state))
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


def _shown(value: Number) -> str:
    return shorten(render_number(value))


class Compiler:
    """Translates the trees of one schema (or the goal, or the metric), which share an environment.

    The environment is a list: a step's arguments first, then one slot per quantified variable and one per
    constant or name the schema mentions, so that a fluent's key is a single pick of slots.
    A tree is always given as its parent and its index there, so that an error can point at a single word.
    """

    def __init__(self, declared: Declarations, parameters: list[TypedName], functions: dict[str, Signature]) -> None:
        self.declared = declared
        self.functions = functions
        self.template: Environment = []
        self.read: set[str] = set()
        self._visible: dict[str, list[int]] = {}
        self._types: dict[int, tuple[str, ...]] = {}
        self._constants: dict[str, int] = {}
        self._depth, self._bindings = 0, 1
        for name, types in parameters:
            self._declare(name, types)

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
                parts.append((tree, self.condition(parent, index)))
        return parts

    def condition(self, parent: Node, index: int) -> Code:
        return _postfix(self._condition, parent, index)

    def expression(self, parent: Node, index: int) -> Code:
        return _postfix(self._expression, parent, index)

    def effects(self, parent: Node, index: int, route: Route = ()) -> list[Effect]:
        found: list[Effect] = []
        work = [(parent, index)]
        while work:
            node = list_at(*work.pop(), "an effect")
            head = head_of(node) if node else "and"
            if head == "and":
                work += reversed(_operands(node))
            elif head == "forall":
                with self._loop(node) as loop:
                    found += self.effects(node, 2, (*route, loop))
            elif head == "when":
                _expect_operands(node, 2)
                if len(route) == _MOST_NESTED:
                    raise node.unsupported(f"'when' nested more than {_MOST_NESTED} deep")
                found += self.effects(node, 2, (*route, self.condition(node, 1)))
            elif head == "not":
                _expect_operands(node, 1)
                atom = list_at(node, 1, "(predicate ...)")
                found.append((route, "delete", self._key(atom, self.declared.predicates, "predicate"), []))
            elif head in _NUMERIC_EFFECTS:
                _expect_operands(node, 2)
                target = self._key(list_at(node, 1, "(function ...)"), self.functions, "function")
                found.append((route, head, target, self.expression(node, 2)))
            else:
                found.append((route, "add", self._key(node, self.declared.predicates, "predicate"), []))
        return found

    def _condition(self, parent: Node, index: int) -> list[Any]:
        tree = list_at(parent, index, "a condition")
        head = head_of(tree) if tree else "and"
        operands = [(self._condition, *place) for place in _operands(tree)]
        if head in ("and", "or"):
            combine = all if head == "and" else any
            return [*operands, (lambda environment, state, *parts: combine(parts), len(operands))]
        if head == "not":
            _expect_operands(tree, 1)
            return [*operands, (lambda environment, state, part: not part, 1)]
        if head == "imply":
            _expect_operands(tree, 2)
            return [*operands, (lambda environment, state, premise, conclusion: conclusion or not premise, 2)]
        if head in ("forall", "exists"):
            return [(self._quantifier(tree, all if head == "forall" else any), 0)]
        if head == "=" and len(tree) == 3 and all(isinstance(side, str) and not is_number(side) for side in tree):
            left, right = self._slot(tree, 1), self._slot(tree, 2)
            return [(lambda environment, state: environment[left] == environment[right], 0)]
        if head in _COMPARISONS:
            _expect_operands(tree, 2)
            sides = [(self._expression, *place) for place in _operands(tree)]
            return [*sides, (lambda environment, state, left, right: state.compare(head, left, right), 2)]
        key = self._key(tree, self.declared.predicates, "predicate")
        return [(lambda environment, state: state.holds(key(environment)), 0)]

    def _quantifier(self, tree: Node, combine: Callable[[list[bool]], bool]) -> Callable[[Environment, State], bool]:
        with self._loop(tree) as loop:
            body = self.condition(tree, 2)

        def quantify(environment: Environment, state: State) -> bool:
            return combine([evaluate(body, environment, state) for _ in bindings(loop, environment)])

        return quantify

    def _expression(self, parent: Node, index: int) -> list[Any]:
        number = number_at(parent, index)
        if number is not None:
            return [(lambda environment, state: number, 0)]
        if parent[index] == "#t":
            raise parent.unsupported("a continuous effect")
        tree = list_at(parent, index, "a number or (function ...)")
        head = head_of(tree)
        if head not in _ARITHMETIC:
            key = self._key(tree, self.functions, "function")
            self.read.add(head)
            return [(lambda environment, state: state.value(key(environment)), 0)]
        operands = [(self._expression, *place) for place in _operands(tree)]
        if head == "-" and len(operands) == 1:
            return [*operands, (lambda environment, state, operand: -operand, 1)]
        if head in "-/" or not operands:
            _expect_operands(tree, 2)
        operation = _ARITHMETIC[head]

        def fold(environment: Environment, state: State, *values: Number) -> Number:
            return reduce(lambda left, right: exact(operation(left, right)), values)

        return [*operands, (fold, len(operands))]

    def _key(self, tree: Node, table: dict[str, Signature], kind: str) -> GetKey:
        """How to find the fluent's key in an environment, after checking its declaration."""
        head = head_of(tree)
        if head in _FOREIGN and head not in table:
            raise tree.unsupported(f"'{head}'")
        signature = signature_of(tree, table, kind)
        slots = [self._slot(tree, index, types) for index, types in enumerate(signature, start=1)]
        if self._types.keys().isdisjoint(slots):
            key = (head, *(self.template[slot] for slot in slots))
            return lambda environment: key
        return itemgetter(self._constant(head), *slots)

    def _slot(self, tree: Node, index: int, types: tuple[str, ...] = ("object",)) -> int:
        """Where the environment holds the variable or object at that place, which must be able to have the type."""
        name = tree[index]
        if isinstance(name, Node) or not name.startswith("?"):
            return self._constant(self.declared.object_at(tree, index, types))
        if not self._visible.get(name):
            raise tree.error(f"variable '{shorten(name)}' is not declared here", index)
        slot = self._visible[name][-1]
        if not self.declared.may_be(self._types[slot], types):
            raise tree.error(f"variable '{name}' cannot be of type {' or '.join(types)}", index)
        return slot

    def _constant(self, name: str) -> int:
        if name not in self._constants:
            self._constants[name] = len(self.template)
            self.template.append(name)
        return self._constants[name]

    def _declare(self, name: str, types: tuple[str, ...]) -> int:
        slot = len(self.template)
        self.template.append("")
        self._types[slot] = types
        self._visible.setdefault(name, []).append(slot)
        return slot

    @contextmanager
    def _loop(self, node: Node) -> Iterator[Loop]:
        """The variables of a forall or exists, visible inside the block, and the objects they run over."""
        _expect_operands(node, 2)
        variables = self.declared.variables(list_at(node, 1, "a list of variables"))
        domains = [self.declared.members(types) for _, types in variables]
        size = prod(len(domain) or 1 for domain in domains)
        self._depth, self._bindings = self._depth + 1, self._bindings * size
        if self._depth > _MOST_NESTED or self._bindings > _MOST_BINDINGS:
            raise node.unsupported(f"a quantifier over {_MOST_BINDINGS:,} combinations or {_MOST_NESTED} levels")
        yield [self._declare(name, types) for name, types in variables], domains
        self._depth, self._bindings = self._depth - 1, self._bindings // size
        for name, _ in variables:
            self._visible[name].pop()


def _postfix(unfold: Callable[[Node, int], list[Any]], parent: Node, index: int) -> Code:
    """Operands before their operator, by an explicit stack: `unfold` translates one level of a tree."""
    code: Code = []
    work: list[Any] = [(unfold, parent, index)]
    while work:
        item = work.pop()
        if len(item) == 2:
            code.append(item)
        else:
            work += reversed(item[0](item[1], item[2]))
    return code


def _operands(tree: Node) -> list[tuple[Node, int]]:
    return [(tree, index) for index in range(1, len(tree))]


def _expect_operands(tree: Node, count: int) -> None:
    if len(tree) - 1 != count:
        raise tree.error(f"'{tree[0]}' takes {count} operands, found {len(tree) - 1}")
