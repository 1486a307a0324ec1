"""Judging a plan: run it step by step on the one state there is, and explain the first thing that fails.

In, out      a Task and a plan → Verdict
Cost         linear in the plan; a step costs what its schema mentions, whatever the size of the task
Not here     the rules of the language, which the package's docstring states
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul, sub
from pathlib import Path

from validate.evaluate import Environment, Failure, Key, Route, State, bindings, divide, evaluate, exact, render_key
from validate.reader import Number, Source, Step, parse_plan, read_source, render, shorten
from validate.task import TOTAL_TIME, Schema, Task

_OPERATIONS = {"increase": add, "decrease": sub, "scale-up": mul, "scale-down": divide}
_MOST_NOTES = 50  # how much an explanation lists


@dataclass(frozen=True)
class Verdict:
    """What the referee found.

    step      the first failing step, counted from 1; None if the plan is valid or only the goal fails
    reason    one sentence
    cost      the metric's final value if `metric`, else the number of steps (also of a plan that fails)
    details   of a failure: every fluent that was read and every comparison that was made, with exact values; 50 at most
    """

    valid: bool
    step: int | None
    reason: str
    cost: Fraction
    length: int
    metric: bool
    tolerance: Fraction
    details: tuple[str, ...] = ()


class _Rejected(Exception):
    """A step or goal that fails; the state's notes hold the details."""


def judge(task: Task, plan: str | Path | Sequence[str], tolerance: Number = 0) -> Verdict:
    """The verdict on a plan file, or on a sequence of steps such as `(move a b)`."""
    steps = parse_plan(read_source(plan) if isinstance(plan, (str, Path)) else Source("plan", "\n".join(plan)))
    state = State(set(task.facts), dict(task.values), task.read, tolerance)
    length, slack = len(steps), Fraction(tolerance)
    failing: int | None = None
    try:
        for index, step in enumerate(steps, start=1):
            failing = index
            _execute(task, step, state)
        failing = None
        _require(task.goal, task.goal.template, state, "goal")
    except _Rejected as rejected:
        details = tuple(state.notes or ())[:_MOST_NOTES]
        return Verdict(False, failing, str(rejected), Fraction(length), length, False, slack, details)
    cost, reason = None, "the plan is executable and reaches the goal"
    if task.metric is not None:
        if task.counts_steps:
            state.values[TOTAL_TIME,] = length
        try:
            cost = evaluate(*task.metric, state)
        except Failure as failure:
            reason += f", but the metric has no value: {failure}"
    return Verdict(True, None, reason, Fraction(length if cost is None else cost), length, cost is not None, slack)


def _execute(task: Task, step: Step, state: State) -> None:
    """Change the state as the step says, or raise _Rejected and leave it alone."""
    shown = shorten(render_key(step), 200)
    schema = task.actions.get(step[0])
    if schema is None:
        raise _Rejected(f"{shown}: no action has this name")
    if len(step) != len(schema.members) + 1:
        raise _Rejected(f"{shown}: the action takes {len(schema.members)} arguments, found {len(step) - 1}")
    for argument, members in zip(step[1:], schema.members, strict=True):
        if argument not in members:
            problem = "has the wrong type" if argument in task.objects else "is not an object of this task"
            raise _Rejected(f"{shown}: '{shorten(argument)}' {problem}")
    environment = schema.template.copy()
    environment[: len(schema.members)] = step[1:]
    _require(schema, environment, state, f"{shown}: precondition")
    try:
        additions, deletions, values = _changes(schema, environment, state)
    except Failure as failure:
        _take_notes(state, _changes, schema, environment)
        raise _Rejected(f"{shown}: effect fails: {failure}") from None
    state.facts.difference_update(deletions)
    state.facts.update(additions)
    state.values.update(values)


def _require(schema: Schema, environment: Environment, state: State, what: str) -> None:
    """Raise _Rejected for the first part of the condition that does not hold."""
    for tree, code in schema.condition:
        problem = "does not hold"
        try:
            if evaluate(code, environment, state):
                continue
        except Failure as failure:
            problem = f"fails: {failure}"
        _take_notes(state, evaluate, code, environment)
        shown = render(tree, dict(zip(schema.parameters, environment, strict=False)))
        raise _Rejected(f"{what} {shown} {problem}")


def _take_notes(state: State, look: Callable[..., object], *arguments: object) -> None:
    """Look again at what has failed, this time noting what is read and compared."""
    state.notes = {}
    with suppress(Failure):
        look(*arguments, state)


def _changes(schema: Schema, environment: Environment, state: State) -> tuple[list[Key], list[Key], dict[Key, Number]]:
    """What the action adds, deletes and sets; everything is computed in the state as it is now."""
    additions: list[Key] = []
    deletions: list[Key] = []
    numeric: dict[Key, list[tuple[str, Number]]] = {}
    for route, kind, key, code in schema.effects:
        for _ in _instances(route, environment, state):
            if kind == "add":
                additions.append(key(environment))
            elif kind == "delete":
                deletions.append(key(environment))
            else:
                numeric.setdefault(key(environment), []).append((kind, evaluate(code, environment, state)))
    return additions, deletions, {key: _new_value(key, changes, state) for key, changes in numeric.items()}


def _instances(route: Route, environment: Environment, state: State, active: bool = True) -> Iterator[None]:
    """Once per binding of the route's loops for which all its guards hold; no guard is left unread."""
    if not route:
        if active:
            yield
    elif isinstance(route[0], list):
        holds = evaluate(route[0], environment, state)
        yield from _instances(route[1:], environment, state, active and holds)
    else:
        for _ in bindings(route[0], environment):
            yield from _instances(route[1:], environment, state, active)


def _new_value(key: Key, changes: list[tuple[str, Number]], state: State) -> Number:
    """Increases and decreases add up, scalings multiply, equal assignments agree; anything else conflicts."""
    kinds = {kind for kind, _ in changes}
    value = changes[0][1]
    if kinds == {"assign"} and all(amount == value for _, amount in changes):
        return value
    if not kinds <= {"increase", "decrease"} and not kinds <= {"scale-up", "scale-down"}:
        raise Failure(f"conflicting effects on {render_key(key)}")
    value = state.value(key)
    for kind, amount in changes:
        value = exact(_OPERATIONS[kind](value, amount))
    return value
