"""The engine as unified-planning calls it: registered, asked, interrupted; and which failures are of other engines."""

from __future__ import annotations

import io
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from unified_planning import shortcuts as up
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.plan_validator import SequentialPlanValidator
from unified_planning.engines.results import FailedValidationReason
from unified_planning.environment import Environment
from unified_planning.exceptions import UPUsageError
from unified_planning.plans import ActionInstance, SequentialPlan

import numbat.unified_planning
from numbat.unified_planning.engine import FEATURES, Numbat, NumbatOptimal
from tests.test_api import gone, running_planners
from tests.unified_planning import problems
from tests.unified_planning.test_examples import EXAMPLES


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    up.get_environment().credits_stream = None
    numbat.unified_planning.register()


def test_one_line_registers_and_twice_does_no_harm() -> None:
    environment = Environment()
    numbat.unified_planning.register(environment)
    numbat.unified_planning.register(environment, prefer=True)
    assert environment.factory.preference_list[:2] == ["numbat", "numbat-opt"]
    assert environment.factory.preference_list.count("numbat") == 1
    assert environment.factory.engines.count("numbat") == 1


def test_chosen_by_the_kind_alone() -> None:
    environment = Environment()
    numbat.unified_planning.register(environment, prefer=True)
    kind = problems.thirds().kind
    assert isinstance(environment.factory.OneshotPlanner(problem_kind=kind), Numbat)
    assert isinstance(environment.factory.AnytimePlanner(problem_kind=kind), Numbat)
    assert isinstance(environment.factory.PlanValidator(problem_kind=kind), Numbat)
    optimal = environment.factory.OneshotPlanner(problem_kind=kind, optimality_guarantee="SOLVED_OPTIMALLY")
    assert isinstance(optimal, NumbatOptimal)


@pytest.mark.parametrize("make", [problems.thirds, problems.tiny, problems.names, problems.switches])
def test_numbers_names_and_computed_values(make: Any) -> None:
    problem = make()
    result = up.OneshotPlanner(name="numbat").solve(problem, timeout=60)
    assert result.status is Status.SOLVED_SATISFICING
    theirs = SequentialPlanValidator().validate(problem, result.plan)
    ours = up.PlanValidator(name="numbat").validate(problem, result.plan)
    assert theirs and ours and ours.metric_evaluations == theirs.metric_evaluations


# --- statuses ---------------------------------------------------------------------------------------------------------


def test_unsolvable_only_with_a_proof() -> None:
    assert Numbat().solve(problems.hopeless()).status is Status.UNSOLVABLE_PROVEN
    open_end = Numbat().solve(problems.endless(), timeout=1)
    assert open_end.status is Status.TIMEOUT and open_end.plan is None


def test_a_solvable_problem_is_not_called_unsolvable() -> None:
    """Beyond bounds, not at them: 0, 20 and everything between can be reached, 21 cannot."""
    for goal, status in (
        (20, Status.SOLVED_SATISFICING),
        (0, Status.SOLVED_SATISFICING),
        (21, Status.UNSOLVABLE_PROVEN),
    ):
        problem = problems.counter("edge", up.IntType(0, 20), 1, lambda x, goal=goal: up.Equals(x, goal))
        assert Numbat().solve(problem, timeout=60).status is status


@pytest.mark.parametrize("mode", ["oneshot", "anytime", "cancelled"])
def test_no_process_survives(mode: str, tmp_path: Path) -> None:
    begin = time.monotonic()
    if mode == "oneshot":
        Numbat().solve(problems.endless(), timeout=1)
    elif mode == "anytime":
        assert [result.status for result in Numbat().get_solutions(problems.endless(), timeout=1)] == [Status.TIMEOUT]
    else:
        solutions = Numbat().get_solutions(problems.shopping(6, 0), timeout=600)
        next(solutions)
        assert running_planners(str(tmp_path))
        solutions.close()
    assert time.monotonic() - begin < 60
    assert gone(str(tmp_path)) and not list(tmp_path.iterdir())


def test_no_process_survives_a_race(tmp_path: Path) -> None:
    """unified-planning kills the engine that comes second, without a word to it."""
    problem = problems.many_counters()
    with up.OneshotPlanner(names=["numbat"] * 2, params=[{"search": "S(hadd)"}, {"search": "A(blind)"}]) as planner:
        assert planner.solve(problem).status is Status.SOLVED_SATISFICING
    assert gone(str(tmp_path))


