"""Numbers that go on for ever in one direction: the search sees finitely many states, and still every plan.

Which numbers these are is tested in tests/analyse/test_saturation.py.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from numbat.search.options import SearchOptions
from numbat.task.grounded import GroundedTask
from tests.core import configurations
from tests.oracles.builder import Description, Op, When
from tests.oracles.states import Model

FACTS = ["p", "q", "r"]
FAR = 40  # beyond every threshold below, by more steps than facts need


def search(task: GroundedTask) -> _core.Result:
    return configurations.search(task, "S(hgc)", SearchOptions("fifo", patience=0))


def solvable(task: GroundedTask) -> bool:
    """By breadth-first search among states whose numbers are not far out."""
    model = Model(task)
    seen, frontier = {model.initial}, [model.initial]
    while frontier:
        state = frontier.pop()
        if model.is_goal(state):
            return True
        successors = {s for o in model.enabled(state) if (s := model.apply(o, state)) is not None}
        new = {s for s in successors - seen if all(abs(value) <= FAR for value in s.values)}
        seen |= new
        frontier.extend(new)
    return False


@st.composite
def one_way_tasks(draw: st.DrawFn) -> GroundedTask:
    """Two variables, each going in one direction only, by steps of several lengths."""
    signs = {name: draw(st.sampled_from(["+=", "-="])) for name in "xy"}
    comparison = st.builds(
        lambda name, relation, number: f"{name} {relation} {number}",
        st.sampled_from("xy"),
        st.sampled_from([">=", "<=", ">", "<", "="]),
        st.integers(-4, 4),
    )
    condition = st.one_of(comparison, st.sampled_from([*FACTS, *(f"not {fact}" for fact in FACTS)]))
    change = st.sampled_from("xy").flatmap(lambda name: st.integers(1, 3).map(lambda n: f"{name} {signs[name]} {n}"))
    effect = st.one_of(change, st.sampled_from([*FACTS, *(f"not {fact}" for fact in FACTS)]))
    conditional = st.builds(When, st.lists(condition, min_size=1, max_size=1), st.lists(effect, min_size=1, max_size=1))
    effects = st.one_of(effect, conditional)
    operators = [
        Op(f"o{i}", draw(st.lists(condition, max_size=2)), _consistent(draw(st.lists(effects, min_size=1, max_size=3))))
        for i in range(draw(st.integers(1, 5)))
    ]
    goal = draw(st.lists(condition, min_size=1, max_size=3))
    return Description(dict.fromkeys(FACTS, False), {"x": 0, "y": 0}, operators, goal).task()


def _consistent(effects: list[str | When]) -> list[str | When]:
    """No two effects of an operator on one fact or variable."""
    kept: dict[str, str | When] = {}
    for effect in effects:
        text = effect if isinstance(effect, str) else effect.effects[0]
        kept[text.removeprefix("not ")[0]] = effect
    return list(kept.values())


@settings(max_examples=300, deadline=None)
@given(task=one_way_tasks())
def test_exhaustion_is_proof_and_plans_are_found(task: GroundedTask) -> None:
    result = search(task)
    assert result.status == ("solved" if solvable(task) else "exhausted-complete")
    if result.status == "solved":
        last = Model(task).replay(result.plan)
        assert last is not None and Model(task).is_goal(last)


TICK = Op("tick", [], ["x += 1"])


@pytest.mark.parametrize(
    "operators",
    [
        [TICK, Op("back", [], ["x -= 1"])],
        [TICK, Op("leap", [], ["x += 2*x"])],
        [TICK, Op("read", [], ["y += x"])],
        [TICK, Op("reset", [], ["x := 0"])],
        [TICK, Op("compare", ["x - y >= 5"], ["y += 1"])],
        [TICK, Op("pay", [], ["p"], cost="x")],
    ],
    ids=["both ways", "by itself", "read by an effect", "assigned", "compared with another", "paid for"],
)
def test_numbers_that_may_matter_again_are_kept(operators: list[Op]) -> None:
    """Nothing is forgotten, so the search goes on until its time is over."""
    task = Description({"p": False, "never": False}, {"x": 0, "y": 0}, operators, ["never", "x >= 3"]).task()
    result = configurations.search(task, "S(hgc)", SearchOptions(patience=0), time=0.2)
    assert result.status in ("out-of-time", "out-of-memory")


def test_what_is_kept_grows_with_the_thresholds() -> None:
    counts = [
        search(Description({"p": False}, {"x": 0}, [TICK], ["p", f"x >= {far}"]).task()).statistics["evaluated"]
        for far in (2, 5, 11)
    ]
    assert all(one < two for one, two in pairwise(counts))


def test_a_number_that_another_may_bring_back_is_kept() -> None:
    """Up to 6 by ones, then down by what y says: -4 is reached from there only."""
    operators = [Op("up", ["not p"], ["x += 1"]), Op("turn", [], ["p"]), Op("down", ["p"], ["x += y"])]
    task = Description({"p": False}, {"x": 0, "y": -10}, operators, ["x = -4"]).task()
    assert search(task).status == "solved"


def test_rounded_numbers_are_kept() -> None:
    """y doubles beyond 64 bits, so that the search goes on in doubles, where a threshold may have moved."""
    double = Op("double", [], ["y += y"])
    task = Description({"p": False, "never": False}, {"x": 0, "y": 1}, [TICK, double], ["never", "x >= 3"]).task()
    result = configurations.search(task, "S(hgc)", SearchOptions(patience=0), time=1.0)
    assert result.status in ("out-of-time", "out-of-memory")
