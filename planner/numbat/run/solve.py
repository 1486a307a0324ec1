"""From a request to a report: the whole way from two files to a published plan, whatever happens on it.

Steps        front end (read, normalise, ground; once, in this process) → members in children (runner) → referee and
             plan file (publish) → with anytime, better plans until the time is over (anytime)
Guarantee    returns a truthful Report on every path that is not bad input; signals and limits are such paths
Not here     arguments, printing and error messages (numbat.cli), the choice of the exit code (conclusion)
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from numbat.engines import table
from numbat.engines.improve.engine import Improve, Incumbent
from numbat.engines.improve.recount import Recounting
from numbat.engines.problem import Problem
from numbat.errors import ConfigurationError, ExitCode, UnsuitedSearch
from numbat.ground import freed_memory_kept
from numbat.portfolio.memory import MemoryLimit
from numbat.portfolio.record import MemberRecord
from numbat.portfolio.runner import Resources, Runner, Snapshot
from numbat.portfolio.schedule import PATTERNS, Schedule
from numbat.portfolio.stopwatch import Origin, Stopwatch
from numbat.run.anytime import Anytime, MakeImprover
from numbat.run.conclusion import RunEnd, exit_code, sentence
from numbat.run.frontend import FrontEnd, data_limit, own_peak, prepare
from numbat.run.interruption import Interrupted, Interruption
from numbat.run.optimal import Knowledge, Optimal, require_optimality_possible
from numbat.run.plan_file import PlanFile
from numbat.run.prover import Prover, prover
from numbat.run.publish import Publisher, read_plan
from numbat.run.pursuit import GRACE, Context, FirstPlan, Found, Team
from numbat.search.notation import Configuration
from numbat.search.options import SearchOptions
from numbat.task.plan import Plan, decimal

_SMALLEST_DOUBLE, _LARGEST_DOUBLE = Fraction(sys.float_info.min), Fraction(sys.float_info.max)


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
    optimal: bool = False  # only a plan that is proved optimal counts
    wall: float | None = None  # wall time, if it may be longer than the CPU time
    whole: bool = False  # independent parts are not planned for separately
    given: Path | None = None  # a plan to be improved; only with anytime


@dataclass(slots=True)
class Report:
    """What became of it."""

    exit_code: ExitCode
    summary: str
    plan: Plan | None = None
    found: list[Found] = field(default_factory=list)
    wall: float = 0.0
    cpu: float = 0.0
    peak_memory: int = 0
    front_end: FrontEnd | None = None
    members: list[MemberRecord] = field(default_factory=list)
    knowledge: Knowledge | None = None  # of a search for an optimal plan

    @property
    def found_by(self) -> str:
        return self.found[-1].by if self.found else ""

    @property
    def found_after(self) -> float:
        return self.found[-1].after if self.found else 0.0

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        plan, front = self.plan, self.front_end
        return {
            "exit_code": int(self.exit_code),
            "summary": self.summary,
            "plan": list(plan.steps) if plan else None,
            "cost": _number(plan.cost) if plan else None,
            "exact_cost": decimal(plan.cost) if plan and plan.cost is not None else None,
            "optimal": plan is not None and plan.optimal,
            "proven": _proven(self),
            "lower_bound": _number(self.knowledge.lower) if self.knowledge else None,
            "best_known_cost": _number(self.knowledge.upper) if self.knowledge else None,
            "found_by": self.found_by or None,
            "found_after": round(self.found_after, 4),
            "plans": [_found(found) for found in self.found],
            "wall": round(self.wall, 4),
            "cpu": round(self.cpu, 4),
            "peak_memory": self.peak_memory,
            "front_end": {"steps": front.steps, "grounding": front.grounding} if front else None,
            "members": [member.as_dict() for member in self.members],
        }


def _found(found: Found) -> dict[str, object]:
    return {"steps": found.steps, "cost": _number(found.cost), "found_by": found.by, "after": round(found.after, 4)}


def _proven(report: Report) -> str | None:
    if report.plan is not None:
        return "optimal" if report.plan.optimal else None
    unsolvable = report.exit_code in (ExitCode.TRANSLATE_UNSOLVABLE, ExitCode.SEARCH_UNSOLVABLE)
    return "unsolvable" if unsolvable else None


def _number(value: Fraction | None) -> int | float | str | None:
    """For JSON: exact as an integer, else the nearest double, or exact as text where no double comes near."""
    if value is None:
        return None
    if value.denominator == 1:
        return value.numerator
    if abs(value) < _SMALLEST_DOUBLE or abs(value) > _LARGEST_DOUBLE:
        return decimal(value)
    return float(value)


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Whom a run calls: with warnings and news, with its progress if somebody is looking, with each better plan."""

    say: Callable[[str], None]
    watch: Callable[[Snapshot], None] | None = None
    published: Callable[[Plan], None] | None = None


