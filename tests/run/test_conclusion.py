"""Exit code and last sentence, for every way a run can end."""

from __future__ import annotations

from fractions import Fraction

import pytest

from numbat.engines.outcome import Basis, Proof, Status
from numbat.errors import ExitCode
from numbat.portfolio.record import CRASHED, MemberRecord
from numbat.portfolio.runner import Ending
from numbat.run.conclusion import RunEnd, exit_code, sentence
from numbat.task.plan import Plan

SOLVED, GAVE_UP = Status.SOLVED.value, Status.GAVE_UP.value
OUT_OF_TIME, OUT_OF_MEMORY = Status.OUT_OF_TIME.value, Status.OUT_OF_MEMORY.value
PLAN = Plan(("(a)", "(b)"), Fraction(7, 2))


def record(status: str) -> MemberRecord:
    return MemberRecord("S(hadd)", status, memory_ran_out=status == OUT_OF_MEMORY)


def ended(ending: Ending, *statuses: str, plan: Plan | None = None, **more: object) -> RunEnd:
    return RunEnd(plan, ending, "", [record(status) for status in statuses], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "code"),
    [
        (ended(Ending.STOPPED, SOLVED, plan=PLAN), ExitCode.SUCCESS),
        (ended(Ending.STOPPED, OUT_OF_MEMORY, SOLVED, plan=PLAN), ExitCode.SUCCESS),
        (ended(Ending.ALL_ENDED, GAVE_UP, plan=PLAN, anytime=True), ExitCode.SUCCESS),
        (ended(Ending.ALL_ENDED, OUT_OF_MEMORY, plan=PLAN, anytime=True), ExitCode.PLAN_FOUND_OUT_OF_MEMORY),
        (ended(Ending.TIME, OUT_OF_TIME, plan=PLAN, anytime=True), ExitCode.PLAN_FOUND_OUT_OF_TIME),
        (ended(Ending.INTERRUPTED, OUT_OF_TIME, plan=PLAN, anytime=True), ExitCode.PLAN_FOUND_OUT_OF_TIME),
        (ended(Ending.TIME, OUT_OF_MEMORY, plan=PLAN, anytime=True), ExitCode.PLAN_FOUND_OUT_OF_MEMORY_AND_TIME),
        (ended(Ending.STOPPED, "unsolvable", proof=Proof(Basis.EXHAUSTION)), ExitCode.SEARCH_UNSOLVABLE),
        (ended(Ending.ALL_ENDED, GAVE_UP), ExitCode.SEARCH_UNSOLVED_INCOMPLETE),
        (ended(Ending.ALL_ENDED, GAVE_UP, OUT_OF_MEMORY), ExitCode.SEARCH_OUT_OF_MEMORY),
        (ended(Ending.ALL_ENDED, GAVE_UP, CRASHED), ExitCode.SEARCH_CRITICAL_ERROR),
        (ended(Ending.ALL_ENDED, SOLVED, refused=1), ExitCode.SEARCH_CRITICAL_ERROR),
        (ended(Ending.ALL_ENDED, SOLVED, refused=1, exact=False), ExitCode.SEARCH_UNSOLVED_INCOMPLETE),
        (ended(Ending.ALL_ENDED, CRASHED, refused=1, exact=False), ExitCode.SEARCH_CRITICAL_ERROR),
        (ended(Ending.TIME, OUT_OF_TIME), ExitCode.SEARCH_OUT_OF_TIME),
        (ended(Ending.INTERRUPTED, OUT_OF_TIME), ExitCode.SEARCH_OUT_OF_TIME),
        (ended(Ending.TIME, OUT_OF_TIME, OUT_OF_MEMORY), ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME),
    ],
)
def test_exit_code(known: RunEnd, code: ExitCode) -> None:
    assert exit_code(known) is code


def test_the_sentence_names_the_plan_and_who_found_it() -> None:
    text = sentence(ended(Ending.STOPPED, SOLVED, plan=PLAN), "S(hmd)", 0.25, 0.5, 0.4)
    assert text == "plan with 2 steps, cost 3.5, found by S(hmd) after 0.25 s; 0.50 s, 0.40 s CPU in all"


@pytest.mark.parametrize(
    "known",
    [
        ended(Ending.ALL_ENDED, GAVE_UP, exact=False),
        RunEnd(None, Ending.ALL_ENDED, "", [MemberRecord("S(hadd)", GAVE_UP, statistics={"out_of_range": 2})]),
    ],
)
def test_the_sentence_says_that_numbers_were_too_large(known: RunEnd) -> None:
    assert "numbers beyond the exact range were met" in sentence(known, "", 0, 1, 1)
    assert exit_code(known) == ExitCode.SEARCH_UNSOLVED_INCOMPLETE


def test_the_sentence_says_why_there_is_none() -> None:
    text = sentence(ended(Ending.TIME, OUT_OF_TIME, OUT_OF_TIME, CRASHED), "", 0, 60, 59)
    assert text == "no plan found (time limit reached; members: 2 out-of-time, 1 crashed); 60.00 s, 59.00 s CPU in all"


def test_a_refused_plan_is_not_called_a_solution() -> None:
    assert "1 refused by the referee" in sentence(ended(Ending.ALL_ENDED, SOLVED, refused=1), "", 0, 1, 1)


def test_a_plan_that_is_not_proved_optimal_is_not_called_refused() -> None:
    text = sentence(ended(Ending.TIME, OUT_OF_TIME, SOLVED, bounds="every plan costs at least 4"), "", 0, 1, 1)
    assert "members: 1 out-of-time, 1 solved)" in text and "refused" not in text


def test_a_plan_that_came_too_late_is_not_called_refused() -> None:
    known = ended(Ending.TIME, SOLVED, OUT_OF_TIME, unjudged=frozenset({0}))
    assert "members: 2 out-of-time" in sentence(known, "", 0, 1, 1)
    assert exit_code(known) is ExitCode.SEARCH_OUT_OF_TIME
