"""Landmarks, the orders between them, and h_lm along ways through states.

Definition   docs/heuristics.md 11
In, out      Model → Landmarks; (Landmarks, the states of a way) → what is past; past and state → what is to come
Guarantee    labels are sets of atoms closed under implication; they start with everything and shrink until nothing
             changes. What is past on a way is computed from the whole way
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count

from tests.oracles.fact_groups import FactGroups
from tests.oracles.heuristics import Evaluation, Options
from tests.oracles.optimal import Action, achieves, actions
from tests.oracles.ranges import Ranges
from tests.oracles.states import Condition, Model, State

MOST = 2048
FARTHEST, SCALE = 255, 256


def stronger_or_equal(one: Condition, two: Condition) -> bool:
    """Does `one` imply `two`, seen by their forms: one a positive multiple of the other, up to the constant?"""
    if one.form.variables != two.form.variables:
        return False
    ratios = {b / a for (_, a), (_, b) in zip(one.form.terms, two.form.terms, strict=True)} or {Fraction(1)}
    if len(ratios) > 1 or min(ratios) < 0:
        return False
    slack = two.form.constant - ratios.pop() * one.form.constant
    return slack > 0 or (slack == 0 and (one.strict or not two.strict))


class Landmarks:
    def __init__(self, model: Model, *, direct: bool = False) -> None:
        """direct: what the achievers need themselves, instead of labels."""
        self.model, self.direct = model, direct
        self.all_atoms = range(2 * model.facts + len(model.conditions) + len(model.disjunctions))
        self.initial = {atom for atom in self.all_atoms if model.holds(atom, model.initial)}
        self.implied = {atom: self._implied(atom) for atom in self.all_atoms}
        self.achievers = self._achievers()
        self.labels = self._labels()
        self.atoms = self._landmarks()
        self.goals = {a for a in self.atoms if a in model.goal}
        self.orders = {(a, b) for a in self.atoms for b in self.atoms if a != b and a in self.needs(b)}
        self.strongest_needs = {atom: self._strongest(self.common_needs(atom)) for atom in self.all_atoms}
        self.groups = self._groups()
        self.in_the_way = {(a, b) for a in self.goals for b in self.goals if self._in_the_way(a, b)}
        self.reasonable_orders = self._reasonable_orders()

    def _implied(self, atom: int) -> frozenset[int]:
        """With the atom itself."""
        condition = self.model.condition_of(atom)
        if condition is None:
            return frozenset({atom})
        others = {other: self.model.condition_of(other) for other in self.all_atoms}
        return frozenset(a for a, other in others.items() if other is not None and stronger_or_equal(condition, other))

    def close(self, atoms: Iterable[int]) -> frozenset[int]:
        return frozenset(implied for atom in atoms for implied in self.implied[atom])

    # --- who achieves what ---

    def ways(self, atom: int) -> list[tuple[tuple[int, ...], Action | None]]:
        """What must hold for the atom to be achieved, and by which action; none achieves a disjunction."""
        if atom >= 2 * self.model.facts + len(self.model.conditions):
            return [(part, None) for part in self.model.parts_of(atom)]
        ranges = Ranges(self.model, known=False)
        return [(act.needs, act) for act in actions(self.model) if achieves(self.model, ranges, act, atom)]

    def _achievers(self) -> dict[int, list[tuple[tuple[int, ...], Action | None]]]:
        """Those that can be reached."""
        all_ways = {atom: self.ways(atom) for atom in self.all_atoms}
        reached: set[int] = set()
        now = self.initial
        while now != reached:
            reached = now
            now = reached | {a for a in self.all_atoms if any(set(needs) <= reached for needs, _ in all_ways[a])}
        return {a: [way for way in all_ways[a] if set(way[0]) <= reached] for a in self.all_atoms}

    # --- labels ---

    def _labels(self) -> dict[int, frozenset[int]]:
        everything = frozenset(self.all_atoms)
        now = {a: self.implied[a] if a in self.initial else everything for a in self.all_atoms}
        before: dict[int, frozenset[int]] = {}
        while now != before:
            before = now
            now = {a: before[a] if a in self.initial else self._label(a, before) for a in self.all_atoms}
        return now

    def _label(self, atom: int, labels: dict[int, frozenset[int]]) -> frozenset[int]:
        entries = [frozenset(p for a in needs for p in labels[a]) for needs, _ in self.achievers[atom]]
        return self.implied[atom] | (frozenset.intersection(*entries) if entries else frozenset())

    def common_needs(self, atom: int) -> frozenset[int]:
        """What all achievers need."""
        entries = [self.close(needs) for needs, _ in self.achievers[atom]]
        return frozenset.intersection(*entries) if entries else frozenset()

    def needs(self, atom: int) -> frozenset[int]:
        return frozenset() if atom in self.initial else self.common_needs(atom)

    # --- landmarks ---

    def _strongest(self, atoms: frozenset[int]) -> list[int]:
        """Those that no other one implies; of those that imply each other the first."""
        return [
            a
            for a in sorted(atoms)
            if not any(a in self.implied[b] and (b < a or b not in self.implied[a]) for b in atoms)
        ]

    def _landmarks(self) -> list[int]:
        found: list[int] = []

        def add(atom: int) -> None:
            equivalent = any(atom in self.implied[a] and a in self.implied[atom] for a in found)
            if not equivalent and (atom not in self.initial or self.falsifiable(atom)) and len(found) < MOST:
                found.append(atom)

        for atom in self.model.goal:
            add(atom)
        for atom in found:
            if atom not in self.initial:
                for other in self._strongest(self.needs(atom) if self.direct else self.labels[atom]):
                    add(other)
        return found

    def falsifiable(self, atom: int) -> bool:
        blocks = [block for operator in self.model.operators for block in operator.blocks]
        if atom < 2 * self.model.facts:
            return any(atom // 2 in (block.adds if atom % 2 else block.deletes) for block in blocks)
        condition = self.model.condition_of(atom)
        if condition is None:
            return any(self.falsifiable(other) for part in self.model.parts_of(atom) for other in part)
        weights = dict(condition.form.terms)
        effects = [effect for block in blocks for effect in block.numeric if effect.variable in weights]
        return any(e.assign or e.form.terms or weights[e.variable] * e.form.constant < 0 for e in effects)

    # --- which goals had better come first ---

    def _groups(self) -> list[frozenset[int]]:
        reached = {act for atom in self.all_atoms for _, act in self.achievers[atom] if act is not None}
        groups = FactGroups(self.model, [action for action in actions(self.model) if action in reached])
        for atom in sorted(self.goals):
            if atom < 2 * self.model.facts and atom % 2 == 0:
                groups.find(atom // 2)
        return groups.found

    def exclude(self, one: int, two: int) -> bool:
        """Is it known that two atoms do not hold together?"""
        if max(one, two) >= 2 * self.model.facts or one == two:
            return False
        return one == two ^ 1 or (one % 2 == two % 2 == 0 and any({one // 2, two // 2} <= g for g in self.groups))

    def _in_the_way(self, one: int, two: int) -> bool:
        """Does every achiever of `one` need or make true what excludes `two`?"""

        def touched(needs: tuple[int, ...], action: Action | None) -> list[int]:
            block = action.block if action else None
            added = [2 * fact for fact in block.adds] if block else []
            deleted = [2 * fact + 1 for fact in block.deletes if fact not in block.adds] if block else []
            return [*needs, *added, *deleted]

        achievers = [touched(*way) for way in self.achievers[one]]
        return bool(achievers) and all(any(self.exclude(atom, two) for atom in atoms) for atoms in achievers)

    def _reasonable_orders(self) -> set[tuple[int, int]]:
        orders: set[tuple[int, int]] = set()

        def precedes(one: int, two: int) -> bool:
            return any(b == two and (a == one or precedes(one, a)) for a, b in orders)

        for two in sorted(self.goals):
            for one in sorted(self.goals):
                if (one, two) in self.in_the_way and (two, one) not in self.in_the_way and not precedes(two, one):
                    orders.add((one, two))
        return orders

    # --- states ---

    def holding(self, state: State) -> frozenset[int]:
        return frozenset(atom for atom in self.atoms if self.model.holds(atom, state))

    def is_next(self, goal: int, state: State) -> bool:
        return all(self.in_place(one, state) for one, two in self.reasonable_orders if two == goal)

    def in_place(self, goal: int, state: State) -> bool:
        return self.model.holds(goal, state) and self.is_next(goal, state)

    def to_come(self, past: frozenset[int], state: State) -> frozenset[int]:
        missing = set(self.atoms) - self.holding(state)
        again = set() if self.reasonable_orders else {a for a, b in self.orders if b not in past} & missing
        return frozenset({g for g in self.goals if not self.in_place(g, state)} | again | (set(self.atoms) - past))

    def distance(self, atom: int, state: State) -> int:
        """How many atoms that do not hold are seen to be needed for this one, with itself."""
        needed: set[int] = set()
        found = {atom}
        while found:
            needed |= found
            found = {other for a in needed for other in self.requires(a, state)} - needed
        return len(needed)

    def requires(self, atom: int, state: State) -> set[int]:
        """What has to come true before an atom that does not hold."""
        required = set(self.strongest_needs[atom])
        if atom < 2 * self.model.facts and atom % 2 == 0:
            others = {fact for group in self.groups if atom // 2 in group for fact in group}
            required |= {2 * fact + 1 for fact in others if state.facts[fact]}
        return {other for other in required if not self.model.holds(other, state)}

    def value(self, past: frozenset[int], state: State) -> Fraction:
        to_come = self.to_come(past, state)
        open_ones = to_come - self.holding(state)
        following = [a for a in open_ones if a not in self.goals or self.is_next(a, state)]
        nearest = min((self.distance(atom, state) for atom in following), default=0)
        return len(to_come) + Fraction(min(nearest, FARTHEST), SCALE)

    def preferred(self, past: frozenset[int], state: State) -> list[int]:
        following = [a for a in self.to_come(past, state) if a not in self.goals or self.is_next(a, state)]
        ways = [way for atom in following for way in self.achievers[atom]]
        return sorted({w.operator for needs, w in ways if w is not None and self.model.all_hold(needs, state)})


@lru_cache(maxsize=64)
def landmarks_of(model: Model) -> Landmarks:
    return Landmarks(model)


def landmark_count(model: Model, state: State, options: Options) -> Evaluation:
    """h_lm of a state without a history."""
    landmarks = landmarks_of(model)
    return Evaluation(landmarks.value(landmarks.holding(state), state))


@dataclass
class Node:
    plan: list[int]
    past: frozenset[int]


def greedy_search(model: Model, *, second_ways: bool = True) -> tuple[str, int, list[int]]:
    """S(hlm), first in, first out: (status, states evaluated, plan)."""
    landmarks, numbers, evaluated = Landmarks(model), count(), 0
    nodes: dict[State, Node] = {}
    queue: list[tuple[Fraction, int, State]] = []

    def reach(state: State, plan: list[int], before: frozenset[int]) -> bool:
        nonlocal evaluated
        past = before | landmarks.holding(state)
        if state in nodes:
            if second_ways:
                nodes[state].past &= past
            return False
        nodes[state] = Node(plan, past)
        if model.is_goal(state):
            return True
        evaluated += 1
        heapq.heappush(queue, (landmarks.value(past, state), next(numbers), state))
        return False

    if reach(model.initial, [], frozenset()):
        return "solved", evaluated, []
    while queue:
        _, _, state = heapq.heappop(queue)
        for operator in model.enabled(state):
            successor = model.apply(operator, state)
            plan = [*nodes[state].plan, operator]
            if successor is not None and reach(successor, plan, nodes[state].past):
                return "solved", evaluated, plan
    return "exhausted-complete", evaluated, []
