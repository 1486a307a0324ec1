"""What a search does besides: a list that can be read, without repetitions, and runs that get what it says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from numbat import _core
from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions
from numbat.search.registry import DEFAULT, configuration
from numbat.search.run import Limits, core_options
from numbat.search.variations import Variation, variations
from numbat.task.grounded import GroundedTask
from tests.core.bridge import core_task
from tests.core.configurations import search
from tests.core.test_limits import bits, parity

MEMBERS = configuration(DEFAULT).searches


def described(search: Search) -> list[tuple[str, bool, bool, int]]:
    return [(str(v.search), v.shuffled, v.kept, v.share) for v in variations(search, SearchOptions())]


def test_one_heuristic() -> None:
    assert described(Search((Queue("hadd"),))) == [
        ("S(hadd)", False, True, 2),
        ("M(hadd, hmd)", False, True, 2),
        ("S(hadd)", True, False, 1),
    ]


def test_the_goal_distance_joins_once() -> None:
    assert described(Search((Queue("hmd"),))) == [
        ("S(hmd)", False, True, 2),
        ("S(hmd)", True, False, 1),
    ]


def test_helpful_actions_are_carried_out_ahead() -> None:
    assert ("Y(hmrp+hj, hlm)", False, True, 2) in described(Search((Queue("hmrp", helpful=True, jumps=True),)))
    assert not any(name.startswith("Y") for name, *_ in described(Search((Queue("hmrp"),))))


def test_a_run_that_another_member_makes_is_no_variation() -> None:
    member = Search((Queue("hmrp", helpful=True, jumps=True),))
    ahead = configuration("Y(hmrp+hj, hlm)").searches[0]
    alone, beside = (variations(member, SearchOptions(beside=frozenset(b))) for b in ([], [ahead, member]))
    assert set(alone) - set(beside) == {next(v for v in alone if v.search == ahead)}


def test_several_heuristics() -> None:
    search = configuration("M(3n)").searches[0]
    assert [(len(v.search.queues), v.kept, v.share) for v in variations(search, SearchOptions())] == [
        (3, True, 2),
        (4, True, 2),
        (4, True, 2),
        (3, False, 1),
    ]


@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_a_pure_search_has_no_variations(member: Search) -> None:
    assert [v.search for v in variations(member, SearchOptions(patience=0))] == [member]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (("distance",), ["M(hadd, hmd)"]),
        (("orders",), ["S(hadd)"]),
        (("orders", "distance"), ["M(hadd, hmd)", "S(hadd)"]),
        ((), []),
    ],
)
def test_only_the_kinds_that_are_wanted(wanted: tuple[str, ...], found: list[str]) -> None:
    listed = variations(Search((Queue("hadd"),)), SearchOptions(variations=wanted))
    assert [str(variation.search) for variation in listed] == ["S(hadd)", *found]


def test_without_variations_a_stalled_search_goes_on_alone() -> None:
    pure, alone = (
        search(bits(8), "S(hgc)", options)
        for options in (SearchOptions(patience=0), SearchOptions(patience=10, variations=()))
    )
    assert alone.evaluated_by == pure.evaluated_by and len(alone.evaluated_by) == 1 and alone.evaluated_by[0] > 100


def runs(search: Search, seed: int, count: int) -> Iterator[tuple[frozenset[str], str, int]]:
    """What its first runs are: queues, ties and the seed of the order."""
    for variation in variations(search, SearchOptions(seed=seed)):
        first = variation.seed(search, seed)
        for number in range(1 if variation.kept else count):
            ties = variation.ties[number % len(variation.ties)]
            yield frozenset(map(str, variation.search.queues)), ties, first + number


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_no_run_is_made_twice_in_the_default_portfolio(seed: int) -> None:
    made = [run for member in MEMBERS for run in runs(member, seed, 200)]
    assert len(made) == len(set(made)) > 1000


# A run stops a few evaluations late: it counts from its last progress and finishes its last expansion.
PATIENCE, LATE = 1000, 150


def rounds(variation: Variation, ratio: float) -> Iterator[tuple[set[float], set[float]]]:
    """What a variation has had before and after each round where nothing gets better; ratio: its share to the search's.

    The search itself has had as many evaluations as it is patient. A run that is thrown away has as many, too, and may
    or may not be made where the variation has had just its share.
    """
    patience, had = PATIENCE, {0.0}
    while True:
        before, due = had, ratio * patience
        had = {due} if variation.kept else {end for start in before for end in _ends(start, due, patience)}
        yield before, had
        patience *= 2


def _ends(had: float, due: float, patience: int) -> Iterator[float]:
    while had < due - LATE:
        had += patience
    yield had
    if had < due + LATE:
        yield had + patience


def near(evaluated: int, values: set[float]) -> bool:
    return any(0 <= evaluated - value <= LATE for value in values)


@pytest.mark.parametrize("task", [parity(), bits(24)], ids=["parity", "bits"])
@pytest.mark.parametrize("name", ["S(hgc)", "S(hmd)", "S(hadd)", "M(hgc, hgc<B,QB>)", "M(3n)"])
def test_every_variation_gets_its_share(name: str, task: GroundedTask) -> None:
    """Nothing gets better here, so that rounds can be foretold; the time ends in the midst of one variation's turn."""
    options = SearchOptions(patience=PATIENCE, variations=("distance", "orders"))
    spent = search(task, name, options, time=0.3).evaluated_by
    listed = variations(configuration(name).searches[0], options)
    assert len(spent) == len(listed) > 1 and spent[0] > 4 * PATIENCE
    number = sum(spent[0] > (PATIENCE << n) + LATE for n in range(40))
    lanes = [next(islice(rounds(v, v.share / listed[0].share), number, None)) for v in listed]
    turn = next((i for i, (_, after) in enumerate(lanes) if not near(spent[i], after)), len(lanes) - 1)
    before, after = lanes[turn]
    assert min(before) <= spent[turn] <= max(after) + LATE
    assert all(near(spent[i], lanes[i][0]) for i in range(turn + 1, len(lanes)))


def test_a_run_that_joins_early_does_not_wait_for_a_stall() -> None:
    options = SearchOptions(patience=10**9)
    spent = search(parity(), "S(hmrp+hj)", options, time=0.2).evaluated_by
    first, *others = variations(configuration("S(hmrp+hj)").searches[0], options)
    for variation, evaluated in zip(others, spent[1:], strict=True):
        if not variation.joins_at:
            assert evaluated == 0
            continue
        assert spent[0] > 8 * variation.joins_at
        halts = [variation.joins_at << n for n in range(40) if variation.joins_at << n <= spent[0]]
        before, due = (halt * variation.share // first.share for halt in halts[-2:])
        assert before <= evaluated <= due + LATE


def test_a_field_the_core_does_not_know_is_refused() -> None:
    options = core_options(MEMBERS[0], SearchOptions(), Limits(1.0, 1 << 28))
    task = core_task(parity())
    for wrong, message in (
        ({**options, "patients": 3}, "unknown field patients"),
        ({name: value for name, value in options.items() if name != "bound"}, "missing bound"),
        ({**options, "variations": [{**options["variations"][0], "shares": 1}]}, "unknown field shares"),
        ({**options, "variations": []}, "at least one variation"),
    ):
        with pytest.raises(ValueError, match=message):
            _core.search(task, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="wrong type of patience"):
        _core.search(task, {**options, "patience": "long"})  # type: ignore[typeddict-item]
