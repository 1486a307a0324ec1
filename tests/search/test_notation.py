"""The paper's notation: what it means, how it is written back, and how errors point at their place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.errors import ConfigurationError, ExitCode
from numbat.search.notation import MOST_SHARES, SETS, Configuration, Member, Queue, Search, Vocabulary, parse

HEURISTICS = {
    "hgc": False,
    "hmd": False,
    "haibr": False,
    "hadd": False,
    "hradd": False,
    "hmrp": True,
    "blind": False,
    "hmax": False,
}
ALGORITHMS = {"S": False, "M": True, "L": True, "Y": True, "A": True, "W": False}
VOCABULARY = Vocabulary(
    HEURISTICS, ALGORITHMS, ["blind", "hmax"], ["A"], weighted=["W"], planning=["hadd", "hmrp"], ahead=["Y"]
)
HMRP_HJ = Queue("hmrp", helpful=True, jumps=True)
HMRP_NOVEL_HJ = Queue("hmrp", "B", "QB", helpful=True, jumps=True)


def read(text: str) -> Configuration:
    return parse(text, VOCABULARY)


def single(*queues: Queue) -> tuple[Member, ...]:
    return tuple(Member(Search((queue,))) for queue in queues)


@pytest.mark.parametrize(
    ("text", "queue"),
    [
        ("S(hadd)", Queue("hadd")),
        ("  S ( hmd )  ", Queue("hmd")),
        ("S(hmrp+h)", Queue("hmrp", helpful=True)),
        ("S(hmrp+hj)", HMRP_HJ),
        ("S(hadd<A,PN>)", Queue("hadd", "A", "PN")),
        ("S(hadd<B,QB,k=1>)", Queue("hadd", "B", "QB", k=1)),
        ("S(hadd<B,QB,k=2>)", Queue("hadd", "B", "QB")),
        ("S(hmrp<B,QB>+hj)", HMRP_NOVEL_HJ),
        ("S(hadd<G,PN>)", Queue("hadd", "G", "PN")),
        ("S(hadd<C>)", Queue("hadd", "C")),
        ("S(hmrp<C>+hj)", Queue("hmrp", "C", helpful=True, jumps=True)),
        ("S(hmrp<G,PN,k=1>+hj)", Queue("hmrp", "G", "PN", k=1, helpful=True, jumps=True)),
        ("S(hmrp⟨B,QB⟩+hj)", HMRP_NOVEL_HJ),
    ],
)
def test_single_queue(text: str, queue: Queue) -> None:
    assert read(text) == Configuration(single(queue))


def test_sets_are_the_papers() -> None:
    assert SETS["3h"] == (Queue("hmd"), Queue("hadd"), HMRP_HJ)
    assert SETS["3n"] == (Queue("hmd", "B", "QB"), Queue("hadd", "B", "QB"), HMRP_NOVEL_HJ)


@pytest.mark.parametrize("text", ["M(3h||3n)", "M(3h‖3n)", "M(3h, 3n)", "M(3h||hmd||3n, hadd)"])
def test_multi_queue(text: str) -> None:
    assert read(text) == Configuration((Member(Search(SETS["3h"] + SETS["3n"], "M")),))


def test_portfolio_of_heuristics() -> None:
    assert read("P(3h||3n)") == Configuration(single(*SETS["3h"], *SETS["3n"]), portfolio=True)
    assert read("P(hgc)") == Configuration(single(Queue("hgc")), portfolio=True)


def test_portfolio_of_searches() -> None:
    configuration = read("P(S(hgc), M(3n)||hmd, 3h)")
    multi = Member(Search(SETS["3n"], "M"))
    assert configuration.members == (*single(Queue("hgc")), multi, *single(Queue("hmd"), Queue("hadd"), HMRP_HJ))


def test_members_have_shares() -> None:
    members = read("P(M(3n)*4, hmd, 3h * 2)").members
    assert [(str(member.what), member.share) for member in members] == [
        (str(Search(SETS["3n"], "M")), 4),
        ("S(hmd)", 1),
        ("S(hadd)", 2),
        ("S(hmrp+hj)", 2),
    ]


@pytest.mark.parametrize(
    ("text", "expected", "got"),
    [
        ("", "S(heuristic)", "the end"),
        ("hadd", "S(heuristic)", "'hadd' at position 1"),
        ("Q(hadd)", "S(heuristic)", "'Q' at position 1"),
        ("S(", "a heuristic", "the end"),
        ("S(hff)", "hradd", "'hff' at position 3"),
        ("S(3h)", "one heuristic", "'3h' at position 3"),
        ("S(hadd", "')'", "the end"),
        ("S(hadd))", "the end", "')' at position 8"),
        ("S(hadd, hmd)", "')'", "',' at position 7"),
        ("S(hadd+hj)", "'hmrp'", "'+' at position 7"),
        ("S(hmrp+x)", "'h' or 'hj'", "'x' at position 8"),
        ("S(hmrp+hj<B,QB>)", "')'", "'<' at position 10"),
        ("S(hadd<D,QB>)", "'A', 'B', 'C' or 'G'", "'D' at position 8"),
        ("S(hadd<C,QB>)", "'>'", "',' at position 9"),
        ("S(hadd<G,QB>)", "'PN'", "'QB' at position 10"),
        ("S(hadd<A,XX>)", "'PN' or 'QB'", "'XX' at position 10"),
        ("S(hadd<A>)", "','", "'>' at position 9"),
        ("S(hadd<A,PN,k=3>)", "'1' or '2'", "'3' at position 15"),
        ("A(hadd)", "an admissible heuristic (blind, hmax)", "'hadd' at position 3"),
        ("A(hmax<B,QB>)", "')'", "'<' at position 7"),
        ("A(hmax, hadd)", "an admissible heuristic (blind, hmax)", "'hadd' at position 9"),
        ("W(0*hadd)", "a weight from 1 to 1000", "'0' at position 3"),
        ("W(1001*hadd)", "a weight from 1 to 1000", "'1001' at position 3"),
        ("W(5hadd)", "a weight from 1 to 1000", "'5hadd' at position 3"),
        ("W(5, hadd)", "'*'", "',' at position 4"),
        ("W(5*hmrp+hj)", "')'", "'+' at position 9"),
        ("W(5*)", "a heuristic", "')' at position 5"),
        ("S(5*hadd)", "a heuristic", "'5' at position 3"),
        ("M()", "a heuristic", "')' at position 3"),
        ("Y(hmd, hgc)", "'hadd' or 'hmrp' among them", "'hmd' at position 3"),
        ("M(hadd,)", "a heuristic", "')' at position 8"),
        ("M(S(hadd))", "a heuristic", "'S' at position 3"),
        ("P(3h|3n)", "'||'", "'|' at position 5"),
        ("P(hmd*0)", "a share from 1 to 1000", "'0' at position 7"),
        ("P(hmd*1001)", "a share from 1 to 1000", "'1001' at position 7"),
        ("P(hmd*x)", "a share from 1 to 1000", "'x' at position 7"),
        ("S(hmd)*2", "the end", "'*' at position 7"),
        ("P(P(3h))", "a heuristic", "'P' at position 3"),
    ],
)
def test_errors_say_where_and_what(text: str, expected: str, got: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(text)
    assert caught.value.exit_code is ExitCode.DRIVER_INPUT_ERROR
    assert expected in (caught.value.expected or "")
    assert got in (caught.value.got or "")


novelty = st.one_of(
    st.just(("", "", 2)),
    st.tuples(st.sampled_from("AB"), st.sampled_from(["PN", "QB"]), st.sampled_from([1, 2])),
    st.just(("C", "", 2)),
    st.tuples(st.just("G"), st.just("PN"), st.sampled_from([1, 2])),
)
suffixes = st.sampled_from([(False, False), (True, False), (True, True)])


@st.composite
def queues(draw: st.DrawFn) -> Queue:
    name = draw(st.sampled_from(sorted(HEURISTICS)))
    helpful, jumps = draw(suffixes) if HEURISTICS[name] else (False, False)
    return Queue(name, *draw(novelty), helpful=helpful, jumps=jumps)


searches = st.one_of(
    st.builds(lambda queue: Search((queue,)), queues()),
    st.lists(st.sampled_from(["blind", "hmax"]), min_size=1, unique=True).map(
        lambda names: Search(tuple(map(Queue, names)), "A")
    ),
    st.builds(
        lambda name, weight: Search((Queue(name),), "W", weight),
        st.sampled_from(sorted(HEURISTICS)),
        st.integers(1, 1000),
    ),
    st.lists(queues(), min_size=1, max_size=4, unique=True).map(lambda found: Search(tuple(found), "M")),
    st.lists(queues(), max_size=3, unique=True).map(
        lambda found: Search((Queue("hadd"), *set(found) - {Queue("hadd")}), "Y")
    ),
)
members = st.builds(Member, searches, st.integers(1, MOST_SHARES))
configurations = st.one_of(
    st.builds(lambda search: Configuration((Member(search),)), searches),
    st.lists(members, min_size=1, max_size=4, unique_by=lambda member: member.what).map(
        lambda found: Configuration(tuple(found), portfolio=True)
    ),
)


@settings(max_examples=150, deadline=None)
@given(configurations)
def test_what_is_written_reads_back(configuration: Configuration) -> None:
    assert read(str(configuration)) == configuration


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="SMP()<>,|+=k12 hadmrpjnABCGQNX⟨", max_size=24))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text)
    except ConfigurationError as error:
        assert error.expected and error.got
