"""Which variables have a last value, and that it is just beyond whatever a condition looks at."""

from __future__ import annotations

import pytest

from numbat.analyse.saturation import last_values
from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Description, Op

TICK = Op("tick", [], ["x += 3"])
DROP = Op("drop", [], ["x -= 3"])


def found(task: GroundedTask) -> list[tuple[str, int, int]]:
    last = last_values(task)
    names = [task.variable_names[v].strip("()") for v in last.variable.tolist()]
    return list(zip(names, last.rises.tolist(), last.value.tolist(), strict=True))


def counter(operator: Op, *goal: str, start: int = 0) -> GroundedTask:
    count = Op("count", ["y <= 2"], ["y += 1"])
    return Description({"p": False}, {"x": start, "y": 0}, [operator, count], [*goal]).task()


@pytest.mark.parametrize(
    ("operator", "goal", "start", "expected"),
    [
        (TICK, ["x >= 7"], 0, ("x", 1, 9)),
        (TICK, ["x > 7"], 0, ("x", 1, 9)),
        (TICK, ["2*x >= 7"], 0, ("x", 1, 5)),
        (TICK, ["p"], 5, ("x", 1, 6)),
        (TICK, ["x >= -7"], 5, ("x", 1, 6)),
        (DROP, ["x <= -7"], 0, ("x", 0, -8)),
        (DROP, ["2*x <= -7"], 0, ("x", 0, -5)),
        (DROP, ["p"], 5, ("x", 0, 4)),
    ],
)
def test_the_last_value_is_beyond_every_threshold(
    operator: Op, goal: list[str], start: int, expected: tuple[str, int, int]
) -> None:
    assert expected in found(counter(operator, *goal, start=start))


@pytest.mark.parametrize(
    "operator",
    [
        Op("back", [], ["x -= 1"]),
        Op("leap", [], ["x += 2*x"]),
        Op("read", [], ["y += x"]),
        Op("reset", [], ["x := 0"]),
        Op("compare", ["x - y >= 5"], ["y += 1"]),
        Op("pay", [], ["p"], cost="x"),
    ],
    ids=["both ways", "by itself", "read by an effect", "assigned", "compared with another", "paid for"],
)
def test_numbers_that_may_matter_again_have_none(operator: Op) -> None:
    task = Description({"p": False}, {"x": 0, "y": 0}, [TICK, operator], ["p", "x >= 3"]).task()
    assert "x" not in [name for name, _, _ in found(task)]


def test_a_task_that_is_not_exact_has_none() -> None:
    description = Description({"p": False}, {"x": 0}, [TICK], ["x >= 7"])
    assert found(description.task()) and not found(description.task(exact=False))


def test_what_the_core_does_not_keep_is_none() -> None:
    huge = 2**63 - 1
    task = counter(TICK, "x >= 7")
    task.init_values[0] = huge
    assert "x" not in [name for name, _, _ in found(task)]
