"""Suites: which tasks an experiment runs, and in which order.

Notation     NAME[/sample][:DOMAIN[:PROBLEM]], where DOMAIN and PROBLEM are shell patterns and a bare number n
             stands for the problems n and pfile{n}; NAME is one of SUITES, or a folder with domain.pddl and its
             problems, or a folder of such folders
In, out      notations -> tasks
Order        stratified: small, middle and large problems of every domain come first (1, 6, 11, 16, 20, then the
             rest), round robin over the domains, so that an unfinished experiment is already representative
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from numbat.errors import ConfigurationError, ExitCode, PlannerError, Span

PROJECT_ROOT = Path(__file__).resolve().parents[3]

STRIDE = 5
STRIDE_OFFSETS = (2, 3, 1, 4)

Item = TypeVar("Item")


class BenchmarksMissing(PlannerError):
    """The benchmark folder is not there; the gate treats this differently from a mistyped suite."""

    exit_code = ExitCode.DRIVER_INPUT_ERROR


@dataclass(frozen=True, slots=True)
class Suite:
    """A named collection of domains: the environment variable that tells where it is, and where it is otherwise."""

    variable: str
    default: Path
    summary: str

    @property
    def folder(self) -> Path:
        return Path(os.environ.get(self.variable) or self.default)


_SHARED = PROJECT_ROOT.parent / "shared" / "benchmarks"
SUITES = {
    "ipc2023": Suite("NUMBAT_BENCHMARKS", _SHARED / "ipc2023-numeric", "the numeric track of IPC 2023, 400 tasks"),
    "development": Suite("NUMBAT_DEVELOPMENT", _SHARED / "development", "40 domains of other origin, and docking"),
}


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """One task of a suite; `domain` and `problem` are its names in every table."""

    domain: str
    problem: str
    domain_file: Path
    problem_file: Path


def natural_key(name: str) -> list[tuple[int, int | str]]:
    """Sort key under which pfile2 comes before pfile10."""
    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"(\d+)", name) if part]


def stratified(items: Sequence[Item]) -> list[Item]:
    """The items in an order whose every prefix is spread over the whole sequence."""
    count = len(items)
    first = sample_indices(count)
    rest = [index for offset in STRIDE_OFFSETS for index in range(offset, count, STRIDE)]
    return [items[index] for index in dict.fromkeys([*first, *rest])]


def sample_indices(count: int) -> list[int]:
    """The first of every five, and the last: problems 1, 6, 11, 16, 20 of twenty."""
    return list(dict.fromkeys([*range(0, count, STRIDE), count - 1])) if count else []


def select(notations: Iterable[str]) -> list[SuiteTask]:
    """All tasks of the suites, each once, in representative order."""
    domains: dict[str, dict[str, SuiteTask]] = {}
    for notation in notations:
        for tasks in _parse(notation):
            for task in tasks:
                known = domains.setdefault(task.domain, {}).setdefault(task.problem, task)
                if known != task:
                    raise ConfigurationError(
                        f"two tasks are called {task.domain} {task.problem}", Span(str(task.problem_file))
                    )
    columns = [stratified([tasks[name] for name in sorted(tasks, key=natural_key)]) for tasks in domains.values()]
    return [task for row in zip_longest(*columns) for task in row if task is not None]


def _parse(notation: str) -> list[list[SuiteTask]]:
    """The tasks of one notation, one list per domain, in natural order."""
    if Path(notation).is_dir():
        return _folder(Path(notation))
    name, _, restriction = notation.partition(":")
    domain_pattern, _, problem_pattern = restriction.partition(":")
    base, slash, sample = name.partition("/")
    suite = SUITES.get(base)
    if suite is None or (slash and sample != "sample"):
        names = " or ".join(SUITES)
        raise ConfigurationError(
            f"no suite {notation!r}",
            expected=f"{names}, with /sample, :DOMAIN or :DOMAIN:NUMBER behind it, or a folder with domain.pddl",
            got=notation,
        )
    root = suite.folder
    if not root.is_dir():
        raise BenchmarksMissing(f"the benchmarks are not there; set {suite.variable} to their folder", Span(str(root)))
    patterns = [problem_pattern or "*"]
    if problem_pattern.isdigit():
        patterns.append(f"pfile{problem_pattern}")
    chosen = []
    for tasks in _folder(root):
        kept = [tasks[index] for index in sample_indices(len(tasks))] if sample else tasks
        if fnmatchcase(tasks[0].domain, domain_pattern or "*"):
            chosen.append([task for task in kept if any(fnmatchcase(task.problem, pattern) for pattern in patterns)])
    if not any(chosen):
        raise ConfigurationError(f"suite {notation!r} has no task", Span(str(root)))
    return chosen


def _folder(folder: Path) -> list[list[SuiteTask]]:
    """The tasks below a folder that is a domain, or whose subfolders are."""
    if (folder / "domain.pddl").is_file():
        return [_domain(folder)]
    domains = sorted(path.parent for path in folder.glob("*/domain.pddl"))
    if not domains:
        raise ConfigurationError("neither this folder nor any folder in it has a domain.pddl", Span(str(folder)))
    return [_domain(domain) for domain in domains]


def _domain(folder: Path) -> list[SuiteTask]:
    """The problems beside domain.pddl, or in its folder `instances`."""
    instances = folder / "instances"
    files = (instances if instances.is_dir() else folder).glob("*.pddl")
    problems = sorted((file for file in files if file.name != "domain.pddl"), key=lambda file: natural_key(file.stem))
    if not problems:
        raise ConfigurationError("a domain without problems", Span(str(folder)))
    name = folder.resolve().name
    return [SuiteTask(name, file.stem, folder / "domain.pddl", file) for file in problems]
