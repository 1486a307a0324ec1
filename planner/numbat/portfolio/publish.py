"""The gate to the user's plan file: the referee judges, then the file is replaced in one step.

In, out      operator names → judged Plan; the plan file, or nothing at all
Guarantee    the file holds a valid plan as soon as it holds one, and never half a plan; no other file is left behind.
             A plan the referee refuses is never written.
Cost         the referee reads domain and problem once, at the first plan
Not here     whether a better plan is worth looking for (anytime)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numbat_validate as validate
from numbat.errors import ConfigurationError, ExitCode, PlannerError
from numbat.task.plan import Plan


class PlanNotWritten(PlannerError):
    """A plan was found, but the disk would not take it."""

    exit_code = ExitCode.DRIVER_CRITICAL_ERROR


class PlanFile:
    """Where plans go: a file that is replaced whole, a device or pipe that is written to, or nowhere."""

    def __init__(self, path: Path | None) -> None:
        # A link is followed, so that what it points to is replaced and not the link.
        self.path = Path(os.path.realpath(path)) if path else None

    def check(self, *inputs: Path) -> None:
        """Refuse a place that cannot be written to, before any work is done."""
        if self.path is None:
            return
        folder = self.path.parent
        if not folder.is_dir():
            raise ConfigurationError(f"cannot write the plan to {self.path}: {folder} is not a directory")
        if self.path.is_dir():
            raise ConfigurationError(f"cannot write the plan to {self.path}: it is a directory")
        if any(self.path == Path(os.path.realpath(name)) for name in inputs):
            raise ConfigurationError(f"cannot write the plan to {self.path}: it is an input file")
        if not os.access(self.path if self._special else folder, os.W_OK):
            raise ConfigurationError(f"cannot write the plan to {self.path}: permission denied")

    def write(self, plan: Plan) -> None:
        if self.path is None:
            return
        try:
            if self._special:
                self.path.write_text(plan.text())
            else:
                self._replace(plan.text())
        except OSError as error:
            raise PlanNotWritten(f"cannot write the plan to {self.path}: {error.strerror}") from error

    @property
    def _special(self) -> bool:
        return self.path is not None and self.path.exists() and not self.path.is_file()

    def _replace(self, text: str) -> None:
        assert self.path is not None
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.draft")
        try:
            draft.write_text(text)
            draft.replace(self.path)
        finally:
            draft.unlink(missing_ok=True)


class Rejected(Exception):
    """The referee refused a plan of the core."""


class Publisher:
    """Judges plans and publishes those that are better than the last one."""

    def __init__(self, domain: Path, problem: Path, plan_file: PlanFile, *, maximize: bool = False) -> None:
        self._paths = domain, problem
        self._referee: validate.Task | None = None
        self._plan_file = plan_file
        self._sign = -1 if maximize else 1
        self.best: Plan | None = None

    def judge(self, steps: Sequence[str]) -> Plan:
        """The plan with its exact cost; Rejected says which step fails and why."""
        try:
            if self._referee is None:
                self._referee = validate.load(*self._paths)
            verdict = validate.judge(self._referee, steps)
        except (validate.InputError, validate.Unsupported) as error:
            raise Rejected(f"the referee cannot read the task: {error}") from error
        if not verdict.valid:
            where = f"step {verdict.step}: " if verdict.step else ""
            raise Rejected(f"{where}{verdict.reason}")
        return Plan(tuple(steps), verdict.cost)

    def publish(self, plan: Plan) -> bool:
        """Write a judged plan if there was none or it is better: in cost first, then in length."""
        if self.best is not None and self.rank(plan) >= self.rank(self.best):
            return False
        self._plan_file.write(plan)
        self.best = plan
        return True

    def rank(self, plan: Plan) -> tuple[Fraction, int]:
        """Smaller is better."""
        assert plan.cost is not None
        return self._sign * plan.cost, len(plan.steps)
