"""The syntax tree: what the two PDDL files say, word for word, each node with its place.

Names        lower case; an argument or operand that starts with "?" is a variable, any other an object (or constant)
Types        a tuple of type names: () where none is written, several for (either ...)
NamedTuples  because thirty frozen dataclasses take 20 ms to define; tell nodes apart by class, never by ==
Not here     what names refer to (symbols.py), whether the text makes sense (check.py), rewriting (numbat.normalise)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal as OneOf
from typing import NamedTuple

from numbat.errors import Span


class TypedName(NamedTuple):
    """A type, constant, object or variable, and the types written behind it."""

    name: str
    types: tuple[str, ...]
    span: Span


Variables = tuple[TypedName, ...]


class Signature(NamedTuple):
    """The declaration of a predicate or function."""

    name: str
    parameters: Variables
    span: Span


class Atom(NamedTuple):
    """(name argument ...): an atom, or a numeric fluent where an expression stands."""

    name: str
    arguments: tuple[str, ...]
    span: Span


# --- numeric expressions ---------------------------------------------------------------------------------------------


class Number(NamedTuple):
    """A number, exactly as written; `name` is how it is written, since an object may be called so."""

    value: Fraction
    span: Span
    name: str = ""


class Word(NamedTuple):
    """A name or variable without parentheses: a fluent without arguments, or an object on a side of (= ...)."""

    name: str
    span: Span


class Arithmetic(NamedTuple):
    """(+ ...), (- ...), (* ...) or (/ ...) with at least one operand."""

    operator: OneOf["+", "-", "*", "/"]
    operands: tuple[Expression, ...]
    span: Span


Expression = Number | Word | Atom | Arithmetic


# --- conditions ------------------------------------------------------------------------------------------------------


class And(NamedTuple):
    parts: tuple[Condition, ...]
    span: Span


class Or(NamedTuple):
    parts: tuple[Condition, ...]
    span: Span


class Not(NamedTuple):
    part: Condition
    span: Span


class Imply(NamedTuple):
    premise: Condition
    conclusion: Condition
    span: Span


class Quantified(NamedTuple):
    quantifier: OneOf["exists", "forall"]
    variables: Variables
    part: Condition
    span: Span


class Compare(NamedTuple):
    """A numeric comparison; (= a b) between objects has Words as operands, or a Word and a Number that names one."""

    relation: OneOf["<", "<=", "=", ">=", ">"]
    left: Expression
    right: Expression
    span: Span


Condition = Atom | And | Or | Not | Imply | Quantified | Compare


# --- effects ---------------------------------------------------------------------------------------------------------


class Add(NamedTuple):
    atom: Atom


class Delete(NamedTuple):
    atom: Atom


class Change(NamedTuple):
    operator: OneOf["assign", "increase", "decrease", "scale-up", "scale-down"]
    fluent: Atom
    expression: Expression
    span: Span


class When(NamedTuple):
    condition: Condition
    effect: Effect
    span: Span


class ForAll(NamedTuple):
    variables: Variables
    effect: Effect
    span: Span


class Effects(NamedTuple):
    parts: tuple[Effect, ...]
    span: Span


Effect = Add | Delete | Change | When | ForAll | Effects


# --- the two files ---------------------------------------------------------------------------------------------------


class Action(NamedTuple):
    """A missing precondition or effect is an empty one."""

    name: str
    parameters: Variables
    precondition: Condition
    effect: Effect
    span: Span


class Domain(NamedTuple):
    name: str
    types: tuple[TypedName, ...]
    constants: tuple[TypedName, ...]
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    actions: tuple[Action, ...]
    span: Span


class InitialValue(NamedTuple):
    fluent: Atom
    value: Fraction


class Metric(NamedTuple):
    direction: OneOf["minimize", "maximize"]
    expression: Expression
    span: Span


class Problem(NamedTuple):
    """`domain` is the name after :domain, None where it is missing; so is `metric`."""

    name: str
    domain: str | None
    objects: tuple[TypedName, ...]
    init_atoms: tuple[Atom, ...]
    init_negations: tuple[Atom, ...]
    init_values: tuple[InitialValue, ...]
    goal: Condition
    metric: Metric | None
    span: Span
