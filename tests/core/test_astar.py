"""A* against uniform-cost search: the same optimal cost, claimed only where it is proved."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from numbat import _core
from numbat.errors import ConfigurationError
from numbat.ground.costs import whole_costs
from numbat.search.costs import integer_costs, require_integer_costs
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration, heuristics
from numbat.search.run import Limits, core_options
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task, evaluate
from tests.oracles.builder import Description, Op, When
from tests.oracles.heuristics import Options
from tests.oracles.optimal import optimal_cost, true_costs
from tests.oracles.random_tasks import tasks_with_states
from tests.oracles.states import Model, State

ADMISSIBLE = [entry["name"] for entry in heuristics() if entry["admissible"]]
CONFIGURED = [*ADMISSIBLE, "blind, hlmcut", "hpot, hmax, hlmcut"]
LARGEST_SPACE = 2000
TaskAndStates = tuple[GroundedTask, list[State]]


def search(task: GroundedTask, heuristic: str, *, bound: int = 0, ties: str = "heap") -> _core.Result:
    wanted = configuration(f"A({heuristic})").searches[0]
    limits = Limits(20.0, 1 << 28, integer_bound=bound)
    return _core.search(core_task(task), core_options(wanted, SearchOptions(ties), limits))


def exhaustive(model: Model, start: State) -> int | None:
    """The optimal cost; larger spaces are left out."""
    costs = true_costs(model)
    assert costs is not None
    try:
        return optimal_cost(model, costs, start, LARGEST_SPACE)
    except OverflowError:
        assume(False)
        raise


def cost_of(model: Model, plan: list[int]) -> int:
    costs = true_costs(model)
    assert costs is not None
    last = model.replay(plan)
    assert last is not None and model.is_goal(last)
    return sum(costs[operator] for operator in plan)


# --- the four oracles of optimal planning, and their sum as parts of one task ---

O1 = [Op("a", [], ["x += 2"], cost=4), Op("b", [], ["x += 1"], cost=3)]
O2 = [Op("a", [], ["x += 1"]), Op("b", ["x >= 5"], ["x += 9"])]
O3 = [Op("a", [], ["x := 9"]), Op("b", [], ["x += 1"])]
O4 = [Op("acc", [], ["v += 1"]), Op("go", [], ["x += v"])]
LIMITED = [Op("acc", ["v <= 2"], ["v += 1"]), Op("go", [], ["x += v"])]
FREE = [Op("a", ["x < 9"], ["x += 1"], 0), Op("b", ["x >= 4"], ["p"], 5)]
EXAMPLES = {
    # the task, its optimal cost, h_max, LM-cut, potentials
    "O1": (Description({}, {"x": 0}, O1, ["x >= 3"]), 7, 6.0, 6.0, 6),
    "O2": (Description({}, {"x": 0}, O2, ["x >= 10"]), 6, 10 / 9, 50 / 9, 2),
    "O3": (Description({}, {"x": 0}, O3, ["x >= 10"]), 2, 10 / 9, 10 / 9, 2),
    "O4": (Description({}, {"x": 0, "v": 1}, O4, ["x >= 10"]), 6, 1.0, 1.0, 6),
    "limited": (Description({}, {"x": 0, "v": 1}, LIMITED, ["x >= 10"]), 6, 10 / 3, 10 / 3, 4),
    "free": (Description({"p": False}, {"x": 0}, FREE, ["p"]), 1, 1.0, 1.0, 1),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    description, cost, maximum, landmarks, potentials = EXAMPLES[name]
    task = description.task()
    assert evaluate(core_task(task), "hmax", Model(task).initial, Options()).value == pytest.approx(maximum)
    assert evaluate(core_task(task), "hlmcut", Model(task).initial, Options()).value == pytest.approx(landmarks)
    assert evaluate(core_task(task), "hpot", Model(task).initial, Options()).value == potentials
    for heuristic in CONFIGURED:
        result = search(task, heuristic)
        assert (result.status, result.cost, result.lower_bound) == ("solved", cost, cost)
        assert result.proved_optimal and cost_of(Model(task), result.plan) == cost


def test_states_out_of_range_have_no_bound() -> None:
    """v never exceeds 3, so that x grows by 3 at most; a state with more of it cannot be reached."""
    description = EXAMPLES["limited"][0]
    task = description.task()
    start = Model(task).initial
    fast = start._replace(values=tuple(Fraction(10 * value) for value in start.values))
    for heuristic in ADMISSIBLE:
        assert evaluate(core_task(task), heuristic, start, Options()).value > 0
        assert evaluate(core_task(task), heuristic, fast, Options()).value == 0


def test_parts_add_up() -> None:
    second = [Op(f"{op.name}2", ["y >= 5"] if op.conditions else [], [op.effects[0].replace("x", "y")]) for op in O2]  # type: ignore[union-attr]
    task = Description({}, {"x": 0, "y": 0}, [*O1, *second], ["x >= 3", "y >= 10"]).task()
    assert search(task, "hmax").cost == 13


# --- random tasks ---


@pytest.mark.parametrize("heuristic", CONFIGURED)
@settings(max_examples=150, deadline=None)
@given(drawn=tasks_with_states(0, bounded=True, exact=True, constant_costs=True))
def test_optimal_costs(heuristic: str, drawn: TaskAndStates) -> None:
    model = Model(drawn[0])
    expected = exhaustive(model, model.initial)
    result = search(drawn[0], heuristic)
    if expected is None:
        assert result.status == "exhausted-complete" and not result.proved_optimal
        return
    assert (result.status, result.cost, result.lower_bound) == ("solved", expected, expected)
    assert result.proved_optimal and cost_of(model, result.plan) == expected
    assert search(drawn[0], heuristic, ties="fifo").cost == expected
    # under a bound: nothing below the optimal cost, and the same plan cost below the next one
    below = search(drawn[0], heuristic, bound=expected) if expected else result
    assert not expected or (below.status, below.lower_bound) == ("exhausted-pruned", expected)
    assert search(drawn[0], heuristic, bound=expected + 1).cost == expected


@pytest.mark.parametrize("heuristic", ADMISSIBLE)
@settings(max_examples=80, deadline=None)
@given(drawn=tasks_with_states(3, bounded=True, constant_costs=True))
def test_never_above_the_true_cost(heuristic: str, drawn: TaskAndStates) -> None:
    model, task = Model(drawn[0]), core_task(drawn[0])
    for state in drawn[1]:
        expected = exhaustive(model, state)
        found = evaluate(task, heuristic, state, Options()).value
        assert expected is None or found <= expected + 1e-9


@settings(max_examples=40, deadline=None)
@given(drawn=tasks_with_states(0, bounded=True, exact=False, constant_costs=True))
def test_rounded_numbers_prove_nothing(drawn: TaskAndStates) -> None:
    result = search(drawn[0], "hmax")
    assert result.lower_bound == 0
    assert not result.proved_optimal or result.cost == 0


def test_blocks_that_fire_together() -> None:
    """One application adds 2, once per block: two of them for x >= 4, not four."""
    push = Op("push", [], [When(["p"], ["x += 1"]), When(["q"], ["x += 1"])])
    task = Description({"p": True, "q": True}, {"x": 0}, [push], ["x >= 4"]).task()
    assert evaluate(core_task(task), "hmax", Model(task).initial, Options()).value == 2
    assert search(task, "hmax").cost == 2


def growing() -> GroundedTask:
    """Growing is cheap and leaves the exact numbers; whether it would have led to a cheaper plan nobody can say."""
    steps = [
        Op("grow", ["x > 0"], ["x += x"], cost=1),
        Op("shrink", ["x < 0"], ["p"], cost=1),
        Op("end", [], ["p"], cost=200),
    ]
    return Description({"p": False}, {"x": 1}, steps, ["p"]).task()


def test_states_that_overflow_limit_the_claim() -> None:
    result = search(growing(), "blind")
    assert (result.status, result.cost) == ("solved", 200)
    assert not result.proved_optimal and 40 < result.lower_bound < 60


def test_a_rounded_plan_is_not_proved_by_an_exact_bound() -> None:
    """Exactly there is no plan up to where numbers end; doubles find one, of the least cost that is not ruled out."""
    task = Description(
        {}, {"x": 9007199254740988}, [Op("tenfold", [], ["x := 10*x"])], ["x = 90071992547409881"]
    ).task()
    result = search(task, "blind")
    assert (result.status, result.cost) == ("solved", 1) and result.lower_bound >= 1
    assert not result.proved_optimal


# --- costs ---


def one_cost(*costs: object) -> GroundedTask:
    steps = [Op(f"a{number}", [], ["p"], cost) for number, cost in enumerate(costs)]  # type: ignore[arg-type]
    return Description({"p": False}, {"x": 1}, steps, ["p"]).task()


def test_costs_become_the_least_integers() -> None:
    costs = integer_costs(one_cost(0.5, 0.75, 2))
    assert (costs.costs.tolist(), costs.unit) == ([2, 3, 8], Fraction(1, 4))
    assert costs.bound(Fraction(3, 2)) == 6 and costs.bound(Fraction(13, 8)) == 7
    assert integer_costs(one_cost(6, 9, 0)).costs.tolist() == [2, 3, 0]
    assert integer_costs(one_cost(0, 0)).costs.tolist() == [0, 0]


def test_costs_are_fractions_not_doubles() -> None:
    """A tenth and a third have no double; thrice a tenth, as a sum of doubles, is not the double of three tenths."""
    thirds = whole_costs([Fraction(1, 3), Fraction(1, 10) * 3, Fraction(1, 10**7)])
    assert (thirds[0].tolist(), thirds[1]) == ([10**7, 9 * 10**6, 3], Fraction(1, 3 * 10**7))
    assert whole_costs([])[0].tolist() == []
    assert whole_costs([1, 2**61])[0].tolist() == [1, 2**61] and not len(whole_costs([1, 2**61 + 1])[0])


def test_large_costs_add_up_exactly() -> None:
    """2^60 and 2^60 + 1 are one double; beyond 2^62 nothing is added up, and nothing claimed."""
    costly, costlier = 2**60, 2**60 + 1
    steps = [Op("a", [], ["p"], costlier), Op("b", ["p"], ["q"], costly), Op("c", [], ["q"], costly + costlier - 1)]
    assert search(Description({"p": False, "q": False}, {}, steps, ["q"]).task(), "blind").cost == 2**61
    far = [Op("step", ["x < 8"], ["x += 1"], costly), Op("other", ["x < -1"], ["x += 1"], 1)]
    result = search(Description({}, {"x": 0}, far, ["x >= 8"]).task(), "blind")
    assert (result.status, result.proved_optimal) == ("exhausted-pruned", False)
    assert 0 < result.lower_bound <= 8 * costly


@pytest.mark.parametrize(
    ("cost", "reason"),
    [
        ("1 + x", "depends on the state"),
        (-1, "negative"),
        (10**20, "too far apart"),
    ],
)
def test_other_costs_are_refused_by_name(cost: object, reason: str) -> None:
    task = one_cost(1, cost)
    with pytest.raises(ConfigurationError, match=reason):
        require_integer_costs(task)
    with pytest.raises(ValueError, match="integer operator costs"):
        search(task, "blind")


# --- the queue, where costs are manifold ---

MANIFOLD = 17


@pytest.mark.parametrize("ties", ["heap", "fifo"])
def test_more_different_costs_than_buckets(ties: str) -> None:
    """Every subset has a cost of its own, and all are cheaper than the end; `trap` looks cheap."""
    subsets = [Op(f"set{i}", [f"not p{i}"], [f"p{i}", "x += 1"], cost=2**i) for i in range(MANIFOLD)]
    ends = [Op("trap", ["x > 100"], ["done"], cost=1), Op("end", [], ["done"], cost=2**MANIFOLD)]
    facts = {"done": False, **{f"p{i}": False for i in range(MANIFOLD)}}
    task = Description(facts, {"x": 0}, [*subsets, *ends], ["done"]).task()
    wanted = configuration("A(blind)").searches[0]
    result = _core.search(core_task(task), core_options(wanted, SearchOptions(ties, pruning=()), Limits(20.0, 1 << 28)))
    assert (result.status, result.cost, result.proved_optimal) == ("solved", 2**MANIFOLD, True)
    assert result.statistics["expanded"] == 2**MANIFOLD - 1  # the goal comes before the last one of the same f
