"""Two obvious evaluators: one of the syntax tree, one of the lifted task. What normalisation must not change.

A state maps atoms and fluents, as (name, objects), to truth and to numbers. A fluent that the state does not know is
undefined; reading it, like dividing by zero, raises Undefined. A comparison of something undefined is neither true nor
false: Kleene's third value in the syntax tree, and false in the lifted task, where nothing can negate it any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from numbat.pddl import tree
from numbat.pddl.symbols import Symbols
from numbat.task import lifted

Ground = tuple[str, tuple[str, ...]]
State = Mapping[Ground, Fraction | bool]
Values = Mapping[str, str]


class Undefined(Exception):
    """A number is asked for that does not exist."""


def number(state: State, fluent: Ground) -> Fraction:
    if fluent not in state:
        raise Undefined
    return Fraction(state[fluent])


def _divided(left: Fraction, right: Fraction) -> Fraction:
    if right == 0:
        raise Undefined
    return left / right


# --- the syntax tree -------------------------------------------------------------------------------------------------


def value(node: tree.Expression, values: Values, state: State) -> Fraction:
    match node:
        case tree.Number():
            return node.value
        case tree.Word():
            return number(state, (node.name, ()))
        case tree.Atom():
            return number(state, (node.name, tuple(values.get(name, name) for name in node.arguments)))
        case tree.Arithmetic():
            first, *others = [value(operand, values, state) for operand in node.operands]
            if node.operator == "-" and not others:
                return -first
            for other in others:
                if node.operator == "/":
                    first = _divided(first, other)
                else:
                    first = {"+": first + other, "-": first - other, "*": first * other}[node.operator]
            return first
    raise AssertionError(node)


def _all(parts: list[bool | None]) -> bool | None:
    return False if False in parts else None if None in parts else True


def _not(part: bool | None) -> bool | None:
    return None if part is None else not part


def _any(parts: list[bool | None]) -> bool | None:
    return _not(_all([_not(part) for part in parts]))


def holds(node: tree.Condition, values: Values, state: State, symbols: Symbols) -> bool | None:
    """True, false, or None for undefined."""
    match node:
        case tree.Atom():
            return bool(state.get((node.name, tuple(values.get(name, name) for name in node.arguments)), False))
        case tree.And():
            return _all([holds(part, values, state, symbols) for part in node.parts])
        case tree.Or():
            return _any([holds(part, values, state, symbols) for part in node.parts])
        case tree.Not():
            return _not(holds(node.part, values, state, symbols))
        case tree.Imply():
            premise = holds(node.premise, values, state, symbols)
            return _any([_not(premise), holds(node.conclusion, values, state, symbols)])
        case tree.Quantified():
            results = [holds(node.part, choice, state, symbols) for choice in _choices(node, values, symbols)]
            return _all(results) if node.quantifier == "forall" else _any(results)
        case tree.Compare(left=tree.Word() as left, right=tree.Word() as right) if symbols.between_objects(node):
            return values.get(left.name, left.name) == values.get(right.name, right.name)
        case tree.Compare():
            return _compare(node, values, state)
    raise AssertionError(node)


def all_comparisons_have_values(node: tree.Condition, values: Values, state: State, symbols: Symbols) -> bool:
    """No short cuts: every comparison, for every object that a quantifier names, is looked at."""
    match node:
        case tree.And() | tree.Or():
            return all(all_comparisons_have_values(part, values, state, symbols) for part in node.parts)
        case tree.Not():
            return all_comparisons_have_values(node.part, values, state, symbols)
        case tree.Imply():
            parts = (node.premise, node.conclusion)
            return all(all_comparisons_have_values(part, values, state, symbols) for part in parts)
        case tree.Quantified():
            choices = _choices(node, values, symbols)
            return all(all_comparisons_have_values(node.part, choice, state, symbols) for choice in choices)
    return holds(node, values, state, symbols) is not None


def _choices(node: tree.Quantified, values: Values, symbols: Symbols) -> list[Values]:
    objects = list(symbols.objects)
    names = [variable.name for variable in node.variables]
    domains = [[objects[number] for number in symbols.members(v.types)] for v in node.variables]
    return [{**values, **dict(zip(names, chosen, strict=True))} for chosen in product(*domains)]


def _compare(node: tree.Compare, values: Values, state: State) -> bool | None:
    try:
        left, right = value(node.left, values, state), value(node.right, values, state)
    except Undefined:
        return None
    table = {"<": left < right, "<=": left <= right, "=": left == right, ">=": left >= right, ">": left > right}
    return table[node.relation]


# --- the lifted task -------------------------------------------------------------------------------------------------


class Reading:
    """A lifted task's numbers as names, for one choice of the action's parameters."""

    def __init__(self, symbols: Symbols, parameters: tuple[str, ...] = ()) -> None:
        self._objects = list(symbols.objects)
        self._predicates = list(symbols.predicates)
        self._functions = list(symbols.functions)
        self._parameters = parameters

    def _name(self, term: int) -> str:
        return self._objects[term] if term >= 0 else self._parameters[-1 - term]

    def _fluent(self, fluent: lifted.Fluent) -> Ground:
        return self._functions[fluent.function], tuple(map(self._name, fluent.arguments))

    def value(self, expression: lifted.Expression, state: State) -> Fraction:
        for fluent in expression.reads:
            number(state, self._fluent(fluent))
        total = Fraction(0)
        for term in expression.terms:
            part = term.coefficient
            for factor in term.factors:
                part *= number(state, self._fluent(factor))
            for divisor in term.divisors:
                part = _divided(part, self.value(divisor, state))
            total += part
        return total

    def has_value(self, expression: lifted.Expression, state: State) -> bool:
        try:
            self.value(expression, state)
        except Undefined:
            return False
        return True

    def holds(self, condition: lifted.Condition, state: State) -> bool:
        match condition:
            case lifted.Literal():
                atom = self._predicates[condition.predicate], tuple(map(self._name, condition.arguments))
                return bool(state.get(atom, False)) != condition.negated
            case lifted.Same():
                return (self._name(condition.left) == self._name(condition.right)) != condition.negated
            case lifted.Compare():
                return self._compare(condition, state)
            case lifted.And():
                return all(self.holds(part, state) for part in condition.parts)
            case lifted.Or():
                return any(self.holds(part, state) for part in condition.parts)
        raise AssertionError(condition)

    def _compare(self, condition: lifted.Compare, state: State) -> bool:
        try:
            result = self.value(condition.expression, state)
        except Undefined:
            return False
        return {">=": result >= 0, ">": result > 0, "=": result == 0}[condition.relation]
