"""Subgoaling heuristics h_add, h_radd and h_mrp with helpful actions and jumps.

Definition   docs/heuristics.md 2 (unary actions, repetitions, cost equations), 2.5 (state-evaluated linear
             effects, tuned only), 3 (redundant sums), 4 (relaxed plans, helpful actions, jumps)
In, out      (Model, State, Options) → Evaluation
Guarantee    the costs are those of cheapest finite derivations: relaxation starts from infinity and is repeated
             until nothing changes
Not here     any order of propagation: none is needed for the values
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from tests.oracles.heuristics import INFINITY, Evaluation, Options, operator_costs
from tests.oracles.states import Block, Condition, Form, Model, NumericEffect, State, combine

Number = Fraction | float
Fold = Callable[[Iterable[Number]], Number]

DEEPEST_LEVEL = 3
LONGEST_JUMP = 10**6


@dataclass(frozen=True)
class NumericAtom:
    """A numeric condition and how far past 0 it has to be driven (1 for a strict one over integers)."""

    condition: Condition
    surplus: int
    level: int


@dataclass(frozen=True)
class UnaryAction:
    """One effect block of an operator; `block` is None for an action derived from a state-dependent effect."""

    operator: int
    precondition: tuple[int, ...]
    block: Block | None
    origin: int  # its own number, or that of the action it is derived from: ties go to the smallest


@dataclass(frozen=True)
class Achiever:
    """action makes atom true; `gain` is what one application adds to the atom's left side, None if unknown."""

    action: int
    atom: int
    gain: Form | None = None


def conjunction_sum(costs: Iterable[Number]) -> Number:
    return sum(costs, Fraction(0))


def conjunction_maximum(costs: Iterable[Number]) -> Number:
    return max(costs, default=Fraction(0))


def least_positive(form: Form) -> Fraction:
    """The smallest value above 0 that an integer form can have over integers; 0 for another form."""
    numbers = [form.constant, *(coefficient for _, coefficient in form.terms)]
    if any(number.denominator != 1 for number in numbers):
        return Fraction(0)
    return Fraction(math.gcd(*(int(number) for number in numbers)))


