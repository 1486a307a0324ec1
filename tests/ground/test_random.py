"""Random tasks: the grounded arrays do what the reference does, or the task is refused for a reason that is there."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.errors import InputError
from numbat.ground import ground_with_report
from tests.ground.arrays import check_arrays
from tests.ground.lockstep import Lockstep
from tests.ground.random_tasks import TaskMaker


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_same_states(seed: int) -> None:
    lifted = TaskMaker(seed).task()
    try:
        grounded, report = ground_with_report(lifted)
    except InputError as error:
        assert "the metric reads" in str(error) and lifted.metric is not None
        return
    check_arrays(grounded)
    if grounded.exact:
        Lockstep(lifted, grounded, costs=report.costs_exact).run(depth=3, most=20)
