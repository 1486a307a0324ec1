"""A relaxed plan carried out in the task itself, as far as that is possible.

Definition   docs/heuristics.md 6.2
             carry_out  steps in the plan's order, again and again; what destroys a fact that another step needs waits
                        until nothing else can be done; then one step is replaced by one with the same purpose
             carry_out_in_turn  each step, or else one with the same purpose, before the next, again and again
In, out      (Model, steps as (operator, repetitions, atom), state) → (steps as (operator, repetitions), state)
Guarantee    repeated steps stop where they are not applicable any more, and in a goal state
"""

from __future__ import annotations

from tests.oracles.states import Model, State

Planned = tuple[int, int, int]


class Way:
    """Where one has come to from a state, and by which steps."""

    def __init__(self, model: Model, state: State) -> None:
        self.model, self.state = model, state
        self.steps: list[tuple[int, int]] = []

    def take(self, operator: int, repetitions: int) -> int:
        """How often it was applied."""
        done = 0
        while done < repetitions and not (done and self.at_goal()) and operator in self.model.enabled(self.state):
            after = self.model.apply(operator, self.state)
            if after is None:
                break
            self.state, done = after, done + 1
        if done:
            self.steps.append((operator, done))
        return done

    def at_goal(self) -> bool:
        return self.model.is_goal(self.state)

    def another(self, atom: int) -> int | None:
        """The first applicable operator that makes a false fact true."""
        fact, negative = divmod(atom, 2)
        if not 0 <= atom < 2 * len(self.state.facts) or negative or self.state.facts[fact]:
            return None
        for operator in self.model.enabled(self.state):
            blocks = [block for block in self.model.operators[operator].blocks if not block.condition]
            if any(fact in block.adds for block in blocks):
                return operator
        return None


def carry_out_in_turn(model: Model, plan: list[Planned], state: State) -> tuple[list[tuple[int, int]], State]:
    way, left, some = Way(model, state), list(plan), True
    while some:
        some, waiting = False, left
        left = []
        for operator, repetitions, atom in waiting:
            if way.at_goal():
                break
            if model.all_hold(model.operators[operator].precondition, way.state):
                done = way.take(operator, repetitions)
                if done < repetitions:
                    left.append((operator, repetitions - done, atom))
            else:
                other = way.another(atom)
                done = 0 if other is None else way.take(other, 1)
                if not done:
                    left.append((operator, repetitions, atom))
            some = some or done > 0
    return way.steps, way.state


def carry_out(model: Model, plan: list[Planned], state: State) -> tuple[list[tuple[int, int]], State]:
    way, left = Way(model, state), list(plan)

    def needed(but: int) -> set[int]:
        return {atom for i, step in enumerate(left) if i != but for atom in model.operators[step[0]].precondition}

    def destroys(i: int) -> bool:
        wanted = needed(i)
        blocks = [block for block in model.operators[left[i][0]].blocks if not block.condition]
        return any(2 * f in wanted for b in blocks for f in b.deletes) or any(
            2 * f + 1 in wanted for b in blocks for f in b.adds
        )

    def take_at(i: int) -> bool:
        operator, repetitions, atom = left[i]
        done = way.take(operator, repetitions)
        left[i] = (operator, repetitions - done, atom)
        return done > 0

    def pass_through(*, harmless: bool) -> bool:
        some = False
        i = 0
        while i < len(left):
            possible = left[i][0] in model.enabled(way.state) and not way.at_goal() and (harmless or not some)
            if possible and not (harmless and destroys(i)) and take_at(i):
                some = True
                if left[i][1] == 0:
                    del left[i]
                    continue
            i += 1
        return some

    def replace() -> bool:
        for i, (_, _, atom) in enumerate(left):
            operator = way.another(atom)
            if operator is not None:
                del left[i]
                return way.take(operator, 1) > 0
        return False

    while left and not way.at_goal():
        if not (pass_through(harmless=True) or pass_through(harmless=False) or replace()):
            break
    return way.steps, way.state
