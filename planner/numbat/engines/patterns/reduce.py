"""The grounded task as Python integers, in the form that the other modules walk through.

In, out      GroundedTask (exact) → Model
Conditions   every numeric condition is `form >= 0`: over integers `form > 0` is `form - 1 >= 0`
Effects      a fact that a block both deletes and adds is added; increases of one variable in one block are one sum
Clashes      an assignment that meets an increase of its variable makes the operator inapplicable: within a block it
             forbids the block, between two blocks that both fire. Two assignments of a variable must agree
Merged       operators with the same precondition and blocks are one action, named by the first of them
Guarantee    a sequence of actions is applicable, and reaches a goal, exactly if it is and does in the grounded task
Not here     reachability (layers); statics and relevance, which the grounder has dealt with
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from numbat.task.grounded import GroundedTask


class Form(NamedTuple):
    """A linear form over the variables of the task."""

    terms: tuple[tuple[int, int], ...]  # variable, coefficient that is not 0; every variable once
    constant: int

    def value(self, values: Sequence[int]) -> int:
        return self.constant + sum(coefficient * values[variable] for variable, coefficient in self.terms)


class Change(NamedTuple):
    """variable := form, or variable += form."""

    variable: int
    assign: bool
    form: Form


class Block(NamedTuple):
    """Effects that fire together, when their condition (a conjunction) holds."""

    condition: int
    adds: tuple[int, ...]
    deletes: tuple[int, ...]  # those that are not added again
    changes: tuple[Change, ...]


class Action(NamedTuple):
    """An operator; the action is not applicable where `forbidden` blocks, all of one group, fire together.

    A round trip (loops) has no operator of its own, but a cycle: other actions, and how often each runs.
    """

    operator: int
    precondition: int
    blocks: tuple[Block, ...]
    forbidden: tuple[tuple[int, ...], ...]
    cycle: tuple[tuple[int, int], ...] = ()


class State(NamedTuple):
    """Truth of every fact, value of every variable."""

    facts: tuple[bool, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """Atoms and conjunctions keep the numbers they have in the grounded task."""

    initial: State
    conditions: tuple[Form, ...]
    conjunctions: tuple[tuple[int, ...], ...]
    disjunctions: tuple[tuple[int, ...], ...]
    goal: int
    actions: tuple[Action, ...]

    @property
    def first_condition(self) -> int:
        """The atom of numeric condition 0; facts are below it."""
        return 2 * len(self.initial.facts)

    @property
    def first_disjunction(self) -> int:
        return self.first_condition + len(self.conditions)

    def condition(self, atom: int) -> Form | None:
        """The form behind an atom that is a numeric condition."""
        index = atom - self.first_condition
        return self.conditions[index] if 0 <= index < len(self.conditions) else None

    def parts(self, atom: int) -> tuple[int, ...]:
        """The conjunctions behind an atom that is a disjunction."""
        return self.disjunctions[atom - self.first_disjunction]

    def atoms_below(self, conjunction: int) -> set[int]:
        """Facts and numeric conditions that a conjunction mentions, also inside disjunctions."""
        found, open_conjunctions = set(), [conjunction]
        while open_conjunctions:
            for atom in self.conjunctions[open_conjunctions.pop()]:
                if atom >= self.first_disjunction:
                    open_conjunctions += self.parts(atom)
                else:
                    found.add(atom)
        return found

    # --- exact semantics ---

    def holds(self, conjunction: int, state: State) -> bool:
        return all(self.atom_holds(atom, state) for atom in self.conjunctions[conjunction])

    def atom_holds(self, atom: int, state: State) -> bool:
        if atom < self.first_condition:
            return state.facts[atom >> 1] != bool(atom & 1)
        form = self.condition(atom)
        if form is not None:
            return form.value(state.values) >= 0
        return any(self.holds(part, state) for part in self.parts(atom))

    def apply(self, action: Action, state: State) -> State | None:
        """The state after one execution; None where it is not applicable."""
        if not self.holds(action.precondition, state):
            return None
        firing = [self.holds(block.condition, state) for block in action.blocks]
        if any(all(firing[block] for block in group) for group in action.forbidden):
            return None
        facts, values = list(state.facts), list(state.values)
        blocks = [block for block, fires in zip(action.blocks, firing, strict=True) if fires]
        for fact in (f for block in blocks for f in block.deletes):
            facts[fact] = False
        for fact in (f for block in blocks for f in block.adds):
            facts[fact] = True
        assigned: dict[int, int] = {}
        for change in (c for block in blocks for c in block.changes):
            amount = change.form.value(state.values)
            if not change.assign:
                values[change.variable] += amount
            elif assigned.setdefault(change.variable, amount) == amount:
                values[change.variable] = amount
            else:
                return None
        return State(tuple(facts), tuple(values))


def reduce(task: GroundedTask) -> Model:
    """The task's model. Its numbers have to be exact integers."""
    if not task.exact:
        raise ValueError("only tasks with exact integers")
    forms = _forms(task.condition_start, task.condition_variable, task.condition_coefficient, task.condition_constant)
    strict = task.condition_strict.tolist()
    return Model(
        initial=State(tuple(map(bool, task.init_facts.tolist())), tuple(map(int, task.init_values.tolist()))),
        conditions=tuple(Form(form.terms, form.constant - s) for form, s in zip(forms, strict, strict=True)),
        conjunctions=tuple(
            tuple(dict.fromkeys(row)) for row in _rows(task.conjunction_start, task.conjunction_atom.tolist())
        ),
        disjunctions=tuple(tuple(row) for row in _rows(task.disjunction_start, task.disjunction_conjunction.tolist())),
        goal=int(task.goal),
        actions=tuple(_merged(_actions(task))),
    )