def test_out_of_memory() -> None:
    assert Numbat(memory="1M").solve(problems.endless(), timeout=60).status is Status.MEMOUT


def test_not_supported_is_said_and_not_guessed() -> None:
    result = Numbat().solve(problems.non_linear(), timeout=60)
    assert result.status is Status.UNSUPPORTED_PROBLEM and result.plan is None
    assert any("linear" in message.message for message in result.log_messages)


def test_a_metric_that_is_not_linear_is_planned_for() -> None:
    """By steps, which is said; only the engine that owes a proof declines."""
    problem = problems.counter("area", up.IntType(), 1, lambda x: up.Equals(x, 3))
    x = problem.fluent("x")
    problem.add_quality_metric(up.MinimizeExpressionOnFinalState(up.Times(x, x)))
    result = Numbat().solve(problem, timeout=60)
    assert result.status is Status.SOLVED_SATISFICING and len(result.plan.actions) == 3
    assert any("not linear" in message.message for message in result.log_messages)
    (value,) = Numbat().validate(problem, result.plan).metric_evaluations.values()
    assert value == 9
    for later in Numbat().get_solutions(problem, timeout=5):
        assert later.status in (Status.INTERMEDIATE, Status.SOLVED_SATISFICING)
    assert NumbatOptimal().solve(problem, timeout=60).status is Status.UNSUPPORTED_PROBLEM


def test_a_metric_without_a_value_is_not_evaluated() -> None:
    problem = problems.counter("nothing", up.IntType(), 1, lambda x: up.Equals(x, 3))
    problem.add_quality_metric(up.MinimizeExpressionOnFinalState(up.Div(6, up.Minus(problem.fluent("x"), 3))))
    result = Numbat().solve(problem, timeout=60)
    assert result.status is Status.SOLVED_SATISFICING
    verdict = Numbat().validate(problem, result.plan)
    assert verdict and verdict.metric_evaluations is None


def test_features_that_the_kind_does_not_tell() -> None:
    """Two metrics; and whatever somebody sends who has switched the checks off."""
    problem = problems.toll({"short": 1, "long": 1})
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    assert Numbat.supports(problem.kind)
    assert Numbat().solve(problem).status is Status.UNSUPPORTED_PROBLEM
    durative = up.Problem("durative")
    durative.add_action(up.DurativeAction("wait"))
    engine = Numbat()
    with pytest.raises(UPUsageError):
        engine.solve(durative)
    engine.skip_checks = True
    result = engine.solve(durative)
    assert result.status is Status.UNSUPPORTED_PROBLEM and "DurativeAction" in result.log_messages[-1].message
    assert engine.validate(durative, SequentialPlan([])).status.name == "UNKNOWN"


def test_action_costs_of_all_kinds() -> None:
    for costs, default, cheapest in (
        ({"short": 10, "long": 3}, None, 6),
        ({"short": Fraction(1, 3), "long": Fraction(1, 7)}, None, Fraction(2, 7)),
        ({"short": 5}, 1, 2),
    ):
        problem = problems.toll(costs, default)
        assert Numbat.supports(problem.kind)
        result = NumbatOptimal().solve(problem, timeout=60)
        assert result.status is Status.SOLVED_OPTIMALLY
        assert list(Numbat().validate(problem, result.plan).metric_evaluations.values()) == [cheapest]
    assert Numbat().solve(problems.toll({"short": 5})).status is Status.UNSUPPORTED_PROBLEM


def test_optimal_only_with_a_proof_and_a_metric() -> None:
    problem = problems.toll({"short": 10, "long": 3})
    assert Numbat().solve(problem, timeout=60).status is Status.SOLVED_SATISFICING
    problem.clear_quality_metrics()
    assert NumbatOptimal().solve(problem, timeout=60).status is Status.SOLVED_SATISFICING
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    shortest = NumbatOptimal().solve(problem, timeout=60)
    assert shortest.status is Status.SOLVED_OPTIMALLY and len(shortest.plan.actions) == 1


def test_wrong_options_are_the_callers_error() -> None:
    with pytest.raises(UPUsageError, match="frobnicate"):
        up.OneshotPlanner(name="numbat", params={"search": "S(frobnicate)"}).solve(problems.hopeless())


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"memory": "lots"}, "lots"), ({"search": "S(hadd)"}, "hadd"), ({"options": ("--x",)}, "--x")],
)
def test_wrong_options_of_the_optimal_engine_are_the_callers_error_too(settings: dict[str, Any], word: str) -> None:
    problem = problems.toll({"short": 10, "long": 3})
    with pytest.raises(UPUsageError, match=word):
        NumbatOptimal(**settings).solve(problem, timeout=60)


