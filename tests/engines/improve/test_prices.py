"""Prices are the costs in exact integers, or one for each action where there are none of moderate size."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.engines.improve.prices import LARGEST_PRICE, prices
from numbat.ground.costs import in_one_unit
from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Description, Op


def costing(*costs: Fraction, coefficient: str = "0") -> GroundedTask:
    """A task with an action for each of the costs, to which the first adds coefficient * x."""
    ops = [Op(f"up{number}", [], ["x += 1"], 1 if number else f"1 + {coefficient}*x") for number in range(len(costs))]
    task = Description({}, {"x": 1}, ops, ["x >= 3"]).task()
    whole = in_one_unit(costs, [Fraction(coefficient)] * len(task.cost_term_variable))
    return replace(
        task,
        cost_constant=np.array(list(map(float, costs))),
        cost_whole=whole.constants,
        cost_term_whole=whole.coefficients,
        cost_unit=whole.unit,
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.fractions(-1000, 1000, max_denominator=10**3), min_size=1, max_size=3))
def test_prices_are_multiples_of_one_unit(costs: list[Fraction]) -> None:
    found = prices(costing(*costs), nonnegative=False)["constant"].tolist()
    assert len({Fraction(price) / cost for price, cost in zip(found, costs, strict=True) if cost}) <= 1
    assert [np.sign(price) for price in found] == [np.sign(cost) for cost in costs]


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        (("3", "6"), [3, 6]),
        (("1/2", "1/3"), [3, 2]),
        (("0.1234567", "0.7654321"), [1234567, 7654321]),
        ((str(LARGEST_PRICE), "1"), [LARGEST_PRICE, 1]),
        ((str(LARGEST_PRICE + 1), "1"), [1, 1]),
        ((str(2**80), "1"), [1, 1]),
    ],
)
def test_constants(costs: tuple[str, ...], expected: list[int]) -> None:
    assert prices(costing(*map(Fraction, costs)), nonnegative=True)["constant"].tolist() == expected


def test_coefficients_share_the_unit_of_the_constants() -> None:
    found = prices(costing(Fraction(1, 6), Fraction(2), coefficient="0.25"), nonnegative=True)
    assert (found["constant"].tolist(), found["coefficient"].tolist()) == ([2, 24], [3])
    found = prices(costing(Fraction(1), coefficient="0.12345678"), nonnegative=True)
    assert (found["constant"].tolist(), found["coefficient"].tolist()) == ([50000000], [6172839])
    found = prices(costing(Fraction(1), coefficient=f"{2**62}"), nonnegative=True)
    assert (found["constant"].tolist(), found["coefficient"].tolist()) == ([1], [])
