"""The abstract syntax of a planning task: plain frozen records.

Terms        a string: a variable begins with "?", anything else is an object
Numbers      keep their text, so that the same task is always written the same way; Fraction(text) is the value
Types        a tuple of names; more than one means (either ...), none means untyped, that is any object
Not here     how a task is written (text), what it means (oracle)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Typed:
    """A name and its types: an object, a variable, or a type and its supertypes."""

    name: str
    types: Names = ()


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    text: str


@dataclass(frozen=True, slots=True)
class Fluent:
    function: str
    arguments: Names = ()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """+ and * of one or more, - of one or more (one: negation), / of two or more."""

    operator: str
    operands: tuple[Expression, ...]


Expression = Number | Fluent | Arithmetic


# --- conditions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    predicate: str
    arguments: Names = ()


@dataclass(frozen=True, slots=True)
class Same:
    """Object equality."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Compare:
    relation: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Imply:
    premise: Condition
    conclusion: Condition


@dataclass(frozen=True, slots=True)
class Quantified:
    """quantifier: forall or exists."""

    quantifier: str
    variables: tuple[Typed, ...]
    part: Condition


Condition = Atom | Same | Compare | Not | And | Or | Imply | Quantified


# --- effects ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Add:
    atom: Atom


@dataclass(frozen=True, slots=True)
class Delete:
    atom: Atom


@dataclass(frozen=True, slots=True)
class Change:
    """operator: assign, increase, decrease, scale-up or scale-down."""

    operator: str
    fluent: Fluent
    amount: Expression


@dataclass(frozen=True, slots=True)
class Effects:
    parts: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class When:
    condition: Condition
    effect: Effect


@dataclass(frozen=True, slots=True)
class ForAll:
    variables: tuple[Typed, ...]
    effect: Effect


Effect = Add | Delete | Change | Effects | When | ForAll


# --- tasks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signature:
    """A predicate or a function."""

    name: str
    parameters: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    parameters: tuple[Typed, ...]
    precondition: Condition
    effect: Effect


@dataclass(frozen=True, slots=True)
class Value:
    """An initial value."""

    fluent: Fluent
    number: Number


@dataclass(frozen=True, slots=True)
class Metric:
    """direction: minimize or maximize."""

    direction: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Task:
    """Domain and problem in one."""

    types: tuple[Typed, ...]
    constants: tuple[Typed, ...]
    objects: tuple[Typed, ...]
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    actions: tuple[Action, ...]
    facts: tuple[Atom, ...]
    values: tuple[Value, ...]
    goal: Condition
    metric: Metric | None


def parts(node: object) -> Iterator[object]:
    """What a record or a tuple consists of."""
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node):
        for field in fields(node):
            yield getattr(node, field.name)
