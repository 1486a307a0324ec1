"""Small GroundedTasks from readable descriptions.

    build(
        {"p": False}, {"x": 0, "y": 0},
        [Op("inc", effects=["x += 1"]),
         Op("a", ["x >= 3", "not p"], ["p", When(["y > 2"], ["not p", "y := 2*x - 1"])], cost=7)],
        goal=["p", Either(["x = 5"], ["p", "y >= 1"])],
    )

Conditions   "p", "not p", a linear comparison (>=, <=, >, <, =), or Either of several conjunctions
Effects      "p", "not p", "x += form", "x -= form", "x := form", or When(conditions, effects)
Numbers      are the user's. `units` scales variables; conditions are scaled to integers unless exact=False
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from numbat.ground.costs import in_one_unit
from numbat.task.grounded import GroundedTask

Sides = tuple[dict[str, Fraction], Fraction]  # coefficients by variable, constant


@dataclass(frozen=True)
class Compare:
    """sum(terms) + constant >= 0, or > 0. With `unit` given, the numbers are taken as already scaled."""

    terms: tuple[tuple[str, Fraction], ...]
    constant: Fraction
    strict: bool = False
    unit: Fraction | None = None


@dataclass(frozen=True, init=False)
class Either:
    """A disjunction of conjunctions."""

    parts: tuple[tuple[Formula, ...], ...]

    def __init__(self, *parts: Sequence[Formula]) -> None:
        object.__setattr__(self, "parts", tuple(tuple(part) for part in parts))


@dataclass(frozen=True)
class When:
    """A conditional effect block."""

    conditions: Sequence[Formula]
    effects: Sequence[str]


@dataclass(frozen=True)
class Op:
    """An operator; effects that are not under a When form the unconditional block. cost: a linear form."""

    name: str
    conditions: Sequence[Formula] = ()
    effects: Sequence[str | When] = ()
    cost: str | int = 1


Formula = str | Compare | Either


def linear(text: str) -> Sides:
    """Reads a linear expression over names."""

    def read(node: ast.expr) -> Sides:
        if isinstance(node, ast.Name):
            return {node.id: Fraction(1)}, Fraction(0)
        if isinstance(node, ast.Constant):
            return {}, Fraction(str(node.value))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return scaled(read(node.operand), Fraction(-1))
        assert isinstance(node, ast.BinOp), text
        left, right = read(node.left), read(node.right)
        if isinstance(node.op, ast.Add):
            return added(left, right)
        if isinstance(node.op, ast.Sub):
            return added(left, scaled(right, Fraction(-1)))
        assert isinstance(node.op, ast.Mult) and not left[0], f"not a linear form: {text}"
        return scaled(right, left[1])

    return read(ast.parse(text.strip(), mode="eval").body)


def scaled(form: Sides, factor: Fraction) -> Sides:
    return {name: factor * coefficient for name, coefficient in form[0].items()}, factor * form[1]


def added(left: Sides, right: Sides) -> Sides:
    names = dict.fromkeys([*left[0], *right[0]])
    terms = {name: left[0].get(name, Fraction(0)) + right[0].get(name, Fraction(0)) for name in names}
    return {name: coefficient for name, coefficient in terms.items() if coefficient}, left[1] + right[1]


@dataclass
class Rows:
    """One CSR array under construction: the starts, and the columns of the rows."""

    width: int = 1
    start: list[int] = field(default_factory=lambda: [0])
    columns: list[list[float]] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = [[] for _ in range(self.width)]

    def append(self, row: Sequence[Sequence[float]]) -> int:
        """Adds a row of tuples, says its number."""
        for entry in row:
            for column, item in zip(self.columns, entry, strict=True):
                column.append(item)
        self.start.append(len(self.columns[0]))
        return len(self.start) - 2


class Builder:
    """Collects rows; `task` at the end makes the arrays. Disjunctions are numbered when all conditions are known."""

    def __init__(
        self, facts: Mapping[str, bool], variables: Mapping[str, float], units: Mapping[str, Fraction], exact: bool
    ) -> None:
        self.facts, self.variables, self.exact = facts, variables, exact
        self.units = {name: Fraction(units.get(name, 1)) for name in variables}
        self.fact_number = {name: number for number, name in enumerate(facts)}
        self.variable_number = {name: number for number, name in enumerate(variables)}
        self.conditions: dict[Compare, int] = {}
        self.conjunctions: dict[tuple[tuple[str, int], ...], int] = {(): 0}
        self.disjunctions: dict[tuple[int, ...], int] = {}
        self.adds, self.deletes, self.block_numeric = Rows(), Rows(), Rows()
        self.amounts, self.costs = Rows(2), Rows(2)
        self.block_condition: list[int] = []
        self.numeric: list[tuple[int, bool, Fraction]] = []
        self.cost_constants: list[Fraction] = []

    # --- conditions ---

    def compare(self, text: str) -> list[Compare]:
        left, relation, right = re.fullmatch(r"(.+?)(>=|<=|=|>|<)(.+)", text).groups()  # type: ignore[union-attr]
        more = added(linear(left), scaled(linear(right), Fraction(-1)))
        sides = {">": [more], "<": [scaled(more, Fraction(-1))], "=": [more, scaled(more, Fraction(-1))]}[relation[0]]
        return [Compare(tuple(terms.items()), c, relation in "<>") for terms, c in sides]

    def scale(self, condition: Compare) -> Compare:
        """The condition over scaled variables, with integers if the task is exact."""
        if condition.unit is not None:
            return condition
        terms = [(name, c * self.units[name]) for name, c in condition.terms]
        numbers = [condition.constant, *(c for _, c in terms)]
        factor = math.lcm(*(n.denominator for n in numbers)) if self.exact else 1
        scaled_terms = tuple((name, c * factor) for name, c in terms)
        return Compare(scaled_terms, condition.constant * factor, condition.strict, Fraction(1, factor))

    def atoms(self, formula: Formula) -> list[tuple[str, int]]:
        """The atoms a formula stands for, as (kind, number)."""
        if isinstance(formula, Either):
            row = tuple(self.conjunction(part) for part in formula.parts)
            return [("disjunction", self.disjunctions.setdefault(row, len(self.disjunctions)))]
        if isinstance(formula, str) and not set(formula) & set("<>="):
            negated, name = formula.startswith("not "), formula.removeprefix("not ")
            return [("fact", 2 * self.fact_number[name] + negated)]
        compares = [formula] if isinstance(formula, Compare) else self.compare(formula)
        numbers = [self.conditions.setdefault(self.scale(c), len(self.conditions)) for c in compares]
        return [("condition", number) for number in numbers]

    def conjunction(self, formulas: Sequence[Formula]) -> int:
        row = tuple(dict.fromkeys(atom for formula in formulas for atom in self.atoms(formula)))
        return self.conjunctions.setdefault(row, len(self.conjunctions))

    # --- effects ---

    def block(self, conditions: Sequence[Formula], effects: Sequence[str]) -> None:
        self.block_condition.append(self.conjunction(conditions))
        numeric = [e for e in effects if "=" in e]
        literals = [e for e in effects if "=" not in e]
        self.adds.append([(self.fact_number[e],) for e in literals if not e.startswith("not ")])
        self.deletes.append([(self.fact_number[e[4:]],) for e in literals if e.startswith("not ")])
        self.block_numeric.append([(self.effect(e),) for e in numeric])

    def effect(self, text: str) -> int:
        name, kind, right = re.fullmatch(r"\s*(\w+)\s*([-+:])=(.+)", text).groups()  # type: ignore[union-attr]
        terms, constant = scaled(linear(right), Fraction(-1 if kind == "-" else 1) / self.units[name])
        self.numeric.append((self.variable_number[name], kind == ":", constant))
        return self.amounts.append([(self.variable_number[n], c * self.units[n]) for n, c in terms.items()])

    def operator(self, op: Op) -> None:
        plain = [e for e in op.effects if isinstance(e, str)]
        conditional = [e for e in op.effects if isinstance(e, When)]
        if plain:
            self.block((), plain)
        for when in conditional:
            self.block(when.conditions, when.effects)
        terms, constant = linear(str(op.cost))
        self.cost_constants.append(constant)
        self.costs.append([(self.variable_number[n], c * self.units[n]) for n, c in terms.items()])

    # --- arrays ---

    def atom_id(self, atom: tuple[str, int]) -> int:
        kind, number = atom
        facts, conditions = 2 * len(self.facts), len(self.conditions)
        return number + {"fact": 0, "condition": facts, "disjunction": facts + conditions}[kind]

    def numbers(self, items: Iterable[Fraction]) -> np.ndarray:
        """Integers where the task is exact."""
        listed = [Fraction(item) for item in items]
        assert not self.exact or all(item.denominator == 1 for item in listed)
        return np.array(listed, dtype=np.int64 if self.exact else np.float64)

    def task(self, ops: Sequence[Op], goal: Sequence[Formula]) -> GroundedTask:
        goal_row = self.conjunction(goal)
        preconditions, block_starts = [], [0]
        for op in ops:
            preconditions.append(self.conjunction(op.conditions))
            self.operator(op)
            block_starts.append(len(self.block_condition))
        compares, conjunctions, disjunctions = Rows(2), Rows(), Rows()
        for condition in self.conditions:
            compares.append([(self.variable_number[n], c) for n, c in condition.terms])
        for atoms in self.conjunctions:
            conjunctions.append([(self.atom_id(atom),) for atom in atoms])
        for parts in self.disjunctions:
            disjunctions.append([(part,) for part in parts])
        whole = in_one_unit(self.cost_constants, self.costs.columns[1])
        return GroundedTask(
            operator_names=tuple(f"({op.name})" for op in ops),
            fact_names=tuple(self.facts),
            variable_names=tuple(self.variables),
            exact=self.exact,
            has_metric=any(op.cost != 1 for op in ops),
            init_facts=np.array([*self.facts.values()], dtype=np.uint8),
            init_values=self.numbers([Fraction(v) / self.units[n] for n, v in self.variables.items()]),
            variable_unit=doubles(self.units.values()),
            condition_start=ints(compares.start),
            condition_variable=ints(compares.columns[0]),
            condition_coefficient=self.numbers(compares.columns[1]),
            condition_constant=self.numbers(c.constant for c in self.conditions),
            condition_strict=np.array([c.strict for c in self.conditions], dtype=np.uint8),
            condition_unit=doubles(c.unit for c in self.conditions),
            conjunction_start=ints(conjunctions.start),
            conjunction_atom=ints(conjunctions.columns[0]),
            disjunction_start=ints(disjunctions.start),
            disjunction_conjunction=ints(disjunctions.columns[0]),
            goal=goal_row,
            operator_precondition=ints(preconditions),
            operator_block_start=ints(block_starts),
            block_condition=ints(self.block_condition),
            block_add_start=ints(self.adds.start),
            block_add=ints(self.adds.columns[0]),
            block_delete_start=ints(self.deletes.start),
            block_delete=ints(self.deletes.columns[0]),
            block_numeric_start=ints(self.block_numeric.start),
            numeric_variable=ints(v for v, _, _ in self.numeric),
            numeric_assign=np.array([a for _, a, _ in self.numeric], dtype=np.uint8),
            numeric_constant=self.numbers(c for _, _, c in self.numeric),
            numeric_term_start=ints(self.amounts.start),
            numeric_term_variable=ints(self.amounts.columns[0]),
            numeric_term_coefficient=self.numbers(self.amounts.columns[1]),
            cost_constant=doubles(self.cost_constants),
            cost_whole=whole.constants,
            cost_unit=whole.unit,
            cost_start=Fraction(0),
            cost_term_start=ints(self.costs.start),
            cost_term_variable=ints(self.costs.columns[0]),
            cost_term_coefficient=doubles(self.costs.columns[1]),
            cost_term_whole=whole.coefficients,
        )


def ints(items: object) -> np.ndarray:
    return np.array(list(items), dtype=np.int32)  # type: ignore[call-overload]


def doubles(items: object) -> np.ndarray:
    return np.array([float(item) for item in items], dtype=np.float64)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Description:
    """A task as a person writes it; see the module's docstring."""

    facts: Mapping[str, bool]
    variables: Mapping[str, float]
    ops: Sequence[Op]
    goal: Sequence[Formula]

    def task(self, *, units: Mapping[str, Fraction] | None = None, exact: bool = True) -> GroundedTask:
        return Builder(self.facts, self.variables, units or {}, exact).task(self.ops, self.goal)


def build(
    facts: Mapping[str, bool], variables: Mapping[str, float], ops: Sequence[Op], goal: Sequence[Formula]
) -> GroundedTask:
    """The exact GroundedTask of a description in which every unit is 1."""
    return Description(facts, variables, ops, goal).task()
