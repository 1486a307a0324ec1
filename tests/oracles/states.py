"""What a GroundedTask means: its arrays as Python objects, and states with exact numbers.

Definition   docstring of numbat.task.grounded; deletes before adds, amounts read in the old state
In, out      GroundedTask → Model; (operator, state) → successor or None
Guarantee    Fractions throughout; nothing here knows how the core does it
Cost         none spared: everything is recomputed at every call
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from numbat.task.grounded import GroundedTask


class State(NamedTuple):
    """Truth of every fact, value of every variable (in the task's scaled numbers)."""

    facts: tuple[bool, ...]
    values: tuple[Fraction, ...]


@dataclass(frozen=True)
class Form:
    """A linear form: variables in ascending order with coefficients that are not 0, and a constant."""

    terms: tuple[tuple[int, Fraction], ...]
    constant: Fraction

    def value(self, state: State) -> Fraction:
        return self.constant + sum((c * state.values[v] for v, c in self.terms), Fraction(0))

    @property
    def variables(self) -> tuple[int, ...]:
        return tuple(variable for variable, _ in self.terms)


def combine(parts: Iterable[tuple[Fraction, Form]]) -> Form:
    """The sum of factor * form, like terms merged."""
    terms: dict[int, Fraction] = {}
    constant = Fraction(0)
    for factor, form in parts:
        constant += factor * form.constant
        for variable, coefficient in form.terms:
            terms[variable] = terms.get(variable, Fraction(0)) + factor * coefficient
    return Form(tuple((v, c) for v, c in sorted(terms.items()) if c != 0), constant)


def single(variable: int) -> Form:
    """The form that is just this variable."""
    return Form(((variable, Fraction(1)),), Fraction(0))


@dataclass(frozen=True)
class Condition:
    """form >= 0, or > 0 if strict; `unit` is the worth of 1 in the user's numbers."""

    form: Form
    strict: bool
    unit: Fraction

    def holds(self, state: State) -> bool:
        value = self.form.value(state)
        return value > 0 or (value == 0 and not self.strict)


@dataclass(frozen=True)
class NumericEffect:
    variable: int
    assign: bool
    form: Form


@dataclass(frozen=True)
class Block:
    condition: tuple[int, ...]
    adds: tuple[int, ...]
    deletes: tuple[int, ...]
    numeric: tuple[NumericEffect, ...]


@dataclass(frozen=True)
class Operator:
    precondition: tuple[int, ...]
    blocks: tuple[Block, ...]
    cost: Form


def rows(start: Any, *columns: Any) -> list[list[Any]]:
    """CSR rows as lists; several columns are zipped."""
    flat = list(columns[0].tolist()) if len(columns) == 1 else list(zip(*(c.tolist() for c in columns), strict=True))
    return [flat[begin:end] for begin, end in pairwise(start)]


def forms(start: Any, variable: Any, coefficient: Any, constant: Any) -> list[Form]:
    """One linear form per CSR row."""
    return [
        combine([(Fraction(1), Form((), Fraction(c))), *((Fraction(k), single(v)) for v, k in row)])
        for row, c in zip(rows(start, variable, coefficient), constant.tolist(), strict=True)
    ]


class Model:
    """A GroundedTask read back into objects; atoms keep the ids they have there."""

    def __init__(self, task: GroundedTask) -> None:
        self.exact = task.exact
        self.facts = len(task.init_facts)
        self.initial = State(
            tuple(bool(f) for f in task.init_facts), tuple(Fraction(v) for v in task.init_values.tolist())
        )
        condition_forms = forms(
            task.condition_start, task.condition_variable, task.condition_coefficient, task.condition_constant
        )
        units = task.condition_unit.tolist()
        self.conditions = [
            Condition(form, bool(strict), Fraction(unit))
            for form, strict, unit in zip(condition_forms, task.condition_strict, units, strict=True)
        ]
        self.conjunctions = [tuple(dict.fromkeys(row)) for row in rows(task.conjunction_start, task.conjunction_atom)]
        self.disjunctions = [tuple(row) for row in rows(task.disjunction_start, task.disjunction_conjunction)]
        self.goal = self.conjunctions[task.goal]
        self.operators = self._operators(task)

    def _operators(self, task: GroundedTask) -> list[Operator]:
        effect_forms = forms(
            task.numeric_term_start, task.numeric_term_variable, task.numeric_term_coefficient, task.numeric_constant
        )
        effects = [
            NumericEffect(int(variable), bool(assign), form)
            for variable, assign, form in zip(task.numeric_variable, task.numeric_assign, effect_forms, strict=True)
        ]
        adds = rows(task.block_add_start, task.block_add)
        deletes = rows(task.block_delete_start, task.block_delete)
        blocks = [
            Block(
                self.conjunctions[condition],
                tuple(adds[b]),
                tuple(deletes[b]),
                tuple(effects[task.block_numeric_start[b] : task.block_numeric_start[b + 1]]),
            )
            for b, condition in enumerate(task.block_condition)
        ]
        costs = forms(task.cost_term_start, task.cost_term_variable, task.cost_term_coefficient, task.cost_constant)
        starts = task.operator_block_start
        return [
            Operator(self.conjunctions[precondition], tuple(blocks[starts[o] : starts[o + 1]]), costs[o])
            for o, precondition in enumerate(task.operator_precondition)
        ]

    # --- truth ---

    def condition_of(self, atom: int) -> Condition | None:
        """The numeric condition an atom stands for, if it is one."""
        index = atom - 2 * self.facts
        return self.conditions[index] if 0 <= index < len(self.conditions) else None

    def parts_of(self, atom: int) -> list[tuple[int, ...]]:
        """The conjunctions of a disjunction atom."""
        return [self.conjunctions[c] for c in self.disjunctions[atom - 2 * self.facts - len(self.conditions)]]

    def holds(self, atom: int, state: State) -> bool:
        if atom < 2 * self.facts:
            return state.facts[atom // 2] == (atom % 2 == 0)
        condition = self.condition_of(atom)
        if condition is not None:
            return condition.holds(state)
        return any(self.all_hold(part, state) for part in self.parts_of(atom))

    def all_hold(self, atoms: Iterable[int], state: State) -> bool:
        return all(self.holds(atom, state) for atom in atoms)

    def is_goal(self, state: State) -> bool:
        return self.all_hold(self.goal, state)

    # --- change ---

    def apply(self, operator: int, state: State) -> State | None:
        """The successor; None if the precondition is false, or an assignment clashes with another or an increase."""
        rule = self.operators[operator]
        if not self.all_hold(rule.precondition, state):
            return None
        firing = [block for block in rule.blocks if self.all_hold(block.condition, state)]
        facts = list(state.facts)
        for fact in (f for block in firing for f in block.deletes):
            facts[fact] = False
        for fact in (f for block in firing for f in block.adds):
            facts[fact] = True
        values = list(state.values)
        changes = [effect for block in firing for effect in block.numeric]
        for variable in {effect.variable for effect in changes}:
            own = [effect for effect in changes if effect.variable == variable]
            assigned = {effect.form.value(state) for effect in own if effect.assign}
            increases = [effect.form.value(state) for effect in own if not effect.assign]
            if len(assigned) > 1 or (assigned and increases):
                return None
            values[variable] = assigned.pop() if assigned else values[variable] + sum(increases)
        return State(tuple(facts), tuple(values))

    def enabled(self, state: State) -> list[int]:
        """The operators whose precondition holds; their effects may still clash."""
        return [o for o, rule in enumerate(self.operators) if self.all_hold(rule.precondition, state)]

    def cost(self, operator: int, state: State) -> Fraction:
        return self.operators[operator].cost.value(state)

    def replay(self, plan: Iterable[int]) -> State | None:
        """The last state of a plan from the initial state; None if some step is not applicable."""
        state: State | None = self.initial
        for operator in plan:
            if state is None:
                return None
            state = self.apply(operator, state)
        return state

    def shortest_plan_length(self, limit: int) -> int | None:
        """Breadth-first search over the whole state space: None if there is no plan.

        Raises OverflowError if more than `limit` states are reachable before a goal is found.
        """
        seen, layer, depth = {self.initial}, [self.initial], 0
        while layer:
            if any(self.is_goal(state) for state in layer):
                return depth
            successors = (self.apply(o, state) for state in layer for o in range(len(self.operators)))
            layer = list(dict.fromkeys(s for s in successors if s is not None and s not in seen))
            seen.update(layer)
            depth += 1
            if len(seen) > limit:
                raise OverflowError(f"more than {limit} states")
        return None