class Relaxation:
    """The compiled task of section 2.1, with redundant sums if asked for."""

    def __init__(self, model: Model, options: Options, *, redundant: bool = False) -> None:
        self.model, self.options, self.redundant = model, options, redundant
        self.costs = operator_costs(model, options)
        first = 2 * model.facts
        self.numeric: dict[int, NumericAtom] = {
            first + index: NumericAtom(condition, self._surplus(condition.strict), 0)
            for index, condition in enumerate(model.conditions)
        }
        first_disjunction = first + len(model.conditions)
        self.next_atom = first_disjunction + len(model.disjunctions)
        self.goal = self._extend(model.goal)
        self.parts = {
            atom: [self._extend(part) for part in model.parts_of(atom)]
            for atom in range(first_disjunction, first_disjunction + len(model.disjunctions))
        }
        blocks = [(o, operator, block) for o, operator in enumerate(model.operators) for block in operator.blocks]
        self.actions = [
            UnaryAction(o, self._extend(tuple(dict.fromkeys(operator.precondition + block.condition))), block, number)
            for number, (o, operator, block) in enumerate(blocks)
        ]
        self.achievers: list[Achiever] = []
        self._add_fact_achievers()
        self._add_numeric_achievers()

    # --- atoms ---

    def _surplus(self, strict: bool) -> int:
        return 1 if strict and self.model.exact and not self.options.compat else 0

    def _numeric_atom(self, atom: NumericAtom) -> int:
        """The id of an atom with this form, strictness and surplus; a new one if there is none."""
        for known, other in self.numeric.items():
            same = (other.condition.form, other.condition.strict) == (atom.condition.form, atom.condition.strict)
            if same and other.surplus == atom.surplus:
                return known
        self.numeric[self.next_atom] = atom
        self.next_atom += 1
        return self.next_atom - 1

    def _extend(self, conjunction: tuple[int, ...]) -> tuple[int, ...]:
        """The conjunction with the sums of all pairs of its numeric atoms (h_radd), or as it is."""
        if not self.redundant:
            return conjunction
        sums = []
        for one, two in combinations([self.numeric[a].condition for a in conjunction if a in self.numeric], 2):
            weights = (one.unit, two.unit)
            if self.model.exact:  # integers in the same proportion
                weights = (Fraction((one.unit / two.unit).numerator), Fraction((one.unit / two.unit).denominator))
            form = combine(zip(weights, (one.form, two.form), strict=True))
            if len(form.terms) + (form.constant != 0) >= 2:
                condition = Condition(form, one.strict and two.strict, Fraction(1))
                sums.append(self._numeric_atom(NumericAtom(condition, 0, 0)))
        return tuple(dict.fromkeys([*conjunction, *sums]))

    def holds(self, atom: int, state: State) -> bool:
        numeric = self.numeric.get(atom)
        return numeric.condition.holds(state) if numeric else self.model.holds(atom, state)

    # --- who achieves what ---

    def _add_fact_achievers(self) -> None:
        for number, action in enumerate(self.actions):
            assert action.block is not None
            self.achievers += [Achiever(number, 2 * fact) for fact in set(action.block.adds)]
            deleted = set(action.block.deletes) - set(action.block.adds)
            self.achievers += [Achiever(number, 2 * fact + 1) for fact in deleted]

    def _add_numeric_achievers(self) -> None:
        """Level by level: the atoms made for the pairs of one level are the next level."""
        plain = list(enumerate(self.actions))
        done: set[int] = set()
        while todo := [atom for atom in self.numeric if atom not in done]:
            done.update(todo)
            for atom in todo:
                for number, action in plain:
                    assert action.block is not None
                    self._add_numeric_pair(number, action.block, atom)

    @staticmethod
    def _changes(block: Block, variable: int) -> list[NumericEffect]:
        """An assignment stands for all changes of its variable: they agree with it, or nothing is executed."""
        own = [effect for effect in block.numeric if effect.variable == variable]
        return [effect for effect in own if effect.assign][:1] or own

    def _add_numeric_pair(self, number: int, block: Block, atom: int) -> None:
        numeric = self.numeric[atom]
        condition = numeric.condition
        effects = [effect for v in condition.form.variables for effect in self._changes(block, v)]
        if not effects:
            return
        assigned = [effect.form for effect in effects if effect.assign]
        weights = dict(condition.form.terms)
        gain = combine((weights[effect.variable], effect.form) for effect in effects)
        varying = any(effect.form.terms for effect in effects) if self.options.compat else bool(gain.terms)
        if assigned and not self.options.compat and len(weights) == 1 and not assigned[0].terms:
            reached = weights[effects[0].variable] * assigned[0].constant + condition.form.constant
            if reached > 0 or (reached == 0 and not condition.strict):
                self.achievers.append(Achiever(number, atom))
        elif assigned or (varying and (self.options.compat or numeric.level == DEEPEST_LEVEL)):
            self.achievers.append(Achiever(number, atom))
        elif varying:
            self._add_derived(number, atom, gain)
        elif gain.constant > 0:
            self.achievers.append(Achiever(number, atom, gain))

    def _add_derived(self, number: int, atom: int, gain: Form) -> None:
        """A twin of the action that first asks for a positive gain."""
        positive = Condition(gain, True, Fraction(1))
        subgoal = self._numeric_atom(NumericAtom(positive, self._surplus(True), self.numeric[atom].level + 1))
        action = self.actions[number]
        self.achievers.append(Achiever(len(self.actions), atom, gain))
        precondition = tuple(dict.fromkeys([*action.precondition, subgoal]))
        self.actions.append(UnaryAction(action.operator, precondition, None, number))

    # --- costs in a state ---

    def repetitions(self, achiever: Achiever, state: State) -> Fraction:
        """How often the action is applied to make the (false) atom true."""
        if achiever.gain is None:
            return Fraction(1)
        atom = self.numeric[achiever.atom]
        gain = achiever.gain.value(state)
        needed = atom.surplus - atom.condition.form.value(state)
        if self.options.compat:
            return max(Fraction(0), needed / gain)
        if gain <= 0:
            # once the gain is positive, it is at least this
            gain = least_positive(achiever.gain) if self.model.exact else Fraction(0)
        return max(Fraction(1), needed / gain) if gain > 0 else Fraction(1)

    def repeated_cost(self, achiever: Achiever, state: State) -> Fraction:
        return self.repetitions(achiever, state) * self.costs[self.actions[achiever.action].operator]

    def atom_costs(self, state: State, fold: Fold) -> dict[int, Number]:
        """H of every atom."""
        costs: dict[int, Number] = {
            atom: Fraction(0) if self.holds(atom, state) else INFINITY for atom in range(self.next_atom)
        }
        repeated = [self.repeated_cost(achiever, state) for achiever in self.achievers]
        changed = True
        while changed:
            before = dict(costs)
            for achiever, cost in zip(self.achievers, repeated, strict=True):
                price = fold(costs[a] for a in self.actions[achiever.action].precondition) + cost
                costs[achiever.atom] = min(costs[achiever.atom], price)
            for atom, parts in self.parts.items():
                costs[atom] = min([costs[atom], *(fold(costs[a] for a in part) for part in parts)])
            changed = costs != before
        return costs


