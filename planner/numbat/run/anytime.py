"""After the first plan: better ones, until the time is over.

Each plan    loses its redundant actions (eliminate), is judged and published, and its cost becomes the bound: from then
             on members start with the bound and report only what stays below it. A member that runs with
             an older bound goes on; what it finds counts if it is better. Where the members' costs are not those of the
             metric there is no bound, and every plan of theirs is compared by the referee's exact value.
Rounds       a member that finds nothing below the bound rests; when all of them rest, all start again with another
             seed. After several rounds in which nobody found anything, the run ends by itself.
Not here     the referee and the file (publish), the members' time and memory (runner)
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import replace

from numbat.engines.outcome import Outcome
from numbat.portfolio.member import Work
from numbat.portfolio.runner import Decision
from numbat.run.conclusion import described
from numbat.run.eliminate import eliminate
from numbat.run.interruption import Interrupted
from numbat.run.pursuit import Context, FirstPlan, Team
from numbat.search.simulate import Simulator

FRUITLESS_ROUNDS = 5
# For removing redundant actions from one plan (seconds of CPU time).
ELIMINATION = 5.0


class Anytime(FirstPlan):
    """Never satisfied with a plan."""

    def __init__(self, team: Team, context: Context) -> None:
        super().__init__(team, context)
        self._bounded = team.problem.costs_exact
        self._simulator = Simulator(team.problem.grounded, team.problem.compiled)
        self._bound = math.inf
        self._bound_of: dict[int, float] = {}
        self._fruitless = 0

    def launch(self, member: int) -> Work:
        self._bound_of[member] = self._bound
        return self.team.work(member, self.options, self._bound)

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.note_range(member, outcome)
        if outcome.has_plan:
            return self._plan_found(member, outcome)
        decision = super().receive(member, outcome)
        if self.context.publisher.best is None:
            return decision
        self.proof = None  # the member was wrong, or told apart what is one: there is a plan
        return Decision.RETIRE

    def next_round(self) -> Iterable[int]:
        if self.context.publisher.best is None:
            return super().next_round()
        self._fruitless += 1
        if self._fruitless > FRUITLESS_ROUNDS:
            return ()
        self.options = replace(self.options, seed=self.options.seed + 1)
        return [member for member in range(len(self.team.makers)) if member not in self.crashed]

    def _plan_found(self, member: int, outcome: Outcome) -> Decision:
        refused = self.refused
        if self.publish(member, outcome.plan):
            self._announce()
            self._lower_bound(outcome.plan)
            self._shorten(member, outcome.plan)
            self._fruitless = 0
            return Decision.AGAIN if self._bounded else Decision.RETIRE
        outdated = self._bound_of[member] > self._bound
        return Decision.AGAIN if outdated and self.refused == refused else Decision.RETIRE

    def _shorten(self, member: int, plan: tuple[int, ...]) -> None:
        deadline = time.process_time() + ELIMINATION
        try:
            with self.context.interruption.immediate():
                shorter = eliminate(plan, self._simulator, lambda: time.process_time() > deadline)
        except Interrupted:
            return
        if len(shorter) < len(plan) and self.publish(member, shorter):
            self._announce()
            self._lower_bound(shorter)

    def _lower_bound(self, plan: tuple[int, ...]) -> None:
        end = self._simulator.run(plan)
        if self._bounded and end is not None:
            self._bound = min(self._bound, end.cost)

    def _announce(self) -> None:
        plan = self.context.publisher.best
        assert plan is not None
        self.context.say(f"{described(plan)}, by {self.found_by} after {self.found_after:.2f} s")
