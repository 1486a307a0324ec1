"""Judging a plan: run it step by step on the one state there is, and explain the first thing that fails.

Time is linear in the plan: a step costs what its schema mentions, whatever the size of the task.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from numbat_validate.evaluate import Environment, Failure, Route, State, bindings, evaluate, render_key
from numbat_validate.reader import File, Key, Number, parse_plan, read_source, render, shorten
from numbat_validate.task import TOTAL_TIME, Schema, Task, load

Plan = str | Path | Sequence[str]  # a file, or steps such as `(move a b)`
_MOST_NOTES = 50  # how much an explanation lists


@dataclass(frozen=True)
class Verdict:
    """What the referee found."""

    valid: bool
    step: int | None  # the first that fails, counted from 1; None if the plan is valid or only the goal fails
    reason: str
    cost: Fraction  # the metric's final value if `metric`, else the number of steps (also of a plan that fails)
    length: int
    metric: bool
    tolerance: Fraction
    details: tuple[str, ...] = ()  # of a failure: the fluents read and the comparisons made, with exact values


def check(domain: File, problem: File, plan: Plan, tolerance: Number = 0) -> Verdict:
    return judge(load(domain, problem), plan, tolerance)


def judge(task: Task, plan: Plan, tolerance: Number = 0) -> Verdict:
    file = plan if isinstance(plan, (str, Path)) else ("plan", "\n".join(plan).encode("utf-8", "surrogatepass"))
    steps = parse_plan(read_source(file))
    state = State(set(task.facts), dict(task.values), task.read, tolerance)
    length, slack, executed = len(steps), Fraction(tolerance), 0
    try:
        for step in steps:
            execute(task, step, state)
            executed += 1
        _require(task.goal, task.goal.template, state, "goal")
    except Failure as failure:
        failing = executed + 1 if executed < length else None
        details = tuple(shorten(note, 200) for note in tuple(state.notes or ())[:_MOST_NOTES])
        return Verdict(False, failing, shorten(str(failure), 1000), Fraction(length), length, False, slack, details)
    cost, reason = None, "the plan is executable and reaches the goal"
    if task.metric is not None:
        if task.counts_steps:
            state.values[TOTAL_TIME,] = length
        try:
            cost = evaluate(*task.metric, state)
        except Failure as failure:
            reason += f", but the metric has no value: {failure}"
    return Verdict(True, None, reason, Fraction(length if cost is None else cost), length, cost is not None, slack)


def execute(task: Task, step: Key, state: State) -> tuple[dict[str, list[Key]], dict[Key, Number]]:
    """Change the state as the step says and tell how, as _changes does, or raise Failure and leave it alone."""
    shown = shorten(render_key(step), 200)
    schema = task.actions.get(step[0])
    if schema is None:
        raise Failure(f"{shown}: no action has this name")
    if len(step) != len(schema.members) + 1:
        raise Failure(f"{shown}: the action takes {len(schema.members)} arguments, found {len(step) - 1}")
    for argument, members in zip(step[1:], schema.members, strict=True):
        if argument not in members:
            problem = "has the wrong type" if argument in task.objects else "is not an object of this task"
            raise Failure(f"{shown}: '{shorten(argument)}' {problem}")
    environment = schema.template.copy()
    environment[: len(schema.members)] = step[1:]
    _require(schema, environment, state, f"{shown}: precondition")
    try:
        facts, values = _changes(schema, environment, state)
    except Failure as failure:
        _take_notes(state, _changes, schema, environment)
        raise Failure(f"{shown}: effect fails: {failure}") from None
    state.facts.difference_update(facts["delete"])
    state.facts.update(facts["add"])
    state.values.update(values)
    return facts, values


def _require(schema: Schema, environment: Environment, state: State, what: str) -> None:
    """Raise Failure for the first part of the condition that does not hold."""
    for tree, code in schema.condition:
        problem = "does not hold"
        try:
            if evaluate(code, environment, state):
                continue
        except Failure as failure:
            problem = f"fails: {failure}"
        _take_notes(state, evaluate, code, environment)
        shown = render(tree, dict(zip(schema.parameters, environment, strict=False)))
        raise Failure(f"{what} {shown} {problem}")


def _take_notes(state: State, look: Callable[..., object], *arguments: object) -> None:
    """Look again at what has failed, this time noting what is read and compared."""
    state.notes = {}
    with suppress(Failure):
        look(*arguments, state)


def _changes(schema: Schema, environment: Environment, state: State) -> tuple[dict[str, list[Key]], dict[Key, Number]]:
    """The facts the action adds and deletes and the values it sets, computed in the state as it is now."""
    facts: dict[str, list[Key]] = {"add": [], "delete": []}
    numeric: dict[Key, list[tuple[str, Number]]] = {}
    for route, changes in schema.effects:
        for kind, key, code in (change for _ in _instances(route, environment, state) for change in changes):
            if kind in facts:
                facts[kind].append(key(environment))
            else:
                numeric.setdefault(key(environment), []).append((kind, evaluate(code, environment, state)))
    return facts, {key: state.changed(key, changes) for key, changes in numeric.items()}


def _instances(route: Route, environment: Environment, state: State) -> Iterator[None]:
    """Once per binding of the route's loops for which all its guards hold; what a guard shuts out is not looked at."""
    if not route:
        yield
    elif isinstance(route[0], list):
        if evaluate(route[0], environment, state):
            yield from _instances(route[1:], environment, state)
    else:
        for _ in bindings(route[0], environment):
            yield from _instances(route[1:], environment, state)
