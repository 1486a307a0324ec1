"""A relaxed plan carried out in the task itself, as far as that is possible.

Definition   docs/heuristics.md 6.2: steps in the plan's order, again and again; what destroys a fact that another
             step needs waits until nothing else can be done; then one step is replaced by one with the same purpose
In, out      (Model, steps as (operator, repetitions, atom), state) → (steps as (operator, repetitions), state)
Guarantee    repeated steps stop where they are not applicable any more, and in a goal state
"""

from __future__ import annotations

from tests.oracles.states import Model, State

Planned = tuple[int, int, int]


def carry_out(model: Model, plan: list[Planned], state: State) -> tuple[list[tuple[int, int]], State]:
    left = list(plan)
    steps: list[tuple[int, int]] = []

    def take(operator: int, repetitions: int) -> int:
        """How often it was applied."""
        nonlocal state
        done = 0
        while done < repetitions and not (done and model.is_goal(state)) and operator in model.enabled(state):
            after = model.apply(operator, state)
            if after is None:
                break
            state, done = after, done + 1
        if done:
            steps.append((operator, done))
        return done

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
        done = take(operator, repetitions)
        left[i] = (operator, repetitions - done, atom)
        return done > 0

    def pass_through(*, harmless: bool) -> bool:
        some = False
        i = 0
        while i < len(left):
            possible = left[i][0] in model.enabled(state) and not model.is_goal(state) and (harmless or not some)
            if possible and not (harmless and destroys(i)) and take_at(i):
                some = True
                if left[i][1] == 0:
                    del left[i]
                    continue
            i += 1
        return some

    def replace() -> bool:
        for i, (_, _, atom) in enumerate(left):
            fact, negative = divmod(atom, 2)
            if not 0 <= atom < 2 * len(state.facts) or negative or state.facts[fact]:
                continue
            for operator in model.enabled(state):
                blocks = [block for block in model.operators[operator].blocks if not block.condition]
                if any(fact in block.adds for block in blocks):
                    del left[i]
                    return take(operator, 1) > 0
        return False

    while left and not model.is_goal(state):
        if not (pass_through(harmless=True) or pass_through(harmless=False) or replace()):
            break
    return steps, state
