"""What a task means: exact fractions, breadth-first search, and the judgement of a plan. Shares no code with anybody.

A step       the precondition holds; every effect is evaluated in the old state; additions beat deletions; increases and
             decreases of one fluent add up, scalings multiply, equal assignments agree, other mixtures fail the step
Undefined    a condition that reads a fluent without a value fails as a whole, whatever its connectives; where a `when`
             asks for it the step fails. What a `when` that does not fire holds is not looked at, and one that holds no
             effect is nothing. A firing change that reads an undefined fluent, or changes one other than by `assign`,
             fails the step. Division by zero is the same. A function that no condition, goal or amount reads is a
             counter: 0 until it is changed.
Metric       the value after the last step, None if undefined; `total-time`, if not declared, is the number of steps
Cost         every ground action is translated once to closures; a state is a frozenset and a tuple
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt
from typing import Any

from tests.adversary import syntax as s
from tests.adversary.arithmetic import Exact, Undefined, calculated, changed, defined, exact

Fact = tuple[str, ...]
Binding = dict[str, str]
TOTAL_TIME = "total-time"
LARGEST = 10**300  # a search goes no further than that

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq}


@dataclass(frozen=True, slots=True)
class State:
    facts: frozenset[Fact]
    values: tuple[Exact | None, ...]


Reached = dict[State, tuple[State, str] | None]  # from where, and by which step
ReadCondition = Callable[[State], bool]
ReadNumber = Callable[[State], Exact]


@dataclass(slots=True)
class Changes:
    """What one step does, while it is collected."""

    adds: set[Fact]
    deletes: set[Fact]
    numeric: dict[int, list[tuple[str, Exact]]]


CollectChanges = Callable[[State, Changes], None]


@dataclass(frozen=True, slots=True)
class GroundAction:
    name: str  # as a step of a plan
    precondition: ReadCondition
    effect: CollectChanges


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of a plan: `step` is the first that fails, counted from 1, None if none does; cost None without metric value."""

    valid: bool
    step: int | None
    cost: Exact | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Of a search: a shortest plan, None with `exhausted` if there is none, None without it if that is unknown."""

    plan: tuple[str, ...] | None
    exhausted: bool
    states: int


class Model:
    """A task, ground."""

    def __init__(self, task: s.Task) -> None:
        self._task = task
        self._parents = {entry.name: entry.types or ("object",) for entry in task.types}
        self._objects = {entry.name: entry.types or ("object",) for entry in (*task.constants, *task.objects)}
        self._numbers: dict[Fact, int] = {}  # fluents, numbered as they are met
        self._initially_true = frozenset(_fact(fact, {}) for fact in task.facts)
        self._changing = set(_predicates_changed(task.actions))
        self._counters = {function.name for function in task.functions} - _functions_read(task)
        self.actions = [ground for action in task.actions for ground in self._ground(action)]
        self._goal = self._condition(task.goal, {})
        self._metric = self._expression(task.metric.expression, {}) if task.metric else None
        self._maximizes = task.metric is not None and task.metric.direction == "maximize"
        self._counts_steps = TOTAL_TIME not in {function.name for function in task.functions}
        self.initial = self._initial_state()

    # --- what happens -------------------------------------------------------------------------------------------------

    def applied(self, action: GroundAction, state: State) -> State | None:
        """The next state, or None where the step fails."""
        try:
            if not action.precondition(state):
                return None
            changes = Changes(set(), set(), {})
            action.effect(state, changes)
            values = list(state.values)
            for fluent, parts in changes.numeric.items():
                values[fluent] = changed(state.values[fluent], parts)
        except Undefined:
            return None
        return State((state.facts - changes.deletes) | changes.adds, tuple(values))

    def solved(self, state: State) -> bool:
        try:
            return self._goal(state)
        except Undefined:
            return False

    def search(self, limit: int) -> Answer:
        """A shortest plan, if there is one among that many states."""
        reached, complete = self._breadth_first(limit, self.solved)
        last = next(reversed(reached))
        if self.solved(last):
            return Answer(_path(reached, last), False, len(reached))
        return Answer(None, complete, len(reached))

    def far_state(self, limit: int) -> State:
        """The last of that many states, breadth first."""
        return next(reversed(self._breadth_first(limit, lambda state: False)[0]))

    def _breadth_first(self, limit: int, stop: Callable[[State], bool]) -> tuple[Reached, bool]:
        """The states in the order in which they are reached, up to one at which to stop; whether these are all."""
        reached: Reached = {self.initial: None}
        queue, complete = deque([self.initial]), True
        while queue and not stop(self.initial):
            state = queue.popleft()
            for action in self.actions:
                following = self.applied(action, state)
                if following is None or following in reached:
                    continue
                reached[following] = state, action.name
                if len(reached) >= limit or stop(following):
                    return reached, False
                if _small(following):
                    queue.append(following)
                else:
                    complete = False
        return reached, complete

    def judge(self, plan: Sequence[str]) -> Judgement:
        by_name = {action.name: action for action in self.actions}
        state = self.initial
        for number, step in enumerate(plan, start=1):
            following = self.applied(by_name[step], state) if step in by_name else None
            if following is None:
                return Judgement(False, number, None)
            state = following
        if not self.solved(state):
            return Judgement(False, None, None)
        return Judgement(True, None, self.cost(state, len(plan)))

    def cost(self, state: State, length: int) -> Exact | None:
        if self._metric is None:
            return None
        number = self._numbers.get((TOTAL_TIME,))
        if number is not None and self._counts_steps:
            state = State(state.facts, (*state.values[:number], length, *state.values[number + 1 :]))
        try:
            return self._metric(state)
        except Undefined:
            return None

    @property
    def maximizes(self) -> bool:
        return self._maximizes

    @property
    def has_metric(self) -> bool:
        return self._metric is not None

    def named_values(self, state: State) -> dict[Fact, Exact | None]:
        """The values of all fluents that the task mentions."""
        return {fluent: state.values[number] for fluent, number in self._numbers.items()}

    # --- translation --------------------------------------------------------------------------------------------------

    def _initial_state(self) -> State:
        values: list[Exact | None] = [0 if fluent[0] in self._counters else None for fluent in self._numbers]
        for value in self._task.values:
            key = (value.fluent.function, *value.fluent.arguments)
            if key in self._numbers:
                values[self._numbers[key]] = exact(Fraction(value.number.text))
        return State(self._initially_true, tuple(values))

    def _ground(self, action: s.Action) -> Iterator[GroundAction]:
        for binding in self._bindings(action.parameters, {}):
            if self._never(action.precondition, binding):
                continue
            name = f"({' '.join((action.name, *binding.values()))})"
            condition, effect = self._condition(action.precondition, binding), self._effect(action.effect, binding)
            yield GroundAction(name, condition, effect)

    def _never(self, condition: s.Condition, binding: Binding) -> bool:
        """Whether the condition asks for a fact that is false and stays so."""
        if isinstance(condition, s.And):
            return any(self._never(part, binding) for part in condition.parts)
        if not isinstance(condition, s.Atom) or condition.predicate in self._changing:
            return False
        return _fact(condition, binding) not in self._initially_true

    def _bindings(self, variables: Sequence[s.Typed], outer: Binding) -> Iterator[Binding]:
        domains = [self.members(variable.types) for variable in variables]
        for objects in product(*domains):
            yield {**outer, **{variable.name: name for variable, name in zip(variables, objects, strict=True)}}

    def members(self, types: s.Names) -> list[str]:
        """The objects that have one of these types."""
        return [name for name, own in self._objects.items() if not types or self._below(own, types)]

    def _below(self, own: s.Names, types: s.Names) -> bool:
        return any(
            name in types or (name != "object" and self._below(self._parents.get(name, ("object",)), types))
            for name in own
        )

    def _fluent(self, fluent: s.Fluent, binding: Binding) -> int:
        key = (fluent.function, *(binding.get(term, term) for term in fluent.arguments))
        return self._numbers.setdefault(key, len(self._numbers))

    def _expression(self, node: s.Expression, binding: Binding) -> ReadNumber:
        match node:
            case s.Number(text):
                value = exact(Fraction(text))
                return lambda state: value
            case s.Fluent():
                number = self._fluent(node, binding)
                return lambda state: defined(state.values[number])
            case s.Arithmetic("-", (operand,)):
                only = self._expression(operand, binding)
                return lambda state: -only(state)
            case s.Arithmetic(operator, operands):
                parts = [self._expression(operand, binding) for operand in operands]
                return lambda state: calculated(operator, [part(state) for part in parts])

    def _condition(self, node: s.Condition, binding: Binding) -> ReadCondition:
        match node:
            case s.Atom():
                fact = _fact(node, binding)
                return lambda state: fact in state.facts
            case s.Same(left, right):
                same = binding.get(left, left) == binding.get(right, right)
                return lambda state: same
            case s.Compare(relation, left, right):
                compare = _RELATIONS[relation]
                low, high = (self._expression(side, binding) for side in (left, right))
                return lambda state: compare(low(state), high(state))
            case s.Not(part):
                inner = self._condition(part, binding)
                return lambda state: not inner(state)
            case s.Imply(premise, conclusion):
                return self._condition(s.Or((s.Not(premise), conclusion)), binding)
            case s.And(parts) | s.Or(parts):
                conditions = [self._condition(part, binding) for part in parts]
            case s.Quantified(_, variables, part):
                conditions = [self._condition(part, inner) for inner in self._bindings(variables, binding)]
        every = isinstance(node, s.And) or (isinstance(node, s.Quantified) and node.quantifier == "forall")
        combine = all if every else any
        # a list, not a generator: nothing is left unread
        return lambda state: combine([condition(state) for condition in conditions])

    def _effect(self, node: s.Effect, binding: Binding) -> CollectChanges:
        match node:
            case s.Add(atom):
                added = _fact(atom, binding)
                return lambda state, changes: changes.adds.add(added)
            case s.Delete(atom):
                deleted = _fact(atom, binding)
                return lambda state, changes: changes.deletes.add(deleted)
            case s.Change():
                return self._change(node, binding)
            case s.When(_, effect) if not _does_something(effect):
                effects: list[CollectChanges] = []
            case s.When(condition, effect):
                guard, inside = self._condition(condition, binding), self._effect(effect, binding)
                return lambda state, changes: inside(state, changes) if guard(state) else None
            case s.Effects(parts):
                effects = [self._effect(part, binding) for part in parts]
            case s.ForAll(variables, effect):
                effects = [self._effect(effect, inner) for inner in self._bindings(variables, binding)]

        def collect(state: State, changes: Changes) -> None:
            for effect in effects:
                effect(state, changes)

        return collect

    def _change(self, node: s.Change, binding: Binding) -> CollectChanges:
        number, amount = self._fluent(node.fluent, binding), self._expression(node.amount, binding)

        def collect(state: State, changes: Changes) -> None:
            changes.numeric.setdefault(number, []).append((node.operator, amount(state)))

        return collect


# --- states, names and what is read -------------------------------------------------------------------------------


def _small(state: State) -> bool:
    return all(v is None or (abs(v.numerator) < LARGEST and v.denominator < LARGEST) for v in state.values)


def _fact(atom: s.Atom, binding: Binding) -> Fact:
    """The atom with objects for variables."""
    return (atom.predicate, *(binding.get(term, term) for term in atom.arguments))


def _path(reached: Reached, state: State) -> tuple[str, ...]:
    steps: list[str] = []
    while (link := reached[state]) is not None:
        state, step = link
        steps.append(step)
    return tuple(reversed(steps))


def _functions_read(task: s.Task) -> set[str]:
    """Functions in a condition, in the goal or in an amount; what a change is applied to is not read by it."""
    return set(_read(task.goal)) | {name for action in task.actions for name in _read(action)}


def _read(node: object) -> Iterator[str]:
    if isinstance(node, s.Fluent):
        yield node.function
    elif isinstance(node, s.Change):
        yield from _read(node.amount)
    else:
        for part in s.parts(node):
            yield from _read(part)


def _does_something(effect: object) -> bool:
    return isinstance(effect, s.Add | s.Delete | s.Change) or any(map(_does_something, s.parts(effect)))


def _predicates_changed(node: object) -> Iterator[str]:
    if isinstance(node, s.Add | s.Delete):
        yield node.atom.predicate
    else:
        for part in s.parts(node):
            yield from _predicates_changed(part)
