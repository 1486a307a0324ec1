"""The whole search on random small tasks: every plan is one, short plans are found, proofs are proofs."""

from __future__ import annotations

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from numbat.engines.patterns.backends import load
from numbat.engines.patterns.formula import Size
from numbat.engines.patterns.reduce import reduce
from numbat.engines.patterns.search import Ending, PatternSearch, Solved, Unsolvable
from numbat.task.grounded import GroundedTask
from tests.oracles.patterns import shortest_plan_within
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model

DEPTH = 6


def search(task: GroundedTask, positions: int) -> Ending:
    patterns = PatternSearch(reduce(task), load("cpsat"), Size(positions=positions), lambda _: None)
    ending = patterns.run()
    assert patterns.mistakes == 0
    return ending


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(tasks(exact=True), tasks(exact=True, bounded=True)))
def test_short_plans_are_found(task: GroundedTask) -> None:
    oracle = Model(task)
    shortest = shortest_plan_within(oracle, DEPTH, 3000)
    # enough positions for DEPTH copies of the pattern after any number of steps, if there is something to find
    ending = search(task, 2000 if shortest is not None else 40)
    event(f"{type(ending).__name__}, shortest {shortest}")
    if isinstance(ending, Solved):
        end = oracle.replay(ending.operators)
        assert end is not None and oracle.is_goal(end)
    assert shortest is None or isinstance(ending, Solved)
    assert not (isinstance(ending, Unsolvable) and shortest is not None)
