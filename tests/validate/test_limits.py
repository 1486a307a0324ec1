"""Size, speed and independence of the referee."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat_validate.evaluate import State
from numbat_validate.reader import Key
from tests.validate.samples import ROOT, TASKS

SOURCES = sorted((ROOT / "validate" / "numbat_validate").glob("*.py"))
BENCHMARKS = Path(os.environ.get("NUMBAT_BENCHMARKS", ROOT.parent / "shared" / "benchmarks" / "ipc2023-numeric"))


def test_standard_library_only() -> None:
    assert SOURCES
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                top = name.partition(".")[0]
                assert top == "numbat_validate" or top in sys.stdlib_module_names, f"{source.name} imports {name}"


def test_importing_loads_nothing_else() -> None:
    """Also at run time: no planner, no third party, and no argparse before the command needs it."""
    script = "import sys; before = set(sys.modules); import numbat_validate; print(*(set(sys.modules) - before))"
    command = [sys.executable, "-S", "-c", script]
    loaded = subprocess.run(command, cwd=ROOT / "validate", capture_output=True, text=True, check=True)
    names = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert "numbat_validate" in names and "argparse" not in names and "json" not in names
    assert names - {"numbat_validate"} <= sys.stdlib_module_names


def test_under_a_thousand_lines() -> None:
    """All of them: blank lines, docstrings and comments included."""
    assert sum(len(source.read_text(encoding="utf-8").splitlines()) for source in SOURCES) < 1000


def write_long_plan(folder: Path, objects: int, steps: int) -> tuple[Path, Path]:
    """A ferry that circles a ring of docks, sailing and refuelling in turn, with fractional fuel."""
    docks = objects - 2
    ring = [(place, (place + 1) % docks) for place in range(docks)]
    facts = [f"(leg d{a} d{b}) (= (length d{a} d{b}) 0.5) (pump d{a})" for a, b in ring]
    problem = folder / "long.pddl"
    problem.write_text(
        f"(define (problem long) (:domain ferry) (:objects {' '.join(f'd{place}' for place in range(docks))} - dock"
        f" swan - boat salt - crate) (:init {' '.join(facts)} (moored swan d0) (stored salt d0) (= (burn swan) 0.1)"
        " (= (fuel swan) 1) (= (tank swan) 1) (= (aboard swan) 0) (= (limit swan) 5) (= (size salt) 5))"
        f" (:goal (moored swan d{steps // 2 % docks})) (:metric minimize (burnt)))",
        encoding="utf-8",
    )
    plan = folder / "long.plan"
    with plan.open("w", encoding="utf-8") as file:
        for number in range(steps // 2):
            here, there = f"d{number % docks}", f"d{(number + 1) % docks}"
            file.write(f"(sail swan {here} {there})\n(refuel swan {there})\n")
    return problem, plan


def test_hundred_thousand_steps_on_a_thousand_objects(tmp_path: Path) -> None:
    """At most 10 s of CPU and 500 MB, start-up included."""
    problem, plan = write_long_plan(tmp_path, 1_000, 100_000)
    script = """
import json, resource, sys, numbat_validate as validate
verdict = validate.check(*sys.argv[1:])
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([verdict.valid, str(verdict.cost), verdict.length, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
    command = [sys.executable, "-c", script, TASKS / "ferry" / "domain.pddl", problem, plan]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    valid, cost, length, seconds, kilobytes = json.loads(result.stdout)
    assert (valid, cost, length) == (True, "2500", 100_000)
    assert seconds <= 10
    assert kilobytes < 500 * 1024


def test_all_benchmarks_load() -> None:
    """Four hundred tasks of the competition, oddities included: the empty plan has a verdict, and it is the goal's."""
    if not BENCHMARKS.is_dir():
        pytest.skip("NUMBAT_BENCHMARKS is not set")
    problems = sorted(BENCHMARKS.glob("*/instances/*.pddl"))
    assert len(problems) == 400
    for problem in problems:
        verdict = validate.check(problem.parents[1] / "domain.pddl", problem, [])
        assert not verdict.valid and verdict.step is None and verdict.reason.startswith("goal")


def test_the_condition_of_several_effects_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step whose effects lie under many conditions takes most of its time in them."""
    domain = """(define (domain rain) (:types field)
    (:predicates (dry ?f - field) (wet ?f - field) (next ?f ?g - field))
    (:functions (water ?f - field) (days))
    (:action rain :parameters () :effect (and (increase (days) 1) (forall (?f ?g - field)
        (when (next ?f ?g) (and (wet ?f) (not (dry ?f)) (increase (water ?f) 2) (when (dry ?g) (wet ?g))))))))"""
    problem = """(define (problem rain-1) (:domain rain) (:objects a b c - field)
    (:init (next a b) (dry a) (dry b) (= (water a) 0)) (:goal (and (wet a) (wet b) (not (dry a)) (= (water a) 2))))"""
    asked = Counter[str]()
    holds = State.holds

    def counting(state: State, key: Key) -> bool:
        asked[key[0]] += 1
        return holds(state, key)

    task = validate.load(("domain", domain.encode()), ("problem", problem.encode()))
    monkeypatch.setattr(State, "holds", counting)
    assert validate.judge(task, ["(rain)"]).valid
    # nine bindings for what is wet and dry at once, nine more for what lies under the second condition
    assert asked["next"] == 18
