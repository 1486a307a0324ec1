"""The simulator of PDDL texts as a reference for the grounder: its states in the numbers of the LiftedTask."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from numbat.task.lifted import Fluent, LiftedTask
from tests.oracles import reference_grounder, simulator


class Action(NamedTuple):
    name: str
    step: simulator.Step


class Simulated:
    """What reference_grounder.Reference offers, without looking at the LiftedTask's actions and conditions."""

    def __init__(self, task: simulator.Task, lifted: LiftedTask) -> None:
        self._task = task
        self._objects = {name: number for number, name in enumerate(lifted.objects)}
        self._predicates = {symbol.name: number for number, symbol in enumerate(lifted.predicates)}
        self._functions = {symbol.name: number for number, symbol in enumerate(lifted.functions)}
        self._sign = -1 if lifted.metric and lifted.metric.direction == "maximize" else 1
        self._known: dict[reference_grounder.State, simulator.State] = {}
        self.initial = self._numbered(task.initial)
        self.actions = [Action(f"({' '.join(step)})", step) for step in task.every_step()]

    def apply(self, action: Action, state: reference_grounder.State) -> reference_grounder.State | None:
        try:
            return self._numbered(self._task.apply(self._known[state], action.step))
        except simulator.Inapplicable:
            return None

    def is_goal(self, state: reference_grounder.State) -> bool:
        return self._task.is_goal(self._known[state])

    def metric(self, state: reference_grounder.State) -> Fraction:
        try:
            return self._sign * self._task.metric_in(self._known[state], steps=0)
        except simulator.Undefined as undefined:
            raise reference_grounder.Undefined from undefined

    def _numbered(self, state: simulator.State) -> reference_grounder.State:
        atoms = frozenset((self._predicates[name], self._arguments(rest)) for name, *rest in state.facts)
        values = {Fluent(self._functions[n], self._arguments(rest)): v for (n, *rest), v in state.values.items()}
        ordered = sorted(values.items(), key=lambda item: (item[0].function, item[0].arguments))
        numbered = reference_grounder.State(atoms, tuple(ordered))
        self._known[numbered] = state
        return numbered

    def _arguments(self, names: list[str]) -> tuple[int, ...]:
        return tuple(self._objects[name] for name in names)
