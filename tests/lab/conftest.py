"""A task of one action, planners that misbehave on request, and a process of its own for every measurement."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from numbat.lab import process
from numbat.lab.process import Measured, TreeLimits

DOMAIN = """
(define (domain bell)
  (:functions (rings))
  (:action ring :parameters () :effect (increase (rings) 1)))
"""
PROBLEM = """
(define (problem bell-{goal}) (:domain bell)
  (:init (= (rings) 0))
  (:goal (>= (rings) {goal})))
"""

Measure = Callable[..., Measured]


def write_suite(folder: Path, problems: int = 1) -> Path:
    """A domain `bell` whose problem n wants n rings."""
    domain = folder / "bell"
    domain.mkdir(parents=True)
    (domain / "domain.pddl").write_text(DOMAIN)
    for number in range(1, problems + 1):
        (domain / f"p{number}.pddl").write_text(PROBLEM.format(goal=number))
    return domain


def script(folder: Path, name: str, body: str) -> list[str]:
    """A planner in Python; in its body `plan` is the plan file's path and `rings` what the problem wants."""
    file = folder / f"{name}.py"
    file.write_text(
        "import os, re, signal, sys, time\n"
        "from pathlib import Path\n"
        "plan = Path(sys.argv[2])\n"
        "rings = int(re.search(r'bell-(\\d+)', Path(sys.argv[1]).read_text())[1])\n" + body
    )
    return [sys.executable, str(file), "{problem}", "{plan}"]


def write_planners(folder: Path, **bodies: str | dict[str, object]) -> Path:
    """A table of planners for --planners; a body is the script's text, or an entry with the text as `body`."""
    folder.mkdir(parents=True, exist_ok=True)
    table = {}
    for name, body in bodies.items():
        entry = dict(body) if isinstance(body, dict) else {"body": body}
        table[name] = {**entry, "command": script(folder, name, str(entry.pop("body")))}
        table[name].pop("body", None)
    file = folder / "planners.json"
    file.write_text(json.dumps(table))
    return file


def _measure_in_child(connection, command, limits, folder) -> None:  # type: ignore[no-untyped-def]
    connection.send(process.run(command, limits, folder=folder))


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    """Run a command under limits from a process that does nothing else."""

    def run(command: list[str], cpu: float = 30.0, wall: float = 30.0, memory: int = 1 << 30) -> Measured:
        context = multiprocessing.get_context("fork")
        ours, other = context.Pipe()
        child = context.Process(
            target=_measure_in_child, args=(other, command, TreeLimits(cpu, wall, memory), tmp_path)
        )
        child.start()
        result: Measured = ours.recv()
        child.join()
        return result

    return run
