"""Random tasks: the grounded arrays do what the reference does, or the task is refused for a reason that is there."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, assume, given, settings

from planner.errors import InputError, UnsupportedFeature
from planner.ground import ground
from planner.task.lifted import LiftedTask
from tests.ground.lockstep import Lockstep
from tests.ground.random_tasks import lifted_tasks


@settings(max_examples=3000, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck))
@given(lifted_tasks())
def test_same_states(lifted: LiftedTask) -> None:
    try:
        grounded = ground(lifted)
    except UnsupportedFeature:
        assume(False)
    except InputError:
        assert lifted.metric is not None
        assume(False)
    Lockstep(lifted, grounded).run(depth=3, most=30)
