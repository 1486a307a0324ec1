"""Pruning keeps the optimal cost: tasks over interchangeable objects, each pruning alone and all together."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from numbat import _core
from numbat.analyse.symmetries import interchangeable
from numbat.search.options import PRUNINGS, SearchOptions
from numbat.search.registry import configuration, heuristics
from numbat.search.run import Limits, core_options
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task
from tests.oracles.builder import Description, Op, When
from tests.oracles.optimal import optimal_cost, true_costs
from tests.oracles.states import Model

ADMISSIBLE = [entry["name"] for entry in heuristics() if entry["admissible"]]
OBJECTS = "abc"
LARGEST = 3  # value of a variable


class Words:
    """What conditions and effects of one random task are made of; if `wanted`, more of a variable never hurts."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.wanted = random.random() < 0.5

    def condition(self, binary: bool) -> str:
        name = self.random.choice("xy" if binary else "x")
        comparisons = [f"v_{name} >= 2", f"v_{name} >= 1" if self.wanted else f"v_{name} <= 1"]
        return self.random.choice([f"p_{name}", f"not q_{name}", f"q_{name}", *comparisons, "g", "w >= 1"])

    def effect(self, binary: bool) -> str:
        name = self.random.choice("xy" if binary else "x")
        facts = [f"p_{name}", f"not p_{name}", f"q_{name}", "g"]
        down = [f"v_{name} -= 1", f"v_{name} := 2", "w -= 1"]
        up = [f"v_{name} := {LARGEST}", "w := 2"] if self.wanted else [f"v_{name} += 1", "w += 1", f"v_{name} += 2"]
        return self.random.choice(facts + down + up)

    def limits(self, effects: list[str]) -> list[str]:
        """Keep numbers small, for ever."""
        names = [effect.split()[0] for effect in effects if "=" in effect]
        lower = [f"{name} >= -1" for name in names]
        return lower if self.wanted else [*lower, *(f"{name} <= {LARGEST}" for name in names)]


def random_task(seed: int) -> GroundedTask:
    """Every action for all objects; the goal and the beginning may tell objects apart."""
    random = Random(seed)
    words = Words(random)
    objects = OBJECTS[: random.choice([2, 3, 3])]
    ops = []
    for number in range(random.randint(2, 4)):
        binary = random.random() < 0.3
        conditions = [words.condition(binary) for _ in range(random.randint(0, 2))]
        effects = list(dict.fromkeys(words.effect(binary) for _ in range(random.randint(1, 2))))
        effects = list({effect.split()[-1 if "=" not in effect else 0]: effect for effect in effects}.values())
        when = [When([words.condition(binary)], [words.effect(binary)])] if random.random() < 0.2 else []
        limits = words.limits([*effects, *(w.effects[0] for w in when)])
        cost = random.choice([0, 1, 1, 2, 3])
        for row in permutations(objects, 2) if binary else ((name, "") for name in objects):
            named = [_named(text, *row) for text in conditions + limits]
            whens = [When([_named(w.conditions[0], *row)], [_named(w.effects[0], *row)]) for w in when]  # type: ignore[arg-type]
            ops.append(Op(f"o{number}{''.join(row)}", named, [*(_named(e, *row) for e in effects), *whens], cost))
    asked = objects if random.random() < 0.6 else objects[:-1]
    goal_atoms = [words.condition(False) for _ in range(random.randint(1, 2))]
    goal = list(dict.fromkeys(_named(atom, name, "") for name in asked for atom in goal_atoms))
    facts = {f"{p}_{name}": random.random() < 0.2 for p in "pq" for name in objects} | {"g": False}
    variables = {f"v_{name}": random.randint(0, 1) for name in objects} | {"w": 1}
    return _as_pddl(Description(facts, variables, ops, goal).task())


def _named(text: str, x: str, y: str) -> str:
    return text.replace("_x", f"_{x}").replace("_y", f"_{y}")


def _as_pddl(task: GroundedTask) -> GroundedTask:
    facts, variables = (
        tuple(f"({name.replace('_', ' ')})" for name in names) for names in (task.fact_names, task.variable_names)
    )
    return replace(task, fact_names=facts, variable_names=variables)


def search(task: GroundedTask, heuristic: str, *pruning: str) -> _core.Result:
    swaps = interchangeable(task) if "symmetries" in pruning else ()
    options = SearchOptions(pruning=pruning)
    wanted = configuration(f"A({heuristic})").searches[0]
    return _core.search(core_task(task), core_options(wanted, options, Limits(20.0, 1 << 28, swaps=swaps)))


def assert_optimal(task: GroundedTask, expected: int | None, result: _core.Result) -> None:
    if expected is None:
        assert result.status == "exhausted-complete"
        return
    assert (result.status, result.cost, result.lower_bound) == ("solved", expected, expected)
    model = Model(task)
    costs, last = true_costs(model), model.replay(result.plan)
    assert costs is not None and last is not None and model.is_goal(last)
    assert sum(costs[operator] for operator in result.plan) == expected


def check(seed: int, *, exhaustively: bool) -> bool:
    """Were there interchangeable objects?"""
    task = random_task(seed)
    plain = search(task, "blind")
    expected = plain.cost
    if exhaustively:
        model = Model(task)
        costs = true_costs(model)
        assert costs is not None
        expected = optimal_cost(model, costs, model.initial, 100_000)
    assert_optimal(task, expected, plain)
    for heuristic in ADMISSIBLE:
        assert_optimal(task, expected, search(task, heuristic, *PRUNINGS))
    for pruning in PRUNINGS:
        assert_optimal(task, expected, search(task, "blind", pruning))
    return bool(interchangeable(task))


