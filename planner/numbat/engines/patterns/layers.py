"""Relaxed reachability from a state: when an action can first be applied, and between which bounds values stay.

Definition   docs/patterns.md: facts that may be true, facts that may be false, an interval per variable. A layer
             is the actions whose precondition has become possible; then everything used so far is applied at once.
             An increase by something positive sends the upper bound to infinity, unless the conditions of the effect
             bound the variable: with x <= B it ends at B plus the amount. An assigned value is taken into the interval
Termination  bounds may follow each other upwards for ever; an effect gets MOST_MOVES moves, then its bound is infinite
In, out      Model, State → Relaxation
Guarantee    every state reachable from the given one is inside: a conjunction that is not possible holds in none
Cost         linear in the size of the task per change of a bound; facts are looked at once
Not here     the order inside a layer (pattern)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import inf

from numbat.engines.patterns.reduce import Change, Form, Model, State

Bound = int | float  # a finite bound is an int, so that it is exact
Interval = tuple[Bound, Bound]

MOST_MOVES = 4
NEVER = -1


class Dependencies:
    """Who has to be looked at again when something becomes possible; the same for every state."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.conjunctions_of_atom: dict[int, list[int]] = defaultdict(list)
        for number, atoms in enumerate(model.conjunctions):
            for atom in atoms:
                self.conjunctions_of_atom[atom].append(number)
        self.disjunctions_of: dict[int, list[int]] = defaultdict(list)
        for number, parts in enumerate(model.disjunctions):
            for part in parts:
                self.disjunctions_of[part].append(model.first_disjunction + number)
        self.conditions_of_variable: dict[int, list[int]] = defaultdict(list)
        for number, form in enumerate(model.conditions):
            for variable, _ in form.terms:
                self.conditions_of_variable[variable].append(number)
        self.actions_of: dict[int, list[int]] = defaultdict(list)
        self.blocks_of: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, action in enumerate(model.actions):
            self.actions_of[action.precondition].append(number)
            for block_number, block in enumerate(action.blocks):
                self.blocks_of[block.condition].append((number, block_number))

    def guards(self, action: int, block: int) -> list[Form]:
        """Numeric conditions that hold whenever a block fires."""
        rule = self.model.actions[action]
        atoms = {*self.model.conjunctions[rule.precondition], *self.model.conjunctions[rule.blocks[block].condition]}
        return [form for atom in sorted(atoms) if (form := self.model.condition(atom)) is not None]