class Extraction:
    """A relaxed plan (4.2) with the helpful actions (4.3) and jumps (4.4) that come with it."""

    def __init__(self, relaxation: Relaxation, state: State, costs: dict[int, Number]) -> None:
        self.relaxation, self.state, self.costs = relaxation, state, costs
        self.visited: set[int] = set()
        self.repetitions: dict[int, set[int]] = {}
        self.tied = self.free = False
        for atom in relaxation.goal:
            self._visit(atom)

    def _visit(self, atom: int) -> None:
        if atom in self.visited:
            return
        self.visited.add(atom)
        if atom in self.relaxation.parts:
            needed = self._cheapest_part(self.relaxation.parts[atom])
        elif self.relaxation.holds(atom, self.state):
            return
        else:
            achiever = self._supporter(atom)
            action = self.relaxation.actions[achiever.action]
            count = math.ceil(self.relaxation.repetitions(achiever, self.state))
            self.repetitions.setdefault(action.operator, set()).add(count)
            needed = action.precondition
        for other in needed:
            self._visit(other)

    def _cheapest_part(self, parts: list[tuple[int, ...]]) -> tuple[int, ...]:
        sums = [conjunction_sum(self.costs[a] for a in part) for part in parts]
        best = min(sums)
        self.tied |= sums.count(best) > 1
        return parts[sums.index(best)]

    def _supporter(self, atom: int) -> Achiever:
        achievers = [a for a in self.relaxation.achievers if a.atom == atom]
        prices = [self._price(achiever) for achiever in achievers]
        best = [a for a, price in zip(achievers, prices, strict=True) if price == min(prices)]
        self.tied |= len(best) > 1
        self.free |= len(best) > 1 and any(self.relaxation.repeated_cost(a, self.state) == 0 for a in best)
        return min(best, key=lambda achiever: self.relaxation.actions[achiever.action].origin)

    def _price(self, achiever: Achiever) -> Number:
        needed = self.relaxation.actions[achiever.action].precondition
        return conjunction_maximum(self.costs[a] for a in needed) + self.relaxation.repeated_cost(achiever, self.state)

    def value(self) -> Fraction:
        return sum((max(m) * self.relaxation.costs[o] for o, m in self.repetitions.items()), Fraction(0))

    def helpful(self) -> frozenset[int]:
        wanted = {atom for atom in self.visited if not self.relaxation.holds(atom, self.state)}
        achieving = {a.action for a in self.relaxation.achievers if a.atom in wanted}
        return frozenset(
            action.operator
            for action in (self.relaxation.actions[number] for number in achieving)
            if all(self.relaxation.holds(atom, self.state) for atom in action.precondition)
        )

    def jumps(self) -> frozenset[tuple[int, int]]:
        model = self.relaxation.model
        return frozenset(
            (operator, min(min(counts), LONGEST_JUMP))
            for operator, counts in self.repetitions.items()
            if min(counts) >= 2 and model.all_hold(model.operators[operator].precondition, self.state)
        )

    def ambiguous(self) -> bool:
        """A tie with a supporter that adds no cost, or a tie and numbers that doubles cannot represent."""
        denominators = [cost.denominator for cost in self.costs.values() if isinstance(cost, Fraction)]
        return self.free or (self.tied and any(d & (d - 1) for d in denominators))


@lru_cache(maxsize=64)
def relaxation_of(model: Model, options: Options, redundant: bool) -> Relaxation:
    return Relaxation(model, options, redundant=redundant)


def additive(model: Model, state: State, options: Options) -> Evaluation:
    """h_add."""
    relaxation = relaxation_of(model, options, False)
    costs = relaxation.atom_costs(state, conjunction_sum)
    return Evaluation(conjunction_sum(costs[atom] for atom in relaxation.goal))


def cheapest_support(model: Model, state: State) -> set[int]:
    """The operators of all relaxed plans along cheapest achievers by h_add's costs."""
    relaxation = relaxation_of(model, Options(), False)
    costs = relaxation.atom_costs(state, conjunction_sum)
    found: set[int] = set()
    todo, seen = list(relaxation.goal), set(relaxation.goal)
    while todo:
        atom = todo.pop()
        if relaxation.holds(atom, state):
            continue
        needed = [other for part in relaxation.parts.get(atom, []) for other in part]
        for achiever in (a for a in relaxation.achievers if a.atom == atom):
            action = relaxation.actions[achiever.action]
            price = conjunction_sum(costs[a] for a in action.precondition) + relaxation.repeated_cost(achiever, state)
            if price == costs[atom]:
                found.add(action.operator)
                needed += action.precondition
        todo += [other for other in needed if other not in seen]
        seen.update(needed)
    return found


def redundant_additive(model: Model, state: State, options: Options) -> Evaluation:
    """h_radd."""
    relaxation = relaxation_of(model, options, True)
    costs = relaxation.atom_costs(state, conjunction_sum)
    return Evaluation(conjunction_sum(costs[atom] for atom in relaxation.goal))


def relaxed_plan(model: Model, state: State, options: Options) -> Evaluation:
    """h_mrp with helpful actions and jumps."""
    relaxation = relaxation_of(model, options, False)
    costs = relaxation.atom_costs(state, conjunction_maximum)
    if any(costs[atom] == INFINITY for atom in relaxation.goal):
        return Evaluation(INFINITY)
    plan = Extraction(relaxation, state, costs)
    return Evaluation(plan.value(), plan.helpful(), plan.jumps(), plan.ambiguous())
