"""A problem of unified-planning as PDDL text, exactly, and the way back for plans.

In, out      Problem → Task: two texts, with the names that lead back; Unsupported says what we do not solve
Guarantee    the PDDL task (docs/semantics.md) has the plans of the problem, step by step, with their values: no number
             is rounded, no name is lost, and what is not known here is refused, whatever the problem's kind says
Not here     conditions and numbers (expressions), bounded types and invariants (bounds)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from unified_planning.model import InstantaneousAction, Problem
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.plans import ActionInstance, SequentialPlan

from numbat.task.plan import Step
from numbat.unified_planning import bounds
from numbat.unified_planning.expressions import Scope, Unsupported, Vocabulary, number
from numbat.unified_planning.names import Names

_COST = "total-cost"  # stands for the cost of the actions, where that is the metric


@dataclass(frozen=True, slots=True)
class Task:
    """The texts, and what their names mean.

    legal   the problem with a weaker goal: that the last state is one (bounds, invariants); None if every state is
    """

    domain: str
    problem: str
    legal: str | None
    actions: Names[Any]
    words: Vocabulary
    environment: Any

    def plan(self, steps: Iterable[Step]) -> Any:
        """A plan for the problem from one for the task."""
        manager = self.environment.expression_manager
        instances = []
        for step in steps:
            objects = [manager.ObjectExp(self.words.objects.thing(name)) for name in step.arguments]
            instances.append(ActionInstance(self.actions.thing(step.name), tuple(objects)))
        return SequentialPlan(instances, self.environment)

    def steps(self, plan: Any) -> list[str]:
        """The other way round."""
        found = []
        for instance in plan.actions:
            if instance.action not in self.actions:
                raise Unsupported(f"the action {instance.action.name}, which is not one of the problem")
            arguments = [self.words.objects.of(value.object()) for value in instance.actual_parameters]
            found.append(f"({' '.join([self.actions.of(instance.action), *arguments])})")
        return found


def write(problem: Any) -> Task:
    """See the module's docstring."""
    try:
        return _written(problem)
    except RecursionError:
        raise Unsupported("expressions that are nested so deeply") from None


def _written(problem: Any) -> Task:
    _check(problem)
    words = Vocabulary(
        types=Names((kind, kind.name) for kind in problem.user_types),
        objects=Names((thing, thing.name) for thing in problem.all_objects),
        fluents=Names((fluent, fluent.name) for fluent in problem.fluents),
        scales={},
    )
    values = list(_initial_values(problem))
    words = Vocabulary(words.types, words.objects, words.fluents, _scales(values))
    actions: Names[Any] = Names((action, action.name) for action in problem.actions)
    writer = _Writer(problem, words, actions)
    goals = [Scope(words).text(goal) for goal in problem.goals]
    everywhere = writer.bounds.everywhere(Scope(words))
    init = writer.init(values)
    return Task(
        domain=writer.domain(),
        problem=writer.problem(init, [*goals, *everywhere]),
        legal=writer.problem(init, everywhere) if everywhere else None,
        actions=actions,
        words=words,
        environment=problem.environment,
    )


def _check(problem: Any) -> None:
    """Refuse what the rest does not look at."""
    if type(problem) is not Problem:
        raise Unsupported(f"problems of the class {type(problem).__name__}")
    for name in ("timed_goals", "timed_effects", "processes", "events"):
        if getattr(problem, name, None):
            raise Unsupported(name.replace("_", " "))
    for action in problem.actions:
        if type(action) is not InstantaneousAction:
            raise Unsupported(f"actions of the class {type(action).__name__}: {action.name}")
        if action.simulated_effect is not None:
            raise Unsupported(f"simulated effects: {action.name}")
    for fluent in problem.fluents:
        if not (fluent.type.is_bool_type() or fluent.type.is_int_type() or fluent.type.is_real_type()):
            raise Unsupported(f"fluents of type {fluent.type}: {fluent.name}")
    for constraint in problem.trajectory_constraints:
        if not constraint.is_always():
            raise Unsupported(f"trajectory constraints other than Always: {constraint}")
    if len(problem.quality_metrics) > 1:
        raise Unsupported("several quality metrics")


# --- the initial state ------------------------------------------------------------------------------------------------


def _initial_values(problem: Any) -> Iterator[tuple[Any, Any]]:
    """Every fluent with its value, a bool or an exact number; false ones that are false by default are left out."""
    false = problem.environment.expression_manager.FALSE()
    explicit: dict[Any, list[Any]] = {}
    for expression in problem.explicit_initial_values:
        explicit.setdefault(expression.fluent(), []).append(expression)
    for fluent in problem.fluents:
        default_is_false = problem.fluents_defaults.get(fluent) == false
        for parameter in fluent.signature:
            if not parameter.type.is_user_type():
                raise Unsupported(f"fluents with parameters of type {parameter.type}: {fluent.name}")
        for expression in explicit.get(fluent, ()) if default_is_false else get_all_fluent_exp(problem, fluent):
            yield expression, _initial_value(problem, expression)


def _initial_value(problem: Any, expression: Any) -> Any:
    value = problem.initial_value(expression)
    if value is None:
        raise Unsupported(f"fluents without an initial value: {expression}")
    value = value.simplify()
    if not value.is_constant():
        raise Unsupported(f"initial values that are not constants: {expression} = {value}")
    number = value.constant_value()
    limits = bounds.of(expression.fluent())
    if limits and not (limits.low is None or limits.low <= number) & (limits.high is None or number <= limits.high):
        raise Unsupported(f"initial values outside their type: {expression} = {number}")
    return number


