"""unified-planning's own example problems: those of the kinds we support, solved and judged by its validator."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.plan_validator import SequentialPlanValidator
from unified_planning.test.examples import get_example_problems

from numbat.unified_planning.engine import Numbat
from tests.test_api import gone

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    EXAMPLES = {name: case for name, case in get_example_problems().items() if Numbat.supports(case.problem.kind)}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 30


@pytest.mark.parametrize("name", EXAMPLES)
def test_solved(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    case: Any = EXAMPLES[name]
    result = Numbat().solve(case.problem, timeout=60)
    if case.solvable:
        assert result.status is Status.SOLVED_SATISFICING
        assert SequentialPlanValidator().validate(case.problem, result.plan)
    else:
        assert result.status is Status.UNSOLVABLE_PROVEN and result.plan is None
    assert float(result.metrics["engine_internal_time"]) > 0 and result.log_messages
    assert gone(str(tmp_path)) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_own_plans(name: str) -> None:
    case: Any = EXAMPLES[name]
    for valid, plans in ((True, case.valid_plans), (False, case.invalid_plans)):
        for plan in plans:
            ours, theirs = Numbat().validate(case.problem, plan), SequentialPlanValidator().validate(case.problem, plan)
            assert bool(ours) is bool(theirs) is valid
            assert ours.metric_evaluations == theirs.metric_evaluations
            assert (ours.reason, ours.inapplicable_action) == (theirs.reason, theirs.inapplicable_action)
