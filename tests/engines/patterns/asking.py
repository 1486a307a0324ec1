"""Questions to the encoder: does a pattern, repeated so often, reach the goal?"""

from __future__ import annotations

from collections.abc import Sequence

from numbat.engines.patterns.backends import load
from numbat.engines.patterns.decode import Step, decode, replay
from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import Size
from numbat.engines.patterns.layers import Dependencies, Relaxation
from numbat.engines.patterns.reduce import Model, reduce
from numbat.task.grounded import GroundedTask


def steps_of(
    task: GroundedTask, copies: int, *, order: Sequence[int] | None = None, repeat: bool = True, solver: str = "cpsat"
) -> list[Step] | None:
    """A plan within so many copies of the pattern (all actions in this order); it has been replayed. None if unsat."""
    model = reduce(task)
    encoder = Encoder(model, model.initial, Relaxation(Dependencies(model), model.initial), Size(), repeat=repeat)
    for _ in range(copies):
        encoder.extend(order if order is not None else range(len(model.actions)))
    encoder.require(model.goal)
    answer = load(solver).solve(encoder.formula, 60.0)
    if answer.status != "sat":
        assert answer.status == "unsat"
        return None
    steps = decode(encoder.positions, answer.values)
    check(model, steps)
    return steps


def check(model: Model, steps: Sequence[Step]) -> None:
    end = replay(model, steps, model.initial)
    assert end is not None, f"not applicable: {steps}"
    assert model.holds(model.goal, end), f"misses the goal: {steps}"


def copies_needed(task: GroundedTask, most: int, **options: object) -> int | None:
    """The smallest number of copies with a plan, None if there is none up to `most`."""
    return next((n for n in range(1, most + 1) if steps_of(task, n, **options) is not None), None)  # type: ignore[arg-type]
