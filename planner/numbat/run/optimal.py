"""A cheapest plan and the proof that it is one, or neither.

Members      those that prove (A(...)) share what they know of the cost (numbat.search.bounds): they prune by the best
             plan that anybody has found and raise the lower bound together. The others look for a plan to prune by, for
             a part of the time, and end with the first one.
Proof        the lower bound has reached the cost of a plan that the referee has accepted. Its cost and ours must agree.
Published    is the proved plan and nothing else; what is known without a proof is told in words and figures
Refused      tasks whose costs a sum of non-negative constants does not tell, or whose numbers are rounded
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from numbat.engines.board import Board
from numbat.engines.improve.engine import without_redundant
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.engines.table import configuration
from numbat.errors import ConfigurationError, UnsuitedSearch
from numbat.portfolio.member import Work
from numbat.portfolio.runner import Decision, Snapshot
from numbat.run.interruption import Interrupted
from numbat.run.pursuit import Context, FirstPlan, Team
from numbat.search.bounds import LARGEST, Bounds
from numbat.search.costs import require_integer_costs
from numbat.search.notation import Search
from numbat.search.registry import proving_algorithms
from numbat.search.run import Limits
from numbat.task.plan import Plan, decimal

# Of the time for a member that only looks for a plan to prune by.
SHARE = 0.1
# For removing redundant actions from one plan (seconds of CPU time).
ELIMINATION = 1.0


def require_optimality_possible(problem: Problem, search: str, *, maximize: bool) -> None:
    """ConfigurationError says why no plan of this task, or by this search, can be proved optimal."""
    if not any(map(_proves, configuration(search).searches)):
        algorithms = " or ".join(f"{name}(...)" for name in proving_algorithms())
        raise ConfigurationError(f"{search} proves nothing optimal", expected=f"{algorithms} among its members")
    metric = problem.lifted.metric
    if metric is not None and not problem.grounded.has_metric:
        place = metric.expression.span
        raise UnsuitedSearch("no search for optimal plans: the metric is not linear in the fluents that change", place)
    if maximize:
        raise UnsuitedSearch("no search for optimal plans: the metric is to be maximized")
    if not problem.costs_exact:
        raise UnsuitedSearch("no search for optimal plans: too many conditions decide what an action costs")
    require_integer_costs(problem.grounded)
    if not problem.grounded.exact:
        raise UnsuitedSearch("no search for optimal plans: the numbers of this task cannot be kept exactly")


def _proves(search: Search) -> bool:
    return search.algorithm in proving_algorithms()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the cost of an optimal plan, in the user's numbers."""

    lower: Fraction
    upper: Fraction | None

    def __str__(self) -> str:
        best = "none is known" if self.upper is None else f"the best one known costs {decimal(self.upper)}"
        return f"every plan costs at least {decimal(self.lower)}, {best}"


class Optimal(FirstPlan):
    """Ends at the first plan that is proved optimal."""

    def __init__(self, team: Team, context: Context) -> None:
        super().__init__(team, context)
        self.bounds = Bounds()
        self._best: Plan | None = None
        self._costs = require_integer_costs(team.problem.grounded)

    def launch(self, member: int) -> Work:
        engine = self.team.makers[member](self.options)
        proves = any(map(_proves, configuration(engine.name).searches))

        def work(board: Board, seconds: float) -> Outcome:
            limits = Limits(seconds if proves else SHARE * seconds, self.team.memory, bounds=self.bounds)
            return engine.run(self.team.problem, limits, board)

        return work

    def receive(self, member: int, outcome: Outcome) -> Decision:
        self.note_range(member, outcome)
        if outcome.has_plan:
            self._consider(member, outcome.plan)
            if outcome.status is not Status.OPTIMAL:
                self._consider(member, self._shortened(outcome.plan))
        elif outcome.status is Status.UNSOLVABLE and self._best is None:
            self.proof = outcome.proof
            return Decision.STOP
        return Decision.STOP if self._publish_if_proved() else Decision.RETIRE

    def next_round(self) -> Iterable[int]:
        """A search that is out of memory would do the same again."""
        return ()

    def knowledge(self) -> Knowledge:
        return Knowledge(self._in_metric(self.bounds.lower), self._best.cost if self._best else None)

    def annotating(self, watch: Callable[[Snapshot], None] | None) -> Callable[[Snapshot], None] | None:
        """Whoever watches is told the bounds, too."""
        return watch and (lambda snapshot: watch(replace(snapshot, note=self.knowledge())))

    def _consider(self, member: int, operators: Iterable[int]) -> None:
        """Keep a plan in mind, and let everybody prune by it, if it is valid and better than the last."""
        numbers = tuple(operators)
        plan = self.judge(member, numbers)
        if plan is None:
            return
        cost = sum(int(self._costs.costs[operator]) for operator in numbers)
        if plan.cost != self._in_metric(cost):
            self.refused += 1
            self.context.say(f"internal error: a plan of {self.names[member]} has another cost than expected")
        elif cost <= LARGEST and (self.bounds.upper is None or cost < self.bounds.upper):
            self._best, self.bounds.upper = plan, cost
            self.note_plan(plan, self.names[member])

    def _publish_if_proved(self) -> bool:
        if self._best is None or self.bounds.upper is None or self.bounds.lower < self.bounds.upper:
            return False
        return self.context.publisher.publish(replace(self._best, optimal=True))

    def _shortened(self, plan: tuple[int, ...]) -> tuple[int, ...]:
        try:
            with self.context.interruption.immediate():
                return without_redundant(self.team.problem, plan, ELIMINATION)
        except Interrupted:
            return plan

    def _in_metric(self, cost: int) -> Fraction:
        return self.team.problem.grounded.cost_start + cost * self._costs.unit