def _rows(start: Any, flat: Sequence[Any]) -> list[Sequence[Any]]:
    return [flat[begin:end] for begin, end in pairwise(start.tolist())]


def _forms(start: Any, variable: Any, coefficient: Any, constant: Any) -> list[Form]:
    flat = list(zip(variable.tolist(), map(int, coefficient.tolist()), strict=True))
    return [_form(row, int(c)) for row, c in zip(_rows(start, flat), constant.tolist(), strict=True)]


def _form(terms: Iterable[tuple[int, int]], constant: int) -> Form:
    total: dict[int, int] = {}
    for variable, coefficient in terms:
        total[variable] = total.get(variable, 0) + coefficient
    return Form(tuple((v, c) for v, c in sorted(total.items()) if c), constant)


def _actions(task: GroundedTask) -> list[Action]:
    forms = _forms(
        task.numeric_term_start, task.numeric_term_variable, task.numeric_term_coefficient, task.numeric_constant
    )
    changes = [
        Change(variable, bool(assign), form)
        for variable, assign, form in zip(
            task.numeric_variable.tolist(), task.numeric_assign.tolist(), forms, strict=True
        )
    ]
    adds = _rows(task.block_add_start, task.block_add.tolist())
    deletes = _rows(task.block_delete_start, task.block_delete.tolist())
    blocks = [
        Block(condition, tuple(added), tuple(f for f in deleted if f not in added), tuple(row))
        for condition, added, deleted, row in zip(
            task.block_condition.tolist(), adds, deletes, _rows(task.block_numeric_start, changes), strict=True
        )
    ]
    return [
        _action(operator, precondition, row)
        for operator, (precondition, row) in enumerate(
            zip(task.operator_precondition.tolist(), _rows(task.operator_block_start, blocks), strict=True)
        )
    ]


def _action(operator: int, precondition: int, blocks: Sequence[Block]) -> Action:
    return Action(operator, precondition, tuple(map(_with_sums, blocks)), tuple(sorted(_clashes(blocks))))


def _with_sums(block: Block) -> Block:
    """At most one increase per variable; without those that change nothing."""
    sums: dict[int, list[Form]] = {}
    for change in block.changes:
        if not change.assign:
            sums.setdefault(change.variable, []).append(change.form)
    increases = [
        Change(variable, False, _form((t for form in forms for t in form.terms), sum(form.constant for form in forms)))
        for variable, forms in sums.items()
    ]
    assigns = [change for change in block.changes if change.assign]
    kept = (*assigns, *(change for change in increases if change.form != Form((), 0)))
    return block._replace(changes=kept)


def _clashes(blocks: Sequence[Block]) -> set[tuple[int, ...]]:
    """Blocks that must not fire together (or alone), since an assignment in one meets an increase."""
    changes: dict[int, list[tuple[int, bool]]] = {}
    for number, block in enumerate(blocks):
        for change in block.changes:
            changes.setdefault(change.variable, []).append((number, change.assign))
    return {
        tuple(sorted({first, second}))
        for uses in changes.values()
        for index, (first, assign) in enumerate(uses)
        for second, other in uses[index + 1 :]
        if assign != other
    }


def alike(task: GroundedTask, model: Model) -> list[list[int]]:
    """For each action of the task's model all operators that it stands for."""
    numbers = {(action.precondition, action.blocks): number for number, action in enumerate(model.actions)}
    groups: list[list[int]] = [[] for _ in model.actions]
    for action in _actions(task):
        number = numbers.get((action.precondition, action.blocks))
        if number is not None:
            groups[number].append(action.operator)
    return groups


def _merged(actions: Iterable[Action]) -> list[Action]:
    """Of actions that differ only in their name the first. Without those that can never be executed."""
    found: dict[tuple[int, tuple[Block, ...]], Action] = {}
    for action in actions:
        unconditional = {number for number, block in enumerate(action.blocks) if block.condition == 0}
        if not any(unconditional.issuperset(group) for group in action.forbidden):
            found.setdefault((action.precondition, action.blocks), action)
    return list(found.values())
