"""Random small LiftedTasks for hypothesis: every construct the grounder knows, in odd combinations.

Two types over three objects (one shared), predicates and functions of arity 0 to 2, some of them static, some fluents
without a value; conditions with or, negation, object equality and all relations; effects with conditions and extra
parameters, adds and deletes of the same atom, several changes of one fluent, linear and constant amounts, divisions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from planner.errors import Span
from planner.task.lifted import (
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
TYPES = ((0, 1, 2), (0, 1), (1, 2))
PREDICATES = (Symbol("flag", 0), Symbol("p", 1), Symbol("q", 2), Symbol("s", 1), Symbol("edge", 2))
FUNCTIONS = (Symbol("n", 0), Symbol("f", 1), Symbol("g", 2), Symbol("weight", 1), Symbol("cost", 0))
STATIC_PREDICATES, STATIC_FUNCTIONS = (3, 4), (3,)
CHANGING_PREDICATES, CHANGING_FUNCTIONS = (0, 1, 2), (0, 1, 2, 4)
READ_FUNCTIONS = (0, 1, 2, 3)

NUMBERS = st.sampled_from([Fraction(n) for n in (-2, -1, 0, 1, 1, 2, 3)] + [Fraction(1, 2), Fraction(-3, 10)])


def terms(parameters: int) -> st.SearchStrategy[int]:
    """An argument: mostly a parameter, if there are any."""
    choices = [*range(len(OBJECTS)), *([parameter(i) for i in range(parameters)] * 3)]
    return st.sampled_from(choices)


@st.composite
def fluents(draw: st.DrawFn, parameters: int, functions: tuple[int, ...]) -> Fluent:
    function = draw(st.sampled_from(functions))
    return Fluent(function, tuple(draw(terms(parameters)) for _ in range(FUNCTIONS[function].arity)))


@st.composite
def literals(draw: st.DrawFn, parameters: int, predicates: tuple[int, ...], negation: bool = True) -> Literal:
    predicate = draw(st.sampled_from(predicates))
    arguments = tuple(draw(terms(parameters)) for _ in range(PREDICATES[predicate].arity))
    return Literal(predicate, arguments, negation and draw(st.booleans()))


@st.composite
def expressions(draw: st.DrawFn, parameters: int) -> Expression:
    found: dict[tuple[Fluent, ...], Term] = {}
    reads = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["constant", "linear", "linear", "static", "quotient", "cancelled"]))
        coefficient = draw(NUMBERS)
        factors: tuple[Fluent, ...] = ()
        divisors: tuple[Expression, ...] = ()
        if kind != "constant":
            factors = (draw(fluents(parameters, READ_FUNCTIONS)),)
        if kind in ("static", "quotient"):
            static = draw(fluents(parameters, STATIC_FUNCTIONS))
            reads.append(static)
            if kind == "static":
                factors = tuple(sorted((*factors, static), key=lambda f: (f.function, f.arguments)))
            else:
                divisors = (Expression((Term(Fraction(1), (static,)),), (static,), SPAN),)
        reads += factors
        if kind != "cancelled" and coefficient and factors not in found:
            found[factors] = Term(coefficient, factors, divisors)
    return Expression(tuple(found.values()), tuple(dict.fromkeys(reads)), SPAN)


@st.composite
def conditions(draw: st.DrawFn, parameters: int, depth: int = 2) -> Condition:
    kinds = ["literal", "literal", "static", "compare", "same"] + ["or", "and"] * (depth > 0)
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        return draw(literals(parameters, CHANGING_PREDICATES))
    if kind == "static":
        return draw(literals(parameters, STATIC_PREDICATES))
    if kind == "compare":
        return Compare(draw(expressions(parameters)), draw(st.sampled_from([">=", ">", "="])))
    if kind == "same":
        return Same(draw(terms(parameters)), draw(terms(parameters)), draw(st.booleans()))
    junction = Or if kind == "or" else And
    parts = draw(st.lists(conditions(parameters, depth - 1), max_size=3))
    return junction(tuple(part for part in parts if not isinstance(part, junction)))


@st.composite
def effects(draw: st.DrawFn, parameters: int) -> Effect:
    extra = tuple(draw(st.lists(st.sampled_from(range(len(TYPES))), max_size=1))) if draw(st.booleans()) else ()
    inside = parameters + len(extra)
    condition = draw(conditions(inside, 1)) if draw(st.booleans()) else And(())
    numeric = [
        NumericEffect(
            draw(fluents(inside, CHANGING_FUNCTIONS)),
            draw(st.sampled_from(["assign", "increase", "increase"])),
            draw(expressions(inside)),
            SPAN,
        )
        for _ in range(draw(st.integers(0, 2)))
    ]
    atoms = literals(inside, CHANGING_PREDICATES, negation=False)
    adds, deletes = draw(st.lists(atoms, max_size=2)), draw(st.lists(atoms, max_size=2))
    return Effect(extra, condition, tuple(adds), tuple(deletes), tuple(numeric))


@st.composite
def actions(draw: st.DrawFn, name: str) -> Action:
    parameters = tuple(draw(st.lists(st.sampled_from(range(len(TYPES))), max_size=2)))
    parts = draw(st.lists(conditions(len(parameters)), max_size=2))
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,)))
    own = draw(st.lists(effects(len(parameters)), min_size=1, max_size=3))
    return Action(name, parameters, flat[0] if len(flat) == 1 else And(flat), tuple(own), SPAN)


@st.composite
def lifted_tasks(draw: st.DrawFn) -> LiftedTask:
    every_atom = [Literal(p, arguments) for p, symbol in enumerate(PREDICATES) for arguments in _tuples(symbol.arity)]
    every_fluent = [Fluent(f, arguments) for f, symbol in enumerate(FUNCTIONS) for arguments in _tuples(symbol.arity)]
    values = {fluent: draw(NUMBERS) for fluent in every_fluent if draw(st.integers(0, 4))}
    metric = None
    if draw(st.booleans()):
        weights = ((Fluent(4, ()), draw(NUMBERS)), (Fluent(0, ()), draw(NUMBERS)))
        parts = tuple(Term(weight, (fluent,)) for fluent, weight in weights if weight)
        expression = Expression(parts, tuple(term.factors[0] for term in parts), SPAN)
        metric = Metric(draw(st.sampled_from(["minimize", "maximize"])), expression, draw(NUMBERS))
    return LiftedTask(
        domain="random",
        problem="random",
        objects=OBJECTS,
        types=TYPES,
        predicates=PREDICATES,
        functions=FUNCTIONS,
        actions=tuple(draw(actions(f"act{i}")) for i in range(draw(st.integers(1, 3)))),
        init_atoms=tuple(atom for atom in every_atom if draw(st.booleans())),
        init_values=values,
        goal=draw(conditions(0)) if draw(st.integers(0, 3)) == 0 else _reads_everything(every_atom, values),
        goal_span=SPAN,
        metric=metric,
    )


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
