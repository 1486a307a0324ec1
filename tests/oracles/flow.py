"""Potentials of joined places and loads, slowly: the programme of the task with joined carriers, in exact fractions.

Definition   core/heuristics/carriers.h, flow.h; docs/heuristics.md 12
In, out      (Model, State, Options) → Evaluation: in the initial state the programme's value, infinite if it has no
             limit (ambiguous: the core may fail to check it); elsewhere it depends on which of the best solutions were
             found, and on the states evaluated before (ambiguous)
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import gcd, isinf

from tests.oracles.heuristics import INFINITY, Evaluation, Options, goal_count
from tests.oracles.potential import lowered, objective, weighted
from tests.oracles.programme import Row, maximum
from tests.oracles.ranges import Ranges
from tests.oracles.states import Block, Condition, Model, Operator, State

MOST_LEVELS = 256


@dataclass(frozen=True)
class Carrier:
    """Facts of which always exactly one holds, and the values of a variable that belongs to them."""

    group: tuple[int, ...]
    variable: int
    levels: tuple[int, ...]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(product(self.group, self.levels))

    def holds(self, pair: tuple[int, int], state: State) -> bool:
        return state.facts[pair[0]] and state.values[self.variable] == pair[1]


def exchanged(operator: Operator) -> tuple[set[int], set[int]]:
    """The facts that an operator takes away and adds for certain."""
    lost, gained = set(), set()
    for block in operator.blocks:
        if not block.condition:
            lost |= {f for f in set(block.deletes) - set(block.adds) if 2 * f in operator.precondition}
            gained |= {f for f in block.adds if 2 * f not in operator.precondition}
    return lost, gained


def groups(model: Model) -> Iterator[tuple[int, ...]]:
    """Sets closed under operators that exchange one fact for one, to which nothing else is ever done."""
    edges = [(*lost, *gained) for lost, gained in map(exchanged, model.operators) if len(lost) == len(gained) == 1]
    for first in (fact for fact in range(model.facts) if model.initial.facts[fact]):
        group = {first}
        while more := {fact for edge in edges if group & set(edge) for fact in edge} - group:
            group |= more
        alone = sum(model.initial.facts[fact] for fact in group) == 1
        if alone and all(only_exchanges(operator, group) for operator in model.operators):
            yield tuple(sorted(group))


def only_exchanges(operator: Operator, group: set[int]) -> bool:
    lost, gained = exchanged(operator)
    for block in operator.blocks:
        touched = (set(block.adds) | set(block.deletes)) & group
        kept = {f for f in touched if f in block.adds and 2 * f in operator.precondition}
        if touched and (block.condition or not touched - kept <= lost | gained):
            return False
    return len(lost & group) == len(gained & group) <= 1


def carriers(model: Model) -> list[Carrier]:
    found: list[Carrier] = []
    ranges = Ranges(model, everything=True)
    for variable, (lower, upper) in sorted(ranges.bounds.items()):
        changes = [
            (operator, block, effect)
            for operator in model.operators
            for block in operator.blocks
            for effect in block.numeric
            if effect.variable == variable
        ]
        if isinf(lower) or isinf(upper) or any(b.condition or e.form.terms for _, b, e in changes):
            continue
        first = model.initial.values[variable]
        step = gcd(*(int(e.form.constant - (first if e.assign else 0)) for _, _, e in changes))
        if step == 0 or (upper - lower) / step >= MOST_LEVELS + 1:
            continue
        levels = tuple(x for x in range(int(lower), int(upper) + 1) if (x - first) % step == 0)
        for group in groups(model):
            belongs = all(any(2 * f in operator.precondition for f in group) for operator, _, _ in changes)
            if belongs and len(group) > 1 and 1 < len(levels) <= MOST_LEVELS:
                found.append(Carrier(group, variable, levels))
    return found


def possible(model: Model, carrier: Carrier, pair: tuple[int, int], atoms: tuple[int, ...]) -> bool:
    """May the pair hold together with the atoms? What they say of the group, and of the variable alone, counts."""
    fact, level = pair
    placed = [f for f in carrier.group if 2 * f in atoms]
    if 2 * fact + 1 in atoms or (placed and fact not in placed):
        return False
    values = tuple(Fraction(level) for _ in model.initial.values)
    conditions = [c for c in map(model.condition_of, atoms) if c and c.form.variables == (carrier.variable,)]
    return all(c.holds(State((), values)) for c in conditions)


def after(carrier: Carrier, pair: tuple[int, int], operator: Operator) -> tuple[int, int]:
    fact, level = pair
    gained = [f for f in exchanged(operator)[1] if f in carrier.group]
    for block in operator.blocks:
        for effect in block.numeric:
            if effect.variable == carrier.variable:
                level = int(effect.form.constant) + (0 if effect.assign else level)
    return (gained[0] if gained else fact), level


def changed(carrier: Carrier, operator: Operator) -> bool:
    numbers = {effect.variable for block in operator.blocks for effect in block.numeric}
    return carrier.variable in numbers or bool(exchanged(operator)[1] & set(carrier.group))


def steps(model: Model, carrier: Carrier, operator: Operator) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """What an operator may do to a carrier: pairs before and after."""
    for pair in carrier.pairs:
        then = after(carrier, pair, operator)
        if possible(model, carrier, pair, operator.precondition) and then in carrier.pairs:
            yield pair, then


def joined(model: Model) -> tuple[Model, State]:
    """The task with pairs as facts behind its own, and without the facts of groups; its initial state."""
    found = carriers(model)
    in_group = {fact for carrier in found for fact in carrier.group}
    names = [(number, pair) for number, carrier in enumerate(found) for pair in carrier.pairs]
    fact_of = {name: model.facts + place for place, name in enumerate(names)}
    shift = 2 * len(names)

    def rest(atoms: tuple[int, ...]) -> list[int]:
        kept = [atom for atom in atoms if atom >= 2 * model.facts or atom // 2 not in in_group]
        return [atom + shift if atom >= 2 * model.facts else atom for atom in kept]

    def variants(operator: Operator) -> Iterator[Operator]:
        touched = [(number, carrier) for number, carrier in enumerate(found) if changed(carrier, operator)]
        choices = [
            [(fact_of[number, before], fact_of[number, then]) for before, then in steps(model, carrier, operator)]
            for number, carrier in touched
        ]
        for combination in product(*choices):
            swaps = [(before, then) for before, then in combination if before != then]
            needs = rest(operator.precondition) + [2 * b for b, _ in swaps] + [2 * a + 1 for _, a in swaps]
            blocks = [
                replace(
                    block,
                    condition=tuple(rest(block.condition)) if block.condition else (),
                    adds=tuple(set(block.adds) - in_group),
                    deletes=tuple(set(block.deletes) - in_group),
                )
                for block in operator.blocks
            ]
            extra = Block((), tuple(a for _, a in swaps), tuple(b for b, _ in swaps), ())
            yield Operator(tuple(needs), (extra, *blocks), operator.cost)

    made = copy.copy(model)
    made.facts = model.facts + len(names)
    made.operators = [variant for operator in model.operators for variant in variants(operator)]
    impossible = [
        2 * fact_of[number, pair] + 1 for number, pair in names if not possible(model, found[number], pair, model.goal)
    ]
    made.goal = (*rest(model.goal), *impossible)
    own = tuple(truth and fact not in in_group for fact, truth in enumerate(model.initial.facts))
    pairs = tuple(found[number].holds(pair, model.initial) for number, pair in names)
    made.initial = State(own + pairs, model.initial.values)
    return made, made.initial


def lowered_once(model: Model, ranges: Ranges, operator: Operator, conditions: list[Condition]) -> Row:
    """As `lowered`, but what several blocks may do to a fact happens once."""
    row = lowered(model, ranges, replace(operator, blocks=tuple(map(numbers_only, operator.blocks))), conditions)
    done = {
        (2 * fact + added, not block.condition and 2 * fact + added in operator.precondition)
        for block in operator.blocks
        for added, facts in enumerate((set(block.deletes) - set(block.adds), set(block.adds)))
        for fact in facts
    }
    for atom, certain in done:
        row[atom] += 1
        row[atom ^ 1] -= certain
    return row


def numbers_only(block: Block) -> Block:
    return replace(block, adds=(), deletes=())


def flow(model: Model, state: State, options: Options) -> Evaluation:
    if not model.exact:
        return goal_count(model, state, options)
    contradiction = any(atom ^ 1 in model.goal for atom in model.goal if atom < 2 * model.facts)
    if state != model.initial or contradiction:  # of which the core sees one half
        return Evaluation(Fraction(0), ambiguous=True)
    made, initial = joined(model)
    ranges = Ranges(made)
    conditions = weighted(made, ranges, Ranges(made, everything=True))
    rows = [lowered_once(made, ranges, operator, conditions) for operator in made.operators]
    value = maximum(objective(made, initial, conditions), rows, [Fraction(1)] * len(rows))
    # a solution that grows without a limit is a proof that there is no plan, if it passes the check in integers
    return Evaluation(INFINITY, ambiguous=True) if value is None else Evaluation(max(Fraction(0), value))
