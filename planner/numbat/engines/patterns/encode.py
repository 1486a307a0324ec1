"""A pattern from a concrete state as a formula.

Definition   docs/patterns.md. The walk along the pattern keeps symbolic values: per fact a literal, per variable a
             linear expression. No frame axioms (what is not touched keeps its value), no mutual exclusion (positions
             are executed one after the other), no variables for states between positions
Positions    a Boolean "executed", and a number of runs where the action may be repeated (rolling)
Conditional  effects fire by a Boolean that is equivalent to "executed and condition"
Long sums    an expression of more than LONGEST_SUM terms gets a name, or rows would grow with the pattern
Bounds       of values from the relaxed reachability of the start state, at most LARGEST_VALUE; of runs from those of
             what they change and need, at most the given ones
Guarantee    every solution is an executable sequence; every executable subsequence of the pattern whose numbers stay
             within the bounds is a solution
Not here     which pattern, from where, and what is asked of the last state (search)
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from numbat.engines.patterns.formula import (
    FALSE,
    TRUE,
    Expression,
    Formula,
    FormulaTooLarge,
    Size,
    constant,
    truth,
    variable,
)
from numbat.engines.patterns.layers import Interval, Relaxation
from numbat.engines.patterns.reduce import Action, Block, Change, Form, Model, State
from numbat.engines.patterns.rolling import may_repeat

LONGEST_SUM = 16
LARGEST_VALUE = 1 << 44


class Position(NamedTuple):
    """An action of the pattern that can be executed: by `executed`, so often as `runs` says (None: once)."""

    action: int
    executed: int
    runs: int | None


class _Runs(NamedTuple):
    """How a position is executed, and by how much each variable has grown after all runs and before the last one."""

    executed: int
    total: dict[int, Expression]
    before_last: dict[int, Expression]
    sign_known: bool  # of every growth: then the last run implies the first, or the other way round


class Encoder:
    """Walks along a pattern; `formula` and `positions` grow."""

    def __init__(self, model: Model, start: State, relaxation: Relaxation, size: Size, *, repeat: bool = True) -> None:
        self.formula = Formula(size)
        self.positions: list[Position] = []
        self._model = model
        self._repeat = repeat
        self._facts = [TRUE if true else FALSE for true in start.facts]
        self._values = [constant(value) for value in start.values]
        if any(abs(value) > LARGEST_VALUE for value in start.values):
            raise FormulaTooLarge("values beyond 44 bits")
        self._bounds = [_clipped(interval) for interval in relaxation.intervals]
        self._may_repeat: dict[int, bool] = {}

    def extend(self, pattern: Iterable[int]) -> None:
        """Append these actions; those that cannot be executed here are left out."""
        for action in pattern:
            if self._may_hold(self._model.actions[action].precondition):
                self._append(action)

    def execute(self, action: int, runs: int) -> None:
        """Append an action that every solution executes, so often."""
        amounts = self._amounts(action, self._model.actions[action])
        if runs > 1 and amounts:
            total = {changed: constant(0).plus(amount, runs) for changed, amount in amounts.items()}
            before_last = {changed: constant(0).plus(amount, runs - 1) for changed, amount in amounts.items()}
            constants = all(not amount.terms for amount in amounts.values())
            self._perform(action, _Runs(TRUE, total, before_last, constants))
            return
        for _ in range(runs):
            self._perform(action, _Runs(TRUE, {}, {}, True))

    # --- conditions on the state at the end of the walk ---

    def require(self, conjunction: int, guards: tuple[int, ...] = ()) -> None:
        """The conjunction holds if the guards do."""
        for atom in self._model.conjunctions[conjunction]:
            self.require_atom(atom, guards)

    def require_atom(self, atom: int, guards: tuple[int, ...] = (), runs: _Runs | None = None) -> None:
        """The atom holds if the guards do; with `runs` also before every further run."""
        form = self._model.condition(atom)
        if atom < self._model.first_condition:
            self.formula.add_clause([*(~guard for guard in guards), self._fact(atom)])
        elif form is not None:
            self._require_form(form, guards, runs)
        else:
            self._require_one(self._model.parts(atom), guards, runs)

    def value(self, form: Form) -> Expression:
        """A linear form as an expression over the formula's variables."""
        total = constant(form.constant)
        for number, coefficient in form.terms:
            total = total.plus(self._values[number], coefficient)
        return total

    def _fact(self, atom: int) -> int:
        literal = self._facts[atom >> 1]
        return ~literal if atom & 1 else literal

    def _require_form(self, form: Form, guards: tuple[int, ...], runs: _Runs | None) -> None:
        now = self.value(form)
        growth = constant(0)
        for number, coefficient in form.terms:
            if runs and number in runs.before_last:
                growth = growth.plus(runs.before_last[number], coefficient)
        if not growth.terms and not growth.constant:
            self.formula.add_row(guards, now, 0, None)
            return
        assert runs is not None
        falls = self._slope(growth) < 0
        if not runs.sign_known or not falls:
            self.formula.add_row(guards, now, 0, None)
        if not runs.sign_known or falls:
            self.formula.add_row(guards, now.plus(growth), 0, None)

    def _slope(self, growth: Expression) -> int:
        """The sign of a growth that is a constant times the number of further runs, which may be known."""
        return next(iter(growth.terms.values()), growth.constant)

    def _require_one(self, parts: tuple[int, ...], guards: tuple[int, ...], runs: _Runs | None) -> None:
        """One and the same part of a disjunction holds before every run."""
        possible = [part for part in parts if self._may_hold(part)]
        if any(not self._model.conjunctions[part] for part in possible):
            return
        choices = [self.formula.new_boolean() for _ in possible]
        self.formula.add_clause([*(~guard for guard in guards), *choices])
        for choice, part in zip(choices, possible, strict=True):
            for atom in self._model.conjunctions[part]:
                self.require_atom(atom, (choice,), runs)

    def _may_hold(self, conjunction: int) -> bool:
        return all(self._atom_may_hold(atom) for atom in self._model.conjunctions[conjunction])

    def _atom_may_hold(self, atom: int) -> bool:
        if atom < self._model.first_condition:
            return self._fact(atom) != FALSE
        form = self._model.condition(atom)
        if form is not None:
            return self._range(form)[1] >= 0
        return any(self._may_hold(part) for part in self._model.parts(atom))

    def _range(self, form: Form) -> tuple[int, int]:
        """Bounds of a form here: by the variables of the formula, and by those of the task."""
        low, high = self.formula.range(self.value(form))
        at_least = at_most = form.constant
        for number, coefficient in form.terms:
            a, b = self._bounds[number]
            at_least += coefficient * (a if coefficient > 0 else b)
            at_most += coefficient * (b if coefficient > 0 else a)
        return max(low, at_least), min(high, at_most)

    # --- equivalence, for the conditions of effects ---

    def truth_of(self, conjunction: int) -> int:
        """A literal that is true exactly where the conjunction holds."""
        return self.formula.all_of([self._truth_of_atom(atom) for atom in self._model.conjunctions[conjunction]])

    def _truth_of_atom(self, atom: int) -> int:
        if atom < self._model.first_condition:
            return self._fact(atom)
        form = self._model.condition(atom)
        if form is None:
            return self.formula.any_of([self.truth_of(part) for part in self._model.parts(atom)])
        low, high = self._range(form)
        if low >= 0 or high < 0:
            return TRUE if low >= 0 else FALSE
        literal, value = self.formula.new_boolean(), self.value(form)
        self.formula.add_row((literal,), value, 0, None)
        self.formula.add_row((~literal,), value, None, -1)
        return literal

    # --- one position ---

    def _append(self, number: int) -> None:
        runs = self._execute(number, self._model.actions[number])
        if runs is not None:
            self._perform(number, runs)

    def _perform(self, number: int, runs: _Runs) -> None:
        """What the runs need and do."""
        action = self._model.actions[number]
        for atom in self._model.conjunctions[action.precondition]:
            self.require_atom(atom, (runs.executed,), runs)
        fires = [self.formula.all_of([runs.executed, self.truth_of(block.condition)]) for block in action.blocks]
        for group in action.forbidden:
            self.formula.add_clause([~runs.executed, *(~fires[block] for block in group)])
        values = self._changed_values(action.blocks, fires, runs)
        self._change_facts(action.blocks, fires)
        for changed, value in values.items():
            self._values[changed] = self._short(value, changed)

    def _execute(self, number: int, action: Action) -> _Runs | None:
        """The variables of a position, None if it can never be executed."""
        amounts = self._amounts(number, action)
        constants = all(not amount.terms for amount in amounts.values())
        most = self._most_runs(action, amounts) if amounts else 1
        if most < 1:
            return None
        if len(self.positions) >= self.formula.limit.positions:
            raise FormulaTooLarge(f"more than {self.formula.limit.positions} positions")
        executed = self.formula.new_boolean()
        if most == 1:
            self.positions.append(Position(number, executed, None))
            return _Runs(executed, {}, {}, True)
        runs = self.formula.new_integer(0, most)
        self.formula.add_row((executed,), variable(runs), 1, None)
        self.formula.add_row((~executed,), variable(runs), None, 0)
        self.positions.append(Position(number, executed, runs))
        total = {
            changed: variable(self.formula.add_product(runs, amount))
            if amount.terms
            else Expression({runs: amount.constant} if amount.constant else {}, 0)
            for changed, amount in amounts.items()
        }
        before_last = {changed: total[changed].plus(amount, -1) for changed, amount in amounts.items()}
        return _Runs(executed, total, before_last, constants)

    def _amounts(self, number: int, action: Action) -> dict[int, Expression]:
        """By how much variables grow with each run, if the action may be repeated and if something grows."""
        if not self._repeats(number, action):
            return {}
        amounts = {c.variable: self.value(c.form) for c in action.blocks[0].changes if not c.assign}
        return amounts if any(amount != constant(0) for amount in amounts.values()) else {}

    def _repeats(self, number: int, action: Action) -> bool:
        if number not in self._may_repeat:
            self._may_repeat[number] = self._repeat and may_repeat(self._model, action)
        return self._may_repeat[number]

    def _most_runs(self, action: Action, amounts: dict[int, Expression]) -> int:
        """No more runs than the bounds of what they change and what they need leave room for."""
        most = self.formula.limit.runs
        for changed, amount in amounts.items():
            low, high = self.formula.range(amount)
            least, largest = self._range(Form(((changed, 1),), 0))
            if low == high and low:
                room = self._bounds[changed][1] - least if low > 0 else largest - self._bounds[changed][0]
                most = min(most, room // abs(low))
            else:
                most = min(most, LARGEST_VALUE // max(1, abs(low), abs(high)))
        for atom in self._model.conjunctions[action.precondition]:
            form = self._model.condition(atom)
            if form is None or any(number in amounts and amounts[number].terms for number, _ in form.terms):
                continue
            slope = sum(c * amounts[number].constant for number, c in form.terms if number in amounts)
            if slope < 0:
                most = min(most, self._range(form)[1] // -slope + 1)
        return most

    # --- effects ---

    def _change_facts(self, blocks: tuple[Block, ...], fires: list[int]) -> None:
        adders: dict[int, list[int]] = {}
        deleters: dict[int, list[int]] = {}
        for block, fire in zip(blocks, fires, strict=True):
            for fact in block.adds:
                adders.setdefault(fact, []).append(fire)
            for fact in block.deletes:
                deleters.setdefault(fact, []).append(fire)
        for fact in {**deleters, **adders}:
            kept = self.formula.all_of([self._facts[fact], *(~fire for fire in deleters.get(fact, ()))])
            self._facts[fact] = self.formula.any_of([kept, *adders.get(fact, ())])

    def _changed_values(self, blocks: tuple[Block, ...], fires: list[int], runs: _Runs) -> dict[int, Expression]:
        """The new values, all computed from the old ones."""
        changes: dict[int, list[tuple[int, Change]]] = {}
        for block, fire in zip(blocks, fires, strict=True):
            for change in block.changes:
                changes.setdefault(change.variable, []).append((fire, change))
        return {changed: self._changed_value(changed, row, runs) for changed, row in changes.items()}

    def _changed_value(self, changed: int, changes: list[tuple[int, Change]], runs: _Runs) -> Expression:
        value = self._values[changed]
        for fire, change in changes:
            if not change.assign:
                amount = runs.total.get(changed) or self._if(fire, self.value(change.form))
                value = value.plus(amount)
        assigns = [(fire, self.value(change.form)) for fire, change in changes if change.assign]
        if not assigns:
            return value
        if len(assigns) == 1 and not value.terms and not assigns[0][1].terms:
            fire, assigned = assigns[0]
            return value.plus(truth(fire), assigned.constant - value.constant)
        fresh = variable(self.formula.new_integer(*self._bounds[changed]))
        for fire, assigned in assigns:
            self.formula.add_row((fire,), fresh.plus(assigned, -1), 0, 0)
        self.formula.add_row([~fire for fire, _ in assigns], fresh.plus(value, -1), 0, 0)
        return fresh

    def _if(self, fire: int, amount: Expression) -> Expression:
        """The amount where the literal is true, else 0."""
        if not amount.terms:
            return constant(0).plus(truth(fire), amount.constant)
        low, high = self.formula.range(amount)
        fresh = variable(self.formula.new_integer(max(min(low, 0), -LARGEST_VALUE), min(max(high, 0), LARGEST_VALUE)))
        self.formula.add_row((fire,), fresh.plus(amount, -1), 0, 0)
        self.formula.add_row((~fire,), fresh, 0, 0)
        return fresh

    def _short(self, value: Expression, changed: int) -> Expression:
        """The value itself, or a name for it where it is long."""
        if len(value.terms) <= LONGEST_SUM:
            return value
        low, high = self.formula.range(value)
        least, most = self._bounds[changed]
        return self.formula.named(value, max(low, least), min(high, most))


def _clipped(interval: Interval) -> tuple[int, int]:
    low, high = interval
    return (
        -LARGEST_VALUE if low == -inf else max(int(low), -LARGEST_VALUE),
        LARGEST_VALUE if high == inf else min(int(high), LARGEST_VALUE),
    )
