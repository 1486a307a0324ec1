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
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from pathlib import Path

from numbat.errors import InputError, Span, UnsupportedFeature
from numbat.explain.rules import Need, RuleModel
from numbat.explain.words import condition_text
from numbat.ground.statics import exact
from numbat.task.conditions import bind
from numbat.task.lifted import Compare, Expression, Fluent, LiftedTask, parameter
from numbat_validate import InputError as RefereeInputError
from numbat_validate import Task, Unsupported, Verdict, judge
from numbat_validate.evaluate import Failure, State, evaluate, render_key
from numbat_validate.execute import execute
from numbat_validate.reader import Key, Number, Source, parse_plan, read_source, render
from numbat_validate.task import TOTAL_TIME


@dataclass(frozen=True, slots=True)
class StepChanges:
    """What one step changed: old and new values, facts that became true and false."""

    values: tuple[tuple[Key, Number | None, Number], ...]
    added: tuple[Key, ...]
    deleted: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """A numeric condition met (or not) before a step; the goal's are met after the last one.

    slack     how much more there is than needed; negative where the condition fails, None if something has no value
    bounds    per fluent: the value it is compared with, and how (>=, >, =, <, <=)
    """

    step: int
    action: str
    need: Need
    names: dict[str, str]  # the objects the action's parameters stand for
    slack: Number | None
    bounds: tuple[tuple[Key, Fraction, str], ...]

    @property
    def label(self) -> str:
        """The condition as the schema has it, the same for all steps of a schema."""
        assert self.need.text is not None
        return condition_text(self.need.text, {})

    @property
    def text(self) -> str:
        assert self.need.text is not None
        return condition_text(self.need.text, self.names)


@dataclass(slots=True)
class Course:
    """`costs` are the metric's values after each number of steps, starting with none; empty without a metric."""

    steps: list[Key]
    verdict: Verdict
    initial: dict[Key, Number]
    changes: list[StepChanges] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    costs: list[Number | None] = field(default_factory=list)
    goals: list[tuple[str, bool]] = field(default_factory=list)  # in the last state that was reached
    final: dict[Key, Number] = field(default_factory=dict)

    @property
    def executed(self) -> int:
        return len(self.changes)


@contextmanager
def referee_errors() -> Iterator[None]:
    """What the referee refuses to read becomes an error of ours."""
    try:
        yield
    except RefereeInputError as error:
        raise InputError(error.message, Span(*error.place) if error.place else None) from None
    except Unsupported as error:
        feature = error.message.removesuffix(" is not supported")
        raise UnsupportedFeature(feature, Span(*error.place) if error.place else None) from None


def follow(model: RuleModel, task: Task, plan: Path | list[str]) -> Course:
    """Execute a plan as far as it goes."""
    steps = parse_plan(read_source(plan) if isinstance(plan, Path) else Source("plan", "\n".join(plan)))
    course = Course(steps, judge(task, list(map(render_key, steps))), dict(task.values))
    state = State(set(task.facts), dict(task.values), task.read, 0)
    before = State(set(task.facts), dict(task.values), task.read, 0)  # one step behind, to see what changes
    observer = _Observer(model)
    _note_cost(course, task, state)
    for number, step in enumerate(steps):
        course.demands += observer.before(number, step, state.values)
        try:
            facts, values = execute(task, step, state)
        except Failure:
            break
        course.changes.append(_difference(before, facts, values))
        _note_cost(course, task, state)
    course.goals = list(_goals(task, state))
    course.final = {key: value for key, value in state.values.items() if key != (TOTAL_TIME,) or not task.counts_steps}
    if course.executed == len(steps):
        course.demands += observer.at_the_end(len(steps), state.values)
    return course


def _difference(before: State, facts: dict[str, list[Key]], values: dict[Key, Number]) -> StepChanges:
    """What is different now; afterwards `before` is the state of now, too."""
    changed = tuple((k, before.values.get(k), v) for k, v in values.items() if before.values.get(k) != v)
    added = tuple(dict.fromkeys(fact for fact in facts["add"] if fact not in before.facts))
    gone = dict.fromkeys(fact for fact in facts["delete"] if fact in before.facts and fact not in facts["add"])
    before.values.update(values)
    before.facts.difference_update(gone)
    before.facts.update(added)
    return StepChanges(changed, added, tuple(gone))


