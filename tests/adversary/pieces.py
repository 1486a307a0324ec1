"""Random conditions, expressions and effects over a vocabulary.

Linear       fluents are multiplied with numbers and static functions only, and divided by these only
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from tests.adversary import syntax as s
from tests.adversary.numbers import factor, number
from tests.adversary.vocabulary import Function, Scope, Vocabulary, random_types

_RELATIONS = (">=", "<=", ">", "<", "=")
_ADDITIVE, _SCALING = ("increase", "decrease"), ("scale-up", "scale-down")
_VARIABLES = ("?x", "?y", "?z")


class Pieces:
    """`objects` are those that may be named: constants in the domain, everything in the problem."""

    def __init__(self, words: Vocabulary, random: Random, objects: Sequence[s.Typed]) -> None:
        self._words = words
        self._random = random
        self._objects = objects

    # --- expressions --------------------------------------------------------------------------------------------------

    def fluent(self, scope: Scope, *, static: bool | None = None) -> tuple[Function, s.Fluent] | None:
        functions = [f for f in self._words.functions if static is None or f.static == static]
        self._random.shuffle(functions)
        for function in functions:
            arguments = self._arguments(function.signature, scope)
            if arguments is not None:
                return function, s.Fluent(function.signature.name, arguments)
        return None

    def _arguments(self, signature: s.Signature, scope: Scope) -> s.Names | None:
        choices = [self._words.terms(entry.types, scope, self._objects) for entry in signature.parameters]
        return tuple(map(self._random.choice, choices)) if all(choices) else None

    def number(self, value: Fraction) -> s.Expression:
        return number(value, self._random)

    def sum(self, scope: Scope) -> tuple[s.Expression, Fraction, Fraction]:
        """An expression, about what it is worth, and its unit."""
        found = self.fluent(scope)
        if found is None:
            return self.number(Fraction(1)), Fraction(1), Fraction(1)
        function, expression = found
        base, unit = function.scale.base, function.scale.unit
        if self._random.random() < 0.65:
            return expression, base, unit
        return self._combined(expression, base, unit, scope)

    def _combined(
        self, expression: s.Expression, base: Fraction, unit: Fraction, scope: Scope
    ) -> tuple[s.Expression, Fraction, Fraction]:
        kind = self._random.randrange(6)
        times = factor(self._random)
        if kind == 0:
            return s.Arithmetic("*", (self.number(times), expression)), times * base, times * unit
        if kind == 1:
            return s.Arithmetic("/", (expression, self.number(times))), base / times, unit / times
        if kind == 2:
            return s.Arithmetic("-", (expression,)), -base, -unit
        other, other_base, _ = self.sum(scope)
        if kind == 3:
            return s.Arithmetic("-", (expression, other)), base - other_base, unit
        if kind == 4:
            return s.Arithmetic("+", (expression, other, self.number(unit))), base + other_base + unit, unit
        static = self.fluent(scope, static=True)
        if static is None:
            return s.Arithmetic("+", (expression, other)), base + other_base, unit
        operator = self._random.choice(("*", "/"))
        return s.Arithmetic(operator, (expression, static[1])), base, unit

    # --- conditions ---------------------------------------------------------------------------------------------------

    def atom(self, scope: Scope) -> s.Atom | None:
        predicates = list(self._words.predicates)
        self._random.shuffle(predicates)
        for signature in predicates:
            arguments = self._arguments(signature, scope)
            if arguments is not None:
                return s.Atom(signature.name, arguments)
        return None

    def comparison(self, scope: Scope) -> s.Condition:
        left, base, unit = self.sum(scope)
        if self._random.random() < 0.2:
            right = self.sum(scope)[0]
        else:
            right = self.number(base + self._random.randint(-2, 3) * unit)
        if self._random.random() < 0.15:
            left, right = right, left
        return s.Compare(self._random.choice(_RELATIONS), left, right)

    def simple(self, scope: Scope) -> s.Condition:
        kind, atom = self._random.random(), self.atom(scope)
        terms = self._words.terms((), scope, self._objects)
        if kind < 0.1 and terms:
            same = s.Same(self._random.choice(terms), self._random.choice(terms))
            return same if self._random.random() < 0.5 else s.Not(same)
        if kind < 0.55 and atom is not None:
            return atom if self._random.random() < 0.7 else s.Not(atom)
        return self.comparison(scope)

    def condition(self, scope: Scope, depth: int) -> s.Condition:
        if depth == 0 or self._random.random() < 0.5:
            return self.simple(scope)
        parts = tuple(self.condition(scope, depth - 1) for _ in range(self._random.choice((1, 2, 2, 3))))
        kind = self._random.randrange(7)
        if kind == 0:
            return s.Not(parts[0])
        if kind == 1:
            return s.Imply(parts[0], parts[-1])
        if kind in (2, 3):
            return s.Or(parts)
        if kind == 4:
            return s.And(parts)
        variables = self._variables(scope)
        inner = {**scope, **{entry.name: entry.types for entry in variables}}
        return s.Quantified(self._random.choice(("forall", "exists")), variables, self.condition(inner, depth - 1))

    def _variables(self, scope: Scope) -> tuple[s.Typed, ...]:
        """One or two; now and then a name that is in use outside."""
        free = [name for name in _VARIABLES if name not in scope]
        hiding = [name for name in scope if self._random.random() < 0.1]
        names = (hiding + free or list(_VARIABLES))[: self._random.choice((1, 1, 1, 2))]
        return tuple(s.Typed(name, random_types(self._words.types, self._random)) for name in names)

    # --- effects ------------------------------------------------------------------------------------------------------

    def change(self, scope: Scope) -> s.Effect | None:
        """Of one fluent, now and then several at once."""
        found = self.fluent(scope, static=False)
        if found is None:
            return None
        function, fluent = found
        kinds = self._random.choices((("assign",), _ADDITIVE, _SCALING), (30, 50, 20))[0]
        count = self._random.choice((1, 1, 1, 2, 2, 3)) if self._random.random() < 0.5 else 1
        parts: list[s.Effect] = []
        for _ in range(count):
            if self._random.random() < 0.05:
                kinds = self._random.choice((("assign",), _ADDITIVE, _SCALING))
            part: s.Effect = s.Change(self._random.choice(kinds), fluent, self._amount(kinds[0], function, scope))
            if count > 1 and self._random.random() < 0.6:
                part = s.When(self.condition(scope, 1), part)
            parts.append(part)
        return parts[0] if count == 1 else s.Effects(tuple(parts))

    def _amount(self, kind: str, function: Function, scope: Scope) -> s.Expression:
        state_dependent = self._random.random() < 0.25
        if kind == "assign":
            return self.sum(scope)[0] if state_dependent else self.number(function.scale.value(self._random))
        if kind in _ADDITIVE:
            return self.sum(scope)[0] if state_dependent else self.number(function.scale.amount(self._random))
        static = self.fluent(scope, static=True) if state_dependent else None
        return self.number(factor(self._random)) if static is None else static[1]

    def effect(self, scope: Scope, depth: int) -> s.Effect:
        if depth > 0 and self._random.random() < 0.35:
            return self._nested(scope, depth)
        if self._random.random() < 0.6:
            change = self.change(scope)
            if change is not None:
                return change
        atom = self.atom(scope)
        if atom is None:
            return s.Effects()
        return s.Add(atom) if self._random.random() < 0.65 else s.Delete(atom)

    def _nested(self, scope: Scope, depth: int) -> s.Effect:
        kind = self._random.random()
        if kind < 0.55:
            return s.When(self.condition(scope, 1), self.effect(scope, depth - 1))
        if kind < 0.65:
            return s.Effects(tuple(self.effect(scope, depth - 1) for _ in range(2)))
        variables = self._variables(scope)
        inner = {**scope, **{entry.name: entry.types for entry in variables}}
        return s.ForAll(variables, self.effect(inner, depth - 1))