def test_a_plan_that_cannot_be_judged_has_no_verdict() -> None:
    """A number that the referee refuses as too long."""
    problem = up.Problem("vast")
    level = problem.add_fluent("level", up.IntType(), default_initial_value=0)
    action = up.InstantaneousAction("rise")
    action.add_increase_effect(level, 10**3500)
    problem.add_action(action)
    problem.add_goal(up.GT(level, 1))
    verdict = Numbat().validate(problem, SequentialPlan([ActionInstance(action)]))
    assert verdict.status.name == "UNKNOWN" and verdict.log_messages


def test_what_is_said_reaches_the_stream() -> None:
    stream = io.StringIO()
    result = Numbat().solve(problems.hopeless(), output_stream=stream, heuristic=lambda state: 0.0)
    assert stream.getvalue().splitlines() == [message.message for message in result.log_messages]
    assert "unsolvable" in stream.getvalue() and result.log_messages[0].level.name == "WARNING"


def test_what_is_not_used_is_said() -> None:
    problem = problems.toll({"short": 1, "long": 2})
    start = SequentialPlan([ActionInstance(problem.action("short"))])
    results = [Numbat().solve(problem, warm_start_plan=start), *Numbat().get_solutions(problem, warm_start_plan=start)]
    assert all(result.log_messages[0].message == "warm start plan is not used" for result in results)
    with pytest.raises(TypeError, match="serach"):
        up.OneshotPlanner(name="numbat", params={"serach": "S(hadd)"})


def test_nested_as_deeply_as_nobody_writes() -> None:
    problem = problems.counter("deep", up.IntType(), 1, lambda x: up.GE(x, 3))
    sum_ = problem.fluent("x")()
    for _ in range(3000):
        sum_ = up.Minus(1, sum_)
    problem.add_goal(up.LE(sum_, 100))
    result = Numbat().solve(problem, timeout=60)
    assert result.status is Status.UNSUPPORTED_PROBLEM and "deeply" in result.log_messages[-1].message


# --- anytime, validator -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shops", "parity"), [(3, 0), (4, 0), (4, 1), (5, 0), (6, 1)])
def test_ever_better_plans(shops: int, parity: int) -> None:
    problem = problems.shopping(shops, parity)
    results = list(Numbat().get_solutions(problem, timeout=60))
    costs = [min(Numbat().validate(problem, result.plan).metric_evaluations.values()) for result in results]
    assert [result.status for result in results[:-1]] == [Status.INTERMEDIATE] * (len(results) - 1)
    assert (
        results[-1].status in (Status.SOLVED_SATISFICING, Status.SOLVED_OPTIMALLY)
        and results[-1].plan == results[-2].plan
    )
    assert len(costs) >= 3 and costs[:-1] == sorted(set(costs), reverse=True)


def test_the_validator_tells_what_fails() -> None:
    problem = problems.toll({"short": 1, "long": 1})
    long, short = problem.action("long"), problem.action("short")
    for actions, reason, culprit in (
        ([long], FailedValidationReason.UNSATISFIED_GOALS, None),
        ([short, long], FailedValidationReason.INAPPLICABLE_ACTION, 1),
        ([long, long, long, short], FailedValidationReason.INAPPLICABLE_ACTION, 2),
    ):
        plan = SequentialPlan([ActionInstance(action) for action in actions])
        for validator in (Numbat(), SequentialPlanValidator()):
            result = validator.validate(problem, plan)
            assert not result and result.reason is reason
            assert result.inapplicable_action == (None if culprit is None else plan.actions[culprit])


def test_every_feature_is_one_that_some_problem_here_has() -> None:
    solved = [problems.thirds(), problems.switches(), problems.many_counters(), problems.toll({"short": 1, "long": 2})]
    kinds = [problem.kind for problem in [*solved, *(case.problem for case in EXAMPLES.values())]]
    # unified-planning 1.3 looks for the static ones among expressions, and never finds any
    unseen = {"STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS", "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS"}
    assert set(FEATURES) == Numbat.supported_kind().features == unseen.union(*(kind.features for kind in kinds))
