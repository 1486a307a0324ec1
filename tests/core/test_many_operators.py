"""hpot on tasks with very many operators: what it prepares takes little time and memory, and it is `blind` then."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from numbat.task.grounded import GroundedTask, Ints
from tests.core.bridge import core_task, evaluate
from tests.oracles.builder import Description, Op
from tests.oracles.heuristics import Options
from tests.oracles.states import Model

ROOT = Path(__file__).resolve().parents[2]
COPIES = 400_000
MEGABYTE = 2**20


def walk() -> GroundedTask:
    """Of the second operator there will be many copies; none is ever applicable."""
    operators = [Op("go", [], ["x += 1"]), Op("never", ["q"], ["p", "x += 2"])]
    return Description({"p": False, "q": False}, {"x": 0}, operators, ["p", "x >= 9"]).task()


def with_copies(task: GroundedTask, copies: int) -> GroundedTask:
    """The last operator, which has one block, again and again."""

    def starts(start: Ints) -> Ints:
        length = start[-1] - start[-2]
        return np.concatenate([start, start[-1] + length * np.arange(1, copies + 1)]).astype(np.int32)

    def last(start: Ints, row: np.ndarray) -> np.ndarray:
        return np.concatenate([row, np.tile(row[start[-2] :], copies)])

    one = np.arange(len(task.operator_precondition) + 1, dtype=np.int32)
    return replace(
        task,
        operator_names=[*task.operator_names, *(f"(copy {i})" for i in range(copies))],
        operator_precondition=last(one, task.operator_precondition),
        operator_block_start=starts(task.operator_block_start),
        block_condition=last(one, task.block_condition),
        block_add_start=starts(task.block_add_start),
        block_add=last(task.block_add_start, task.block_add),
        block_delete_start=starts(task.block_delete_start),
        block_delete=last(task.block_delete_start, task.block_delete),
        block_numeric_start=starts(task.block_numeric_start),
        numeric_variable=last(one, task.numeric_variable),
        numeric_assign=last(one, task.numeric_assign),
        numeric_constant=last(one, task.numeric_constant),
        numeric_term_start=starts(task.numeric_term_start),
        cost_constant=last(one, task.cost_constant),
        cost_whole=last(one, task.cost_whole),
        cost_term_start=starts(task.cost_term_start),
    )


def measured(heuristic: str) -> tuple[float, float, float]:
    """Of a process of its own: the value, CPU seconds, peak memory in bytes."""
    command = [sys.executable, "-m", "tests.core.test_many_operators", heuristic]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    value, seconds, memory = map(float, output.split())
    return value, seconds, memory


def test_time_and_memory_before_the_search_are_bounded() -> None:
    value, seconds, memory = measured("blind")
    value_here, seconds_here, memory_here = measured("hpot")
    assert value_here == value == 1
    assert seconds_here < seconds + 4
    assert memory_here < memory + 100 * MEGABYTE


def test_few_operators_are_no_reason() -> None:
    task = with_copies(walk(), 10)
    assert evaluate(core_task(task), "hpot", Model(task).initial, Options()).value > 1


def main() -> None:
    task = core_task(with_copies(walk(), COPIES))
    begin = time.process_time()
    value = evaluate(task, sys.argv[1], Model(walk()).initial, Options()).value
    seconds = time.process_time() - begin
    print(value, seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    main()
