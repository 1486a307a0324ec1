"""Groups of facts of which at most one holds in any state that is reached.

Definition   docs/heuristics.md 11.1
In, out      (Model, the actions that can be reached, fact) → the groups that grow from it
Guarantee    a group's actions are looked at anew whenever a fact joins; there is no limit to the work
"""

from __future__ import annotations

from tests.oracles.optimal import Action
from tests.oracles.states import Model


class FactGroups:
    def __init__(self, model: Model, reached: list[Action]) -> None:
        self.model, self.reached = model, reached
        self.found: list[frozenset[int]] = []

    def adds(self, action: Action) -> set[int]:
        return {fact for fact in action.block.adds if 2 * fact not in action.needs}

    def gives_up(self, action: Action) -> list[int]:
        """What it needs and deletes, and no effect of its operator adds."""
        added = {fact for block in self.model.operators[action.operator].blocks for fact in block.adds}
        return [f for f in action.block.deletes if 2 * f in action.needs and f not in added]

    def adds_with_others(self, action: Action) -> set[int]:
        """What all effects of its operator add."""
        operator = self.model.operators[action.operator]
        effects = [Action(action.operator, operator.precondition + b.condition, b) for b in operator.blocks]
        return {fact for effect in effects for fact in self.adds(effect)}

    def find(self, fact: int) -> None:
        first = next((action for action in self.reached if fact in self.adds(action)), None)
        for other in self.gives_up(first) if first else ():
            if not any({fact, other} <= group for group in self.found):
                group = self.grow(fact, other)
                if group is not None:
                    self.found.append(group)

    def grow(self, one: int, other: int) -> frozenset[int] | None:
        members = [one]
        waiting = self.joined([], members)
        if not self.possible(members, other):
            return None
        members.append(other)
        waiting = self.joined(waiting, members)
        while waiting:
            candidates = [f for f in self.gives_up(waiting[0]) if self.possible(members, f)]
            if not candidates:
                return None
            members.append(min(candidates, key=lambda f: (len(self.joined(waiting, [*members, f])), f)))
            waiting = self.joined(waiting, members)
        return frozenset(members)

    def joined(self, waiting: list[Action], members: list[int]) -> list[Action]:
        """Those who add a member and give up none, now that the last one has joined: those who did so before first."""
        new = [action for action in self.reached if members[-1] in self.adds(action)]
        return [action for action in [*waiting, *new] if not set(members) & set(self.gives_up(action))]

    def possible(self, members: list[int], fact: int) -> bool:
        initial = self.model.initial.facts
        if initial[fact] and any(initial[member] for member in members):
            return False
        adding = [action for action in self.reached if fact in self.adds(action)]
        return not any(self.adds_with_others(action) & set(members) for action in adding)
