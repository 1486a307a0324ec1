"""The gate: every task of the floor's suites under a small budget; a change that writes a wrong plan does not pass.

Passes       if every plan is valid, every outcome is explained, nothing but the floor's unsolvable tasks is called
             unsolvable, and coverage is not below the floor
Floor        a committed JSON file, see Floor
Benchmarks   where they are missing the gate is skipped, except in continuous integration, where it fails
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from numbat.errors import ExitCode, InputError, Span
from numbat.lab import experiment, planners, suites
from numbat.lab.integration import in_continuous_integration
from numbat.lab.outcome import INCOMPLETE, OUT_OF_MEMORY, OUT_OF_TIME, SOLVED, UNSOLVABLE
from numbat.lab.results import Record
from numbat.lab.suites import PROJECT_ROOT, BenchmarksMissing

DEFAULT_FLOOR = PROJECT_ROOT / "tests" / "gate" / "floor.json"
PASSED, FAILED = 0, 1
EXPECTED = frozenset({SOLVED, UNSOLVABLE, INCOMPLETE, OUT_OF_TIME, OUT_OF_MEMORY})
# Limits must be met in the search: every benchmark is ready for it long before the gate's budget is used up.
EXPECTED_CODES = frozenset(
    {
        ExitCode.SUCCESS,
        ExitCode.TRANSLATE_UNSOLVABLE,
        ExitCode.SEARCH_UNSOLVABLE,
        ExitCode.SEARCH_UNSOLVED_INCOMPLETE,
        ExitCode.SEARCH_OUT_OF_MEMORY,
        ExitCode.SEARCH_OUT_OF_TIME,
        ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME,
    }
)


@dataclass(frozen=True)
class Floor:
    """What the gate runs and what it demands.

    time, memory   limits per task: CPU seconds, megabytes
    coverage       tasks that must be solved at least
    unsolvable     domain -> problems that are known to have no plan; only these may be called unsolvable
    """

    suites: list[str]
    planner: str
    time: float
    memory: int
    workers: int
    coverage: int
    unsolvable: dict[str, list[str]]


def read_floor(file: Path) -> Floor:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
        return Floor(**values)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(str(file))) from error
    except (json.JSONDecodeError, TypeError) as error:
        names = ", ".join(field.name for field in fields(Floor))
        raise InputError(f"not a floor: {error}", Span(str(file)), expected=f"an object with {names}") from error


def gate(floor: Floor, extra: Mapping[str, planners.Planner], folder: Path | None) -> int:
    """Run the gate and print what it found; results go to `folder`, by default to one that is thrown away."""
    try:
        tasks = suites.select(floor.suites)
    except BenchmarksMissing as missing:
        if in_continuous_integration():
            print(f"gate FAILED: {missing}", file=sys.stderr)
            return FAILED
        print(f"gate skipped: {missing}")
        return PASSED
    planner = planners.find(floor.planner, extra)
    with tempfile.TemporaryDirectory(prefix="numbat-gate-") as temporary:
        plan = experiment.Experiment(
            tasks, [planner], floor.time, floor.memory << 20, Path(temporary) if folder is None else folder
        )
        records = experiment.run(plan, floor.workers)
    faults = find_faults(floor, records)
    print(render(floor, records, faults))
    return FAILED if faults else PASSED


def find_faults(floor: Floor, records: Sequence[Record]) -> list[str]:
    """Every reason why the gate fails, as sentences."""
    faults = []
    for record in records:
        where = f"{record.domain} {record.problem}"
        if record.unexplained:
            faults.append(f"{where}: {record.outcome}: {record.unexplained}")
        elif not _is_expected(record):
            faults.append(f"{where}: {record.outcome}, exit code {record.exit_code}")
        elif record.outcome == UNSOLVABLE and record.problem not in floor.unsolvable.get(record.domain, []):
            faults.append(f"{where}: said to be unsolvable (exit code {record.exit_code}), but is not known to be")
        elif record.outcome == SOLVED and record.problem in floor.unsolvable.get(record.domain, []):
            faults.append(f"{where}: has a valid plan, but the floor lists it as unsolvable")
    solved = _solved(records)
    if solved < floor.coverage:
        faults.append(f"coverage {solved} is below the floor of {floor.coverage}")
    return faults


def _is_expected(record: Record) -> bool:
    return not record.unexplained and record.outcome in EXPECTED and record.exit_code in EXPECTED_CODES


def _solved(records: Sequence[Record]) -> int:
    return sum(record.outcome == SOLVED for record in records)


def render(floor: Floor, records: Sequence[Record], faults: Sequence[str]) -> str:
    """A short table per domain, the faults, and one closing line."""
    domains = sorted({record.domain for record in records})
    width = max(map(len, domains))
    lines = [f"{'domain':{width}} tasks solved unsolvable incomplete time memory faulty  CPU s"]
    for domain in domains:
        mine = [record for record in records if record.domain == domain]
        counts = [sum(record.outcome == outcome for record in mine) for outcome in (SOLVED, UNSOLVABLE, INCOMPLETE)]
        limits = [sum(record.outcome == outcome for record in mine) for outcome in (OUT_OF_TIME, OUT_OF_MEMORY)]
        faulty = sum(not _is_expected(record) for record in mine)
        lines.append(
            f"{domain:{width}} {len(mine):5} {counts[0]:6} {counts[1]:10} {counts[2]:10} {limits[0]:4} {limits[1]:6}"
            f" {faulty:6} {sum(record.cpu for record in mine):6.0f}"
        )
    lines += [f"FAULT {fault}" for fault in faults]
    verdict = f"gate FAILED with {len(faults)} faults" if faults else "gate passed"
    lines.append(
        f"{verdict}: {_solved(records)} of {len(records)} tasks solved (floor {floor.coverage})"
        f" with {floor.planner}, {floor.time:g} s and {floor.memory} MB each, every plan checked"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(gate(read_floor(DEFAULT_FLOOR), {}, None))
