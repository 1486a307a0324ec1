"""Conditions and numeric expressions of unified-planning as PDDL text, exactly.

Numbers      a decimal where there is one, else a quotient, `(/ 1 3)`: no number is rounded. Initial values cannot be
             quotients in PDDL, so a fluent that begins with a third is kept threefold, and read as `(/ (f) 3)`
Names        parameters and quantified variables get a fresh PDDL name in every scope
Refused      what is not known here raises Unsupported: `Problem.kind` does not tell everything
Not here     effects, actions and the rest of a problem (writer)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from unified_planning.model.operators import OperatorKind

from numbat.task.plan import decimal
from numbat.unified_planning.names import Names


class Unsupported(Exception):
    """The problem has something that we do not solve; the text says what."""


def number(value: Fraction | int) -> str:
    """As a PDDL expression."""
    text = decimal(Fraction(value))
    return f"(/ {text.replace('/', ' ')})" if "/" in text else text


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the types, objects and fluents of a problem are called, and how often a numeric fluent is kept."""

    types: Names[Any]
    objects: Names[Any]
    fluents: Names[Any]
    scales: Mapping[Any, int]

    def typed(self, variable: str, type_: Any) -> str:
        if type_ not in self.types:
            raise Unsupported(f"parameters and variables of type {type_}")
        return f"{variable} - {self.types.of(type_)}"


@dataclass(slots=True)
class Scope:
    """The variables that are bound at one place, and their PDDL names."""

    words: Vocabulary
    bound: dict[Any, str] = field(default_factory=dict)
    used: Names[Any] = field(default_factory=Names)

    def bind(self, variables: Sequence[Any]) -> tuple[Scope, str]:
        """A scope inside this one, and the PDDL list of the variables that it adds."""
        names = {variable: f"?{self.used.add(object(), variable.name)}" for variable in variables}
        inner = Scope(self.words, {**self.bound, **names}, self.used)
        return inner, " ".join(self.words.typed(name, variable.type) for variable, name in names.items())

    def text(self, expression: Any) -> str:
        """A condition or a numeric expression."""
        kind = expression.node_type
        if kind in _CONNECTIVES:
            return f"({_CONNECTIVES[kind]} {' '.join(map(self.text, expression.args))})"
        if kind not in _SPECIAL:
            raise Unsupported(f"expressions with {kind.name.lower().replace('_', ' ')}: {expression}")
        return _SPECIAL[kind](self, expression)

    def fluent(self, expression: Any) -> str:
        """The atom alone: what an effect changes."""
        fluent = expression.fluent()
        if fluent not in self.words.fluents:
            raise Unsupported(f"the fluent {fluent.name}, which is not one of the problem")
        for argument in expression.args:
            if argument.node_type not in _TERMS:
                raise Unsupported(f"fluents of fluents and of expressions: {expression}")
        return f"({' '.join([self.words.fluents.of(fluent), *map(self.text, expression.args)])})"

    def quantified(self, word: str, variables: Sequence[Any], body: Callable[[Scope], str]) -> str:
        inner, declared = self.bind(variables)
        return f"({word} ({declared}) {body(inner)})"


def _read_fluent(scope: Scope, expression: Any) -> str:
    scale = scope.words.scales.get(expression.fluent(), 1)
    return scope.fluent(expression) if scale == 1 else f"(/ {scope.fluent(expression)} {scale})"


def _term(scope: Scope, expression: Any) -> str:
    is_variable = expression.is_variable_exp()
    thing = expression.variable() if is_variable else expression.parameter()
    if thing not in scope.bound:
        raise Unsupported(f"the free variable {expression}")
    if not thing.type.is_user_type():
        raise Unsupported(f"parameters and variables of type {thing.type}")
    return scope.bound[thing]


def _object(scope: Scope, expression: Any) -> str:
    return scope.words.objects.of(expression.object())


def _truth(_: Scope, expression: Any) -> str:
    return "(and)" if expression.is_true() else "(or)"


def _both_or_neither(scope: Scope, expression: Any) -> str:
    left, right = map(scope.text, expression.args)
    return f"(and (imply {left} {right}) (imply {right} {left}))"


def _quantifier(scope: Scope, expression: Any) -> str:
    word = "exists" if expression.is_exists() else "forall"
    return scope.quantified(word, expression.variables(), lambda inner: inner.text(expression.arg(0)))


_CONNECTIVES = {
    OperatorKind.AND: "and",
    OperatorKind.OR: "or",
    OperatorKind.NOT: "not",
    OperatorKind.IMPLIES: "imply",
    OperatorKind.PLUS: "+",
    OperatorKind.MINUS: "-",
    OperatorKind.TIMES: "*",
    OperatorKind.DIV: "/",
    OperatorKind.LE: "<=",
    OperatorKind.LT: "<",
    OperatorKind.EQUALS: "=",
}
_SPECIAL: dict[OperatorKind, Callable[[Scope, Any], str]] = {
    OperatorKind.FLUENT_EXP: _read_fluent,
    OperatorKind.PARAM_EXP: _term,
    OperatorKind.VARIABLE_EXP: _term,
    OperatorKind.OBJECT_EXP: _object,
    OperatorKind.BOOL_CONSTANT: _truth,
    OperatorKind.INT_CONSTANT: lambda _, expression: number(expression.constant_value()),
    OperatorKind.REAL_CONSTANT: lambda _, expression: number(expression.constant_value()),
    OperatorKind.IFF: _both_or_neither,
    OperatorKind.EXISTS: _quantifier,
    OperatorKind.FORALL: _quantifier,
}
_TERMS = (OperatorKind.PARAM_EXP, OperatorKind.VARIABLE_EXP, OperatorKind.OBJECT_EXP)
