"""The improver as a member: it waits for a plan, follows the best one, and rests when nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from numbat.engines.improve.engine import Improve
from numbat.engines.improve.recount import Recounting
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.engines.table import configuration, makers
from numbat.portfolio.runner import Decision
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.run.anytime import Anytime
from numbat.run.frontend import prepare
from numbat.run.interruption import Interruption
from numbat.run.plan_file import PlanFile
from numbat.run.publish import Publisher
from numbat.run.pursuit import Context, Team
from numbat.search.options import SearchOptions
from tests.search import small_tasks

SEARCH, IMPROVER = 0, 1
NOTHING = Outcome(Status.GAVE_UP, reason="nothing better is left to try")


@pytest.fixture
def pursuit(tmp_path: Path) -> Iterator[Anytime]:
    front = prepare(*small_tasks.write(small_tasks.COUNTER, tmp_path))
    team = Team(Problem(front.lifted, front.task), makers(configuration("S(hgc)")), (1,), SearchOptions(), 1 << 28)
    with Interruption() as interruption:
        context = Context(Publisher(front.referee, PlanFile(None)), interruption, lambda _: None, lambda: 0.0)
        made = Anytime(team, context, Schedule([1] * 2, PATTERNS["interleaved"]))
        made.launch(SEARCH)
        yield made


def found(pursuit: Anytime, detours: int) -> Outcome:
    """A plan that is longer than the shortest one by two steps for each detour."""
    numbers = pursuit.team.problem.numbers
    steps = ["(up)"] * (5 + detours) + ["(down)"] * detours
    return Outcome(Status.SOLVED, tuple(numbers[step] for step in steps))


def resting(pursuit: Anytime) -> bool:
    return pursuit._schedule.accounts[IMPROVER].retired


def test_it_starts_with_the_first_plan_and_rests_in_the_end(pursuit: Anytime) -> None:
    assert resting(pursuit)
    assert pursuit.receive(SEARCH, found(pursuit, 3)) is Decision.AGAIN
    assert not resting(pursuit)
    pursuit.launch(IMPROVER)
    assert pursuit.receive(IMPROVER, found(pursuit, 1)) is Decision.GO_ON
    pursuit.launch(IMPROVER)
    assert pursuit.receive(IMPROVER, NOTHING) is Decision.RETIRE


def test_it_goes_on_with_the_better_plan_of_another(pursuit: Anytime) -> None:
    pursuit.receive(SEARCH, found(pursuit, 3))
    pursuit.launch(IMPROVER)
    pursuit.receive(SEARCH, found(pursuit, 1))
    # what it brings is better than what it started with, and worse than what there is now
    assert pursuit.receive(IMPROVER, found(pursuit, 2)) is Decision.AGAIN
    pursuit.launch(IMPROVER)
    assert pursuit.receive(IMPROVER, found(pursuit, 2)) is Decision.RETIRE
    best = pursuit.context.publisher.best
    assert best is not None and len(best) == 7


def test_a_refused_plan_ends_it_until_there_is_another(pursuit: Anytime) -> None:
    pursuit.receive(SEARCH, found(pursuit, 3))
    pursuit.launch(IMPROVER)
    assert pursuit.receive(IMPROVER, Outcome(Status.IMPROVED, (0,))) is Decision.RETIRE
    pursuit._schedule.retire(IMPROVER)
    pursuit.receive(SEARCH, found(pursuit, 2))
    assert not resting(pursuit)


def test_searches_start_again_while_it_works(pursuit: Anytime) -> None:
    pursuit.receive(SEARCH, found(pursuit, 3))
    pursuit.launch(IMPROVER)
    decisions = [pursuit.receive(SEARCH, Outcome(Status.GAVE_UP, reason="exhausted")) for _ in range(6)]
    assert decisions == [Decision.AGAIN] * 5 + [Decision.RETIRE]


def test_two_improvers_start_with_the_first_plan_and_go_on_with_each_others(tmp_path: Path) -> None:
    front = prepare(*small_tasks.write(small_tasks.COUNTER, tmp_path))
    team = Team(Problem(front.lifted, front.task), makers(configuration("S(hgc)")), (1,), SearchOptions(), 1 << 28)
    with Interruption() as interruption:
        context = Context(Publisher(front.referee, PlanFile(None)), interruption, lambda _: None, lambda: 0.0)
        schedule = Schedule([1] * 3, PATTERNS["interleaved"])
        pursuit = Anytime(team, context, schedule, improvers=(Improve, Recounting))
        second = IMPROVER + 1
        assert pursuit.names == ["S(hgc)", "improve", "recount"]
        pursuit.launch(SEARCH)
        pursuit.receive(SEARCH, found(pursuit, 3))
        assert schedule.alive == [SEARCH, IMPROVER, second]
        pursuit.launch(IMPROVER)
        pursuit.launch(second)
        assert pursuit.receive(second, found(pursuit, 2)) is Decision.GO_ON
        # it has started with an older plan than the other one's
        assert pursuit.receive(IMPROVER, NOTHING) is Decision.AGAIN
        pursuit.launch(IMPROVER)
        assert pursuit.receive(IMPROVER, NOTHING) is Decision.RETIRE
        schedule.retire(IMPROVER)
        pursuit.receive(second, found(pursuit, 1))
        assert IMPROVER in schedule.alive


def test_a_scout_starts_with_the_first_plan_and_searches_below_it(tmp_path: Path) -> None:
    front = prepare(*small_tasks.write(small_tasks.COUNTER, tmp_path))
    engines = makers(configuration("P(S(hgc), S(hmd))"))
    team = Team(Problem(front.lifted, front.task), engines, (1, 1), SearchOptions(), 1 << 28, scouts=1)
    with Interruption() as interruption:
        context = Context(Publisher(front.referee, PlanFile(None)), interruption, lambda _: None, lambda: 0.0)
        schedule = Schedule([1] * 3, PATTERNS["interleaved"])
        pursuit = Anytime(team, context, schedule)
        scout, improver = 1, 2
        assert schedule.alive == [SEARCH]
        pursuit.launch(SEARCH)
        pursuit.receive(SEARCH, found(pursuit, 3))
        assert schedule.alive == [SEARCH, scout, improver]
        pursuit.launch(scout)
        assert pursuit.receive(scout, found(pursuit, 2)) is Decision.AGAIN
        assert pursuit.receive(scout, Outcome(Status.GAVE_UP, reason="exhausted")) is Decision.RETIRE
