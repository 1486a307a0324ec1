"""Distances beyond all bounds are distances: finite, ordered, and never a dead end."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.oracles.builder import Description, Op
from tests.oracles.heuristics import Options, oracles
from tests.oracles.states import Model, State

METRIC = Options(metric_cost=True)


def chain(layers: int) -> GroundedTask:
    """Two facts per layer, each made from both of the layer before: h_add more than doubles from layer to layer."""
    facts = {f"{kind}{i}": i == 0 for i in range(layers) for kind in "ab"}
    steps = [Op(f"{k}{i}", [f"a{i - 1}", f"b{i - 1}"], [f"{k}{i}"]) for i in range(1, layers) for k in "ab"]
    return Description(facts, {}, steps, [f"a{layers - 1}", f"b{layers - 1}"]).task()


def up_to(layer: int, layers: int) -> State:
    return State(tuple(i // 2 <= layer for i in range(2 * layers)), ())


@pytest.mark.parametrize("heuristic", ["hadd", "hradd"])
def test_a_longer_chain_is_farther(heuristic: str) -> None:
    """Beyond the largest float at 128 layers, the largest double at 1024, and for long after that."""
    layers = 3000
    core = core_task(chain(layers))
    found = [evaluate(core, heuristic, up_to(layer, layers), Options()) for layer in range(0, layers, 20)]
    assert all(far.value > near.value and far.rank > near.rank for far, near in pairwise(found))
    assert math.isfinite(found[0].rank) and found[-1].value == found[-1].rank


@pytest.mark.parametrize("heuristic", sorted(oracles()))
def test_only_dead_ends_are_infinite(heuristic: str) -> None:
    task = Description({"p": False}, {"x": 0}, [Op("up", [], ["x += 1"], cost=10**39)], ["x >= 4"]).task()
    far = State((False,), (-(10**15),))
    if heuristic != "haibr":  # it would count ten thousand sweeps
        assert math.isfinite(evaluate(core_task(task), heuristic, far, METRIC).rank)
    stuck = Description({"p": False}, {"x": 0}, [Op("up", [], ["x += 1"])], ["x >= 4", "p"]).task()
    dead_end = evaluate(core_task(stuck), heuristic, Model(stuck).initial, METRIC)
    assert (dead_end.value == math.inf) == (heuristic not in ("hgc", "hmd", "hlm")) == (dead_end.rank == math.inf)


@pytest.mark.parametrize("heuristic", ["hmd", "hadd", "hradd", "hmrp"])
@pytest.mark.parametrize("distance", [10**7, 10**12, 10**15])
def test_far_goals_are_as_far_as_they_are(heuristic: str, distance: int) -> None:
    task = Description({}, {"x": 0}, [Op("up", [], ["x += 1"])], [f"x >= {distance}"]).task()
    assert evaluate(core_task(task), heuristic, Model(task).initial, Options()).value == distance


def test_the_cheapest_part_is_one_that_can_be_reached() -> None:
    """Costs that sum up to more than a double holds are still less than no way at all."""
    from tests.oracles.builder import Either

    costly = [Op("p", [], ["p"], cost=10**308), Op("q", ["p"], ["q"], cost=10**308)]
    never = Op("r", ["s"], ["r"])
    facts = dict.fromkeys("pqrs", False)
    task = Description(facts, {}, [never, *costly], [Either(["r"], ["p", "q"])]).task()
    found = evaluate(core_task(task), "hmrp", Model(task).initial, METRIC)
    assert math.isfinite(found.value) and found.helpful == [1]
