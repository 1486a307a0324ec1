"""All benchmark tasks ground: the expected numbers of actions, well-formed arrays, the same ones every time."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from numbat.ground import ground_with_report
from numbat.normalise import lift
from tests.ground import census
from tests.ground.arrays import check_arrays

pytestmark = pytest.mark.skipif(not census.BENCHMARKS.exists(), reason="NUMBAT_BENCHMARKS is not there")


def test_there_are_400_tasks() -> None:
    assert sum(problem.exists() for *_, problem in census.tasks()) == 400


@pytest.mark.parametrize("domain", sorted({domain for domain, *_ in census.tasks()}))
def test_domain(domain: str) -> None:
    known = census.expected()
    for name, number, domain_file, problem_file in census.tasks():
        if name == domain:
            begin = time.process_time()
            task, report = ground_with_report(lift(domain_file, problem_file)[0])
            assert time.process_time() - begin < 2.5, f"{name} {number}"
            check_arrays(task)
            assert task.exact
            assert report.actions_reachable == known[name, number], f"{name} {number}"
            assert report.goal_reachable == ((name, number) != ("settlersnumeric", 7))


def test_same_arrays_whatever_the_hash_seed() -> None:
    """Every ninth task here; the whole set takes a minute: python -m tests.ground.census --digests 1."""

    def digests(seed: str) -> str:
        command = [sys.executable, "-m", "tests.ground.census", "--digests", "9"]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        return subprocess.run(
            command, cwd=census.ROOT, env=environment, capture_output=True, text=True, check=True
        ).stdout

    first = digests("1")
    assert first.count("\n") == 45
    assert first == digests("2")
