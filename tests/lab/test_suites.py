"""Suites: notation, order and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.errors import ConfigurationError
from numbat.lab import suites
from numbat.lab.suites import BenchmarksMissing, select, stratified
from tests.lab.conftest import write_suite


@pytest.fixture
def benchmarks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three domains of twenty problems each, in the benchmark's layout."""
    for domain in ("ants", "bees", "fo-ants"):
        instances = tmp_path / domain / "instances"
        instances.mkdir(parents=True)
        (tmp_path / domain / "domain.pddl").touch()
        for number in range(1, 21):
            (instances / f"pfile{number}.pddl").touch()
    monkeypatch.setenv(suites.SUITES["ipc2023"].variable, str(tmp_path))
    return tmp_path


def names(*notations: str) -> list[str]:
    return [f"{task.domain}:{task.problem.removeprefix('pfile')}" for task in select(notations)]


def test_order_of_twenty_is_stratified() -> None:
    order = stratified(range(1, 21))
    assert order[:5] == [1, 6, 11, 16, 20]
    assert sorted(order) == list(range(1, 21))


@pytest.mark.parametrize("count", range(30))
def test_order_keeps_every_item_once(count: int) -> None:
    assert sorted(stratified(range(count))) == list(range(count))


def test_a_prefix_is_representative(benchmarks: Path) -> None:
    assert names("ipc2023")[:6] == ["ants:1", "bees:1", "fo-ants:1", "ants:6", "bees:6", "fo-ants:6"]
    assert len(names("ipc2023")) == 60


def test_samples_and_patterns(benchmarks: Path) -> None:
    assert set(names("ipc2023/sample:bees")) == {"bees:1", "bees:6", "bees:11", "bees:16", "bees:20"}
    assert names("ipc2023:bees:5") == ["bees:5"]
    assert names("ipc2023:*:7") == ["ants:7", "bees:7", "fo-ants:7"]
    assert len(names("ipc2023:fo-*")) == 20
    assert len(names("ipc2023/sample")) == 15


def test_a_number_may_be_the_whole_name(benchmarks: Path) -> None:
    (benchmarks / "bees/instances/21.pddl").touch()
    assert names("ipc2023:*:21") == ["bees:21"]


def test_suites_add_up_without_repetition(benchmarks: Path) -> None:
    assert names("ipc2023:ants:2", "ipc2023:ants:1", "ipc2023:ants:2") == ["ants:1", "ants:2"]


def test_a_folder_is_a_suite(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, problems=3)
    assert names(str(folder)) == names(str(tmp_path)) == ["bell:p1", "bell:p3", "bell:p2"]


@pytest.mark.parametrize("notation", ["ipc2022", "ipc2023/tiny", "ipc2023:wasps", "ipc2023:ants:21", "no/such/folder"])
def test_unknown_suites_are_errors(benchmarks: Path, notation: str) -> None:
    with pytest.raises(ConfigurationError, match="suite"):
        select([notation])


def test_two_tasks_of_one_name_are_an_error(tmp_path: Path) -> None:
    one, two = write_suite(tmp_path / "one"), write_suite(tmp_path / "two")
    with pytest.raises(ConfigurationError, match="two tasks are called bell p1"):
        select([str(one), str(two)])


@pytest.mark.parametrize("name", suites.SUITES)
def test_missing_benchmarks_are_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(suites.SUITES[name].variable, "/nowhere/benchmarks")
    with pytest.raises(BenchmarksMissing, match="/nowhere/benchmarks"):
        select([name])
