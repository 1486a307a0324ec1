"""The gate to the user's plan file: the referee judges, then the file is replaced in one step.

In, out      operator names → judged Plan; the plan file, or nothing at all
Guarantee    a plan the referee refuses is never written, nor one that is no better than the last
Better       by the metric's exact value, or by the number of steps. A plan for which the metric has no value has no
             cost: it is worse than all that have one, and among such plans the shorter one is better
Not here     the reading of the task (frontend), how the file is written (plan_file), whether a better plan is worth
             looking for (anytime)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numbat_validate as validate
from numbat.errors import InputError, Span
from numbat.run.plan_file import PlanFile
from numbat.task.plan import Plan, Step
from numbat_validate.reader import parse_plan, read_source


class Rejected(Exception):
    """The referee refused a plan of the core."""


def read_plan(path: Path) -> tuple[str, ...]:
    """The steps of a plan file, as the referee reads it; InputError if that is not possible."""
    try:
        return tuple(f"({' '.join(step)})" for step in parse_plan(read_source(path)))
    except validate.InputError as error:
        raise InputError(error.message, Span(*error.place) if error.place else None) from error


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
        self.minimizes = not maximize

    def judge(self, steps: Sequence[str]) -> Plan:
        """The plan with its exact cost; Rejected says which step fails and why."""
        try:
            verdict = validate.judge(self._referee, steps)
        except validate.Unsupported as error:
            raise Rejected(f"the referee cannot judge the plan: {error}") from error
        if not verdict.valid:
            where = f"step {verdict.step}: " if verdict.step else ""
            raise Rejected(f"{where}{verdict.reason}")
        has_cost = verdict.metric or self._referee.metric is None
        return Plan(tuple(map(Step, steps)), verdict.cost if has_cost else None)

    def publish(self, plan: Plan) -> bool:
        """Write a judged plan if there was none or it is cheaper."""
        if self.best is not None and self.compared(plan, self.best) >= 0:
            return False
        self._plan_file.write(plan)
        self.best = plan
        if self._published:
            self._published(plan)
        return True

    def prove(self) -> None:
        """The best plan is optimal, and its file says so from now on."""
        assert self.best is not None
        self.best = replace(self.best, optimal=True)
        self._plan_file.write(self.best)

    def compared(self, plan: Plan, other: Plan) -> Fraction:
        """Negative if the plan is better than the other, 0 if neither is."""
        if (plan.cost is None) != (other.cost is None):
            return Fraction(1 if plan.cost is None else -1)
        return self._measure(plan) - self._measure(other)

    def gain(self, before: Plan, after: Plan) -> float:
        """By how large a part of its cost a plan is better."""
        if before.cost is None and after.cost is not None:
            return 1.0
        saved, size = -self.compared(after, before), max(abs(self._measure(plan)) for plan in (before, after))
        return float(min(saved / size, Fraction(1))) if size else 0.0

    def _measure(self, plan: Plan) -> Fraction:
        """What is compared between two plans that both have a cost, or both have none."""
        return Fraction(len(plan)) if plan.cost is None else self._sign * plan.cost
