"""What the members of a portfolio are after: the first plan. Improving it is anytime's.

In, out      a member's outcome → a published plan, a proof that there is none, or a reason to go on without the member
Guarantee    nothing is published that the referee has not accepted; a refused plan is said out loud
Not here     processes (runner), the referee and the file (publish)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from numbat.analyse.cost_goal import below
from numbat.portfolio.interruption import Interrupted, Interruption
from numbat.portfolio.publish import Publisher, Rejected
from numbat.portfolio.runner import Decision
from numbat.search.options import SearchOptions
from numbat.search.outcome import CRASHED, EXHAUSTED_COMPLETE, OUT_OF_MEMORY, SOLVED, Outcome
from numbat.search.run import Limits, Part, core_task, run, run_parts
from numbat.task.grounded import Doubles, GroundedTask
from numbat.task.plan import Plan

if TYPE_CHECKING:
    from numbat import _core
    from numbat.portfolio.member import Work
    from numbat.search.notation import Search


@dataclass(frozen=True, slots=True)
class Team:
    """The members: one task, one search each, the same options and the same memory for all.

    parts       the independent parts of the task; a bound is on the cost of the whole, so with one nothing is parted
    cost_goal   the task with its cost as a goal (numbat.analyse.cost_goal), if costs can fall: then a bound becomes
                part of the goal; otherwise states that have reached it are pruned
    """

    task: GroundedTask
    core: _core.Task
    parts: tuple[Part, ...]
    searches: tuple[Search, ...]
    options: SearchOptions
    memory: int
    cost_goal: GroundedTask | None = None

    def work(self, member: int, options: SearchOptions, bound: float) -> Work:
        search = self.searches[member]

        def work(board: Doubles, time: float) -> Outcome:
            if bound < math.inf and self.cost_goal is not None:
                core = core_task(below(self.cost_goal, bound))
                return run(core, search, options, Limits(time, self.memory), board)
            limits = Limits(time, self.memory, bound)
            if len(self.parts) > 1 and bound == math.inf:
                return run_parts(self.parts, search, options, limits, board)
            return run(self.core, search, options, limits, board)

        return work


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a pursuit reaches out to: the referee and the file, the signals, the user's ear, the clock on the wall."""

    publisher: Publisher
    interruption: Interruption
    say: Callable[[str], None]
    wall: Callable[[], float]


# After a signal or at the time limit a plan that has already been found may still be judged and written (seconds).
GRACE = 0.25
# If memory is so short that members end at once, starting them again and again helps nobody.
MOST_ROUNDS = 20


class FirstPlan:
    """Ends at the first plan the referee accepts.

    Members that ran out of memory start again with another seed when nobody else is alive: the time is there.
    """

    def __init__(self, team: Team, surroundings: Surroundings) -> None:
        self.team = team
        self.around = surroundings
        self.options = team.options
        self.failed: set[int] = set()
        self._out_of_memory: set[int] = set()
        self.found_by = ""
        self.found_after = 0.0
        self.unsolvable = False
        self.refused = 0
        self.unjudged: set[int] = set()  # members whose plan came too late for the referee
        self._rounded: set[int] = set()  # members that had to round numbers

    def launch(self, member: int) -> Work:
        return self.team.work(member, self.options, math.inf)

    def note_range(self, member: int, outcome: Outcome) -> None:
        if outcome.left_exact_range:
            self._rounded.add(member)

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.note_range(member, outcome)
        if outcome.status == SOLVED:
            return Decision.STOP if self.publish(member, outcome.plan) else Decision.RETIRE
        if outcome.status == EXHAUSTED_COMPLETE and self.team.task.exact:
            self.unsolvable = True
            return Decision.STOP
        if outcome.status == OUT_OF_MEMORY:
            self._out_of_memory.add(member)
        if outcome.status == CRASHED:
            self.failed.add(member)
            self.around.say(f"{self.team.searches[member]} failed ({outcome.reason}); going on without it")
        return Decision.RETIRE

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
        if plan is None or not self.around.publisher.publish(plan):
            return False
        self.found_by = str(self.team.searches[member])
        self.found_after = self.around.wall()
        return True

    def judge(self, member: int, operators: Iterable[int]) -> Plan | None:
        names = self.team.task.operator_names
        try:
            with self.around.interruption.immediate(GRACE):
                return self.around.publisher.judge([names[operator] for operator in operators])
        except Interrupted:
            self.unjudged.add(member)
            return None
        except Rejected as rejection:
            self.refused += 1
            self.around.say(self._refusal(member, str(rejection)))
            return None

    def _refusal(self, member: int, reason: str) -> str:
        who = f"a plan of {self.team.searches[member]} was refused by the referee and is not written ({reason})"
        if self.team.task.exact and member not in self._rounded:
            return f"internal error: {who}"
        return f"{who}; this task needs rounded numbers, where this can happen"
