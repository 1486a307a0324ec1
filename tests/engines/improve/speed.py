"""python -m tests.engines.improve.speed: windows, and cost removed, per second of CPU time on five large plans."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from numbat.task.grounded import GroundedTask
from tests.engines.improve.large_plans import LARGE_PLANS, Case
from tests.engines.improve.test_elimination import improve


def numbered(case: Case) -> tuple[GroundedTask, list[int]]:
    """The task, and the plan as operator numbers."""
    description, steps = case
    numbers = {op.name: number for number, op in enumerate(description.ops)}
    return description.task(), [numbers[step] for step in steps]


def cost(task: GroundedTask, plan: list[int]) -> float:
    return float(task.cost_constant[plan].sum())


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.engines.improve.speed")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds per plan (5)")
    seconds = parser.parse_args(argv).seconds
    print(f"{'plan':10}{'steps':>8}{'cost':>9}{'after':>9}{'seconds':>9}{'windows/s':>11}{'cost removed/s':>16}")
    for name, make in LARGE_PLANS.items():
        task, plan = numbered(make())
        result = improve(task, plan, time=seconds, pause=2 * seconds)
        better = result["plan"] if result["ending"] == "better" else plan
        figures, before, after = result["statistics"], cost(task, plan), cost(task, better)
        used = figures["seconds"]
        rates = f"{figures['windows'] / used:11.0f}{(before - after) / used:16.0f}"
        print(f"{name:10}{len(plan):8}{before:9g}{after:9g}{used:9.2f}{rates}")


if __name__ == "__main__":
    main()
