"""The runner with fake members in real processes: whose outcome counts, what is shared, what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from numbat.engines.outcome import Outcome, Status
from numbat.portfolio.member import RunningMember
from numbat.portfolio.processes import resident
from numbat.portfolio.record import CRASHED, STOPPED
from numbat.portfolio.runner import LONGEST_STRETCH, Decision, Ending, Snapshot
from numbat.portfolio.schedule import PATTERNS, Pattern
from tests.portfolio import fakes
from tests.portfolio.fakes import MEGABYTE, children_of, play

SOLVED, GAVE_UP = Status.SOLVED.value, Status.GAVE_UP.value
OUT_OF_TIME, OUT_OF_MEMORY = Status.OUT_OF_TIME.value, Status.OUT_OF_MEMORY.value


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    before = children_of(os.getpid())
    yield
    assert children_of(os.getpid()) == before


def test_instant_success_ends_everybody() -> None:
    start = time.monotonic()
    ending, recorder, runner = play([fakes.hang, fakes.succeed, fakes.hang], seconds=30)
    assert ending is Ending.STOPPED
    assert recorder.plan == (1, 2, 3)
    assert time.monotonic() - start < 2
    assert [record.status for record in runner.records] == [STOPPED, SOLVED, "not started"]


def test_hanging_members_end_at_the_limit() -> None:
    start = time.monotonic()
    ending, recorder, runner = play([fakes.hang, fakes.hang], seconds=1)
    assert ending is Ending.TIME
    assert 0.8 < time.monotonic() - start < 1.5
    assert recorder.plan is None
    assert [record.status for record in runner.records] == [OUT_OF_TIME] * 2
    assert [record.seconds for record in runner.records] == pytest.approx([0.48] * 2, abs=0.2)


def test_a_crash_costs_nobody_else_anything() -> None:
    ending, recorder, runner = play([fakes.crash, fakes.fail, fakes.succeed_after(0.3)], seconds=20)
    assert ending is Ending.STOPPED
    assert recorder.plan == (7,)
    assert recorder.received == [(1, CRASHED), (0, CRASHED), (2, SOLVED)] or recorder.received == [
        (0, CRASHED),
        (1, CRASHED),
        (2, SOLVED),
    ]
    assert "SIGSEGV" in runner.records[0].reason
    assert "no such thing" in runner.records[1].reason


@pytest.mark.parametrize("schedule", ["interleaved", "sequential"])
def test_slow_success_in_the_last_slice(schedule: str) -> None:
    works = [fakes.hang, fakes.hang, fakes.succeed_after(0.8)]
    ending, recorder, _ = play(works, seconds=6, pattern=PATTERNS[schedule])
    assert ending is Ending.STOPPED
    assert recorder.plan == (7,)


def test_unused_time_goes_to_the_others() -> None:
    works = [fakes.exhaust_after(0.01), fakes.exhaust_after(0.01), fakes.succeed_after(1.0)]
    ending, recorder, _ = play(works, seconds=2.5, pattern=PATTERNS["sequential"])
    assert ending is Ending.STOPPED
    assert recorder.received == [(0, GAVE_UP), (1, GAVE_UP), (2, SOLVED)]


def test_all_exhausted_ends_early() -> None:
    start = time.monotonic()
    ending, _, _ = play([fakes.exhaust_after(0.01)] * 3, seconds=30)
    assert ending is Ending.ALL_ENDED
    assert time.monotonic() - start < 2


def test_a_plan_longer_than_a_pipe_holds() -> None:
    ending, recorder, _ = play([fakes.hang, fakes.long_plan], seconds=20)
    assert ending is Ending.STOPPED
    assert recorder.plan == tuple(range(300_000))


def test_paused_members_do_not_run() -> None:
    _, _, runner = play([fakes.burn, fakes.burn], seconds=1.2)
    assert sum(record.cpu for record in runner.records) < 1.35
    assert all(record.cpu > 0.1 for record in runner.records)


def test_members_are_charged_with_cpu_time_where_somebody_else_has_the_core() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    other = subprocess.Popen([sys.executable, "-I", "-c", "while True: pass"])
    try:
        _, _, runner = play([fakes.burn, fakes.burn], seconds=2)
    finally:
        other.kill()
        other.wait()
        os.sched_setaffinity(0, cores)
    charged = [account.used for account in runner.schedule.accounts]
    expected = [max(record.cpu, record.seconds / LONGEST_STRETCH) for record in runner.records]
    assert charged == pytest.approx(expected, abs=0.1)
    assert sum(charged) < 0.8 * sum(record.seconds for record in runner.records)


def test_two_cores_run_two_members() -> None:
    _, _, runner = play([fakes.hang, fakes.hang], seconds=0.8, cores=2)
    assert [record.seconds for record in runner.records] == pytest.approx([0.7] * 2, abs=0.2)


class Sampler(threading.Thread):
    """Looks at the memory of this process and its children every few milliseconds, from the outside."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._stop_event = threading.Event()

    def run(self) -> None:
        while not self._stop_event.wait(0.01):
            self.peak = max(self.peak, fakes.resident_sum(os.getpid()))

    def stop(self) -> int:
        self._stop_event.set()
        self.join()
        return self.peak


