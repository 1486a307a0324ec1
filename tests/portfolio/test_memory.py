"""Which member is ended when memory gets short."""

from __future__ import annotations

import os

import numpy as np

from numbat.portfolio.memory import MEGABYTE, MemoryLimit
from numbat.portfolio.processes import resident

GIGABYTE = 1024 * MEGABYTE
LIMIT = MemoryLimit(8 * GIGABYTE)


def alike(member: int) -> float:
    return 1.0


def test_while_the_sum_fits_nobody_goes() -> None:
    assert LIMIT.victim(100 * MEGABYTE, {0: 6 * GIGABYTE, 1: GIGABYTE}, set(), alike) is None


def test_near_the_limit_the_largest_goes() -> None:
    assert LIMIT.victim(100 * MEGABYTE, {0: GIGABYTE, 1: 4 * GIGABYTE, 2: 3 * GIGABYTE}, set(), alike) == 1


def test_what_somebody_holds_counts_against_its_weight() -> None:
    weights = {0: 10.0, 1: 4.0, 2: 1.0}
    sizes = {0: 4 * GIGABYTE, 1: 3 * GIGABYTE, 2: GIGABYTE}
    assert LIMIT.victim(100 * MEGABYTE, sizes, set(), weights.__getitem__) == 2


def test_whoever_has_had_its_share_goes_first() -> None:
    sizes = {0: 2 * GIGABYTE, 1: 5 * GIGABYTE, 2: GIGABYTE}
    assert LIMIT.victim(100 * MEGABYTE, sizes, {0, 2}, alike) == 0


def test_the_last_one_ends_by_itself_unless_it_overshoots() -> None:
    assert LIMIT.victim(100 * MEGABYTE, {3: LIMIT.target - 150 * MEGABYTE}, set(), alike) is None
    assert LIMIT.victim(100 * MEGABYTE, {3: 8 * GIGABYTE}, set(), alike) == 3
    assert LIMIT.victim(9 * GIGABYTE, {}, set(), alike) is None


def test_what_is_handed_out_stays_below_the_limit() -> None:
    for size in (64 * MEGABYTE, GIGABYTE, 8 * GIGABYTE):
        limit = MemoryLimit(size)
        assert limit.free(0, {}) < size
        assert limit.free(size // 2, {0: size // 4}) <= size // 4


def test_what_a_process_holds_is_seen() -> None:
    before = resident(os.getpid())
    block = np.ones(64 * MEGABYTE // 8)
    assert resident(os.getpid()) - before > 50 * MEGABYTE
    assert block[0] == 1
    assert resident(2**22 - 1) == 0
