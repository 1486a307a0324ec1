"""The core on the hand-worked examples E1 to E16 of docs/heuristics.md 9."""

from __future__ import annotations

import pytest

from numbat import _core
from tests.core.bridge import core_task, evaluate
from tests.oracles.examples import EXAMPLES, METRIC, Example, rescaled
from tests.oracles.heuristics import Options, oracles
from tests.oracles.states import Model

TUNED, COMPAT = Options(), Options(compat=True)
CASES = [pytest.param(example, id=example.name) for example in EXAMPLES]


def test_every_heuristic_of_the_core_has_an_oracle() -> None:
    assert {info["name"] for info in _core.heuristics()} == set(oracles())


@pytest.mark.parametrize("example", CASES)
@pytest.mark.parametrize("heuristic", EXAMPLES[0].tuned)
def test_value(example: Example, heuristic: str) -> None:
    task, initial = core_task(example.task), Model(example.task).initial
    for options, expected in [(TUNED, example.tuned), (COMPAT, example.compat)]:
        assert evaluate(task, heuristic, initial, options).value == pytest.approx(expected[heuristic], abs=1e-9)


@pytest.mark.parametrize("example", CASES)
def test_helpful_actions_and_jumps(example: Example) -> None:
    task, initial = core_task(example.task), Model(example.task).initial
    tuned = evaluate(task, "hmrp", initial, TUNED)
    assert tuned.helpful == sorted(example.operator_set(example.helpful))
    assert tuned.jumps == sorted(example.jump_set(example.jumps))
    compat = evaluate(task, "hmrp", initial, COMPAT)
    if example.compat_helpful is not None:
        assert compat.helpful == sorted(example.operator_set(example.compat_helpful))
    if example.compat_jumps is not None:
        assert compat.jumps == sorted(example.jump_set(example.compat_jumps))


@pytest.mark.parametrize("heuristic", ["hadd", "hradd", "hmrp"])
@pytest.mark.parametrize("compat", [False, True])
def test_metric_costs_of_e15(heuristic: str, compat: bool) -> None:
    task = METRIC.task()
    evaluation = evaluate(core_task(task), heuristic, Model(task).initial, Options(compat, metric_cost=True))
    assert evaluation.value == 7


@pytest.mark.parametrize("example", CASES)
@pytest.mark.parametrize("heuristic", EXAMPLES[0].tuned)
def test_values_in_other_scales(example: Example, heuristic: str) -> None:
    for other in rescaled(example):
        found = evaluate(core_task(other.task), heuristic, Model(other.task).initial, TUNED).value
        assert found == pytest.approx(other.tuned[heuristic], abs=1e-9)


def test_long_jumps_are_capped() -> None:
    counter = next(e for e in EXAMPLES if e.name == "E1")
    model = Model(counter.task)
    far = model.initial._replace(values=(model.initial.values[0] - 10**7,))
    assert evaluate(core_task(counter.task), "hmrp", far, TUNED).jumps == [(0, 10**6)]
