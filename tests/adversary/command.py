"""The real command line on one task: exit code, plan and cost must be what the oracle says.

Cost         about half a second per task, so only for a sample, and where rounding spoilt a plan in this process
"""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from tests.adversary import planner as p
from tests.adversary import syntax as s
from tests.adversary.check import MORE_STATES, Disagreement
from tests.adversary.oracle import Model
from tests.adversary.text import domain_text, problem_text

WRONG_EXIT = "the command line ends wrongly"
_PLAN, _PLANS, _PROVED = (0,), (0, 1, 2, 3), (10, 11)
_NOTHING_CLAIMED = (12, 22, 23, 24, 34)
_CLOSE = Fraction(1, 10**9)  # JSON has doubles


def check_command(task: s.Task, *options: str) -> list[Disagreement]:
    """What is wrong with its answer."""
    who = " ".join(("numbat solve", *options))
    with tempfile.TemporaryDirectory(prefix="adversary-") as folder:
        domain, problem = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        domain.write_text(domain_text(task))
        problem.write_text(problem_text(task))
        result = p.run_command(domain, problem, *options)
    model = Model(task)
    if result.exit_code in (_PLANS if "--anytime" in options else _PLAN):
        wrong = _wrong_plan(model, result)
    elif result.exit_code in _PROVED:
        wrong = model.search(MORE_STATES).plan is not None
    else:
        wrong = result.exit_code not in _NOTHING_CLAIMED
    return [Disagreement(WRONG_EXIT, who, f"{result}")] if wrong else []


def _wrong_plan(model: Model, result: p.CommandResult) -> bool:
    if result.plan is None or result.cost is None:
        return True
    judgement = model.judge(result.plan)
    cost = Fraction(len(result.plan)) if judgement.cost is None else Fraction(judgement.cost)
    return not judgement.valid or abs(cost - result.cost) > _CLOSE * abs(cost)
