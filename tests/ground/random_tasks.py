"""Random small LiftedTasks: every construct the grounder knows, in odd combinations.

Four types over three objects, one of them empty; predicates and functions of arity 0 to 2, some of them static, some
fluents without a value; conditions with or, negation, object equality and all relations; effects with conditions, inner
conditions and extra parameters, adds and deletes of the same atom, several changes of one fluent of every kind, among
them equal assignments and several scalings, linear and constant amounts, divisions.
Drawn from a seed, not structurally by hypothesis, whose preference for the simplest leaves most actions inapplicable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from numbat.errors import Span
from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Effect,
    Expression,
    Fluent,
    LiftedTask,
    Literal,
    Metric,
    NumericEffect,
    Or,
    Same,
    Symbol,
    Term,
    parameter,
)

SPAN = Span("random.pddl", 1, 1)
OBJECTS = ("a", "b", "c")
TYPES = ((0, 1, 2), (0, 1), (1, 2), ())
PREDICATES = (Symbol("flag", 0), Symbol("p", 1), Symbol("q", 2), Symbol("s", 1), Symbol("edge", 2))
FUNCTIONS = (Symbol("n", 0), Symbol("f", 1), Symbol("g", 2), Symbol("weight", 1), Symbol("cost", 0))
COST = 4
STATIC_PREDICATES, CHANGING_PREDICATES = (3, 4), (0, 1, 2)
# Of some tasks the function of two arguments is static, too.
STATIC_FUNCTIONS, CHANGING_FUNCTIONS = ((3,), (2, 3)), ((0, 1, 2, 4), (0, 1, 4))
READ_FUNCTIONS = (0, 1, 1, 2, 3)
NUMBERS = [Fraction(n) for n in (1, 2, 3, 1, -1, -2, 0)] + [Fraction(1, 2), Fraction(-3, 10)]


class TaskMaker:
    """One random task per seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        kind = self.chance(30)
        self.static_functions, self.changing_functions = STATIC_FUNCTIONS[kind], CHANGING_FUNCTIONS[kind]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def number(self) -> Fraction:
        return self.random.choice(NUMBERS)

    def arguments(self, arity: int, parameters: int) -> tuple[int, ...]:
        """Mostly parameters, if there are any."""
        choices = [*range(len(OBJECTS)), *([parameter(i) for i in range(parameters)] * 3)]
        return tuple(self.random.choice(choices) for _ in range(arity))

    def fluent(self, parameters: int, functions: tuple[int, ...]) -> Fluent:
        function = self.random.choice(functions)
        return Fluent(function, self.arguments(FUNCTIONS[function].arity, parameters))

    def literal(self, parameters: int, predicates: tuple[int, ...], negative: int = 35) -> Literal:
        predicate = self.random.choice(predicates)
        return Literal(predicate, self.arguments(PREDICATES[predicate].arity, parameters), self.chance(negative))

    def expression(self, parameters: int) -> Expression:
        found: dict[tuple[Fluent, ...], Term] = {}
        reads = []
        for _ in range(self.random.choice([1, 2, 2, 3, 0])):
            kind = self.random.choice(["constant", "constant", "linear", "linear", "static", "quotient", "cancelled"])
            coefficient = self.number()
            factors: tuple[Fluent, ...] = ()
            divisors: tuple[Expression, ...] = ()
            if kind != "constant":
                factors = (self.fluent(parameters, READ_FUNCTIONS),)
            if kind in ("static", "quotient"):
                static = self.fluent(parameters, self.static_functions)
                reads.append(static)
                if kind == "static":
                    factors = (*factors, static)
                else:
                    divisors = (Expression((Term(Fraction(1), (static,)),), (static,), SPAN),)
            reads += factors
            if kind != "cancelled" and coefficient and factors not in found:
                found[factors] = Term(coefficient, factors, divisors)
        return Expression(tuple(found.values()), tuple(dict.fromkeys(reads)), SPAN)

    def condition(self, parameters: int, depth: int = 2) -> Condition:
        kinds = ["literal", "compare", "static", "literal", "same"] + ["or", "or", "and"] * (depth > 0)
        kind = self.random.choice(kinds)
        if kind == "literal":
            return self.literal(parameters, CHANGING_PREDICATES)
        if kind == "static":
            return self.literal(parameters, STATIC_PREDICATES)
        if kind == "compare":
            return Compare(self.expression(parameters), self.random.choice([">=", ">", "=", ">="]))
        if kind == "same":
            return Same(*self.arguments(2, parameters), self.chance(70))
        junction = Or if kind == "or" else And
        parts = [self.condition(parameters, depth - 1) for _ in range(self.random.choice([2, 3, 3, 1, 0]))]
        return junction(tuple(part for part in parts if not isinstance(part, junction)))

    def numeric(self, parameters: int) -> NumericEffect:
        """Often of a fluent that others change too."""
        functions = (0, COST) if self.chance(40) else self.changing_functions
        fluent = self.fluent(parameters, functions)
        kind = self.random.choice(["assign", "increase", "increase", "scale"])
        amount = self.constant() if self.chance(60) else self.expression(parameters)
        if kind == "assign":
            return NumericEffect(fluent, "assign", amount, SPAN)
        if kind == "increase":
            return NumericEffect(fluent, "increase", amount, SPAN)
        factor = self.constant() if self.chance(80) else self.static(parameters)
        return NumericEffect(fluent, "assign", _product(fluent, factor), SPAN, factor)

    def constant(self) -> Expression:
        return Expression((Term(self.number()),), (), SPAN)

    def static(self, parameters: int) -> Expression:
        fluent = self.fluent(parameters, self.static_functions)
        return Expression((Term(Fraction(1), (fluent,)),), (fluent,), SPAN)

    def block(self, parameters: int, extra: tuple[int, ...], condition: Condition) -> Effect:
        inside = parameters + len(extra)
        numeric = tuple(self.numeric(inside) for _ in range(self.random.choice([1, 0, 1, 2])))
        adds, deletes = (
            tuple(self.literal(inside, CHANGING_PREDICATES, 0) for _ in range(self.random.choice([1, 0, 2])))
            for _ in range(2)
        )
        return Effect(extra, condition, adds, deletes, numeric)

    def effects(self, parameters: int) -> Iterator[Effect]:
        """A change, or a change under a condition, or that and another one under an inner condition."""
        extra = (self.random.randrange(len(TYPES)),) if self.chance(30) else ()
        if self.chance(50):
            yield self.block(parameters, extra, And(()))
            return
        outer = self.condition(parameters + len(extra), 1)
        yield Effect(extra, And(()), (), (), (), tuple(_expressions(outer)))
        first = self.block(parameters, extra, outer)
        if self.chance(30):
            inner = self.condition(parameters + len(extra), 1)
            first = replace(first, reads=tuple(_expressions(inner)))
            yield self.block(parameters, extra, _conjunction([outer, inner]))
        yield first

    def action(self, name: str) -> Action:
        parameters = tuple(self.random.randrange(len(TYPES) - 1) for _ in range(self.random.choice([1, 2, 0])))
        parts = [self.condition(len(parameters)) for _ in range(self.random.choice([1, 0, 2]))]
        count = self.random.choice([2, 1, 3])
        effects = tuple(effect for _ in range(count) for effect in self.effects(len(parameters)))
        precondition = _conjunction(parts)
        reads = tuple(_expressions(precondition))
        if self.chance(10):  # what simplification has dropped
            reads += (self.expression(len(parameters)),)
        return Action(name, parameters, precondition, effects, SPAN, reads)

    def metric(self) -> Metric:
        weights = ((Fluent(COST, ()), self.number()), (Fluent(0, ()), self.number()))
        terms = tuple(Term(weight, (fluent,)) for fluent, weight in weights if weight)
        expression = Expression(terms, tuple(term.factors[0] for term in terms), SPAN)
        return Metric("minimize" if self.chance(70) else "maximize", expression, self.number())

    def task(self) -> LiftedTask:
        atoms = [Literal(p, row) for p, symbol in enumerate(PREDICATES) for row in _tuples(symbol.arity)]
        fluents = [Fluent(f, row) for f, symbol in enumerate(FUNCTIONS) for row in _tuples(symbol.arity)]
        values = {fluent: self.number() for fluent in fluents if self.chance(70 if fluent.function == 1 else 96)}
        goal = self.condition(0) if self.chance(20) else _reads_everything(atoms, values)
        return LiftedTask(
            domain="random",
            problem="random",
            objects=OBJECTS,
            types=TYPES,
            predicates=PREDICATES,
            functions=FUNCTIONS,
            actions=tuple(self.action(f"act{i}") for i in range(self.random.choice([2, 3, 4]))),
            init_atoms=tuple(atom for atom in atoms if self.chance(60)),
            init_values=values,
            goal=goal,
            goal_span=SPAN,
            metric=self.metric() if self.chance(50) else None,
            goal_reads=tuple(_expressions(goal)),
            counters=frozenset((COST,)),
        )