def solve(request: Request, callbacks: Callbacks, origin: Origin | None = None) -> Report:
    """See the module's docstring. Time counts from the origin on, or from now."""
    stopwatch = Stopwatch(request.time, request.cores, origin, request.wall)
    if request.optimal and request.anytime:
        raise ConfigurationError("--optimal and --anytime exclude each other: an optimal plan has no better one")
    wanted = table.configuration(request.search)
    with Interruption() as interruption:
        interruption.alarm(stopwatch.remaining_wall() + GRACE, stopwatch.remaining_cpu() + GRACE)
        plan_file = PlanFile(request.plan, lambda: bool(interruption.reason))
        plan_file.check(request.domain, request.problem)
        try:
            with interruption.immediate(), data_limit(request.memory), freed_memory_kept():
                front = prepare(request.domain, request.problem, request.memory)
                problem = _problem(front, request)
        except (Interrupted, MemoryError) as error:
            return _ended_early(error, request, interruption, stopwatch)
        for warning in front.warnings:
            callbacks.say(f"warning: {warning}")
        if not front.goal_reachable:
            text = "the task is unsolvable: grounding shows that the goal is out of reach"
            return _without_search(ExitCode.TRANSLATE_UNSOLVABLE, text, stopwatch, front)
        if request.optimal:
            require_optimality_possible(problem, request.search, maximize=front.maximize)
        publisher = Publisher(front.referee, plan_file, maximize=front.maximize, published=callbacks.published)
        context = Context(publisher, interruption, callbacks.say, stopwatch.wall)
        team = _team(wanted, problem, request, context.say)
        resources = Resources(stopwatch, MemoryLimit(request.memory), interruption, callbacks.watch)
        report = _search(request, team, context, resources)
    report.front_end = front
    return report


def _problem(front: FrontEnd, request: Request) -> Problem:
    """With the analyses that all members share."""
    problem = Problem(
        front.lifted,
        front.task,
        costs_exact=bool(front.grounding["costs_exact"]),
        costs_can_fall=bool(front.grounding["costs_can_fall"]),
        separable=not request.whole,
    )
    _ = problem.compiled, problem.compiled_parts
    if request.optimal and "symmetries" in request.options.pruning:
        _ = problem.swaps_of_parts if len(problem.parts) > 1 else problem.swaps
    if request.anytime and problem.costs_can_fall:
        _ = problem.cost_goal
    return problem


def _team(wanted: Configuration, problem: Problem, request: Request, say: Callable[[str], None]) -> Team:
    """Those of the engines that do not decline; with anytime also scouts, with the average share."""
    willing: list[table.Maker] = []
    shares: list[float] = []
    refusals = []
    for member, make in zip(wanted.members, table.makers(wanted), strict=True):
        engine = make(request.options)
        if reason := engine.declines(problem):
            refusals.append(f"{engine.name} declines: {reason}")
        else:
            willing.append(make)
            shares.append(member.share)
    if not willing:
        raise UnsuitedSearch("; ".join(refusals))
    for refusal in refusals:
        say(refusal)
    scouts = [table.maker(member) for member in table.scouts(wanted)] if request.anytime else []
    shares += [sum(shares) / len(shares)] * len(scouts)
    return Team(problem, (*willing, *scouts), tuple(shares), request.options, request.memory, len(scouts))


def _search(request: Request, team: Team, context: Context, resources: Resources) -> Report:
    proving = prover(team, maximize=not context.publisher.minimizes) if request.anytime else None
    improvers = _improvers(team) if request.anytime else []
    # improvers and the prover get the average share
    more = [sum(team.shares) / len(team.shares)] * (len(improvers) + (proving is not None))
    schedule = Schedule([*team.shares, *more], PATTERNS[request.schedule], request.cores)
    pursuit = _pursuit(request, team, context, schedule, proving, improvers)
    if isinstance(pursuit, Optimal):
        resources = replace(resources, watch=pursuit.annotating(resources.watch))
    runner = Runner(pursuit.names, pursuit, schedule, resources)
    # The children read what is here now; a collection in one of them would copy all of it.
    gc.collect()
    gc.freeze()
    try:
        ending = runner.run()
    finally:
        gc.unfreeze()
    plan = context.publisher.best
    knowledge = pursuit.knowledge() if isinstance(pursuit, Optimal) else None
    end = RunEnd(
        plan,
        ending,
        context.interruption.reason,
        runner.records,
        request.anytime,
        pursuit.proof,
        pursuit.refused,
        frozenset(pursuit.unjudged),
        team.problem.grounded.exact,
        str(knowledge or ""),
    )
    wall, cpu = resources.stopwatch.wall(), resources.stopwatch.cpu() + runner.unclaimed_cpu
    report = Report(exit_code(end), "", plan, pursuit.found, wall, cpu, runner.peak, None, runner.records, knowledge)
    report.summary = sentence(end, report.found_by, report.found_after, wall, cpu)
    return report


def _improvers(team: Team) -> list[MakeImprover]:
    """Those that do not decline."""
    willing: list[MakeImprover] = [Improve]
    if Recounting(Incumbent()).declines(team.problem) is None:
        willing.append(Recounting)
    return willing


def _pursuit(
    request: Request,
    team: Team,
    context: Context,
    schedule: Schedule,
    prover: Prover | None,
    improvers: Sequence[MakeImprover],
) -> FirstPlan:
    if request.optimal:
        return Optimal(team, context)
    if not request.anytime:
        return FirstPlan(team, context)
    pursuit = Anytime(team, context, schedule, prover, improvers)
    if request.given is not None:
        pursuit.begin_with(read_plan(request.given))
    return pursuit


def _ended_early(error: BaseException, request: Request, interruption: Interruption, stopwatch: Stopwatch) -> Report:
    """The limits were reached, or a signal came, before there was anything to search."""
    memory = isinstance(error, MemoryError)
    code = ExitCode.TRANSLATE_OUT_OF_MEMORY if memory else ExitCode.TRANSLATE_OUT_OF_TIME
    why = "memory limit reached" if memory else interruption.reason
    result = "no plan found" if request.given is None else "the plan given was not judged"
    return _without_search(code, f"{result} ({why} before the search began)", stopwatch)


def _without_search(code: ExitCode, text: str, stopwatch: Stopwatch, front: FrontEnd | None = None) -> Report:
    wall, cpu = stopwatch.wall(), stopwatch.cpu()
    return Report(code, text, wall=wall, cpu=cpu, peak_memory=own_peak(), front_end=front)