def _note_cost(course: Course, task: Task, state: State) -> None:
    if task.metric is None:
        return
    if task.counts_steps:
        state.values[TOTAL_TIME,] = course.executed
    try:
        course.costs.append(evaluate(*task.metric, state))
    except Failure:
        course.costs.append(None)


def _goals(task: Task, state: State) -> Iterator[tuple[str, bool]]:
    for tree, code in task.goal.condition:
        try:
            holds = bool(evaluate(code, task.goal.template.copy(), state))
        except Failure:
            holds = False
        yield render(tree, {}), holds


class _Comparison:
    """A ground comparison, its fluents by name."""

    def __init__(self, need: Need, ground: Compare, names: dict[str, str], task: LiftedTask) -> None:
        self.need, self.names, self.relation = need, names, ground.relation
        self._task = task
        self._sum = self._prepared(ground.expression)

    def _prepared(self, expression: Expression) -> Sum:
        def key(fluent: Fluent) -> Key:
            return (self._task.functions[fluent.function].name, *(self._task.objects[a] for a in fluent.arguments))

        return [
            (exact(term.coefficient), [key(f) for f in term.factors], [self._prepared(d) for d in term.divisors])
            for term in expression.terms
        ]

    def look(self, step: int, action: str, values: dict[Key, Number]) -> Demand:
        """How the comparison stands with these values."""
        try:
            slack = _value(self._sum, values)
        except (KeyError, ZeroDivisionError):
            return Demand(step, action, self.need, self.names, None, ())
        bounds = tuple(
            (factors[0], values[factors[0]] - Fraction(slack) / coefficient, self._wanted(coefficient > 0))
            for coefficient, factors, divisors in self._sum
            if len(factors) == 1 and not divisors and coefficient
        )
        if self.relation == "=" and slack > 0:
            slack = -slack
        return Demand(step, action, self.need, self.names, slack, bounds)

    def _wanted(self, positive: bool) -> str:
        """The relation as a fluent with a positive or negative coefficient sees it."""
        return self.relation if positive or self.relation == "=" else {">": "<", ">=": "<="}[self.relation]


Sum = list[tuple[Number, list[Key], list["Sum"]]]


def _value(terms: Sum, values: dict[Key, Number]) -> Number:
    total: Number = 0
    for coefficient, factors, divisors in terms:
        part = coefficient * prod(values[factor] for factor in factors)
        for divisor in divisors:
            part = Fraction(part) / _value(divisor, values)
        total += part
    return total


class _Observer:
    """Looks at the numeric conditions of steps and goals."""

    def __init__(self, model: RuleModel) -> None:
        self._task = model.lifted
        self._numbers = {name: number for number, name in enumerate(model.lifted.objects)}
        self._needs = {name: _comparisons(needs) for name, needs in model.preconditions.items()}
        goals = _comparisons(need for goal in model.goals for need in goal.needs)
        self._goals = [_Comparison(need, comparison, {}, self._task) for need, comparison in goals]
        self._variables = {rule.name: [v.name for v in rule.variables[: rule.arity]] for rule in model.rules}
        self._known: dict[Key, list[_Comparison]] = {}

    def before(self, number: int, step: Key, values: dict[Key, Number]) -> Iterator[Demand]:
        comparisons = self._known.get(step)
        if comparisons is None:
            comparisons = self._known[step] = list(self._ground(step))
        return (comparison.look(number, step[0], values) for comparison in comparisons)

    def at_the_end(self, number: int, values: dict[Key, Number]) -> Iterator[Demand]:
        return (comparison.look(number, "the goal", values) for comparison in self._goals)

    def _ground(self, step: Key) -> Iterator[_Comparison]:
        needs, variables = self._needs.get(step[0], []), self._variables.get(step[0], [])
        if len(variables) != len(step) - 1 or any(name not in self._numbers for name in step[1:]):
            return
        terms = {parameter(place): self._numbers[name] for place, name in enumerate(step[1:])}
        names = dict(zip(variables, step[1:], strict=True))
        for need, comparison in needs:
            ground = bind(comparison, terms)
            assert isinstance(ground, Compare)
            yield _Comparison(need, ground, names, self._task)


def _comparisons(needs: Iterable[Need]) -> list[tuple[Need, Compare]]:
    return [(need, need.condition) for need in needs if isinstance(need.condition, Compare)]
