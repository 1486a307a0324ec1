"""After the first plan: better ones, until the time is over.

Each plan    is judged and published, and its cost becomes the bound: from then on members start with the bound and
             report only what stays below it. A member that runs with an older bound goes on; what it finds counts if it
             is better. Where the members' costs are not those of the metric there is no bound, and every plan of theirs
             is compared by the referee's exact value.
Improvers    further members beside the searches (engines.improve): they start with the best plan when there is one, and
             start again with a better one, whoever found it, until nothing is left for them to try
Scouts       searches of another kind than the portfolio's own, which start when there is a plan: where that one is far
             from good, they may see a much better one
Prover       one more again, where costs can be counted (prover): when it knows that nothing is cheaper, the run ends
Time         those who have lately improved the plan most per second get most of it (favour); nobody gets nothing
Costs        once there is a plan, and if there is a metric, every other start of a search sees the metric's costs plus
             one inside its heuristics, and the ones between see steps: what is cheap is not what is near
Rounds       a search that finds nothing below the bound rests; when all of them rest, all start again with another
             seed. After several rounds in which nobody found anything, the searches rest for good.
Not here     the referee and the file (publish), the members' time and memory (runner)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from numbat.engines.engine import Engine
from numbat.engines.improve.engine import Improve, Incumbent
from numbat.engines.outcome import Outcome
from numbat.errors import InputError
from numbat.portfolio.member import Work
from numbat.portfolio.runner import Decision
from numbat.portfolio.schedule import Schedule
from numbat.run.conclusion import described
from numbat.run.favour import Favour
from numbat.run.prover import Prover
from numbat.run.publish import Rejected
from numbat.run.pursuit import Context, FirstPlan, Team
from numbat.search.options import SearchOptions
from numbat.search.simulate import Simulator
from numbat.task.plan import Plan

FRUITLESS_ROUNDS = 5
# Once there is a plan, turns are short, so that a new one is soon improved (seconds, times the weight).
LONGEST_TURN = 0.4


# From the best plan so far, a seed, what earlier starts know, and the seconds that they have used.
MakeImprover = Callable[[Incumbent, int, bytes, float], Engine]


@dataclass(slots=True)
class _Improver:
    """A member that improves the best plan, from start to start."""

    make: MakeImprover
    starts: int = 0
    started_with: tuple[int, ...] = ()
    known: bytes = b""  # by the improver itself
    used: float = 0.0  # seconds since a search found a plan


class Anytime(FirstPlan):
    """Goes on after each plan, for a better one."""

    def __init__(
        self,
        team: Team,
        context: Context,
        schedule: Schedule,
        prover: Prover | None = None,
        improvers: Sequence[MakeImprover] = (Improve,),
    ) -> None:
        super().__init__(team, context)
        self._incumbent = Incumbent()
        self._searches = len(team.makers)
        self._improvers = {self._searches + number: _Improver(make) for number, make in enumerate(improvers)}
        names = [make(self._incumbent, 0, b"", 0.0).name for make in improvers]
        self.names = [*self.names, *names, *([prover.name] if prover else [])]
        self._prover = prover
        self._proving = False  # the prover has been started, once
        # started when there is a plan, beside the searches
        self._later = range(self._searches, len(self.names))
        self._schedule = schedule
        self._waiting = [*range(self._searches - team.scouts, self._searches)]  # scouts, for the first plan
        self._favour = Favour(schedule, self._improvers)
        self._bounded = team.problem.costs_exact
        self._simulator = Simulator(team.problem.grounded, team.problem.compiled)
        self._bound = math.inf
        self._bound_of: dict[int, float] = {}
        self._starts_below = Counter[int]()  # of the searches, with a plan to be better than
        self._fruitless = 0
        for member in (*self._waiting, *self._later):
            schedule.retire(member)

    def begin_with(self, steps: Sequence[str]) -> None:
        """Start from a plan of the user's, which is published as the best one so far."""
        publisher, numbers = self.context.publisher, self.team.problem.numbers
        try:
            plan = publisher.judge(steps)
        except Rejected as rejection:
            raise InputError(f"the plan is not valid: {rejection}") from rejection
        publisher.publish(plan)
        self.note_plan(plan, "the user")
        # Actions that grounding has left out change nothing that matters, but may cost something.
        kept = tuple(numbers[step] for step in plan.steps if step in numbers)
        if len(kept) == len(plan) or not self._accept(self._searches, kept):
            self._measure_by(kept, plan)

    def launch(self, member: int) -> Work:
        if member in self._improvers:
            return self._improvement(self._improvers[member])
        if member >= self._searches:
            assert self._prover is not None
            return self._prover.work()
        self._bound_of[member] = self._bound
        return self.team.work(member, self._options_of_next_start(member), self._bound)

    def _options_of_next_start(self, member: int) -> SearchOptions:
        if self.context.publisher.best is None or not self.team.problem.grounded.has_metric:
            return self.options
        self._starts_below[member] += 1
        return replace(self.options, heuristic_cost="plusone") if self._starts_below[member] % 2 else self.options

    def _improvement(self, improver: _Improver) -> Work:
        improver.starts += 1
        improver.started_with = self._incumbent.plan
        seed = self.team.options.seed + improver.starts
        return self.team.engine_work(improver.make(self._incumbent, seed, improver.known, improver.used))

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.note_range(member, outcome)
        before = self.context.publisher.best
        decision = self._decide(member, outcome)
        best = self.context.publisher.best
        if best is not None and best is not before:
            self._favour.note(member, 0.0 if before is None else self.context.publisher.gain(before, best))
        if best is not None and self._prover is not None and self._prover.proves(best):
            self.context.publisher.prove()
            return Decision.STOP
        if decision is Decision.RETIRE and best is not None and member < self._searches:
            return self._resting(member)
        return decision

    def _decide(self, member: int, outcome: Outcome) -> Decision:
        if member in self._improvers:
            return self._improvement_ended(member, outcome)
        if member >= self._searches:
            assert self._prover is not None
            if outcome.has_plan:
                self._accept(member, outcome.plan)
            return Decision.AGAIN if self._prover.goes_on(outcome) else Decision.RETIRE
        if outcome.has_plan:
            return self._plan_found(member, outcome)
        decision = super().receive(member, outcome)
        if self.context.publisher.best is None:
            return decision
        self.proof = None  # that there is no plan, or none below the bound: there is a plan
        return Decision.RETIRE

    def _improvement_ended(self, member: int, outcome: Outcome) -> Decision:
        improver = self._improvers[member]
        improver.known = outcome.notes
        improver.used += outcome.statistics.get("seconds", 0.0)
        improved = outcome.has_plan and self._accept(member, outcome.plan)
        if improved:
            return Decision.GO_ON
        if improver.started_with == self._incumbent.plan:
            return Decision.RETIRE
        # What has worked on an older plan goes on with the best one, at once.
        self._schedule.prefer(member)
        return Decision.AGAIN

    def _resting(self, member: int) -> Decision:
        """A search has found nothing; if it was the last one, all of them start again."""
        searches = [m for m in range(self._searches) if m not in self.crashed]
        if any(m != member and not self._schedule.accounts[m].retired for m in searches):
            return Decision.RETIRE
        if all(self._schedule.accounts[m].retired for m in self._later) or not self._another_round():
            return Decision.RETIRE  # the runner asks for the next round when nobody is left
        self._schedule.revive([m for m in searches if m != member], self._schedule.pattern)
        return Decision.AGAIN

    def next_round(self) -> Iterable[int]:
        if self.context.publisher.best is None:
            return super().next_round()
        if not self._another_round():
            return ()
        return [member for member in range(self._searches) if member not in self.crashed]

    def _another_round(self) -> bool:
        self._fruitless += 1
        if self._fruitless > FRUITLESS_ROUNDS:
            return False
        self.options = replace(self.options, seed=self.options.seed + 1)
        return True

    def _plan_found(self, member: int, outcome: Outcome) -> Decision:
        refused = self.refused
        if self._accept(member, outcome.plan):
            for number, improver in reversed(self._improvers.items()):
                improver.used = 0.0
                self._schedule.prefer(number)
            return Decision.AGAIN if self._bounded else Decision.RETIRE
        outdated = self._bound_of[member] > self._bound
        return Decision.AGAIN if outdated and self.refused == refused else Decision.RETIRE

    def _accept(self, member: int, plan: tuple[int, ...]) -> bool:
        """Judge a plan; the best so far is written, and everybody is measured by it.

        One that costs the same and is shorter is what the improver goes on with, but no news to anybody else.
        """
        judged, best = self.judge(member, plan), self.context.publisher.best
        if judged is None:
            return False
        if self.publish_judged(member, judged):
            self._announce()
            self._fruitless = 0
        elif best is None or self.context.publisher.compared(judged, best) or len(plan) >= len(self._incumbent.plan):
            return False
        self._measure_by(plan, judged)
        return True

    def _measure_by(self, plan: tuple[int, ...], judged: Plan) -> None:
        """The plan is the one to improve, and to stay below."""
        self._schedule.revive(self._waiting, self._schedule.pattern)
        self._favour.introduce(self._waiting)
        self._waiting = []
        end = self._simulator.run(plan)
        if end is None or not self._simulator.is_goal(end):
            return
        if self._bounded:
            self._bound = min(self._bound, end.cost)
        self._incumbent.replace(plan)
        if self._prover is not None and self._prover.note(plan, judged) and not self._proving:
            self._proving = True
            self._schedule.revive([len(self.names) - 1], self._schedule.pattern)
        self._schedule.longest_turn = LONGEST_TURN
        resting = [m for m in self._improvers if self._schedule.accounts[m].retired and m not in self.crashed]
        self._schedule.revive(resting, self._schedule.pattern)

    def _announce(self) -> None:
        plan = self.context.publisher.best
        assert plan is not None
        self.context.say(f"{described(plan)}, by {self.found[-1].by} after {self.found[-1].after:.2f} s")
