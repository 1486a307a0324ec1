"""Many tasks: check each in a worker, count, shrink the first of each kind of disagreement and keep it.

Summary      tasks, the oracle's answers, the verdicts of every configuration, disagreements by kind
"""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice, takewhile
from pathlib import Path

from tests.adversary import planner as p
from tests.adversary import syntax as s
from tests.adversary import workers
from tests.adversary.check import BROKEN, MISSED, ROUNDED, WEAKNESSES, Checked, Disagreement, check
from tests.adversary.command import check_command
from tests.adversary.generate import generate
from tests.adversary.oracle import Answer, Model
from tests.adversary.shrink import shrink
from tests.adversary.text import domain_text, problem_text

FOUND = Path(__file__).parent / "found"
SAMPLE = 200  # every so many tasks one goes through the command line
_HORIZON = 20_000


def check_seed(seed: int) -> Checked:
    """In this process; a sample, and whatever was spoilt by rounding, by the command line, too."""
    task = generate(seed)
    checked = check(task, seed=seed)
    rounded = any(disagreement.kind == ROUNDED for disagreement in checked.disagreements)
    if rounded or seed % SAMPLE == 0:
        options = ("--anytime",) if seed % (2 * SAMPLE) else ()
        checked.disagreements += check_command(task, *options)
        checked.verdicts["command line"] = "checked"
    return checked


@dataclass
class Summary:
    tasks: int = 0
    seconds: float = 0.0
    answers: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    disagreements: dict[str, list[tuple[int, Disagreement]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, seed: int, checked: Checked) -> None:
        self.tasks += 1
        self.answers[_answer(checked.answer)] += 1
        for name, verdict in checked.verdicts.items():
            self.verdicts[name][verdict] += 1
        for disagreement in checked.disagreements:
            self.disagreements[disagreement.kind].append((seed, disagreement))

    def mistakes(self) -> dict[str, list[tuple[int, Disagreement]]]:
        return {kind: found for kind, found in self.disagreements.items() if kind not in WEAKNESSES}

    def __str__(self) -> str:
        rate = self.tasks / self.seconds if self.seconds else 0.0
        answers = ", ".join(f"{number} {answer}" for answer, number in sorted(self.answers.items()))
        lines = [f"{self.tasks} tasks in {self.seconds:.0f} s, {rate:.1f} a second; oracle: {answers}"]
        columns = sorted({verdict for verdicts in self.verdicts.values() for verdict in verdicts})
        lines.append(f"{'configuration':30}" + "".join(f"{column:>12}" for column in columns))
        for name, verdicts in self.verdicts.items():
            lines.append(f"{name:30}" + "".join(f"{verdicts[column]:12}" for column in columns))
        for kind, found in sorted(self.disagreements.items()):
            who = Counter(disagreement.who for _, disagreement in found)
            seeds = sorted({seed for seed, _ in found})
            lines.append(f"{len(seeds)} tasks: {kind}; seeds {', '.join(map(str, seeds[:8]))}")
            lines.append("    " + ", ".join(f"{number} {name}" for name, number in who.most_common()))
        return "\n".join(lines if self.disagreements else [*lines, "no disagreement"])


def _answer(answer: Answer) -> str:
    return "solvable" if answer.plan is not None else "unsolvable" if answer.exhausted else "unknown"


def run(seeds: Iterator[int], jobs: int = 1, seconds: float = float("inf")) -> Summary:
    """Check the tasks with these numbers until the time is over, or somebody interrupts."""
    summary, begin = Summary(), time.monotonic()
    in_time = takewhile(lambda seed: time.monotonic() - begin < seconds, seeds)
    with contextlib.suppress(KeyboardInterrupt):
        for seed, checked in workers.run(check_seed, in_time, jobs):
            if isinstance(checked, workers.Lost):
                lost = Checked(Answer(None, False, 0))
                lost.note(BROKEN, "process", checked.reason)
                checked = lost
            summary.add(seed, checked)
            summary.seconds = time.monotonic() - begin
    return summary


def seeds_from(first: int, number: int | None) -> Iterator[int]:
    return islice(count(first), number)


# --- shrinking and keeping --------------------------------------------------------------------------------------------


def shrunk(seed: int, disagreement: Disagreement) -> s.Task:
    """The smallest task found that shows the same kind of disagreement in the same place."""
    asked = [disagreement.who] if disagreement.who in p.CONFIGURATIONS else p.MEMBERS

    def shows(task: s.Task) -> bool:
        ((_, checked),) = workers.run(partial(_check_task, task, asked), iter([seed]), jobs=1)
        if isinstance(checked, workers.Lost):
            return disagreement.kind == BROKEN and disagreement.who == "process"
        return any(found.kind == disagreement.kind and found.who == disagreement.who for found in checked.disagreements)

    return shrink(generate(seed), shows)


def _check_task(task: s.Task, configurations: Sequence[str], seed: int) -> Checked:
    return check(task, configurations, seed)


def keep(task: s.Task, name: str, note: Disagreement, folder: Path = FOUND) -> Path:
    """Two files and what is true of them."""
    answer = Model(task).search(_HORIZON)
    expected = {"answer": _answer(answer), "plan": answer.plan, "must be solved": note.kind == MISSED}
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "domain.pddl").write_text(domain_text(task))
    (place / "problem.pddl").write_text(problem_text(task))
    (place / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    (place / "note.txt").write_text(f"{note.kind} ({note.who})\n{note.detail}\n")
    return place