def room_for(extra: int) -> int:
    """A limit that leaves so many bytes beside this process."""
    return resident(os.getpid()) + extra


def test_memory_hogs_stay_within_the_limit() -> None:
    # in a process of its own: what a child shares with its parent counts, and the parent of many tests is large
    code = "from tests.portfolio.test_runner import check_memory_hogs; check_memory_hogs()"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[2])


def check_memory_hogs() -> None:
    limit = room_for(200 * MEGABYTE)
    sampler = Sampler()
    sampler.start()
    try:
        _, recorder, runner = play([fakes.hog, fakes.hog, fakes.succeed_after(2.0)], seconds=20, memory=limit)
    finally:
        peak = sampler.stop()
    assert recorder.plan == (7,)
    assert peak <= limit
    assert sum(record.evictions for record in runner.records) > 0


def test_an_obedient_hog_comes_back_with_all_the_memory() -> None:
    # A member is at first as large as this process: one alone can eat 500 MB, two side by side less than 250 each.
    limit = room_for(500 * MEGABYTE + resident(os.getpid()))
    works = [fakes.obedient_hog, fakes.obedient_hog, fakes.exhaust_after(0.1)]
    ending, recorder, runner = play(works, seconds=20, memory=limit)
    assert ending is Ending.ALL_ENDED
    assert sorted(recorder.received) == [(0, OUT_OF_MEMORY), (1, OUT_OF_MEMORY), (2, GAVE_UP)]
    # The last start of each ran alone.
    assert all(record.statistics["eaten"] > 250 * MEGABYTE for record in runner.records[:2])


def test_where_there_is_room_for_one_the_heavier_one_has_it() -> None:
    limit = 2 * resident(os.getpid()) + 24 * MEGABYTE  # two margins, and a little: for no third one
    works = [fakes.hang, fakes.succeed_after(0.1)]
    ending, recorder, runner = play(works, seconds=3, memory=limit, shares=[10, 1])
    assert ending is Ending.TIME and recorder.launched == [0]
    assert [record.evictions for record in runner.records] == [0, 1]
    ending, recorder, _ = play(works, seconds=20, memory=limit, shares=[1, 10])
    assert recorder.launched == [0, 1] and recorder.plan == (7,)


def test_a_lone_hog_that_knows_no_ceiling_is_ended() -> None:
    ending, recorder, _ = play([fakes.hog], seconds=20, memory=room_for(200 * MEGABYTE))
    assert ending is Ending.ALL_ENDED
    assert recorder.received == [(0, OUT_OF_MEMORY)]


def test_a_signal_ends_a_run_at_once() -> None:
    killer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGTERM))
    killer.start()
    start = time.monotonic()
    ending, _, _ = play([fakes.hang, fakes.hang, fakes.hang], seconds=30)
    assert ending is Ending.INTERRUPTED
    assert time.monotonic() - start < 0.9


def test_the_time_of_members_that_die_slowly_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunningMember, "gone_by", lambda _member, _deadline: False)
    killer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGTERM))
    killer.start()
    _, _, runner = play([fakes.burn], seconds=30)
    assert runner.unclaimed_cpu > 0
    assert runner.unclaimed_cpu == runner.records[0].cpu
    os.waitpid(-1, 0)


def test_the_snapshot_names_who_runs() -> None:
    seen = []
    play([fakes.hang, fakes.hang], seconds=0.5, watch=lambda snapshot: seen.extend(snapshot.running))
    assert {(number, name) for number, name, _ in seen} == {(0, "0"), (1, "1")}


def test_a_member_that_ends_between_two_looks_is_seen() -> None:
    seen: list[Snapshot] = []
    _, _, runner = play([fakes.succeed], seconds=30, watch=seen.append)
    first, *others = seen
    assert first.running == () and first.memory > 0
    assert any(snapshot.running for snapshot in others)
    assert runner.peak >= max(snapshot.memory for snapshot in seen) >= first.memory + runner.records[0].peak


def test_turns_are_told_in_the_time_of_the_run() -> None:
    stopped = []
    _, _, runner = play([fakes.hang, fakes.hang], seconds=1, watch=lambda snapshot: stopped.append(snapshot.wall))
    turns = sorted(turn for record in runner.records for turn in record.turns)
    assert all(len(record.turns) >= 2 for record in runner.records)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(turns))
    assert stopped[0] <= turns[0][0] and turns[-1][1] == pytest.approx(stopped[-1], abs=0.05)
    for record in runner.records:
        assert record.seconds == pytest.approx(sum(end - begin for begin, end in record.turns), abs=0.01)


def test_a_member_that_goes_on_starts_again_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def receive(self: fakes.Recorder, member: int, outcome: Outcome) -> Decision:
        return Decision.GO_ON if member == 0 and self.launched.count(0) < 3 else Decision.RETIRE

    monkeypatch.setattr(fakes.Recorder, "receive", receive)
    ending, recorder, _ = play([fakes.exhaust_after(0.0)] * 2, seconds=30, pattern=Pattern(first_slice=5.0))
    assert ending is Ending.ALL_ENDED
    assert recorder.launched == [0, 0, 0, 1]
