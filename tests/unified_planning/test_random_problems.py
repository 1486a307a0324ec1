"""Random problems and plans: the PDDL that is written means what unified-planning's own simulator says.

Drawn are types with and without subtypes, bounded and unbounded numbers, parameters that may be the same object, all
effects, conditional and for all objects, invariants and metrics; the plans are walks that now and then take a step that
cannot be taken.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from unified_planning import shortcuts as up
from unified_planning.engines.plan_validator import SequentialPlanValidator
from unified_planning.engines.sequential_simulator import UPSequentialSimulator
from unified_planning.exceptions import (
    UPConflictingEffectsException,
    UPInvalidActionError,
    UPProblemDefinitionError,
    UPTypeError,
)
from unified_planning.plans import ActionInstance, SequentialPlan

from numbat.unified_planning.engine import Numbat


class Draw:
    """One problem, drawn piece by piece."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.problem = up.Problem("drawn")
        self.kind = up.UserType("thing")
        self.types = [self.kind, up.UserType("part", self.kind)]
        self.problem.add_objects([up.Object(f"o{n}", self.types[n % 2]) for n in range(3)])
        low = random.choice([None, -3, 0])
        number = random.choice([up.IntType(low, 5), up.RealType(low, 5), up.RealType(), up.IntType()])
        add = self.problem.add_fluent
        p = add("p", up.BoolType(), default_initial_value=False, t=self.kind)
        self.bools = [p, add("q", up.BoolType(), default_initial_value=True)]
        start = Fraction(1, 3) if number.is_real_type() else 1
        self.numbers = [
            add("f", number, default_initial_value=start, t=self.kind),
            add("g", up.RealType(0, 4), default_initial_value=2),
        ]

    def draw(self) -> up.Problem:
        for number in range(3):
            self.problem.add_action(self.action(f"a{number}"))
        self.problem.add_goal(self.condition([]))
        if self.random.random() < 0.3:
            self.problem.add_state_invariant(up.Or(self.condition([]), up.LE(self.numbers[1](), 3)))
        metric = self.random.choice([None, "length", "final", "costs"])
        if metric == "length":
            self.problem.add_quality_metric(up.MinimizeSequentialPlanLength())
        elif metric == "final":
            self.problem.add_quality_metric(up.MaximizeExpressionOnFinalState(self.number([])))
        elif metric == "costs":
            costs = {action: self.number(action.parameters) for action in self.problem.actions}
            self.problem.add_quality_metric(up.MinimizeActionCosts(costs))
        return self.problem

    def action(self, name: str) -> up.InstantaneousAction:
        random = self.random
        parameters = {f"x{number}": random.choice(self.types) for number in range(random.randint(0, 2))}
        action = up.InstantaneousAction(name, **parameters)
        if random.random() < 0.3:
            action.add_precondition(self.condition(action.parameters))
        for _ in range(random.randint(1, 4)):
            with suppress(UPConflictingEffectsException, UPTypeError):  # the library refuses some at once
                self.effect(action)
        return action

    def effect(self, action: up.InstantaneousAction) -> None:
        random, terms = self.random, list(action.parameters)
        variables = [up.Variable("v", self.kind)] if random.random() < 0.3 else []
        condition = self.condition([*terms, *variables]) if random.random() < 0.4 else up.TRUE()
        if random.random() < 0.3:
            fluent = self.atom(self.bools, [*terms, *variables])
            value = random.choice([up.TRUE(), up.FALSE(), self.condition(terms)])
            action.add_effect(fluent, value, condition, forall=variables)
            return
        fluent = self.atom(self.numbers, [*terms, *variables])
        kind = random.choice([action.add_effect, action.add_increase_effect, action.add_decrease_effect])
        value = random.choice([1, 2, 0, -1, Fraction(1, 3), fluent, up.Minus(fluent, 1), self.number(terms)])
        if variables and kind != action.add_effect and not any(term.is_variable_exp() for term in fluent.args):
            return  # how often that happens depends, in the library, on what its simplifier makes of the condition
        kind(fluent, value, condition, forall=variables)

    def atom(self, fluents: list[Any], terms: list[Any]) -> Any:
        fluent = self.random.choice(fluents)
        return fluent(*(self.random.choice([*terms, *self.problem.all_objects]) for _ in fluent.signature))

    def number(self, terms: Any, depth: int = 2) -> Any:
        choice = self.random.randint(0, 5) if depth else self.random.randint(0, 1)
        if choice == 0:
            return up.Plus(self.random.choice([1, 2, -1, Fraction(1, 3), Fraction(-5, 4)]), 0)
        if choice <= 2:
            return self.atom(self.numbers, list(terms))
        parts = self.number(terms, depth - 1), self.random.choice([2, Fraction(1, 7)])
        return self.random.choice([up.Plus, up.Minus, up.Times])(*parts)

    def condition(self, terms: Any, depth: int = 2) -> Any:
        choice, terms = self.random.randint(0, 7) if depth else self.random.randint(0, 2), list(terms)
        if choice == 0:
            return self.random.choice([up.LE, up.LT, up.GE, up.Equals])(self.number(terms), self.number(terms))
        if choice == 1 and terms:
            left = self.random.choice(terms)  # of one type: the library's simplifier stumbles over others
            same = [term for term in [*terms, *self.problem.all_objects] if term.type == left.type]
            return up.Equals(left, self.random.choice(same))
        if choice <= 2:
            return self.atom(self.bools, terms)
        if choice == 3:
            return up.Not(self.condition(terms, depth - 1))
        if choice == 4:
            variable = up.Variable("v", self.random.choice(self.types))  # may hide another v
            quantifier = self.random.choice([up.Exists, up.Forall])
            return quantifier(self.condition([*terms, variable], depth - 1), variable)
        connective = self.random.choice([up.And, up.Or, up.Implies, up.Iff])
        return connective(self.condition(terms, depth - 1), self.condition(terms, depth - 1))


def walk(problem: up.Problem, random: Random) -> SequentialPlan:
    simulator = UPSequentialSimulator(problem)
    state, steps = simulator.get_initial_state(), []
    for _ in range(8):
        action = random.choice(problem.actions)
        things = [random.choice(list(problem.objects(parameter.type))) for parameter in action.parameters]
        step = ActionInstance(action, tuple(map(up.ObjectExp, things)))
        successor = None
        with suppress(UPInvalidActionError):
            successor = simulator.apply(state, step.action, step.actual_parameters)
        if successor is not None or random.random() < 0.1:
            steps.append(step)
        if successor is None:
            continue
        state = successor
    return SequentialPlan(steps)


@settings(max_examples=75, deadline=None)
@given(st.integers(0, 2**32))
def test_means_the_same(seed: int) -> None:
    random = Random(seed)
    problem = Draw(random).draw()
    try:
        if any(constraint.is_bool_constant() for constraint in problem.trajectory_constraints):
            return  # an invariant that was simplified to true or false is another kind of constraint there
        assert Numbat.supports(problem.kind), problem.kind
        plan = walk(problem, random)
        theirs = SequentialPlanValidator().validate(problem, plan)
    except UPProblemDefinitionError:
        return  # the initial state breaks the invariant
    ours = Numbat().validate(problem, plan)
    assert ours.status == theirs.status, ours.log_messages
    assert ours.metric_evaluations == theirs.metric_evaluations
    assert (ours.reason, ours.inapplicable_action) == (theirs.reason, theirs.inapplicable_action)
