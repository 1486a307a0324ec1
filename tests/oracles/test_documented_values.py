"""The oracles give the values docs/heuristics.md works out by hand: E1 to E16 for heuristics, N1, N2 for novelty."""

from __future__ import annotations

import pytest

from tests.oracles.examples import EXAMPLES, METRIC, Example, rescaled
from tests.oracles.heuristics import Options, oracles
from tests.oracles.novelty import NoveltyOracle, record_index
from tests.oracles.sequences import N1, N2, RECORDS, Sequence
from tests.oracles.states import Model

ORACLES = oracles()
CASES = [pytest.param(example, id=example.name) for example in EXAMPLES]


@pytest.mark.parametrize("example", CASES)
@pytest.mark.parametrize("heuristic", EXAMPLES[0].tuned)
def test_value(example: Example, heuristic: str) -> None:
    model = Model(example.task)
    for options, expected in [(Options(), example.tuned), (Options(compat=True), example.compat)]:
        assert ORACLES[heuristic](model, model.initial, options).value == expected[heuristic]


@pytest.mark.parametrize("example", CASES)
def test_helpful_actions_and_jumps(example: Example) -> None:
    model = Model(example.task)
    tuned = ORACLES["hmrp"](model, model.initial, Options())
    assert tuned.helpful == example.operator_set(example.helpful)
    assert tuned.jumps == example.jump_set(example.jumps)
    compat = ORACLES["hmrp"](model, model.initial, Options(compat=True))
    if example.compat_helpful is not None:
        assert compat.helpful == example.operator_set(example.compat_helpful)
    if example.compat_jumps is not None:
        assert compat.jumps == example.jump_set(example.compat_jumps)


@pytest.mark.parametrize("heuristic", ["hadd", "hradd", "hmrp"])
@pytest.mark.parametrize("compat", [False, True])
def test_metric_costs_of_e15(heuristic: str, compat: bool) -> None:
    model = Model(METRIC.task())
    assert ORACLES[heuristic](model, model.initial, Options(compat, metric_cost=True)).value == 7


@pytest.mark.parametrize("example", CASES)
@pytest.mark.parametrize("heuristic", EXAMPLES[0].tuned)
def test_values_in_other_scales(example: Example, heuristic: str) -> None:
    for other in rescaled(example):
        model = Model(other.task)
        assert ORACLES[heuristic](model, model.initial, Options()).value == other.tuned[heuristic]


def test_jump_of_e10_is_not_applicable_in_full() -> None:
    model = Model(next(e for e in EXAMPLES if e.name == "E10").task)
    burn, refuel, setz = range(3)
    assert model.replay([burn, burn]) is None
    last = model.replay([setz, burn, refuel, burn])
    assert last is not None and model.is_goal(last)
    assert model.shortest_plan_length(1000) == 4


@pytest.mark.parametrize("sequence", [N1, N2])
def test_novelty_sequences(sequence: Sequence) -> None:
    for (feature, measure, k), expected in sequence.expected.items():
        oracle = NoveltyOracle(sequence.states[0], feature, measure, k)
        assert [oracle.value(s, h) for s, h in zip(sequence.states, sequence.h, strict=True)] == expected


def test_features_of_n1() -> None:
    oracle = NoveltyOracle(N1.states[0], "B", "QB", 1)
    rows = [dict(oracle.features(state, list(N1.states[: position + 1]))) for position, state in enumerate(N1.states)]
    assert [row[1] for row in rows] == [0, 1, 0, 2, 2, 2, 2]  # x
    assert [row[2] for row in rows] == [0, 0, 0, -1, 0, 0, 0]  # y
    assert [0 in row for row in rows] == [False, False, True, False, False, True, True]  # p


def test_records() -> None:
    values = [value for value, _ in RECORDS]
    assert [record_index(values[: i + 1], values[0], v) for i, v in enumerate(values)] == [b for _, b in RECORDS]
