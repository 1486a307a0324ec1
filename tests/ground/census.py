"""All benchmark tasks through the front end: `python -m tests.ground.census [DOMAIN ...]` prints a table.

`python -m tests.ground.census --digests STEP` prints one hash of all arrays per task, for every STEP-th task.

Each task runs in a fresh interpreter, so that CPU time and peak memory are those of a whole front end run: start-up,
parsing, normalising, grounding. NUMBAT_BENCHMARKS names the folder of tasks; the expected numbers of ground actions
that relaxed reachability with intervals leaves, counted by an independent grounder, are in census.csv.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BENCHMARKS = Path(os.environ.get("NUMBAT_BENCHMARKS", ROOT.parent / "shared/benchmarks/ipc2023-numeric"))
EXPECTED = Path(__file__).with_name("census.csv")
SLOW = 1.5  # seconds


def tasks() -> Iterator[tuple[str, int, Path, Path]]:
    """Domain name, instance number, domain file, problem file."""
    for domain in sorted(path.parent for path in BENCHMARKS.glob("*/domain.pddl")):
        for number in range(1, 21):
            yield domain.name, number, domain / "domain.pddl", domain / "instances" / f"pfile{number}.pddl"


def expected() -> dict[tuple[str, int], int]:
    """Reachable ground actions per task."""
    with EXPECTED.open() as file:
        return {(row["domain"], int(row["instance"])): int(row["actions"]) for row in csv.DictReader(file)}


def measure(domain: Path, problem: Path) -> dict[str, object]:
    """Ground one task in this process; sizes, CPU seconds and peak memory of the process so far."""
    from numbat.ground import ground_with_report
    from numbat.normalise import lift

    _, report = ground_with_report(lift(domain, problem)[0])
    usage = resource.getrusage(resource.RUSAGE_SELF)
    process = {"cpu": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}
    return report.as_dict() | process


def measure_apart(domain: Path, problem: Path) -> dict[str, object]:
    """The same in a fresh interpreter."""
    command = [sys.executable, "-m", "tests.ground.census", "--one", str(domain), str(problem)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, object] = json.loads(done.stdout)
    return result


def digest(domain: Path, problem: Path) -> str:
    """A hash of everything in the grounded task."""
    from numbat.ground import ground
    from numbat.normalise import lift

    task, summary = ground(lift(domain, problem)[0]), hashlib.sha256()
    for field in fields(task):
        value = getattr(task, field.name)
        summary.update(value.tobytes() if hasattr(value, "tobytes") else repr(value).encode())
    return summary.hexdigest()


def print_digests(step: int) -> None:
    for domain, number, domain_file, problem_file in list(tasks())[::step]:
        print(domain, number, digest(domain_file, problem_file))


def main(domains: list[str]) -> int:
    known = expected()
    columns = ("actions_instantiated", "actions_reachable", "operators", "facts", "variables", "conditions")
    print(f"{'task':24}", *(f"{column.split('_')[-1]:>12}" for column in columns), "expected scale  exact   cpu    MB")
    seconds, wrong = [], 0
    for domain, number, domain_file, problem_file in tasks():
        if domains and domain not in domains:
            continue
        result = measure_apart(domain_file, problem_file)
        want = known[domain, number]
        wrong += want != result["actions_reachable"]
        seconds.append(float(str(result["cpu"])))
        print(
            f"{f'{domain} {number}':24}",
            *(f"{result[column]:12}" for column in columns),
            f"{want:8} {result['largest_scale']:5} {result['exact']!s:>6}",
            f"{result['cpu']:5.2f} {result['megabytes']:5.0f}",
            "" if result["goal_reachable"] else "goal unreachable",
            flush=True,
        )
    slow = sum(cpu > SLOW for cpu in seconds)
    print(f"{len(seconds)} tasks, {wrong} with another number of actions than expected")
    print(f"cpu median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s, {slow} above {SLOW} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(Path(sys.argv[2]), Path(sys.argv[3]))))
    elif sys.argv[1:2] == ["--digests"]:
        print_digests(int(sys.argv[2]))
    else:
        sys.exit(main(sys.argv[1:]))
