"""The gate to the user's plan file: the referee judges, then the file is replaced in one step.

In, out      operator names → judged Plan; the plan file, or nothing at all
Guarantee    a plan the referee refuses is never written, nor one that is no better than the last
Not here     the reading of the task (frontend), how the file is written (plan_file), whether a better plan is worth
             looking for (anytime)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numbat_validate as validate
from numbat.run.plan_file import PlanFile
from numbat.task.plan import Plan, Step


class Rejected(Exception):
    """The referee refused a plan of the core."""


class Publisher:
    """Judges plans and publishes those that are better than the last one."""

    def __init__(
        self,
        referee: validate.Task,
        plan_file: PlanFile,
        *,
        maximize: bool = False,
        published: Callable[[Plan], None] | None = None,
    ) -> None:
        self._referee = referee
        self._plan_file = plan_file
        self._sign = -1 if maximize else 1
        self._published = published
        self.best: Plan | None = None

    def judge(self, steps: Sequence[str]) -> Plan:
        """The plan with its exact cost; Rejected says which step fails and why."""
        try:
            verdict = validate.judge(self._referee, steps)
        except validate.Unsupported as error:
            raise Rejected(f"the referee cannot judge the plan: {error}") from error
        if not verdict.valid:
            where = f"step {verdict.step}: " if verdict.step else ""
            raise Rejected(f"{where}{verdict.reason}")
        return Plan(tuple(map(Step, steps)), verdict.cost)

    def publish(self, plan: Plan) -> bool:
        """Write a judged plan if there was none or it is better: in cost first, then in length."""
        if self.best is not None and self.rank(plan) >= self.rank(self.best):
            return False
        self._plan_file.write(plan)
        self.best = plan
        if self._published:
            self._published(plan)
        return True

    def rank(self, plan: Plan) -> tuple[Fraction, int]:
        """Smaller is better."""
        assert plan.cost is not None
        return self._sign * plan.cost, len(plan.steps)
