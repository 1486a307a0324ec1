"""Signals become a reason, and an exception only where that is wanted."""

from __future__ import annotations

import os
import select
import signal
import time

import pytest

from numbat.run.interruption import Interrupted, Interruption


def readable(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])


def test_outside_immediate_a_signal_is_noted_and_wakes() -> None:
    with Interruption() as interruption:
        assert not readable(interruption.wake)
        os.kill(os.getpid(), signal.SIGTERM)
        assert "SIGTERM" in interruption.reason and not interruption.by_clock
        assert readable(interruption.wake)
        interruption.drain()
        assert not readable(interruption.wake)


def test_inside_immediate_it_raises_at_once() -> None:
    with Interruption() as interruption, pytest.raises(Interrupted), interruption.immediate():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)
    assert "SIGINT" in interruption.reason


def test_one_that_came_before_raises_on_entry() -> None:
    with Interruption() as interruption:
        os.kill(os.getpid(), signal.SIGXCPU)
        with pytest.raises(Interrupted), interruption.immediate():
            raise AssertionError("not reached")
        assert interruption.by_clock


def test_the_first_reason_stays_and_a_second_signal_does_not_interrupt_cleaning_up() -> None:
    with Interruption() as interruption:
        try:
            with interruption.immediate():
                os.kill(os.getpid(), signal.SIGTERM)
        except Interrupted:
            os.kill(os.getpid(), signal.SIGINT)
        assert "SIGTERM" in interruption.reason


def test_the_alarm_is_the_clock() -> None:
    with Interruption() as interruption, pytest.raises(Interrupted), interruption.immediate():
        interruption.alarm(0.05)
        time.sleep(10)
    assert interruption.by_clock and interruption.reason == "time limit reached"


def test_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Interruption():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_ignored_signals_stay_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not interruption.reason
    finally:
        signal.signal(signal.SIGHUP, before)