def _expressions(condition: Condition) -> Iterator[Expression]:
    if isinstance(condition, Compare):
        yield condition.expression
    elif isinstance(condition, And | Or):
        for part in condition.parts:
            yield from _expressions(part)


def _conjunction(parts: list[Condition]) -> Condition:
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,)))
    return flat[0] if len(flat) == 1 else And(flat)


def _product(fluent: Fluent, factor: Expression) -> Expression:
    terms = tuple(replace(term, factors=(*term.factors, fluent)) for term in factor.terms)
    return Expression(terms, tuple(dict.fromkeys((*factor.reads, fluent))), SPAN)


def _reads_everything(atoms: list[Literal], values: dict[Fluent, Fraction]) -> Condition:
    """A goal that is true wherever it is defined, but makes every fact and every fluent relevant."""
    logical = [Or((atom, Literal(atom.predicate, atom.arguments, True))) for atom in atoms]
    numeric = [
        Or(tuple(Compare(Expression((Term(Fraction(sign), (fluent,)),), (fluent,), SPAN), ">=") for sign in (1, -1)))
        for fluent in values
        if fluent.function in READ_FUNCTIONS
    ]
    return And((*logical, *numeric))


def _tuples(arity: int) -> list[tuple[int, ...]]:
    return list(product(range(len(OBJECTS)), repeat=arity))
