"""python -m tests.engines.improve.stages RESULTS: which stage of the improver saves how much of their plans."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from numbat.lab import results, suites
from numbat.lab.outcome import SOLVED
from numbat.run.frontend import prepare
from numbat.run.publish import read_plan
from tests.engines.improve.test_elimination import improve

STAGES = ("elimination", "windows", "neighbourhood")


def savings(folder: Path, suite: str, seconds: float) -> Iterator[dict[str, float]]:
    """For each plan: what each stage has saved, as a part of what all have; in cost, or in steps if that is nothing."""
    files = {(task.domain, task.problem): task for task in suites.select([suite])}
    for record in results.read(folder):
        task = files.get(record.task)
        if task is None or record.outcome != SOLVED:
            continue
        grounded = prepare(task.domain_file, task.problem_file).task
        numbers = {name: number for number, name in enumerate(grounded.operator_names)}
        plan = [numbers[step] for step in read_plan(folder / record.log / "plan") if step in numbers]
        yield parts(improve(grounded, plan, time=seconds, pause=2 * seconds)["statistics"])


def parts(figures: Mapping[str, float]) -> dict[str, float]:
    for measure in ("cost", "steps"):
        saved = {stage: float(figures[f"{measure}_saved_by_{stage}"]) for stage in STAGES}
        if total := sum(saved.values()):
            return {stage: part / total for stage, part in saved.items()}
    return {}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.engines.improve.stages")
    parser.add_argument("results", type=Path, help="folder of an experiment")
    parser.add_argument("--suite", default="ipc2023", help="whose tasks of it (ipc2023)")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds per plan (2)")
    arguments = parser.parse_args(argv)
    found = list(savings(arguments.results, arguments.suite, arguments.seconds))
    better = [one for one in found if one]
    print(f"{len(found)} plans, {len(better)} made better")
    for stage in STAGES:
        helped = sum(one[stage] != 0 for one in better)
        share = 100 * sum(one[stage] for one in better) / max(len(better), 1)
        print(f"{stage:16}{helped:5} plans{share:7.1f} % of what was saved")


if __name__ == "__main__":
    main()
