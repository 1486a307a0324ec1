"""From a request to a report: the whole way from two files to a published plan, whatever happens on it.

Steps        front end (read, normalise, ground; once, in this process) → members in children (runner) → referee and
             plan file (publish) → with anytime, better plans until the time is over (anytime)
Guarantee    returns a truthful Report on every path that is not bad input; signals and limits are such paths
Not here     arguments, printing and error messages (numbat.cli), the choice of the exit code (conclusion)
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from numbat import _core
from numbat.analyse.cost_goal import with_cost_goal
from numbat.errors import ExitCode
from numbat.ground.components import split
from numbat.portfolio.anytime import Anytime
from numbat.portfolio.conclusion import Facts, exit_code, sentence
from numbat.portfolio.frontend import FrontEnd, data_limit, prepare
from numbat.portfolio.interruption import Interrupted, Interruption
from numbat.portfolio.member import BoardLayout
from numbat.portfolio.memory import MemoryLimit
from numbat.portfolio.plan_file import PlanFile
from numbat.portfolio.publish import Publisher
from numbat.portfolio.pursuit import GRACE, FirstPlan, Surroundings, Team
from numbat.portfolio.runner import Record, Resources, Runner, Snapshot
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.portfolio.stopwatch import Origin, Stopwatch
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration
from numbat.search.run import Part, core_task, require_costs
from numbat.task.plan import Plan, decimal

_SMALLEST_DOUBLE, _LARGEST_DOUBLE = Fraction(sys.float_info.min), Fraction(sys.float_info.max)
BOARD = BoardLayout(
    size=_core.BOARD_SIZE,
    memory=_core.BOARD_MEMORY,
    memory_limit=_core.BOARD_MEMORY_LIMIT,
    progress={
        "evaluated": _core.BOARD_EVALUATED,
        "expanded": _core.BOARD_EXPANDED,
        "best_h": _core.BOARD_BEST_H,
        "memory": _core.BOARD_MEMORY,
    },
)


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for."""

    domain: Path
    problem: Path
    plan: Path | None
    search: str
    options: SearchOptions
    time: float
    memory: int
    schedule: str = "interleaved"
    cores: int = 1
    anytime: bool = False
    wall: float | None = None  # wall time, if it may be longer than the CPU time
    whole: bool = False  # independent parts are not planned for separately


@dataclass(slots=True)
class Report:
    """What became of it."""

    exit_code: ExitCode
    summary: str
    plan: Plan | None = None
    found_by: str = ""
    found_after: float = 0.0
    wall: float = 0.0
    cpu: float = 0.0
    peak_memory: int = 0
    front_end: FrontEnd | None = None
    members: list[Record] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        plan, front = self.plan, self.front_end
        return {
            "exit_code": int(self.exit_code),
            "summary": self.summary,
            "plan": list(plan.steps) if plan else None,
            "cost": _number(plan.cost) if plan and plan.cost is not None else None,
            "exact_cost": decimal(plan.cost) if plan and plan.cost is not None else None,
            "found_by": self.found_by or None,
            "found_after": round(self.found_after, 4),
            "wall": round(self.wall, 4),
            "cpu": round(self.cpu, 4),
            "peak_memory": self.peak_memory,
            "front_end": {"steps": front.steps, "grounding": front.grounding} if front else None,
            "members": [member.as_dict() for member in self.members],
        }


def _number(value: Fraction) -> int | float | str:
    """For JSON: exact as an integer, else the nearest double, or exact as text where no double comes near."""
    if value.denominator == 1:
        return value.numerator
    if abs(value) < _SMALLEST_DOUBLE or abs(value) > _LARGEST_DOUBLE:
        return decimal(value)
    return float(value)


@dataclass(frozen=True, slots=True)
class Voices:
    """How a run speaks while it runs: warnings and news, progress if somebody is looking, and each better plan."""

    say: Callable[[str], None]
    watch: Callable[[Snapshot], None] | None = None
    published: Callable[[Plan], None] | None = None


def solve(request: Request, voices: Voices, origin: Origin | None = None) -> Report:
    """See the module's docstring. Time counts from the origin on, or from now."""
    stopwatch = Stopwatch(request.time, request.cores, origin, request.wall)
    searches = configuration(request.search).members
    with Interruption() as interruption:
        interruption.alarm(stopwatch.remaining_wall() + GRACE)
        plan_file = PlanFile(request.plan, lambda: bool(interruption.reason))
        plan_file.check(request.domain, request.problem)
        try:
            with interruption.immediate(), data_limit(request.memory):
                front = prepare(request.domain, request.problem)
                core = core_task(front.task)
                pieces = [] if request.whole else split(front.task)
                parts = tuple(Part(core_task(part.task), part.operators) for part in pieces)
        except (Interrupted, MemoryError) as error:
            return _ended_early(error, interruption, stopwatch)
        for warning in front.warnings:
            voices.say(f"warning: {warning}")
        if not front.goal_reachable:
            text = "the task is unsolvable: grounding shows that the goal is out of reach"
            return Report(ExitCode.TRANSLATE_UNSOLVABLE, text, wall=stopwatch.wall(), cpu=stopwatch.cpu())
        require_costs(front.task, searches)
        publisher = Publisher(front.referee, plan_file, maximize=front.maximize, published=voices.published)
        around = Surroundings(publisher, interruption, voices.say, stopwatch.wall)
        cost_goal = with_cost_goal(front.task) if request.anytime and front.grounding["costs_can_fall"] else None
        team = Team(front.task, core, parts, searches, request.options, request.memory, cost_goal)
        resources = Resources(stopwatch, MemoryLimit(request.memory), interruption, BOARD, voices.watch)
        report = _search(request, team, around, resources, bounded=bool(front.grounding["costs_exact"]))
    report.front_end = front
    return report


def _search(request: Request, team: Team, around: Surroundings, resources: Resources, *, bounded: bool) -> Report:
    pursuit = Anytime(team, around, bounded=bounded) if request.anytime else FirstPlan(team, around)
    schedule = Schedule(len(team.searches), PATTERNS[request.schedule], request.cores)
    runner = Runner(map(str, team.searches), pursuit, schedule, resources)
    # The children read what is here now; a collection in one of them would copy all of it.
    gc.collect()
    gc.freeze()
    try:
        ending = runner.run()
    finally:
        gc.unfreeze()
    plan = around.publisher.best
    facts = Facts(
        plan,
        ending,
        around.interruption.reason,
        runner.records,
        request.anytime,
        pursuit.unsolvable,
        pursuit.refused,
        frozenset(pursuit.unjudged),
        team.task.exact,
    )
    wall, cpu = resources.stopwatch.wall(), resources.stopwatch.cpu() + runner.dying_cpu
    return Report(
        exit_code(facts),
        sentence(facts, pursuit.found_by, pursuit.found_after, wall, cpu),
        plan,
        pursuit.found_by,
        pursuit.found_after,
        wall,
        cpu,
        runner.peak,
        members=runner.records,
    )


def _ended_early(error: BaseException, interruption: Interruption, stopwatch: Stopwatch) -> Report:
    """The limits were reached, or a signal came, before there was anything to search."""
    memory = isinstance(error, MemoryError)
    code = ExitCode.TRANSLATE_OUT_OF_MEMORY if memory else ExitCode.TRANSLATE_OUT_OF_TIME
    why = "memory limit reached" if memory else interruption.reason
    return Report(code, f"no plan found ({why} before the search began)", wall=stopwatch.wall(), cpu=stopwatch.cpu())