def test_optimal_costs_by_exhaustive_search() -> None:
    found = [check(seed, exhaustively=True) for seed in range(40)]
    assert sum(found) > 20


def test_optimal_costs() -> None:
    found = [check(seed, exhaustively=False) for seed in range(100, 400)]
    assert sum(found) > 150


@pytest.mark.slow
def test_optimal_costs_of_many_more() -> None:
    assert sum(check(seed, exhaustively=seed % 4 == 0) for seed in range(1000, 4000)) > 1500


# --- symmetries ---


def counters(goal: list[str], **start: int) -> GroundedTask:
    variables = {f"v_{name}": start.get(name, 0) for name in "abcd"}
    return _as_pddl(
        Description({}, variables, [Op(f"up{n}", [f"v_{n} <= 9"], [f"v_{n} += 1"]) for n in "abcd"], goal).task()
    )


def test_orbits_of_counters() -> None:
    task = counters(["v_a >= 5", "v_b >= 5", "v_c >= 5", "v_d >= 5"])
    assert len(interchangeable(task)) == 6
    plain, reduced = search(task, "blind"), search(task, "blind", "symmetries")
    assert reduced.cost == plain.cost == 20
    assert 10 * reduced.statistics["evaluated"] < plain.statistics["evaluated"]


def test_the_beginning_need_not_be_symmetric() -> None:
    task = counters(["v_a >= 5", "v_b >= 5", "v_c >= 5"], a=3, b=1)
    assert len(interchangeable(task)) == 3
    assert_optimal(task, 11, search(task, "hlmcut", "symmetries"))


def test_goals_tell_objects_apart() -> None:
    assert len(interchangeable(counters(["v_a >= 5", "v_b >= 4"]))) == 1


def test_costs_tell_objects_apart() -> None:
    ops = [Op("a", [], ["p_a"], 1), Op("b", [], ["p_b"], 2)]
    assert not interchangeable(_as_pddl(Description({"p_a": False, "p_b": False}, {}, ops, ["p_a", "p_b"]).task()))


# --- stubborn sets ---


def test_one_order_of_independent_steps() -> None:
    """Different costs, so that no two counters are interchangeable: 6^4 states, or a path."""
    ops = [Op(f"up{n}", [], [f"v_{n} += 1"], cost) for cost, n in enumerate("abcd", start=1)]
    goal = [f"v_{n} >= 5" for n in "abcd"]
    task = Description({}, {f"v_{n}": 0 for n in "abcd"}, ops, goal).task()
    plain, pruned = search(task, "blind"), search(task, "blind", "stubborn")
    assert plain.cost == pruned.cost == 50
    assert plain.statistics["expanded"] > 1000 and pruned.statistics["expanded"] < 30


@pytest.mark.parametrize(
    "ops",
    [
        # in the order of its number, each operator alone would be a wrong choice
        [Op("a", ["not p"], ["q"]), Op("b", [], ["p"])],
        [Op("a", [], ["x := 1", "p"]), Op("b", [], ["x += 2", "q"])],
        [Op("a", ["x <= 0"], ["p"]), Op("b", [], ["x += 1", "q"])],
        [Op("a", [], ["x += y", "p"]), Op("b", [], ["y += 3", "q"])],
        [Op("a", [], ["p", When(["y >= 3"], ["x += 9"])]), Op("b", [], ["y += 3", "q"])],
    ],
)
def test_steps_that_disturb_each_other_are_tried_in_both_orders(ops: list[Op]) -> None:
    for goal in (["p", "q"], ["p", "q", "x >= 3"], ["p", "q", "x <= 1"]):
        task = Description({"p": False, "q": False}, {"x": 0, "y": 0}, ops, goal).task()
        plain, pruned = search(task, "blind"), search(task, "blind", "stubborn")
        assert (plain.status, plain.cost) == (pruned.status, pruned.cost)


# --- dominance ---

SHOP = [
    Op("work", [], ["m += 3"], 2),
    Op("work hard", [], ["m += 4"], 2),
    Op("buy", ["m >= 5", "n <= 3"], ["m -= 5", "n += 1"], 1),
]


def test_more_of_what_is_wanted_dominates() -> None:
    """Money is never too much: who has worked hard need not think of having worked less."""
    task = Description({}, {"m": 0, "n": 0}, SHOP, ["n >= 3"]).task()
    plain, pruned = search(task, "blind"), search(task, "blind", "dominance")
    assert_optimal(task, plain.cost, pruned)
    assert 2 * pruned.statistics["expanded"] < plain.statistics["expanded"]


@pytest.mark.parametrize(
    "more",
    [
        Op("poor", ["m <= 1"], ["n += 1"], 0),
        Op("read", [], ["n += m"], 9),
        Op("when", ["n >= 0"], [When(["m >= 9"], ["n -= 1"]), "p"], 1),
    ],
)
def test_what_is_read_otherwise_is_not_wanted(more: Op) -> None:
    task = Description({"p": False}, {"m": 0, "n": 0}, [*SHOP, more], ["n >= 3"]).task()
    plain, pruned = search(task, "blind"), search(task, "blind", "dominance")
    assert_optimal(task, plain.cost, pruned)
    assert pruned.statistics["expanded"] == plain.statistics["expanded"]
