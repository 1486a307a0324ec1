"""Time goes to those who improve the plan, and nobody gets none."""

from __future__ import annotations

import pytest

from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.run.favour import Favour


def weights(schedule: Schedule) -> list[float]:
    return [account.weight for account in schedule.accounts]


def test_the_improver_starts_with_nearly_half() -> None:
    schedule = Schedule([1] * 4, PATTERNS["interleaved"])
    Favour(schedule, improvers=[3])
    assert weights(schedule) == pytest.approx([1.0, 1.0, 1.0, 5.0], rel=0.02)


def test_gains_per_second_decide() -> None:
    schedule = Schedule([1] * 3, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[2])
    for _ in range(20):
        favour.note(0, 0.1)
    schedule.charge(2, 10.0)
    schedule.next_turn(100.0)
    heavy, light, improver = weights(schedule)
    assert heavy > 3.5 and light == 1.0 and 1.0 <= improver < 1.5


def test_a_plan_of_another_is_the_improvers_chance() -> None:
    schedule = Schedule([1] * 3, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[2])
    schedule.charge(0, 5.0)
    schedule.charge(2, 50.0)
    favour.note(0, 0.4)
    assert max(weights(schedule)) == weights(schedule)[2] > 3.0


def test_a_new_round_starts_the_accounts_again() -> None:
    schedule = Schedule([1] * 2, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[1])
    schedule.charge(0, 5.0)
    favour.note(0, 0.5)
    before = weights(schedule)
    schedule.retire(0)
    schedule.revive([0], schedule.pattern)
    assert weights(schedule) == before
    favour.note(1, 0.5)
    assert min(weights(schedule)) >= 1.0


def test_who_gains_no_more_loses_its_weight() -> None:
    schedule = Schedule([1] * 2, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[1])
    favour.note(0, 0.5)
    before = weights(schedule)
    schedule.charge(0, 50.0)
    schedule.next_turn(100.0)
    assert weights(schedule)[0] < before[0]


def test_where_nobody_gains_all_are_alike_again() -> None:
    schedule = Schedule([1] * 3, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[2])
    favour.note(2, 0.5)
    for _ in range(60):
        turn = schedule.next_turn(1000.0)
        assert turn is not None
        schedule.charge(turn.member, 1.0)
        schedule.end_turn(turn.member)
    assert weights(schedule) == pytest.approx([1.0] * 3, rel=0.01)


def test_improvers_are_tried_for_some_time_whatever_others_gain() -> None:
    schedule = Schedule([1] * 4, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[2, 3])
    schedule.charge(2, 10.0)
    favour.note(2, 0.5)
    _, _, gaining, waiting = weights(schedule)
    assert waiting > gaining > 1.0
    schedule.charge(3, 10.0)
    schedule.next_turn(100.0)
    assert weights(schedule)[3] < weights(schedule)[2]


@pytest.mark.parametrize(("first_plan", "trial"), [(0.1, 2.0), (20.0, 10.0)])
def test_scouts_are_tried_once_and_longer_after_a_late_plan(first_plan: float, trial: float) -> None:
    schedule = Schedule([1] * 4, PATTERNS["interleaved"])
    favour = Favour(schedule, improvers=[3])
    schedule.charge(0, first_plan)
    favour.introduce([1, 2])
    search, scout, other, improver = weights(schedule)
    assert search == 1.0 and scout == other == improver > 2.0
    schedule.charge(1, trial - 0.1)
    favour.note(0, 0.0)
    assert weights(schedule)[1] == scout
    schedule.charge(1, 0.2)
    schedule.charge(3, 10.0)
    favour.note(0, 0.0)
    assert weights(schedule)[1] == 1.0 < weights(schedule)[2] == weights(schedule)[3]
