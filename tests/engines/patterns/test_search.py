"""The whole search on random small tasks: every plan is one, short plans are found, proofs are proofs."""

from __future__ import annotations

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from numbat.engines.patterns.backends import load
from numbat.engines.patterns.formula import Size
from numbat.engines.patterns.reduce import reduce
from numbat.engines.patterns.search import GaveUp, PatternResult, PatternSearch, Solved, Unsolvable
from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Op, build
from tests.oracles.patterns import shortest_plan_within
from tests.oracles.random_tasks import tasks
from tests.oracles.states import Model

DEPTH = 6


def search(task: GroundedTask, positions: int) -> PatternResult:
    patterns = PatternSearch(reduce(task), load("cpsat"), Size(positions=positions), lambda _: None)
    ending = patterns.run()
    assert patterns.mistakes == 0
    return ending


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
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


def test_a_formula_beyond_the_gate_is_not_made() -> None:
    operators = [Op(f"set{i}", [], [f"p{i}"]) for i in range(5)]
    task = build({f"p{i}": False for i in range(5)}, {}, operators, [f"p{i}" for i in range(5)])
    assert search(task, 4) == GaveUp("the next formula is too large: more than 4 positions")
    assert search(task, 5) == Solved(tuple(range(5)))


def test_as_few_runs_as_needed() -> None:
    task = build({}, {"x": 0, "y": 0}, [Op("a", [], ["x += 1"]), Op("b", ["x >= 3"], ["y += 2"])], ["y >= 7"])
    assert search(task, 10) == Solved((0, 0, 0, 1, 1, 1, 1))


def test_dead_ends_are_left_behind() -> None:
    """The nearer subgoal costs what the other one needs, so the best state has no way on."""
    operators = [Op("burn", ["fuel >= 1"], ["fuel -= 1", "p"]), Op("drive", ["fuel >= 1"], ["fuel -= 1", "q"])]
    operators.append(Op("both", ["fuel >= 1", "not p"], ["fuel -= 1", "s"]))
    operators.append(Op("free", ["s"], ["p", "q"]))
    task = build({"p": False, "q": False, "s": False}, {"fuel": 1}, operators, ["p", "q"])
    ending = search(task, 100)
    assert isinstance(ending, Solved)
    assert ending.operators == (2, 3)
