"""The engines: what they solve, how they are asked, and statuses that are true.

Statuses     SOLVED_OPTIMALLY      a proof that no plan is better, and the problem has a metric
             SOLVED_SATISFICING    any other plan; the referee has accepted every one
             UNSOLVABLE_PROVEN     a proof that there is no plan; UNSOLVABLE_INCOMPLETELY no plan, and no proof
             TIMEOUT, MEMOUT       a limit was reached before there was a plan
             UNSUPPORTED_PROBLEM   the problem has what we do not solve; a log message says what
             INTERNAL_ERROR        the planner broke down; a log message says how
Metrics      engine_internal_time: seconds of wall time inside the planner
Children     the planner runs as processes of its own, which are gone when a call ends, however it ends (numbat.child)
Not here     problems as PDDL (writer), the planner (numbat.api)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import IO, Any

from unified_planning.engines import Credits, Engine, PlanGenerationResult, ValidationResult
from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import FailedValidationReason, LogLevel, LogMessage, ValidationResultStatus
from unified_planning.engines.results import PlanGenerationResultStatus as ResultStatus
from unified_planning.exceptions import UPUsageError
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import PlanKind

from numbat import api
from numbat.errors import ExitCode
from numbat.unified_planning.expressions import Unsupported
from numbat.unified_planning.writer import Task, write

# Non-linear ones among them are GENERAL_NUMERIC_PLANNING, too: those are found inside, and are UNSUPPORTED_PROBLEM.
FEATURES = (
    *("ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING"),
    *("SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING", "BOUNDED_TYPES", "INT_FLUENTS", "REAL_FLUENTS"),
    *("NEGATIVE_CONDITIONS", "DISJUNCTIVE_CONDITIONS", "EQUALITIES", "EXISTENTIAL_CONDITIONS", "UNIVERSAL_CONDITIONS"),
    *("CONDITIONAL_EFFECTS", "FORALL_EFFECTS", "INCREASE_EFFECTS", "DECREASE_EFFECTS"),
    *("STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS", "FLUENTS_IN_BOOLEAN_ASSIGNMENTS"),
    *("STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS", "FLUENTS_IN_NUMERIC_ASSIGNMENTS"),
    *("ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST", "FLUENTS_IN_ACTIONS_COST"),
    *("INT_NUMBERS_IN_ACTIONS_COST", "REAL_NUMBERS_IN_ACTIONS_COST", "FINAL_VALUE", "PLAN_LENGTH"),
    "STATE_INVARIANTS",
)
FOREVER = 1e6  # seconds, eleven days; the command line wants some limit

_STATUS = {
    api.Status.UNSOLVABLE: ResultStatus.UNSOLVABLE_PROVEN,
    api.Status.NO_PLAN_FOUND: ResultStatus.UNSOLVABLE_INCOMPLETELY,
    api.Status.OUT_OF_TIME: ResultStatus.TIMEOUT,
    api.Status.OUT_OF_MEMORY: ResultStatus.MEMOUT,
}
_FAILURES = {
    ExitCode.SEARCH_UNSUPPORTED: ResultStatus.UNSUPPORTED_PROBLEM,
    ExitCode.TRANSLATE_OUT_OF_MEMORY: ResultStatus.MEMOUT,
    ExitCode.TRANSLATE_OUT_OF_TIME: ResultStatus.TIMEOUT,
    ExitCode.SEARCH_OUT_OF_TIME: ResultStatus.TIMEOUT,
}
_DECLINED = "no search for optimal plans"  # so begins what the planner says where the problem is the reason
_CREDITS = Credits(
    "Numbat",
    "the Numbat developers",
    "",
    "",
    "MIT",
    "A numeric planner.",
    "A numeric planner with the heuristics, novelty heuristics, multi-queue searches and portfolios of "
    "Chen and Thiébaux (SoCS 2024), and an exact validator.",
)


class Numbat(Engine, OneshotPlannerMixin, AnytimePlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
    """Oneshot, anytime, and a validator that is exact.

    search, memory, options   as numbat.solve has them: a configuration of `numbat list`, bytes or text such as "4G",
                              and anything else that `numbat solve` understands, word by word
    """

    def __init__(self, search: str | None = None, memory: str | int | None = None, options: Sequence[str] = ()) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        AnytimePlannerMixin.__init__(self)
        self._settings = {"search": search, "memory": memory, "options": tuple(options)}

    @property
    def name(self) -> str:
        return "numbat"

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(FEATURES, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= Numbat.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        return _CREDITS

    def _solve_with_params(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        **others: Any,
    ) -> PlanGenerationResult:
        run = _Run(self, problem, timeout, output_stream)
        run.warn_about(heuristic=heuristic, **others)
        return run.first()

    def _get_solutions_with_params(
        self, problem: Any, timeout: float | None = None, output_stream: IO[str] | None = None, **others: Any
    ) -> Iterator[PlanGenerationResult]:
        run = _Run(self, problem, timeout, output_stream)
        run.warn_about(**others)
        return run.all()

    # The older names of the two, which the library wants to be there.
    def _solve(self, *words: Any, **options: Any) -> PlanGenerationResult:
        return self._solve_with_params(*words, **options)

    def _get_solutions(self, *words: Any, **options: Any) -> Iterator[PlanGenerationResult]:
        return self._get_solutions_with_params(*words, **options)

    def _validate(self, problem: Any, plan: Any) -> ValidationResult:
        try:
            task = write(problem)
            steps = task.steps(plan)
            verdict = api.validate(task.domain, task.problem, steps)
        except (Unsupported, api.PlanningError) as refusal:
            message = LogMessage(LogLevel.ERROR, f"not supported: {refusal}")
            return ValidationResult(ValidationResultStatus.UNKNOWN, self.name, [message])
        if verdict.valid:
            counted = [m for m in problem.quality_metrics if verdict.metric or m.is_minimize_sequential_plan_length()]
            values = {metric: _plain(verdict.cost) for metric in counted}
            return ValidationResult(ValidationResultStatus.VALID, self.name, [], values or None)
        culprit = _culprit(task, steps, verdict.step)
        applicable = culprit is None
        reason = FailedValidationReason.UNSATISFIED_GOALS if applicable else FailedValidationReason.INAPPLICABLE_ACTION
        return ValidationResult(
            ValidationResultStatus.INVALID,
            self.name,
            [LogMessage(LogLevel.INFO, verdict.reason)],
            reason=reason,
            inapplicable_action=None if culprit is None else plan.actions[culprit],
        )

    def settings(self, timeout: float | None) -> dict[str, Any]:
        """For numbat.solve and numbat.plans."""
        return {**self._settings, "timeout": timeout, "time": FOREVER if timeout is None else timeout}

    def failed(self, error: api.PlanningError) -> ResultStatus:
        """The status for a call that the planner refused or broke off."""
        if error.exit_code == ExitCode.DRIVER_INPUT_ERROR:
            raise UPUsageError(str(error))
        return _FAILURES.get(error.exit_code, ResultStatus.INTERNAL_ERROR)


class NumbatOptimal(Numbat):
    """Plans of which no other is better, where the metric is a cost of actions; anytime, it yields that one alone."""

    def __init__(self, options: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(options=("--optimal", *options), **settings)

    @property
    def name(self) -> str:
        return "numbat-opt"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True

    def _get_solutions(
        self, problem: Any, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        yield self._solve(problem, None, timeout, output_stream)

    def failed(self, error: api.PlanningError) -> ResultStatus:
        if error.message.startswith(_DECLINED):
            return ResultStatus.UNSUPPORTED_PROBLEM
        return super().failed(error)


class _Run:
    """One call of the planner."""

    def __init__(self, engine: Numbat, problem: Any, timeout: float | None, output: IO[str] | None) -> None:
        self._engine = engine
        self._problem = problem
        self._timeout = timeout
        self._output = output
        self._begin = time.monotonic()
        self._messages: list[LogMessage] = []

    def log(self, level: LogLevel, text: str) -> None:
        self._messages.append(LogMessage(level, text))
        if self._output is not None:
            self._output.write(f"{text}\n")

    def warn_about(self, **offered: Any) -> None:
        """What the caller offers and we do not use: heuristics, plans to start from."""
        for name, value in offered.items():
            if value is not None:
                self.log(LogLevel.WARNING, f"{name.replace('_', ' ')} is not used")

    def first(self) -> PlanGenerationResult:
        """One plan."""
        try:
            task = write(self._problem)
            return self._final(task, api.solve(task.domain, task.problem, **self._engine.settings(self._left())))
        except (Unsupported, api.PlanningError) as error:
            return self._failure(error)

    def all(self) -> Iterator[PlanGenerationResult]:
        """Every plan that is better than the last, and the last one once more, with what is known of it."""
        try:
            task = write(self._problem)
            with api.plans(task.domain, task.problem, **self._engine.settings(self._left())) as plans:
                for plan in plans:
                    yield self._result(ResultStatus.INTERMEDIATE, task.plan(plan))
                assert plans.solution is not None
                yield self._final(task, plans.solution)
        except (Unsupported, api.PlanningError) as error:
            yield self._failure(error)

    def _left(self) -> float | None:
        """Writing the problem has taken some of the time."""
        return None if self._timeout is None else max(0.01, self._timeout - (time.monotonic() - self._begin))

    def _final(self, task: Task, solution: api.Solution) -> PlanGenerationResult:
        for line in solution.log or (solution.summary,):
            self.log(LogLevel.WARNING if line.startswith("warning") else LogLevel.INFO, line)
        if solution.plan is None:
            return self._result(_STATUS[solution.status], None, solution)
        proved = solution.proved_optimal and bool(self._problem.quality_metrics)
        status = ResultStatus.SOLVED_OPTIMALLY if proved else ResultStatus.SOLVED_SATISFICING
        return self._result(status, task.plan(solution.plan), solution)

    def _failure(self, error: Unsupported | api.PlanningError) -> PlanGenerationResult:
        if isinstance(error, Unsupported):
            self.log(LogLevel.ERROR, f"not supported: {error}")
            return self._result(ResultStatus.UNSUPPORTED_PROBLEM, None)
        status = self._engine.failed(error)
        self.log(LogLevel.ERROR, str(error))
        return self._result(status, None)

    def _result(self, status: ResultStatus, plan: Any, solution: api.Solution | None = None) -> PlanGenerationResult:
        seconds = time.monotonic() - self._begin
        if solution is not None:
            seconds = solution.statistics.get("wall", seconds)
        metrics = {"engine_internal_time": f"{seconds:.4f}"}
        return PlanGenerationResult(status, plan, self._engine.name, metrics, list(self._messages))


def _plain(value: Fraction | None) -> Fraction | int | None:
    return int(value) if value is not None and value.denominator == 1 else value


def _culprit(task: Task, steps: Sequence[str], failed: int | None) -> int | None:
    """The index of the step that cannot be applied; None if all can be, and only the goal is missed.

    A step that leads to an illegal state is noticed one step later, or at the goal.
    """
    applied = len(steps) if failed is None else failed - 1
    if task.legal is not None and applied and not api.validate(task.domain, task.legal, steps[:applied]).valid:
        return applied - 1
    return None if failed is None else applied