def _scales(values: Iterable[tuple[Any, Any]]) -> dict[Any, int]:
    """How often each fluent must be kept so that its initial values are decimals."""
    scales: dict[Any, int] = {}
    for expression, value in values:
        if not isinstance(value, bool):
            rest = Fraction(value).denominator
            for prime in (2, 5):
                while rest % prime == 0:
                    rest //= prime
            scales[expression.fluent()] = math.lcm(scales.get(expression.fluent(), 1), rest)
    return scales


# --- the texts --------------------------------------------------------------------------------------------------------


class _Writer:
    """One problem on its way."""

    def __init__(self, problem: Any, words: Vocabulary, actions: Names[Any]) -> None:
        self._problem = problem
        self._words = words
        self._actions = actions
        self.bounds = bounds.Bounds(problem)
        metrics = problem.quality_metrics
        self._metric = metrics[0] if metrics else None
        self._cost = ""
        if self._metric is not None and self._metric.is_minimize_action_costs():
            self._cost = f"({words.fluents.add(object(), _COST)})"

    def domain(self) -> str:
        words, problem = self._words, self._problem
        types = [f"{words.types.of(kind)} - {self._father(kind)}" for kind in problem.user_types]
        objects = [words.typed(words.objects.of(thing), thing.type) for thing in problem.all_objects]
        predicates = [self._signature(fluent) for fluent in problem.fluents if fluent.type.is_bool_type()]
        functions = [self._signature(fluent) for fluent in problem.fluents if not fluent.type.is_bool_type()]
        if self._cost:
            functions.append(self._cost)
        sections = [("types", types), ("constants", objects), ("predicates", predicates), ("functions", functions)]
        lines = [f"(:{name} {' '.join(entries)})" for name, entries in sections if entries]
        lines += [self._action(action) for action in problem.actions]
        return "\n".join(["(define (domain problem-of-unified-planning)", *lines, ")\n"])

    def problem(self, init: str, goals: Sequence[str]) -> str:
        lines = ["(define (problem problem-of-unified-planning) (:domain problem-of-unified-planning)"]
        lines += [f"(:init {init})", f"(:goal (and {' '.join(goals)}))", self._metric_text(), ")\n"]
        return "\n".join(lines)

    def init(self, values: Iterable[tuple[Any, Any]]) -> str:
        scope, found = Scope(self._words), []
        for expression, value in values:
            atom = scope.fluent(expression)
            if value is True:
                found.append(atom)
            elif value is not False:
                found.append(f"(= {atom} {number(value * self._words.scales[expression.fluent()])})")
        if self._cost:
            found.append(f"(= {self._cost} 0)")
        return "\n".join(found)

    def _father(self, kind: Any) -> str:
        return "object" if kind.father is None else self._words.types.of(kind.father)

    def _signature(self, fluent: Any) -> str:
        _, declared = Scope(self._words).bind(fluent.signature)
        return f"({' '.join([self._words.fluents.of(fluent), declared])})"

    def _metric_text(self) -> str:
        metric = self._metric
        if metric is None or metric.is_minimize_sequential_plan_length():
            return ""  # then a plan costs its number of steps
        if self._cost:
            return f"(:metric minimize {self._cost})"
        if metric.is_minimize_expression_on_final_state():
            return f"(:metric minimize {Scope(self._words).text(metric.expression)})"
        if metric.is_maximize_expression_on_final_state():
            return f"(:metric maximize {Scope(self._words).text(metric.expression)})"
        raise Unsupported(f"the metric {metric}")

    def _action(self, action: Any) -> str:
        scope, declared = Scope(self._words).bind(action.parameters)
        conditions = [*map(scope.text, action.preconditions), *self.bounds.before(action, scope)]
        effects = [self._effect(scope, effect) for effect in action.effects]
        if self._cost:
            effects.append(self._cost_of(action, scope))
        lines = [f"(:action {self._actions.of(action)} :parameters ({declared})"]
        lines += [f":precondition (and {' '.join(conditions)})", f":effect (and {' '.join(effects)}))"]
        return "\n ".join(lines)

    def _cost_of(self, action: Any, scope: Scope) -> str:
        assert self._metric is not None
        cost = self._metric.get_action_cost(action)
        if cost is None:
            raise Unsupported(f"actions without a cost where the metric is their cost: {action.name}")
        return f"(increase {self._cost} {scope.text(cost)})"

    def _effect(self, scope: Scope, effect: Any) -> str:
        if effect.is_forall():
            return scope.quantified("forall", effect.forall, lambda inner: self._conditional(inner, effect))
        return self._conditional(scope, effect)

    def _conditional(self, scope: Scope, effect: Any) -> str:
        change = self._change(scope, effect)
        return f"(when {scope.text(effect.condition)} {change})" if effect.is_conditional() else change

    def _change(self, scope: Scope, effect: Any) -> str:
        atom, value = scope.fluent(effect.fluent), effect.value
        if effect.fluent.type.is_bool_type():
            if value.is_bool_constant():
                return atom if value.is_true() else f"(not {atom})"
            condition = scope.text(value)
            return f"(and (when {condition} {atom}) (when (not {condition}) (not {atom})))"
        word = "assign" if effect.is_assignment() else "increase" if effect.is_increase() else "decrease"
        scale = self._words.scales.get(effect.fluent.fluent(), 1)
        amount = scope.text(value) if scale == 1 else f"(* {scale} {scope.text(value)})"
        return f"({word} {atom} {amount})"
