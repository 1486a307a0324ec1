"""The time of a process tree."""

from __future__ import annotations

import os
import time
from dataclasses import replace

import pytest

from numbat.portfolio.processes import cpu_of
from numbat.portfolio.stopwatch import Origin, Stopwatch


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_cpu_of_a_child_alive_and_ended() -> None:
    stopwatch = Stopwatch(limit=100)
    ready, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        burn(0.2)
        os.write(say, b"x")
        time.sleep(60)
        os._exit(0)
    os.read(ready, 1)
    try:
        assert cpu_of(pid) == pytest.approx(0.2, abs=0.1)
        assert stopwatch.cpu(cpu_of(pid)) >= 0.2
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    assert cpu_of(pid) == 0
    assert stopwatch.cpu() >= 0.2
    os.close(ready)
    os.close(say)


def test_the_nearer_limit_counts() -> None:
    stopwatch = Stopwatch(limit=10)
    burn(0.05)
    assert stopwatch.remaining() <= 10 - 0.05
    slept = Stopwatch(limit=10)
    time.sleep(0.1)
    assert slept.remaining() <= 9.9


def test_wall_time_may_have_a_limit_of_its_own() -> None:
    busy = Stopwatch(limit=1, origin=replace(Origin.now(), wall=time.monotonic() - 2.0), wall_limit=4)
    assert 0.9 < busy.remaining() <= 1
    assert 1.9 < busy.remaining_wall() <= 2


def test_on_several_cores_cpu_time_may_be_as_many_times_as_long() -> None:
    burnt = Stopwatch(limit=1, cores=4, origin=replace(Origin.now(), own_cpu=time.process_time() - 2.0))
    assert burnt.remaining() > 0.4


def test_a_process_counts_from_its_start() -> None:
    assert Stopwatch(100, origin=Origin.of_process()).wall() >= time.process_time() - 0.01
