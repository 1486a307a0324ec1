"""Relaxed reachability as the definition has it: every combination of objects, the syntax tree evaluated as it stands.

Definition   facts accumulate, absences too; a fluent has an interval that only grows (an increase by something positive
             sends its upper end to infinity). An action applies if every conjunct of its precondition is possible and
             every comparison and unconditional right-hand side it reads has a value.
Removed      single conditions, types and right-hand sides by (action, objects, place): these are not asked for in that
             instance, which is what "this is the reason" claims to be enough
Cost         the product of all types, again and again until nothing changes: for tiny tasks
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import inf

from numbat.errors import Span
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols

Names = dict[str, str]
Interval = tuple[Fraction | float, Fraction | float]
Removal = tuple[str, tuple[str, ...], Span]  # action, objects, place
PATIENCE = 20


class RelaxedTask:
    def __init__(self, domain: tree.Domain, problem: tree.Problem, removed: frozenset[Removal] = frozenset()) -> None:
        self.domain, self.problem, self.removed = domain, problem, removed
        self.symbols = Symbols(domain, problem, warnings=[])
        self.true = {(atom.name, *atom.arguments) for atom in problem.init_atoms}
        self.stays_true = set(self.true)  # never deleted so far
        self.values: dict[tuple[str, ...], Interval] = {
            (v.fluent.name, *v.fluent.arguments): (v.value, v.value) for v in problem.init_values
        }
        self.assignments = 0
        while self._sweep():
            pass

    def reaches(self, goal: tree.Condition) -> bool:
        return self._possible(goal, {}, positive=True)

    # --- the fixpoint ---

    def _sweep(self) -> bool:
        before = (len(self.true), len(self.stays_true), dict(self.values))
        for action in self.domain.actions:
            for objects in self._combinations(action):
                names = dict(zip([v.name for v in action.parameters], objects, strict=True))
                if self._applicable(action, objects, names):
                    self._apply(action.effect, names, action, objects)
        return before != (len(self.true), len(self.stays_true), self.values)

    def _combinations(self, action: tree.Action) -> Iterator[tuple[str, ...]]:
        yield from product(*(sorted(self.symbols.member_names(v.types)) for v in action.parameters))
        yield from sorted({objects for name, objects, _ in self.removed if name == action.name})

    def _applicable(self, action: tree.Action, objects: tuple[str, ...], names: Names) -> bool:
        gone = {span for name, where, span in self.removed if (name, where) == (action.name, objects)}
        empty = set()
        for variable in action.parameters:
            if names[variable.name] not in self.symbols.member_names(variable.types):
                if variable.span not in gone:
                    return False
                if not self.symbols.member_names(variable.types):
                    empty.add(variable.name)
        for part in conjuncts(action.precondition):
            if part.span not in gone and not (empty & set(words(part))) and not self._holds(part, names):
                return False
        changes = (c for c in unconditional(action.effect) if c.span not in gone and not (empty & set(words(c))))
        return all(self._range(c.expression, names) is not None for c in changes)

    def _holds(self, part: tree.Condition, names: Names) -> bool:
        return self._possible(part, names, positive=True)

    def _apply(self, effect: tree.Effect, names: Names, action: tree.Action, objects: tuple[str, ...]) -> None:
        match effect:
            case tree.Add(atom):
                self.true.add(ground(atom, names))
            case tree.Delete(atom):
                self.stays_true.discard(ground(atom, names))
            case tree.Effects(parts=parts):
                for part in parts:
                    self._apply(part, names, action, objects)
            case tree.When():
                gone = {span for name, where, span in self.removed if (name, where) == (action.name, objects)}
                if all(part.span in gone or self._holds(part, names) for part in conjuncts(effect.condition)):
                    self._apply(effect.effect, names, action, objects)
            case tree.ForAll():
                for values in product(*(sorted(self.symbols.member_names(v.types)) for v in effect.variables)):
                    inner = {**names, **dict(zip([v.name for v in effect.variables], values, strict=True))}
                    self._apply(effect.effect, inner, action, objects)
            case tree.Change():
                self._change(effect, names)

    def _change(self, change: tree.Change, names: Names) -> None:
        by, fluent = self._range(change.expression, names), ground(change.fluent, names)
        old = self.values.get(fluent)
        if by is None or (old is None and change.operator != "assign"):
            return
        low, high = by
        if change.operator == "assign":
            self.assignments += old is not None and not (old[0] <= low and high <= old[1])
            new = by if old is None else (min(old[0], low), max(old[1], high))
            if old is not None and new != old and self.assignments > PATIENCE:
                new = (-inf if new[0] < old[0] else new[0], inf if new[1] > old[1] else new[1])
        else:
            assert old is not None and change.operator in ("increase", "decrease")
            if change.operator == "decrease":
                low, high = -high, -low
            new = (-inf if low < 0 else old[0], inf if high > 0 else old[1])
        self.values[fluent] = new

    # --- conditions and expressions ---

    def _possible(self, node: tree.Condition, names: Names, positive: bool) -> bool:
        """Can the condition, or its negation, hold?"""
        match node:
            case tree.Atom():
                atom = ground(node, names)
                return atom in self.true if positive else atom not in self.stays_true
            case tree.Not(part=part):
                return self._possible(part, names, not positive)
            case tree.And(parts=parts) | tree.Or(parts=parts):
                every = all if isinstance(node, tree.And) == positive else any
                return every([self._possible(part, names, positive) for part in parts])
            case tree.Imply():
                both = (
                    self._possible(node.premise, names, not positive),
                    self._possible(node.conclusion, names, positive),
                )
                return any(both) if positive else all(both)
            case tree.Quantified():
                every = all if (node.quantifier == "forall") == positive else any
                domains = [sorted(self.symbols.member_names(v.types)) for v in node.variables]
                bindings = (
                    {**names, **dict(zip([v.name for v in node.variables], c, strict=True))} for c in product(*domains)
                )
                return every([self._possible(node.part, inner, positive) for inner in bindings])
            case tree.Compare():
                return self._compare(node, names, positive)
        raise AssertionError(node)

    def _compare(self, node: tree.Compare, names: Names, positive: bool) -> bool:
        if self.symbols.between_objects(node):
            assert isinstance(node.left, tree.Word) and isinstance(node.right, tree.Word)
            left, right = (names.get(w.name, w.name) for w in (node.left, node.right))
            return (left == right) == positive
        first, second = self._range(node.left, names), self._range(node.right, names)
        if first is None or second is None:
            return False
        relation = node.relation if positive else {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!="}[node.relation]
        return {
            "<": first[0] < second[1],
            "<=": first[0] <= second[1],
            ">": first[1] > second[0],
            ">=": first[1] >= second[0],
            "=": first[0] <= second[1] and second[0] <= first[1],
            "!=": not first[0] == first[1] == second[0] == second[1],
        }[relation]

    def _range(self, node: tree.Expression, names: Names) -> Interval | None:
        match node:
            case tree.Number(value=value):
                return value, value
            case tree.Atom():
                return self.values.get(ground(node, names))
            case tree.Word():
                return self.values.get((node.name,))
            case tree.Arithmetic(operator=operator, operands=operands):
                ranges = [self._range(operand, names) for operand in operands]
                if any(r is None for r in ranges):
                    return None
                known = [r for r in ranges if r is not None]
                if len(known) == 1:
                    return (-known[0][1], -known[0][0]) if operator == "-" else known[0]
                result = known[0]
                for other in known[1:]:
                    result = combine(operator, result, other)
                return result


def combine(operator: str, left: Interval, right: Interval) -> Interval:
    if operator == "+":
        return left[0] + right[0], left[1] + right[1]
    if operator == "-":
        return left[0] - right[1], left[1] - right[0]
    assert operator == "*"
    corners = [a * b if a and b else Fraction(0) for a in left for b in right]
    return min(corners), max(corners)


def ground(atom: tree.Atom, names: Names) -> tuple[str, ...]:
    return (atom.name, *(names.get(argument, argument) for argument in atom.arguments))


def conjuncts(node: tree.Condition) -> Iterator[tree.Condition]:
    if isinstance(node, tree.And):
        for part in node.parts:
            yield from conjuncts(part)
    else:
        yield node


def unconditional(effect: tree.Effect) -> Iterator[tree.Change]:
    if isinstance(effect, tree.Change):
        yield effect
    elif isinstance(effect, tree.Effects):
        for part in effect.parts:
            yield from unconditional(part)


def words(node: object) -> Iterator[str]:
    """Every variable and name inside a piece of the syntax tree."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from words(part)
