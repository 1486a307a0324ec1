"""Hypothesis strategies for small GroundedTasks and their states.

What is in   positive and negative literals, nested disjunctions, equalities, strict and multi-variable conditions,
             conditional effects, constant and linear increases and assignments, costs, conditions with units
Numbers      small integers, units powers of two: doubles and Fractions agree on every sum and product
Bounded      on request every operator needs every variable to be small, so that the state space is finite
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import strategies as st

from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Compare, Description, Either, Formula, Op, When
from tests.oracles.states import State

Draw = Callable[[st.SearchStrategy[Any]], Any]

COEFFICIENTS = [1, 1, 1, 2, -1, -1, -2]
STEPS = [1, 2, 4, -1, -2]
UNITS = [Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(2)]
BOUND = 3


def fact_names(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def variable_names(count: int) -> list[str]:
    return [f"x{i}" for i in range(count)]


# --- conditions ---


@cache
def comparisons(variables: int) -> st.SearchStrategy[Compare]:
    terms = st.dictionaries(
        st.sampled_from(variable_names(variables)), st.sampled_from(COEFFICIENTS), min_size=1, max_size=3
    )
    return st.builds(
        lambda t, constant, strict, unit: Compare(
            tuple((name, Fraction(c)) for name, c in sorted(t.items())), Fraction(constant), strict, unit
        ),
        terms,
        st.integers(-6, 6),
        st.booleans(),
        st.sampled_from(UNITS),
    )


@cache
def equalities(variables: int) -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, value: f"{name} = {value}", st.sampled_from(variable_names(variables)), st.integers(-4, 4)
    )


@cache
def literals(facts: int) -> st.SearchStrategy[str]:
    return st.builds(
        lambda sign, name: sign + name, st.sampled_from(["", "", "not "]), st.sampled_from(fact_names(facts))
    )


@cache
def formulas(facts: int, variables: int, depth: int) -> st.SearchStrategy[Formula]:
    """One conjunct; `depth` is how deep disjunctions may nest."""
    choices: list[st.SearchStrategy[Any]] = []
    if facts:
        choices += [literals(facts)] * 3
    if variables:
        choices += [comparisons(variables)] * 3 + [equalities(variables)]
    if depth:
        part = st.lists(formulas(facts, variables, depth - 1), min_size=1, max_size=2)
        choices.append(st.lists(part, min_size=2, max_size=3).map(lambda parts: Either(*parts)))
    return st.one_of(choices)


# --- effects ---


@cache
def amounts(variables: int) -> st.SearchStrategy[str]:
    """A linear form with one or two variables."""
    term = st.builds(
        lambda c, n: f"{c}*{n}", st.sampled_from([1, 1, 2, -1]), st.sampled_from(variable_names(variables))
    )
    return st.builds(
        lambda terms, constant: " + ".join([*terms, str(constant)]),
        st.lists(term, min_size=1, max_size=2),
        st.sampled_from([0, 0, 1, -1]),
    )


@cache
def numeric_effects(variables: int) -> st.SearchStrategy[str]:
    names = st.sampled_from(variable_names(variables))
    increase = st.builds(lambda n, k: f"{n} += {k}", names, st.sampled_from(STEPS))
    return st.one_of(
        increase,
        increase,
        increase,
        st.builds(lambda n, k: f"{n} += {k}", names, amounts(variables)),
        st.builds(lambda n, k: f"{n} := {k}", names, st.integers(-4, 8)),
        st.builds(lambda n, k: f"{n} := {k}", names, amounts(variables)),
    )


def one_per_variable(effects: list[str]) -> list[str]:
    """The grounder merges several changes of a variable in one block, so there is at most one."""
    return list({effect.split()[0] if "=" in effect else effect: effect for effect in effects}.values())


@cache
def effect_lists(facts: int, variables: int) -> st.SearchStrategy[list[str]]:
    choices: list[st.SearchStrategy[str]] = []
    if facts:
        choices.append(literals(facts))
    if variables:
        choices.append(numeric_effects(variables))
    return st.lists(st.one_of(choices), min_size=1, max_size=3, unique=True).map(one_per_variable)


@cache
def operators(facts: int, variables: int, *, free: bool, constant_costs: bool) -> st.SearchStrategy[Op]:
    """free: state-dependent costs may be 0 or less in the initial state. constant_costs: none of those, but 0."""
    condition = st.lists(formulas(facts, variables, 1), max_size=2)
    conditional = st.builds(
        When, st.lists(formulas(facts, variables, 1), min_size=1, max_size=2), effect_lists(facts, variables)
    )
    costs = [st.integers(0 if constant_costs else 1, 4)]
    if variables and not constant_costs:
        constants = st.integers(-BOUND if free else BOUND + 1, 2 * BOUND)
        names = st.sampled_from(variable_names(variables))
        costs.append(st.builds(lambda k, n: f"{k} + {n}", constants, names))
    return st.builds(
        lambda conditions, plain, whens, cost: Op("", conditions, [*plain, *whens], cost),
        condition,
        st.one_of(effect_lists(facts, variables), effect_lists(facts, variables), st.just([])),
        st.one_of(st.just([]), st.just([]), st.lists(conditional, min_size=1, max_size=2)),
        st.one_of(costs),
    )


# --- tasks and states ---


def movers(draw: Draw, facts: int, variables: int) -> list[Op]:
    """Operators that change just one thing, in most possible ways, so that few goals are out of reach."""
    signs = ([s for s in STEPS if s > 0], [s for s in STEPS if s < 0])
    effects = [[f"{name} += {step}" for step in steps] for name in variable_names(variables) for steps in signs]
    effects += [[f"{sign}{name}"] for name in fact_names(facts) for sign in ("", "not ")]
    conditions = st.lists(formulas(facts, variables, 1), max_size=1)
    often = st.sampled_from([True, True, False])
    return [Op("", draw(conditions), [draw(st.sampled_from(choice))]) for choice in effects if draw(often)]


def operator_lists(
    draw: Draw, facts: int, variables: int, *, bounded: bool, free: bool, constant_costs: bool
) -> list[Op]:
    kinds = operators(facts, variables, free=free, constant_costs=constant_costs)
    any_kind = draw(st.lists(kinds, min_size=1, max_size=4))
    ops = draw(st.permutations(movers(draw, facts, variables) + any_kind))
    limits = [f"{sign}{name} >= -{BOUND}" for name in variable_names(variables) for sign in ("", "-")]
    return [
        Op(f"o{number}", [*op.conditions, *(limits if bounded else [])], op.effects, op.cost)
        for number, op in enumerate(ops)
    ]


@st.composite
def tasks(
    draw: Draw, *, bounded: bool = False, exact: bool | None = None, free: bool = True, constant_costs: bool = False
) -> GroundedTask:
    """A small task.

    bounded   with a finite state space
    exact     as given, else mostly true
    free      operators may cost nothing (or less) in the initial state
    constant_costs   costs are constants that are not negative
    """
    facts = draw(st.integers(0, 4))
    variables = draw(st.integers(0 if facts else 1, 2 if bounded else 3))
    values = st.integers(-BOUND, BOUND)
    description = Description(
        {name: draw(st.booleans()) for name in fact_names(facts)},
        {name: draw(values) for name in variable_names(variables)},
        operator_lists(draw, facts, variables, bounded=bounded, free=free, constant_costs=constant_costs),
        draw(st.lists(formulas(facts, variables, 2), min_size=2, max_size=4)),
    )
    return description.task(exact=draw(st.sampled_from([True, True, False])) if exact is None else exact)


def states(task: GroundedTask) -> st.SearchStrategy[State]:
    """Any state of the task, reachable or not."""
    return st.builds(
        State,
        st.tuples(*(st.booleans() for _ in task.init_facts)),
        st.tuples(*(st.integers(-8, 8).map(Fraction) for _ in task.init_values)),
    )


@st.composite
def tasks_with_states(draw: Draw, count: int, **options: Any) -> tuple[GroundedTask, list[State]]:
    task = draw(tasks(**options))
    return task, draw(st.lists(states(task), min_size=count, max_size=count))
