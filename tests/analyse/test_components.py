"""Independent parts: found where they are, not found where something ties them, and planned for separately."""

from __future__ import annotations

from numbat.analyse.components import split
from numbat.task.grounded import GroundedTask
from tests.core.configurations import search
from tests.oracles.builder import Description, Either, Op, When
from tests.oracles.states import Model

COUNTERS = [
    Op("up-x", ["x < 9"], ["x += 1"]),
    Op("up-y", ["y < 9"], ["y += 2"]),
    Op("flip", ["not p"], ["p", When(["q"], ["not q"])]),
]


def two_counters(ops: list[Op], goal: list[object]) -> GroundedTask:
    facts = {"p": False, "q": False, "r": True}
    return Description(facts, {"x": 0, "y": 0, "z": 1}, ops, goal).task()  # type: ignore[arg-type]


def names_of(task: GroundedTask) -> list[tuple[set[str], list[str]]]:
    parts = [(set(p.task.fact_names) | set(p.task.variable_names), p.task.operator_names) for p in split(task)]
    return [(names, [name.strip("()") for name in operators]) for names, operators in parts]


def test_untied_counters_are_parts() -> None:
    task = two_counters(COUNTERS, ["x >= 3", "y = 4", "p", "r"])
    # r holds and nothing changes it: no part; q and p are tied by flip
    assert names_of(task) == [({"p", "q"}, ["flip"]), ({"x"}, ["up-x"]), ({"y"}, ["up-y"])]


def test_a_disjunction_a_condition_and_an_operator_tie() -> None:
    tied_by_goal = two_counters(COUNTERS, [Either(["x >= 3"], ["y >= 4"]), "p"])
    assert [operators for _, operators in names_of(tied_by_goal)] == [["flip"], ["up-x", "up-y"]]
    tied_by_sum = two_counters(COUNTERS, ["x + y >= 5", "p"])
    assert [operators for _, operators in names_of(tied_by_sum)] == [["flip"], ["up-x", "up-y"]]
    both = Op("both", [], ["x += 1", "y += z"])
    tied_by_effect = two_counters([*COUNTERS, both], ["x >= 3", "y >= 4"])
    assert len(names_of(tied_by_effect)) == 1


def test_one_open_part_is_the_whole_task() -> None:
    task = two_counters(COUNTERS, ["x >= 3", "y <= 4"])
    (part,) = split(task)
    assert part.task is task and part.restore_plan([2, 0, 1]) == (2, 0, 1)


def test_plans_of_the_parts_make_a_plan_of_the_whole() -> None:
    goal = [Either(["x = 3"], ["x > 6", "x < 8"]), "y = 4", "p", "not q"]
    task = two_counters(COUNTERS, goal)
    plan: list[int] = []
    for part in split(task):
        result = search(part.task, "S(hadd)", time=5.0)
        assert result.status == "solved"
        plan += part.restore_plan(result.plan)
    model = Model(task)
    last = model.replay(plan)
    assert last is not None and model.is_goal(last)
    assert len(plan) == model.shortest_plan_length(1000)
