"""Planner and referee, called in this process: the only module that knows how.

Idea         the front end runs once per task, the core once per configuration, the referee reads the files once
Default      the portfolio is its members: it plans or proves as the first of them does that plans or proves
Not here     what the answers should be (check); processes, signals, the exit code (the command line, `run_command`)
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numbat_validate as validate
from numbat.engines import table
from numbat.engines.board import Board
from numbat.engines.outcome import Outcome, Status, left_exact_range
from numbat.engines.problem import Problem
from numbat.errors import PlannerError
from numbat.run.frontend import FrontEnd, prepare
from numbat.search import registry
from numbat.search.options import SearchOptions
from numbat.search.run import Limits

MEMBERS = ("S(hmd)", "S(hadd)", "S(hmrp+hj)", "S(hmd<B,QB>)", "S(hadd<B,QB>)", "S(hmrp<B,QB>+hj)")
OTHERS = (
    "M(3h||3n)",
    "S(hgc)",
    "S(haibr)",
    "S(hradd)",
    "S(hflow)",
    "S(hgmrp+hj)",
    "S(hadd<G,PN>)",
    "L(hmrp+hj)",
    "L(hadd,hlm)",
    "Y(hmrp+hj,hlm)",
)
METRIC_COST = "S(hadd) with metric costs"
WHOLE = "M(3h||3n) on the whole task"
CONFIGURATIONS = (*MEMBERS, *OTHERS, METRIC_COST, WHOLE)
MEMORY = 200 * 1024**2

DEFAULT = registry.DEFAULT
Refusal = PlannerError  # what Planner raises
PLAN, UNSOLVABLE, NO_PLAN, OUT_OF_LIMITS, REFUSED = "plan", "unsolvable", "no plan", "limits", "refused"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the planner says: one of the verdicts above; `exact` tells whether it computed without rounding."""

    verdict: str
    plan: tuple[str, ...] = ()
    exact: bool = True
    reason: str = ""


class Planner:
    """One task; PlannerError says that the planner does not take it."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self._front = prepare(domain, problem)
        self._problem, self._whole = (_problem(self._front, separable) for separable in (True, False))

    def ask(self, configured: str, seconds: float) -> Reply:
        """One of the configurations."""
        if not self._front.goal_reachable:
            return Reply(UNSOLVABLE, reason="seen by grounding")
        (make,) = table.makers(table.configuration(configured.split()[0]))
        engine = make(SearchOptions(heuristic_cost="metric" if configured == METRIC_COST else "unit"))
        problem = self._whole if configured == WHOLE else self._problem
        return self._reply(engine.run(problem, Limits(seconds, MEMORY), Board()))

    def _reply(self, outcome: Outcome) -> Reply:
        exact = self._front.task.exact and not left_exact_range(outcome.statistics)
        if outcome.has_plan:
            names = self._front.task.operator_names
            return Reply(PLAN, tuple(names[operator] for operator in outcome.plan), exact)
        verdicts = {Status.UNSOLVABLE: UNSOLVABLE, Status.GAVE_UP: NO_PLAN}
        return Reply(verdicts.get(outcome.status, OUT_OF_LIMITS), exact=exact, reason=_reason(outcome))


def _reason(outcome: Outcome) -> str:
    return outcome.proof.basis.value if outcome.proof else outcome.reason or outcome.status.value


def _problem(front: FrontEnd, separable: bool) -> Problem:
    return Problem(
        front.lifted,
        front.task,
        costs_exact=bool(front.grounding["costs_exact"]),
        costs_can_fall=bool(front.grounding["costs_can_fall"]),
        separable=separable,
    )


def refusal(error: PlannerError) -> Reply:
    return Reply(REFUSED, reason=f"exit {int(error.exit_code)}: {error}")


class Referee:
    """One task; RefereeError says that the referee does not take it."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self._task = validate.load(domain, problem)

    def judge(self, plan: Sequence[str]) -> tuple[bool, int | None, Fraction | None]:
        """Valid, the first step that fails, the metric's value."""
        verdict = validate.judge(self._task, plan)
        return verdict.valid, verdict.step, verdict.cost if verdict.metric else None

    def accepts(self, plan: Sequence[str]) -> bool:
        try:
            return self.judge(plan)[0]
        except RefereeError:
            return False


RefereeError = (validate.InputError, validate.Unsupported)


@dataclass(frozen=True, slots=True)
class CommandResult:
    exit_code: int
    plan: tuple[str, ...] | None
    cost: Fraction | None
    message: str


def run_command(domain: Path, problem: Path, *options: str, search: str = DEFAULT, seconds: float = 5) -> CommandResult:
    """The real command line."""
    command = [sys.executable, "-I", "-m", "numbat", "solve", str(domain), str(problem), "--search", search]
    limits = ["--time", str(seconds), "--memory", "1G", "--json"]
    done = subprocess.run([*command, *limits, *options], capture_output=True, text=True, timeout=60 + seconds)
    report = json.loads(done.stdout, parse_float=Fraction) if done.stdout.startswith("{") else {}
    plan = tuple(report["plan"]) if report.get("plan") is not None else None
    cost = Fraction(report["cost"]) if report.get("cost") is not None else None
    return CommandResult(done.returncode, plan, cost, done.stderr.strip())
