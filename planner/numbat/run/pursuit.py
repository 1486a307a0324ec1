"""What the members of a portfolio are after: the first plan. Improving it is anytime's.

In, out      a member's outcome → a published plan, a proof that there is none, or a reason to go on without the member
Guarantee    nothing is published that the referee has not accepted; a refused plan is reported
Not here     processes (numbat.portfolio), the referee and the file (publish)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from numbat.engines.board import Board
from numbat.engines.engine import Engine
from numbat.engines.outcome import Outcome, Proof, Status, left_exact_range
from numbat.engines.problem import Problem
from numbat.engines.table import Maker
from numbat.portfolio.member import Work
from numbat.portfolio.runner import Decision
from numbat.run.interruption import Interrupted, Interruption
from numbat.run.publish import Publisher, Rejected
from numbat.search.options import SearchOptions
from numbat.search.run import Limits
from numbat.task.plan import Plan


@dataclass(frozen=True, slots=True)
class Team:
    """The members: one problem, one engine and one share each, the same options and the same memory for all."""

    problem: Problem
    makers: tuple[Maker, ...]
    shares: tuple[float, ...]  # of the time
    options: SearchOptions
    memory: int
    scouts: int = 0  # so many of the last ones start when there is a plan

    @property
    def names(self) -> list[str]:
        return [make(self.options).name for make in self.makers]

    def work(self, member: int, options: SearchOptions, bound: float) -> Work:
        return self.engine_work(self.makers[member](options), bound)

    def engine_work(self, engine: Engine, bound: float = math.inf) -> Work:
        def work(board: Board, time: float) -> Outcome:
            return engine.run(self.problem, Limits(time, self.memory, bound), board)

        return work


@dataclass(frozen=True, slots=True)
class Context:
    """What a pursuit works with: the referee and the file, the signals, what is said to the user, the time so far."""

    publisher: Publisher
    interruption: Interruption
    say: Callable[[str], None]
    wall: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Found:
    """A plan that the referee has accepted, and that was the best one by then; `after` so many seconds of the run."""

    steps: int
    cost: Fraction | None
    by: str
    after: float


# After a signal or at the time limit a plan that has already been found may still be judged and written (seconds).
GRACE = 0.25
# If memory is so short that members end at once, starting them again and again helps nobody.
MOST_ROUNDS = 20


class FirstPlan:
    """Ends at the first plan the referee accepts.

    Members that ran out of memory start again with another seed when nobody else is alive: the time is there.
    """

    def __init__(self, team: Team, context: Context) -> None:
        self.team = team
        self.context = context
        self.names = team.names
        self.options = team.options
        self.crashed: set[int] = set()
        self._out_of_memory: set[int] = set()
        self.found: list[Found] = []
        self.proof: Proof | None = None  # that there is no plan
        self.refused = 0
        self.unjudged: set[int] = set()  # members whose plan came too late for the referee
        self._rounded: set[int] = set()  # members that had to round numbers

    def launch(self, member: int) -> Work:
        return self.team.work(member, self.options, math.inf)

    def note_range(self, member: int, outcome: Outcome) -> None:
        if left_exact_range(outcome.statistics):
            self._rounded.add(member)

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.note_range(member, outcome)
        if outcome.has_plan:
            return Decision.STOP if self.publish(member, outcome.plan) else Decision.RETIRE
        if outcome.status is Status.UNSOLVABLE:
            self.proof = outcome.proof
            return Decision.STOP
        if outcome.status is Status.OUT_OF_MEMORY:
            self._out_of_memory.add(member)
        return Decision.RETIRE

    def failed(self, member: int, reason: str) -> None:
        self.crashed.add(member)
        self.context.say(f"{self.names[member]} failed ({reason}); going on without it")

    def next_round(self) -> Iterable[int]:
        members = sorted(self._out_of_memory)
        self._out_of_memory.clear()
        if self.options.seed - self.team.options.seed >= MOST_ROUNDS:
            return ()
        self.options = replace(self.options, seed=self.options.seed + 1)
        return members

    def publish(self, member: int, operators: Iterable[int]) -> bool:
        """Judge a member's plan and write it if it is valid and the best so far."""
        plan = self.judge(member, operators)
        return plan is not None and self.publish_judged(member, plan)

    def publish_judged(self, member: int, plan: Plan) -> bool:
        if not self.context.publisher.publish(plan):
            return False
        self.note_plan(plan, self.names[member])
        return True

    def note_plan(self, plan: Plan, by: str) -> None:
        self.found.append(Found(len(plan), plan.cost, by, self.context.wall()))

    def judge(self, member: int, operators: Iterable[int]) -> Plan | None:
        names = self.team.problem.grounded.operator_names
        try:
            with self.context.interruption.immediate(GRACE):
                return self.context.publisher.judge([names[operator] for operator in operators])
        except Interrupted:
            self.unjudged.add(member)
            return None
        except Rejected as rejection:
            self.refused += 1
            self.context.say(self._refusal(member, str(rejection)))
            return None

    def _refusal(self, member: int, reason: str) -> str:
        who = f"a plan of {self.names[member]} was refused by the referee and is not written ({reason})"
        if self.team.problem.grounded.exact and member not in self._rounded:
            return f"internal error: {who}"
        return f"{who}; this task needs rounded numbers, where this can happen"
