"""The course of a plan: what every step changes and how narrowly its numeric conditions hold, in exact numbers.

In, out      the two files, the referee's task and a plan → Course
Meaning      the referee executes (numbat_validate); nothing here judges a plan
Demands      a comparison that is a conjunct of a step's precondition, or of the goal, with the value of its left side
             minus its right side there, and for every fluent in it the value from which on it would hold, the others
             being what they are
Cost         linear in the plan
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from pathlib import Path

from numbat.explain.rules import Model, Need
from numbat.explain.words import condition_text
from numbat.ground.rewrite import bind
from numbat.task.lifted import Compare, Condition, Expression, Fluent, parameter
from numbat_validate import Task, Verdict, judge
from numbat_validate.evaluate import Failure, State, evaluate
from numbat_validate.execute import execute
from numbat_validate.reader import Key, Number, Source, parse_plan, read_source, render
from numbat_validate.task import TOTAL_TIME


@dataclass(frozen=True, slots=True)
class Changes:
    """What one step changed: old and new values, facts that became true and false."""

    values: tuple[tuple[Key, Number | None, Number], ...]
    added: tuple[Key, ...]
    deleted: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """A numeric condition met (or not) before a step; the goal's are met after the last one.

    label     the condition as the schema has it, equal for all steps of a schema
    slack     how much more there is than needed; negative where the condition fails, None if something has no value
    bounds    per fluent: the value it must not pass, and 1 if it must stay above, -1 below, 0 be equal
    """

    step: int
    action: str
    label: str
    text: str
    slack: Fraction | None
    bounds: tuple[tuple[Key, Fraction, int], ...]


@dataclass(slots=True)
class Course:
    """`costs` are the metric's values after each number of steps, starting with none; empty without a metric."""

    steps: list[Key]
    verdict: Verdict
    initial: dict[Key, Number]
    changes: list[Changes] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    costs: list[Number | None] = field(default_factory=list)
    goals: list[tuple[str, bool]] = field(default_factory=list)  # in the last state that was reached
    final: dict[Key, Number] = field(default_factory=dict)

    @property
    def executed(self) -> int:
        return len(self.changes)


def follow(model: Model, task: Task, plan: Path | list[str]) -> Course:
    """Execute a plan as far as it goes."""
    steps = parse_plan(read_source(plan) if isinstance(plan, Path) else Source("plan", "\n".join(plan)))
    course = Course(steps, judge(task, plan), dict(task.values))
    state = State(set(task.facts), dict(task.values), task.read, 0)
    shadow = State(set(task.facts), dict(task.values), task.read, 0)  # one step behind, to see what changes
    observer = _Observer(model)
    _note_cost(course, task, state)
    for number, step in enumerate(steps):
        course.demands += observer.before(number, step, state.values)
        try:
            facts, values = execute(task, step, state)
        except Failure:
            break
        course.changes.append(_difference(shadow, facts, values))
        _note_cost(course, task, state)
    course.goals = list(_goals(task, state))
    course.final = state.values
    if course.executed == len(steps):
        course.demands += observer.at_the_end(len(steps), state.values)
    return course


def _difference(shadow: State, facts: dict[str, list[Key]], values: dict[Key, Number]) -> Changes:
    """What is different now; the shadow catches up."""
    changed = tuple((k, shadow.values.get(k), v) for k, v in values.items() if shadow.values.get(k) != v)
    added = tuple(dict.fromkeys(fact for fact in facts["add"] if fact not in shadow.facts))
    gone = dict.fromkeys(fact for fact in facts["delete"] if fact in shadow.facts and fact not in facts["add"])
    shadow.values.update(values)
    shadow.facts.difference_update(gone)
    shadow.facts.update(added)
    return Changes(changed, added, tuple(gone))


def _note_cost(course: Course, task: Task, state: State) -> None:
    if task.metric is None:
        return
    values = state.values
    if task.counts_steps:
        values = {**values, (TOTAL_TIME,): course.executed}
    try:
        course.costs.append(evaluate(*task.metric, State(state.facts, values, task.read, 0)))
    except Failure:
        course.costs.append(None)


def _goals(task: Task, state: State) -> Iterator[tuple[str, bool]]:
    for tree, code in task.goal.condition:
        try:
            holds = bool(evaluate(code, task.goal.template.copy(), state))
        except Failure:
            holds = False
        yield render(tree, {}), holds


class _Observer:
    """Looks at the numeric conditions of steps and goals."""

    def __init__(self, model: Model) -> None:
        self._task = model.lifted
        self._numbers = {name: number for number, name in enumerate(model.lifted.objects)}
        self._needs = {name: _comparisons(needs) for name, needs in model.preconditions.items()}
        self._goals = _comparisons(need for goal in model.goals for need in goal.needs)
        self._variables = {rule.name: [v.name for v in rule.variables[: rule.arity]] for rule in model.rules}

    def before(self, number: int, step: Key, values: dict[Key, Number]) -> Iterator[Demand]:
        needs = self._needs.get(step[0], [])
        variables = self._variables.get(step[0], [])
        if not needs or len(variables) != len(step) - 1 or any(name not in self._numbers for name in step[1:]):
            return
        terms = {parameter(place): self._numbers[name] for place, name in enumerate(step[1:])}
        names = dict(zip(variables, step[1:], strict=True))
        for need, comparison in needs:
            yield self._demand(number, step[0], need, bind(comparison, terms), names, values)

    def at_the_end(self, number: int, values: dict[Key, Number]) -> Iterator[Demand]:
        for need, comparison in self._goals:
            yield self._demand(number, "the goal", need, comparison, {}, values)

    def _demand(
        self, number: int, action: str, need: Need, ground: Condition, names: dict[str, str], values: dict[Key, Number]
    ) -> Demand:
        assert isinstance(ground, Compare) and need.text is not None
        slack = self._value(ground.expression, values)
        bounds = [] if slack is None else list(self._bounds(ground, slack, values))
        if slack is not None and ground.relation == "=":
            slack = -abs(slack)
        label = condition_text(need.text, {})
        return Demand(number, action, label, condition_text(need.text, names), slack, tuple(bounds))

    def _key(self, fluent: Fluent) -> Key:
        return (self._task.functions[fluent.function].name, *(self._task.objects[a] for a in fluent.arguments))

    def _value(self, expression: Expression, values: dict[Key, Number]) -> Fraction | None:
        """The value of a ground expression, None if it has none."""
        if any(self._key(fluent) not in values for fluent in expression.reads):
            return None
        total = Fraction(0)
        for term in expression.terms:
            divisors = [self._value(divisor, values) for divisor in term.divisors]
            if any(not divisor for divisor in divisors):
                return None
            part = term.coefficient * prod(values[self._key(factor)] for factor in term.factors)
            total += part / prod(divisor for divisor in divisors if divisor)
        return total

    def _bounds(
        self, ground: Compare, slack: Fraction, values: dict[Key, Number]
    ) -> Iterator[tuple[Key, Fraction, int]]:
        """Where each fluent would have to be, the others being what they are."""
        for term in ground.expression.terms:
            if len(term.factors) == 1 and not term.divisors and term.coefficient:
                key = self._key(term.factors[0])
                sign = 0 if ground.relation == "=" else 1 if term.coefficient > 0 else -1
                yield key, values[key] - slack / term.coefficient, sign


def _comparisons(needs: Iterable[Need]) -> list[tuple[Need, Compare]]:
    return [(need, need.condition) for need in needs if isinstance(need.condition, Compare)]
