"""Landmarks, the orders between them, and their count h_lm along ways through states.

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

from tests.oracles.heuristics import Evaluation, Options
from tests.oracles.optimal import Action, achieves, actions
from tests.oracles.ranges import Ranges
from tests.oracles.states import Condition, Model, State

MOST = 2048


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

    def needs(self, atom: int) -> frozenset[int]:
        """What all achievers need."""
        entries = [self.close(needs) for needs, _ in self.achievers[atom]]
        return frozenset() if atom in self.initial or not entries else frozenset.intersection(*entries)

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

    # --- states ---

    def holding(self, state: State) -> frozenset[int]:
        return frozenset(atom for atom in self.atoms if self.model.holds(atom, state))

    def to_come(self, past: frozenset[int], state: State) -> frozenset[int]:
        missing = set(self.atoms) - self.holding(state)
        required = self.goals | {a for a, b in self.orders if b not in past}
        return frozenset(atom for atom in missing if atom not in past or atom in required) | (set(self.atoms) - past)

    def preferred(self, past: frozenset[int], state: State) -> list[int]:
        ways = [way for atom in self.to_come(past, state) for way in self.achievers[atom]]
        return sorted({w.operator for needs, w in ways if w is not None and self.model.all_hold(needs, state)})


@lru_cache(maxsize=64)
def landmarks_of(model: Model) -> Landmarks:
    return Landmarks(model)


def landmark_count(model: Model, state: State, options: Options) -> Evaluation:
    """h_lm of a state without a history."""
    landmarks = landmarks_of(model)
    return Evaluation(Fraction(len(landmarks.to_come(landmarks.holding(state), state))))


@dataclass
class Node:
    plan: list[int]
    past: frozenset[int]


def greedy_search(model: Model, *, second_ways: bool = True) -> tuple[str, int, list[int]]:
    """S(hlm), first in, first out: (status, states evaluated, plan)."""
    landmarks, numbers, evaluated = Landmarks(model), count(), 0
    nodes: dict[State, Node] = {}
    queue: list[tuple[int, int, State]] = []

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
        heapq.heappush(queue, (len(landmarks.to_come(past, state)), next(numbers), state))
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
