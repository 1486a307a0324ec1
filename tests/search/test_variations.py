"""What a stalled search does: a list that can be read, without repetitions, and runs that get what it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from numbat import _core
from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions
from numbat.search.registry import DEFAULT, configuration
from numbat.search.run import Limits, core_options
from numbat.search.variations import variations
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
        ("M(hadd, hadd<B,QB>)", True, False, 1),
    ]


def test_the_goal_distance_joins_once() -> None:
    assert described(Search((Queue("hmd"),))) == [
        ("S(hmd)", False, True, 2),
        ("S(hmd)", True, False, 1),
        ("M(hmd, hmd<B,QB>)", True, False, 1),
    ]


def test_several_heuristics() -> None:
    search = configuration("M(3n)").searches[0]
    assert [(len(v.search.queues), v.kept, v.share) for v in variations(search, SearchOptions())] == [
        (3, True, 2),
        (4, True, 2),
        (3, False, 2),
    ]


@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_a_pure_search_has_no_variations(member: Search) -> None:
    assert [v.search for v in variations(member, SearchOptions(patience=0))] == [member]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (("distance",), ["M(hadd, hmd)"]),
        (("orders",), ["S(hadd)"]),
        (("counterpart",), ["M(hadd, hadd<B,QB>)"]),
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
    assert len(made) == len(set(made)) > 2000


@pytest.mark.parametrize("name", ["S(hgc)", "M(hgc, hgc<B,QB>)"])
def test_shares_are_equal(name: str) -> None:
    """Nothing gets better here: the search takes as long as it is patient, twice as long in the next round.

    So nobody is more than a round behind it, and nobody ahead of it by more than the run that was under way, which is
    as patient as the search; an expansion may be finished on the way.
    """
    options = SearchOptions(patience=100)
    spent = search(parity(), name, options, time=0.3).evaluated_by
    shares = [variation.share for variation in variations(configuration(name).searches[0], options)]
    assert len(spent) == len(shares) > 2 and spent[0] > 1000
    for evaluated, share in zip(spent, shares, strict=True):
        due = spent[0] * share / shares[0]
        assert due / 2 - 20 <= evaluated <= due + spent[0] + 20


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
