"""Random tasks: the grounded arrays do what the reference does, or the task is refused for a reason that is there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.errors import UnsupportedFeature
from numbat.ground import ground_with_report
from numbat.normalise import lift
from tests.ground.arrays import check_arrays
from tests.ground.lockstep import Lockstep
from tests.ground.random_tasks import TaskMaker
from tests.ground.simulated import Simulated
from tests.oracles import simulator
from tests.validate.samples import write_task
from tests.validate.test_random_tasks import tasks


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_same_states(seed: int) -> None:
    lifted = TaskMaker(seed).task()
    try:
        grounded, report = ground_with_report(lifted)
    except UnsupportedFeature as error:
        assert "a metric that reads" in str(error) and lifted.metric is not None
        return
    check_arrays(grounded)
    if grounded.exact:
        Lockstep(lifted, grounded, costs=report.costs_exact).run(depth=3, most=20)


@settings(max_examples=300, deadline=None)
@given(task=tasks(lively=True))
def test_the_text_means_what_the_simulator_says(
    task: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    domain, problem = write_task(tmp_path_factory.getbasetemp(), *task)
    lifted, _ = lift(domain, problem)
    try:
        grounded, report = ground_with_report(lifted)
    except UnsupportedFeature as error:
        assert "not linear" in str(error)
        return
    check_arrays(grounded)
    if grounded.exact:
        reference = Simulated(simulator.load(domain, problem), lifted)
        Lockstep(lifted, grounded, reference, costs=report.costs_exact).run(depth=3, most=12)
