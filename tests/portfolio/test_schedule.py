"""The schedule as arithmetic: a simulated clock, members that need so many seconds, and what everybody gets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.portfolio.schedule import NEGLIGIBLE, PATTERNS, Pattern, Schedule

INTERLEAVED = Pattern(first_slice=0.1)
SEQUENTIAL = PATTERNS["sequential"]


def simulate(
    needs: list[float], total: float, pattern: Pattern, shares: Sequence[float] = ()
) -> tuple[list[float], list[float], float]:
    """Run on one core; a member ends after its need. What each got, when each ended (inf: never), and the time left."""
    schedule = Schedule(shares or [1] * len(needs), pattern)
    got = [0.0] * len(needs)
    ended = [math.inf] * len(needs)
    now = 0.0
    while turn := schedule.next_turn(total - now):
        assert 0 < turn.seconds <= total - now + 1e-9
        took = min(turn.seconds, needs[turn.member] - got[turn.member])
        now += took
        got[turn.member] += took
        schedule.charge(turn.member, took)
        schedule.end_turn(turn.member)
        if got[turn.member] >= needs[turn.member] - 1e-12:
            ended[turn.member] = now
            schedule.retire(turn.member)
    return got, ended, total - now


@pytest.mark.parametrize("pattern", [INTERLEAVED, SEQUENTIAL])
def test_hanging_members_get_equal_shares(pattern: Pattern) -> None:
    got, _, left = simulate([math.inf] * 6, 60.0, pattern)
    assert got == pytest.approx([10.0] * 6, abs=0.01)
    assert left <= 0.01


@pytest.mark.parametrize("pattern", [INTERLEAVED, SEQUENTIAL])
def test_shares_are_kept_and_what_is_left_over_is_shared_alike(pattern: Pattern) -> None:
    got, _, left = simulate([math.inf] * 3, 60.0, pattern, shares=[3, 2, 1])
    assert got == pytest.approx([30.0, 20.0, 10.0], abs=0.01)
    assert left <= 0.01
    got, _, _ = simulate([6.0, math.inf, math.inf], 60.0, pattern, shares=[3, 2, 1])
    assert got == pytest.approx([6.0, 36.0, 18.0], abs=0.01)


def test_a_larger_share_has_longer_turns() -> None:
    schedule = Schedule([4, 1], INTERLEAVED)
    assert [schedule.next_turn(60.0).seconds for _ in range(2)] == pytest.approx([0.4, 0.1])  # type: ignore[union-attr]


@pytest.mark.parametrize("pattern", [INTERLEAVED, SEQUENTIAL])
def test_time_of_ended_members_goes_to_the_others_in_equal_parts(pattern: Pattern) -> None:
    got, _, _ = simulate([1.0, math.inf, 2.0, math.inf], 60.0, pattern)
    assert got == pytest.approx([1.0, 28.5, 2.0, 28.5], abs=0.01)


@pytest.mark.parametrize("pattern", [INTERLEAVED, SEQUENTIAL])
def test_the_last_member_gets_all_the_rest(pattern: Pattern) -> None:
    got, _, _ = simulate([0.5, 0.5, math.inf], 60.0, pattern)
    assert got == pytest.approx([0.5, 0.5, 59.0], abs=0.01)


@pytest.mark.parametrize("pattern", [INTERLEAVED, SEQUENTIAL])
@pytest.mark.parametrize("member", range(6))
def test_success_at_the_very_end_of_the_share(pattern: Pattern, member: int) -> None:
    needs = [math.inf] * 6
    needs[member] = 9.9
    _, ended, _ = simulate(needs, 60.0, pattern)
    assert ended[member] <= 60.0


@pytest.mark.parametrize("member", range(6))
def test_interleaved_solves_an_easy_task_soon_whoever_solves_it(member: int) -> None:
    needs = [math.inf] * 6
    needs[member] = 0.5
    _, ended, _ = simulate(needs, 1800.0, INTERLEAVED)
    assert ended[member] <= 6.0


def test_sequential_runs_one_after_the_other() -> None:
    schedule = Schedule([1, 1, 1], SEQUENTIAL)
    order = []
    remaining = 30.0
    while turn := schedule.next_turn(remaining):
        order.append((turn.member, round(turn.seconds, 6)))
        remaining -= turn.seconds
        schedule.charge(turn.member, turn.seconds)
        schedule.end_turn(turn.member)
    assert order == [(0, 10.0), (1, 10.0), (2, 10.0)]


def test_slices_grow() -> None:
    schedule = Schedule([1, 1], Pattern(first_slice=1.0, growth=2.0))
    turns = []
    remaining = 1000.0
    for _ in range(6):
        turn = schedule.next_turn(remaining)
        assert turn is not None
        turns.append((turn.member, turn.seconds))
        remaining -= turn.seconds
        schedule.charge(turn.member, turn.seconds)
        schedule.end_turn(turn.member)
    assert turns == [(0, 1.0), (1, 1.0), (0, 2.0), (1, 2.0), (0, 4.0), (1, 4.0)]


def test_several_cores_run_different_members() -> None:
    schedule = Schedule([1, 1, 1], INTERLEAVED, cores=2)
    first, second = schedule.next_turn(60.0), schedule.next_turn(60.0)
    assert first is not None and second is not None
    assert {first.member, second.member} == {0, 1}
    # 120 member-seconds for three
    assert schedule.owed(2, 60.0) == pytest.approx(40.0)


def test_with_more_cores_than_members_each_gets_all_the_time() -> None:
    schedule = Schedule([1, 1], INTERLEAVED, cores=4)
    assert schedule.owed(0, 60.0) == schedule.owed(1, 60.0) == 60.0


def test_revived_members_share_what_is_left() -> None:
    schedule = Schedule([1, 1, 1], INTERLEAVED)
    for member in range(3):
        schedule.charge(member, 5.0 * member)
        schedule.retire(member)
    assert schedule.next_turn(10.0) is None
    schedule.revive([0, 2], SEQUENTIAL)
    turn = schedule.next_turn(10.0)
    assert turn is not None and (turn.member, turn.seconds) == (0, 5.0)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.one_of(st.just(math.inf), st.floats(0.001, 40.0)), min_size=1, max_size=8),
    st.floats(0.5, 100.0),
    st.sampled_from([INTERLEAVED, SEQUENTIAL, Pattern(0.25, 1.5), Pattern(1.0, 1.0)]),
)
def test_no_share_is_lost(needs: list[float], total: float, pattern: Pattern) -> None:
    got, ended, left = simulate(needs, total, pattern)
    share = total / len(needs)
    # Whoever needs no more than the uniform share ends in time.
    for need, end in zip(needs, ended, strict=True):
        if need <= share - 0.02:
            assert end <= total
    # Time is left over only when nobody needs it.
    hungry = [time for time, end in zip(got, ended, strict=True) if end == math.inf]
    if hungry:
        assert left <= NEGLIGIBLE * len(needs)
        assert min(hungry) >= share - 0.02


def test_who_is_favoured_gets_as_much_more() -> None:
    schedule = Schedule([1, 1, 1], PATTERNS["interleaved"])
    schedule.favour(1, 4.0)
    assert schedule.owed(1, 60.0) == pytest.approx(40.0)
    assert schedule.owed(0, 60.0) == schedule.owed(2, 60.0) == pytest.approx(10.0)
    schedule.charge(1, 40.0)
    assert schedule.owed(1, 20.0) == pytest.approx(0.0)
    assert schedule.owed(0, 20.0) == pytest.approx(10.0)
    first = schedule.next_turn(600.0)
    second = schedule.next_turn(600.0)
    assert first is not None and second is not None and second.seconds == pytest.approx(4 * first.seconds)


def test_turns_can_be_kept_short_and_somebody_preferred() -> None:
    schedule = Schedule([1] * 3, PATTERNS["interleaved"])
    schedule.longest_turn = 0.2
    lengths = []
    for _ in range(12):
        turn = schedule.next_turn(600.0)
        assert turn is not None
        schedule.end_turn(turn.member)
        lengths.append(turn.seconds)
    assert lengths == pytest.approx([0.05] * 3 + [0.1] * 3 + [0.2] * 6)
    schedule.prefer(2)
    turn = schedule.next_turn(600.0)
    assert turn is not None and turn.member == 2 and turn.seconds == pytest.approx(0.2)


def test_a_member_may_go_on_with_the_rest_of_its_turn() -> None:
    schedule = Schedule([1] * 3, Pattern(first_slice=1.0))
    turn = schedule.next_turn(600.0)
    assert turn is not None and (turn.member, turn.seconds) == (0, 1.0)
    schedule.end_turn(0)
    schedule.resume_turn(0, 0.25)
    rest, after = schedule.next_turn(600.0), schedule.next_turn(600.0)
    assert rest is not None and (rest.member, rest.seconds) == (0, 0.25)
    assert after is not None and (after.member, after.seconds) == (1, 1.0)
