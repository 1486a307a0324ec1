"""Tasks and plans the referee's tests share."""

from __future__ import annotations

from pathlib import Path

from tests.oracles import simulator

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "tests" / "tasks"
PROBLEMS = sorted(TASKS.glob("*/p*.pddl"))
UNSOLVABLE = sorted(TASKS.glob("*/unsolvable*.pddl"))


def name_of(problem: Path) -> str:
    return f"{problem.parent.name}-{problem.stem}"


def domain_of(problem: Path) -> Path:
    return problem.parent / "domain.pddl"


def simulated(problem: Path) -> simulator.Task:
    return simulator.load(domain_of(problem), problem)


def lines_of(steps: list[simulator.Step]) -> list[str]:
    return [f"({' '.join(step)})" for step in steps]


def write_task(folder: Path, domain: str, problem: str) -> tuple[Path, Path]:
    """The two texts as files; their `(define (domain d)` and `(define (problem p)` are added."""
    places = folder / "domain.pddl", folder / "problem.pddl"
    places[0].write_text(f"(define (domain d)\n{domain})\n", encoding="utf-8")
    places[1].write_text(f"(define (problem p) (:domain d)\n{problem})\n", encoding="utf-8")
    return places
