"""A brute-force simulator of PDDL 2.1 level 2: slow, short and obvious, to compare the referee with.

In, out      a domain and a problem → a task; states, steps, walks and breadth-first plans of it
Manner       everything is a Fraction, every quantifier a plain loop, every state a fresh pair of set and dictionary
Independent  shares no code with validate/ or planner/; expects well-formed input and says little if it is not
"""

from __future__ import annotations

import re
from collections import deque
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

Fluent = tuple[str, ...]
Step = tuple[str, ...]


class Undefined(Exception):
    """A fluent without a value was read, or a number was divided by zero."""


class Inapplicable(Exception):
    """The step cannot be executed."""


class TooManyStates(Exception):
    """A breadth-first search was given up."""


class State:
    """True atoms, and the values of the fluents that have one."""

    def __init__(self, facts: set[Fluent], values: dict[Fluent, Fraction]) -> None:
        self.facts = facts
        self.values = values

    def identity(self, functions: set[str]) -> object:
        """Equal for states that differ only in functions outside the given ones."""
        return frozenset(self.facts), frozenset(item for item in self.values.items() if item[0][0] in functions)


def read(text: str) -> Any:
    """Nested lists of lower-case words."""
    text = re.sub(r";.*", "", text.lower())
    text = re.sub(r"(?<=\s)-(?=[a-z])", " - ", text)
    stack: list[list[Any]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(word)
    (tree,) = stack[0]
    return tree


def typed(words: list[Any]) -> list[tuple[str, list[str]]]:
    """`a b - t c` → a and b with [t], c with [object]."""
    result, pending, words = [], [], list(words)
    while words:
        word = words.pop(0)
        if word == "-":
            kind = words.pop(0)
            kinds = kind[1:] if isinstance(kind, list) else [kind]
            result += [(name, kinds) for name in pending]
            pending = []
        else:
            pending.append(word)
    return result + [(name, ["object"]) for name in pending]


class Action:
    """A schema as written."""

    def __init__(self, section: list[Any]) -> None:
        fields = dict(zip(section[2::2], section[3::2], strict=True))
        self.name: str = section[1]
        self.parameters = typed(fields.get(":parameters", []))
        self.precondition = fields.get(":precondition", ["and"])
        self.effect = fields.get(":effect", ["and"])


class Task:
    """A domain and a problem as written, with the rules of the language as methods."""

    def __init__(self, domain: str, problem: str) -> None:
        declared, given = read(domain)[2:], read(problem)[2:]
        self.parents: dict[str, list[str]] = {}
        for name, kinds in typed(_section(declared, ":types")):
            self.parents.setdefault(name, []).extend(kinds)
        self.objects: dict[str, list[str]] = dict(typed(_section(declared, ":constants")))
        self.objects.update(typed(_section(given, ":objects")))
        self.functions = {item[0] for item in _section(declared, ":functions") if isinstance(item, list)}
        self.actions = {section[1]: Action(section) for section in declared if section[0] == ":action"}
        self.goal = (_section(given, ":goal") or [["and"]])[0]
        self.metric = _section(given, ":metric")
        self.initial = State(set(), {})
        for item in _section(given, ":init"):
            if item[0] == "=":
                if item[1][0] in self.functions:
                    self.initial.values[tuple(item[1])] = Fraction(item[2])
            elif item[0] != "not":
                self.initial.facts.add(tuple(item))
        self.read_functions = self._functions_in(self.goal)
        for action in self.actions.values():
            self.read_functions |= self._functions_in(action.precondition) | self._functions_in(action.effect)

    def _functions_in(self, tree: Any) -> set[str]:
        """Functions that are read anywhere in a condition or effect; the target of an effect is not read."""
        if not isinstance(tree, list) or not tree:
            return set()
        if tree[0] in ("assign", "increase", "decrease", "scale-up", "scale-down"):
            return self._functions_in_expression(tree[2])
        if tree[0] in ("=", "<", ">", "<=", ">="):
            return self._functions_in_expression(tree[1]) | self._functions_in_expression(tree[2])
        return set().union(*(self._functions_in(child) for child in tree[1:]))

    def _functions_in_expression(self, tree: Any) -> set[str]:
        if not isinstance(tree, list):
            return set()
        if tree[0] in ("+", "-", "*", "/"):
            return set().union(*(self._functions_in_expression(child) for child in tree[1:]))
        return {tree[0]}

    def is_a(self, name: str, kinds: list[str]) -> bool:
        work = list(self.objects[name])
        seen: set[str] = set()
        while work:
            kind = work.pop()
            if kind not in seen:
                seen.add(kind)
                work += self.parents.get(kind, [])
        return "object" in kinds or any(kind in seen for kind in kinds)

    def members(self, kinds: list[str]) -> list[str]:
        return [name for name in self.objects if self.is_a(name, kinds)]

    def value(self, tree: Any, binding: dict[str, str], state: State) -> Fraction:
        if not isinstance(tree, list):
            return Fraction(tree)
        if tree[0] not in ("+", "-", "*", "/"):
            fluent = _ground(tree, binding)
            if fluent not in state.values:
                raise Undefined(fluent)
            return state.values[fluent]
        first, *others = [self.value(child, binding, state) for child in tree[1:]]
        if tree[0] == "-" and not others:
            return -first
        for other in others:
            if tree[0] == "/" and other == 0:
                raise Undefined("division by zero")
            if tree[0] == "+":
                first = first + other
            elif tree[0] == "-":
                first = first - other
            elif tree[0] == "*":
                first = first * other
            else:
                first = first / other
        return first

    def holds(self, tree: Any, binding: dict[str, str], state: State) -> bool:
        """The truth of a condition; every part is looked at, so an undefined fluent anywhere raises."""
        head = tree[0] if tree else "and"
        if head in ("and", "or"):
            parts = [self.holds(child, binding, state) for child in tree[1:]]
            return all(parts) if head == "and" else any(parts)
        if head == "not":
            return not self.holds(tree[1], binding, state)
        if head == "imply":
            premise, conclusion = [self.holds(child, binding, state) for child in tree[1:]]
            return conclusion or not premise
        if head in ("forall", "exists"):
            parts = [self.holds(tree[2], inner, state) for inner in self.bindings(typed(tree[1]), binding)]
            return all(parts) if head == "forall" else any(parts)
        if head == "=" and isinstance(tree[1], str) and tree[1][0] in "?abcdefghijklmnopqrstuvwxyz":
            return binding.get(tree[1], tree[1]) == binding.get(tree[2], tree[2])
        if head in ("=", "<", ">", "<=", ">="):
            left, right = [self.value(child, binding, state) for child in tree[1:]]
            return {"=": left == right, "<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[
                head
            ]
        return _ground(tree, binding) in state.facts

    def bindings(self, variables: list[tuple[str, list[str]]], binding: dict[str, str]) -> list[dict[str, str]]:
        names = [name for name, _ in variables]
        choices = product(*(self.members(kinds) for _, kinds in variables))
        return [{**binding, **dict(zip(names, choice, strict=True))} for choice in choices]

    def single_effects(self, tree: Any, binding: dict[str, str], state: State) -> list[tuple[Any, ...]]:
        """(kind, fluent, value) for every effect that takes place; nothing else is looked at."""
        head = tree[0] if tree else "and"
        if head == "and":
            return [found for child in tree[1:] for found in self.single_effects(child, binding, state)]
        if head == "forall":
            inner = self.bindings(typed(tree[1]), binding)
            return [found for one in inner for found in self.single_effects(tree[2], one, state)]
        if head == "when":
            if _is_empty(tree) or not self.holds(tree[1], binding, state):
                return []
            return self.single_effects(tree[2], binding, state)
        if head in ("assign", "increase", "decrease", "scale-up", "scale-down"):
            return [(head, _ground(tree[1], binding), self.value(tree[2], binding, state))]
        if head == "not":
            return [("delete", _ground(tree[1], binding), None)]
        return [("add", _ground(tree, binding), None)]

    def apply(self, state: State, step: Step) -> State:
        """The state after the step, or Inapplicable."""
        name, *arguments = step
        action = self.actions.get(name)
        if action is None or len(arguments) != len(action.parameters):
            raise Inapplicable("no such action")
        for argument, (_, kinds) in zip(arguments, action.parameters, strict=True):
            if argument not in self.objects or not self.is_a(argument, kinds):
                raise Inapplicable("wrong argument")
        binding = dict(zip([name for name, _ in action.parameters], arguments, strict=True))
        try:
            if not self.holds(action.precondition, binding, state):
                raise Inapplicable("precondition")
            return self._changed(state, self.single_effects(action.effect, binding, state))
        except Undefined as undefined:
            raise Inapplicable("undefined") from undefined

    def _changed(self, state: State, effects: list[tuple[Any, ...]]) -> State:
        facts, values = set(state.facts), dict(state.values)
        facts -= {fluent for kind, fluent, _ in effects if kind == "delete"}
        facts |= {fluent for kind, fluent, _ in effects if kind == "add"}
        numeric = [effect for effect in effects if effect[0] not in ("add", "delete")]
        for fluent in {fluent for _, fluent, _ in numeric}:
            mine = [(kind, amount) for kind, other, amount in numeric if other == fluent]
            kinds = {kind for kind, _ in mine}
            if kinds == {"assign"}:
                if len({amount for _, amount in mine}) > 1:
                    raise Inapplicable("conflicting assignments")
                values[fluent] = mine[0][1]
            elif kinds <= {"increase", "decrease"}:
                if fluent not in values and fluent[0] in self.read_functions:
                    raise Undefined(fluent)
                signed = [amount if kind == "increase" else -amount for kind, amount in mine]
                values[fluent] = values.get(fluent, Fraction(0)) + sum(signed)
            elif kinds <= {"scale-up", "scale-down"}:
                if fluent not in values and fluent[0] in self.read_functions:
                    raise Undefined(fluent)
                values.setdefault(fluent, Fraction(0))
                for kind, amount in mine:
                    if kind == "scale-down" and amount == 0:
                        raise Undefined("division by zero")
                    values[fluent] = values[fluent] * amount if kind == "scale-up" else values[fluent] / amount
            else:
                raise Inapplicable("mixed effects on one fluent")
        return State(facts, values)

    def is_goal(self, state: State) -> bool:
        try:
            return self.holds(self.goal, {}, state)
        except Undefined:
            return False

    def final(self, steps: list[Step]) -> State:
        """The state after all steps, or Inapplicable."""
        state = self.initial
        for step in steps:
            state = self.apply(state, step)
        return state

    def first_failure(self, steps: list[Step]) -> int | None:
        """The first step that cannot be executed, counted from 1; None if all can."""
        state = self.initial
        for number, step in enumerate(steps, start=1):
            try:
                state = self.apply(state, step)
            except Inapplicable:
                return number
        return None

    def is_valid(self, steps: list[Step]) -> bool:
        return self.first_failure(steps) is None and self.is_goal(self.final(steps))

    def metric_value(self, steps: list[Step]) -> Fraction:
        """The value of the metric after a valid plan, its length if there is none."""
        return self.metric_in(self.final(steps), len(steps)) if self.metric else Fraction(len(steps))

    def metric_in(self, state: State, steps: int) -> Fraction:
        values = {("total-time",): Fraction(steps), **state.values}
        for function in self.functions - self.read_functions:
            for arguments in [(), *((name,) for name in self.objects)]:
                values.setdefault((function, *arguments), Fraction(0))
        return self.value(self.metric[1], {}, State(state.facts, values))

    def every_step(self) -> list[Step]:
        """All ground steps of the right types, applicable or not."""
        return [
            (action.name, *arguments)
            for action in self.actions.values()
            for arguments in product(*(self.members(kinds) for _, kinds in action.parameters))
        ]

    def successors(self, state: State, steps: list[Step]) -> list[tuple[Step, State]]:
        found = []
        for step in steps:
            try:
                found.append((step, self.apply(state, step)))
            except Inapplicable:
                continue
        return found

    def shortest_plan(self, start: State | None = None, limit: int = 100_000) -> list[Step] | None:
        """A shortest plan from a state by breadth-first search, None if there is none; TooManyStates after `limit`.

        States that differ only in functions nobody reads count as one, so counters do not make a space infinite.
        """
        steps = self.every_step()
        first = start or self.initial
        queue: deque[tuple[State, list[Step]]] = deque([(first, [])])
        seen = {first.identity(self.read_functions)}
        while queue:
            state, plan = queue.popleft()
            if self.is_goal(state):
                return plan
            for step, successor in self.successors(state, steps):
                identity = successor.identity(self.read_functions)
                if identity not in seen:
                    seen.add(identity)
                    queue.append((successor, [*plan, step]))
            if len(seen) > limit:
                raise TooManyStates(limit)
        return None

    def walk(self, length: int, random: Random) -> list[Step]:
        """A random executable sequence of at most that many steps."""
        steps, state, path = self.every_step(), self.initial, []
        for _ in range(length):
            choices = self.successors(state, steps)
            if not choices:
                break
            step, state = random.choice(choices)
            path.append(step)
        return path


def load(domain: Path, problem: Path) -> Task:
    return Task(domain.read_text(encoding="utf-8"), problem.read_text(encoding="utf-8"))


def _is_empty(effect: Any) -> bool:
    """Nothing happens, whatever holds: then no condition is looked at either."""
    if effect and effect[0] in ("when", "forall"):
        return _is_empty(effect[2])
    return not effect or (effect[0] == "and" and all(map(_is_empty, effect[1:])))


def _section(sections: list[Any], keyword: str) -> list[Any]:
    for section in sections:
        if section[0] == keyword:
            return section[1:]
    return []


def _ground(tree: list[str], binding: dict[str, str]) -> Fluent:
    return tuple(binding.get(word, word) for word in tree)
