"""Random small tasks with large numbers: up to 10^18, close to each other, and close to where doubles stop counting.

A task has an anchor, say 10^12 or 2^53, around which its values and thresholds lie, so that a comparison hangs on the
last digit; coefficients are small. Operators may change a variable several times, under conditions or not.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Description, Op, When
from tests.oracles.states import Model, State

ANCHORS = [0, 2**31, 10**12, 2**53, 10**18]
LARGEST = 2**62  # of the constants in an exact task
NAMES = ["x", "y"]
NEAR = st.integers(-3, 3)
COEFFICIENTS = st.sampled_from([1, 1, 2, -1, 5])

Draw = Any


def large_number(draw: Draw, anchor: int) -> int:
    return draw(st.sampled_from([0, anchor, anchor, -anchor])) + draw(NEAR)  # type: ignore[no-any-return]


def comparison(draw: Draw, values: dict[str, int]) -> str:
    """One that holds in the initial state, or nearly does or does not."""
    a, b = draw(COEFFICIENTS), draw(st.sampled_from([0, 1, -1, -5]))
    if abs(a * values["x"] + b * values["y"]) >= LARGEST:
        a, b = 1, 0
    form = f"{a}*x + {b}*y" if b else f"{a}*x"
    here = a * values["x"] + b * values["y"]
    return f"{form} {draw(st.sampled_from(['>=', '<=', '>', '<', '=']))} {here + draw(NEAR)}"


def change(draw: Draw, anchor: int) -> str:
    name, kind = draw(st.sampled_from(NAMES)), draw(st.sampled_from(["+=", "-=", ":="]))
    amount = str(large_number(draw, anchor))
    if draw(st.integers(0, 3)) == 0:
        amount = f"{draw(COEFFICIENTS)}*{draw(st.sampled_from(NAMES))} + {draw(NEAR)}"
    return f"{name} {kind} {amount}"


@st.composite
def large_tasks(draw: Draw) -> GroundedTask:
    anchor = draw(st.sampled_from(ANCHORS))
    values = {name: large_number(draw, anchor) for name in NAMES}
    operators = []
    for number in range(draw(st.integers(1, 4))):
        effects: list[str | When] = [change(draw, anchor) for _ in range(draw(st.integers(1, 2)))]
        if draw(st.booleans()):
            effects.append(When([comparison(draw, values)], [change(draw, anchor)]))
        if draw(st.booleans()):
            effects.append("p")
        conditions = [comparison(draw, values) for _ in range(draw(st.integers(0, 2)))]
        operators.append(Op(f"o{number}", conditions, effects))
    goal = [comparison(draw, values) for _ in range(draw(st.integers(1, 2)))]
    return Description({"p": False}, values, operators, ["p", *goal]).task()


def near_states(task: GroundedTask) -> st.SearchStrategy[State]:
    """States whose values differ a little from the initial ones."""
    initial = Model(task).initial
    shifts = st.tuples(*(NEAR for _ in initial.values))
    return shifts.map(lambda by: State(initial.facts, tuple(v + n for v, n in zip(initial.values, by, strict=True))))
