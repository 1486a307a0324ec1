"""LiftedTask: what a PDDL domain and problem mean, before grounding.

Made by numbat.normalise, read by numbat.ground. Names are resolved, quantifiers and implications are gone,
negation stands only in literals, every numeric expression is a sum of terms with exact rational coefficients.
What all of it means when executed (undefined values, simultaneous changes) is told in docs/semantics.md.

Terms        an argument is an int: object index if >= 0, else parameter number -1 - value (see `parameter`)
Order        every tuple is in the order of the files, so that grounding is deterministic
Reads        a condition is plain logic and may have been simplified. The expressions its text mentions stand beside it,
             as `reads`: where the condition is evaluated, each of them must have a value
Not here     syntax (numbat.pddl.tree), ground atoms (numbat.ground)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal as OneOf

from numbat.errors import Span

Arguments = tuple[int, ...]


def parameter(index: int) -> int:
    """The term that stands for the action's parameter with this index."""
    return -1 - index


@dataclass(frozen=True, slots=True)
class Symbol:
    """A predicate or a function; the two kinds are numbered separately."""

    name: str
    arity: int


@dataclass(frozen=True, slots=True)
class Fluent:
    """A numeric fluent, function(arguments)."""

    function: int
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient * product of factors / product of divisors.

    No factors and no divisors: the constant part. One factor: a linear term. More factors, or divisors: linear only
    if grounding finds enough of them static; decided (and refused, with `Expression.span`) there. Coefficient 0 stands
    for quotients that cancelled out: their divisors must not be zero all the same.
    """

    coefficient: Fraction
    factors: tuple[Fluent, ...] = ()
    divisors: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Expression:
    """A sum of terms, like terms merged.

    reads   every fluent mentioned in the text, also those that cancelled out: reading an undefined one counts
    """

    terms: tuple[Term, ...]
    reads: tuple[Fluent, ...]
    span: Span = field(compare=False)


# --- conditions: negation normal form, no quantifiers ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """predicate(arguments), or its negation."""

    predicate: int
    arguments: Arguments
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Same:
    """Object equality between two terms, or its negation; decided when the arguments are known."""

    left: int
    right: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """expression >= 0, > 0 or = 0. A negated = has become a disjunction of two >."""

    expression: Expression
    relation: OneOf[">=", ">", "="]


@dataclass(frozen=True, slots=True)
class And:
    """True if all parts are; And(()) is truth. No And directly inside an And."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if some part is; Or(()) is falsity. No Or directly inside an Or."""

    parts: tuple[Condition, ...]


Condition = Literal | Same | Compare | And | Or


# --- effects and actions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumericEffect:
    """fluent := expression, or fluent += expression (a decrease is an increase by the negative).

    factor   of a scaling, which is an assign of fluent * factor; several scalings of one fluent multiply
    """

    fluent: Fluent
    kind: OneOf["assign", "increase"]
    expression: Expression
    span: Span = field(compare=False)
    factor: Expression | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """Under `condition`, for all values of the extra `parameters`: delete, then add, and change the numbers.

    parameters   type ids of a universally quantified effect; they are numbered after the action's own
    reads        what the conditions of the `when`s directly inside this one mention
    """

    parameters: tuple[int, ...]
    condition: Condition
    adds: tuple[Literal, ...]
    deletes: tuple[Literal, ...]
    numeric: tuple[NumericEffect, ...]
    reads: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema; parameters are type ids (indices into LiftedTask.types); `reads` are the precondition's."""

    name: str
    parameters: tuple[int, ...]
    precondition: Condition
    effects: tuple[Effect, ...]
    span: Span = field(compare=False)
    reads: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """What a plan costs: value of `expression` in the last state, plus `per_step` for each action (total-time).

    linear_in_steps   false if (total-time) stands in a product or quotient: terms with it are left out here, and only
                      the referee knows what a plan costs
    """

    direction: OneOf["minimize", "maximize"]
    expression: Expression
    per_step: Fraction = Fraction(0)
    linear_in_steps: bool = True


@dataclass(frozen=True, slots=True)
class LiftedTask:
    """The whole task. `types[t]` are the objects of type t in order; an `either` type is a type of its own here.

    counters   functions that no condition and no right-hand side mentions: 0 until they are changed
    """

    domain: str
    problem: str
    objects: tuple[str, ...]
    types: tuple[tuple[int, ...], ...]
    predicates: tuple[Symbol, ...]
    functions: tuple[Symbol, ...]
    actions: tuple[Action, ...]
    init_atoms: tuple[Literal, ...]
    init_values: dict[Fluent, Fraction]
    goal: Condition
    goal_span: Span
    metric: Metric | None
    goal_reads: tuple[Expression, ...] = ()
    counters: frozenset[int] = frozenset()