class Relaxation:
    """The fixpoint from one state, computed on construction.

    layer      per action the number of its layer, or NEVER
    intervals  per variable the bounds of its values
    """

    def __init__(self, dependencies: Dependencies, state: State) -> None:
        self._dependencies, self._model = dependencies, dependencies.model
        model = self._model
        self.intervals: list[Interval] = [(value, value) for value in state.values]
        self.layer = [NEVER] * len(model.actions)
        self.layers = 0
        self._missing = [len(atoms) for atoms in model.conjunctions]
        self._possible = bytearray(model.first_disjunction + len(model.disjunctions))
        self._ready: list[int] = []  # actions that have become possible in this layer
        self._firing: list[tuple[int, int]] = []  # blocks that are to be applied
        self._moves: list[_Move] = []
        self._moves_of: dict[int, list[int]] = defaultdict(list)
        for conjunction in [c for c, missing in enumerate(self._missing) if not missing]:
            self._reach(conjunction)
            self._mark(dependencies.disjunctions_of[conjunction])
        self._mark([2 * fact + (not true) for fact, true in enumerate(state.facts)])
        self._mark(self._newly_possible(range(len(model.conditions))))
        while self._ready or self._firing:
            self._next_layer()

    @property
    def goal_possible(self) -> bool:
        return self.possible(self._model.goal)

    def possible(self, conjunction: int) -> bool:
        return self._missing[conjunction] == 0

    def range(self, form: Form) -> Interval:
        """Bounds of a linear form over every reachable state."""
        return interval_of(form, self.intervals)

    # --- one layer ---

    def _next_layer(self) -> None:
        for action in self._ready:
            self.layer[action] = self.layers
            rule = self._model.actions[action]
            self._firing += [(action, b) for b, block in enumerate(rule.blocks) if self.possible(block.condition)]
        self.layers += 1
        self._ready = []
        firing, self._firing = self._firing, []
        atoms: list[int] = []
        moves: list[int] = []
        for action, number in firing:
            block = self._model.actions[action].blocks[number]
            atoms += [2 * fact for fact in block.adds]
            atoms += [2 * fact + 1 for fact in block.deletes]
            moves += [self._new_move(action, number, change) for change in block.changes]
        self._mark(atoms)
        self._mark(self._newly_possible(self._widen(moves)))

    def _mark(self, atoms: Iterable[int]) -> None:
        """These atoms are possible."""
        todo = [atom for atom in atoms if not self._possible[atom]]
        while todo:
            atom = todo.pop()
            if self._possible[atom]:
                continue
            self._possible[atom] = 1
            for conjunction in self._dependencies.conjunctions_of_atom[atom]:
                self._missing[conjunction] -= 1
                if self._missing[conjunction] == 0:
                    self._reach(conjunction)
                    todo += self._dependencies.disjunctions_of[conjunction]

    def _reach(self, conjunction: int) -> None:
        self._ready += self._dependencies.actions_of[conjunction]
        for action, block in self._dependencies.blocks_of[conjunction]:
            if self.layer[action] != NEVER:
                self._firing.append((action, block))

    def _newly_possible(self, conditions: Iterable[int]) -> list[int]:
        first, model = self._model.first_condition, self._model
        return [
            first + c for c in conditions if not self._possible[first + c] and self.range(model.conditions[c])[1] >= 0
        ]

    # --- numbers ---

    def _new_move(self, action: int, block: int, change: Change) -> int:
        move = _Move(change, self._dependencies.guards(action, block))
        self._moves.append(move)
        for variable in move.variables:
            self._moves_of[variable].append(len(self._moves) - 1)
        return len(self._moves) - 1

    def _widen(self, todo: list[int]) -> list[int]:
        """Let effects widen the intervals, to a fixpoint; the conditions whose range has grown."""
        changed: set[int] = set()
        while todo:
            grown = []
            for number in todo:
                move = self._moves[number]
                variable = move.change.variable
                after = move.after(self.intervals)
                if after != self.intervals[variable]:
                    self.intervals[variable] = after
                    grown.append(variable)
            changed.update(grown)
            todo = sorted({move for variable in set(grown) for move in self._moves_of[variable]})
        return sorted({c for variable in changed for c in self._dependencies.conditions_of_variable[variable]})


class _Move:
    """A numeric effect that can happen, and what bounds its variable when it does."""

    def __init__(self, change: Change, guards: list[Form]) -> None:
        self.change = change
        self.guards = (
            []
            if change.assign
            else [form for form in guards if any(variable == change.variable for variable, _ in form.terms)]
        )
        self.variables = {v for form in (change.form, *self.guards) for v, _ in form.terms}
        self._moves_left = MOST_MOVES

    def after(self, intervals: list[Interval]) -> Interval:
        """The variable's interval when the effect has happened any number of times."""
        before = intervals[self.change.variable]
        low, high = interval_of(self.change.form, intervals)
        if not self.change.assign:
            room_low, room_high = self._room(intervals)
            low = room_low + low if low < 0 else before[0]
            high = room_high + high if high > 0 else before[1]
        low, high = min(low, before[0]), max(high, before[1])
        if (low, high) != before:
            self._moves_left -= 1
            if self._moves_left < 0:
                low, high = (-inf if low < before[0] else low), (inf if high > before[1] else high)
        return low, high

    def _room(self, intervals: list[Interval]) -> Interval:
        """Between which bounds the variable lies just before the effect, by the guards alone."""
        low, high = -inf, inf
        target = self.change.variable
        for form in self.guards:
            coefficient = dict(form.terms)[target]
            others = Form(tuple(term for term in form.terms if term[0] != target), form.constant)
            most = interval_of(others, intervals)[1]
            if most == inf:
                continue
            # most + coefficient * x >= 0
            if coefficient > 0:
                low = max(low, -(most // coefficient))
            else:
                high = min(high, most // -coefficient)
        return low, high


def interval_of(form: Form, intervals: list[Interval]) -> Interval:
    low: Bound = form.constant
    high: Bound = form.constant
    for variable, coefficient in form.terms:
        a, b = intervals[variable]
        if coefficient > 0:
            low, high = low + coefficient * a, high + coefficient * b
        else:
            low, high = low + coefficient * b, high + coefficient * a
    return low, high
