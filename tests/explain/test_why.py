"""`numbat why`: the known cause comes first, and every stated reason is enough, by an oracle of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import numbat
from numbat.cli import main
from numbat.explain.attempts import Attempts, Solvable
from numbat.explain.budget import Budget
from numbat.explain.causes import Cause, Inquiry
from numbat.explain.explanation import Reach, WhyStatus
from numbat.explain.rules import RuleModel
from numbat.explain.why import why
from numbat.normalise import normalise
from numbat.pddl import load, tree
from numbat_validate import check
from tests.adversary.generate import generate
from tests.adversary.text import domain_text, problem_text
from tests.explain.broken_tasks import BASES, CASES, Case
from tests.explain.pipes import pipes
from tests.explain.relaxed_oracle import RelaxedTask, Removal, conjuncts

BENCHMARKS = Path(os.environ.get("NUMBAT_BENCHMARKS", "../shared/benchmarks/ipc2023-numeric")).parent
CRANES = BENCHMARKS / "development" / "ipc2002-umtranslog-2-numeric"


def inquiry(domain: Path, problem: Path) -> tuple[Inquiry, tree.Domain, tree.Problem]:
    read_domain, read_problem, _ = load(domain, problem)
    model = RuleModel(read_domain, read_problem, normalise(read_domain, read_problem))
    return Inquiry(model, Budget(60)), read_domain, read_problem


def removals(inquiry: Inquiry, cause: Cause, without: int | None = None) -> frozenset[Removal]:
    """What a cause claims to be enough, possibly without one of its reasons."""
    objects = inquiry.model.lifted.objects
    return frozenset(
        (step.rule.name, tuple(objects[value] for value in step.binding[: step.rule.arity]), need.span)
        for number, reason in enumerate(cause.reasons)
        if number != without
        for step in reason.steps
        for need in step.rule.needs
        if inquiry.asks_the_same(step, need, reason)
    )


@pytest.mark.parametrize("base", BASES)
def test_the_tasks_have_plans_before_they_are_broken(base: str, tmp_path: Path) -> None:
    explanation = why(*Case("", base, (), "").write(tmp_path))
    assert explanation.status is WhyStatus.SOLVABLE
    assert "There is a plan" in explanation.text()


def test_there_are_thirty_broken_tasks() -> None:
    assert len(CASES) >= 30 and len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_known_cause_is_named_first(case: Case, tmp_path: Path) -> None:
    explanation = why(*case.write(tmp_path))
    assert explanation.status is (WhyStatus.EXHAUSTED if case.exhausted else WhyStatus.OUT_OF_REACH)
    lines = explanation.summary()
    assert 1 <= len(lines) <= 2
    told = " ".join(lines) if case.exhausted else lines[1]
    assert case.cause in told, explanation.text()
    assert case.cause in explanation.text() or explanation.conflict
    assert f"{tmp_path}/" in explanation.text()  # the place


RIVER = """(define (domain river) (:types bank) (:predicates (at ?b - bank) (bridge ?a ?b - bank))
(:action cross :parameters (?a ?b - bank) :precondition (and (at ?a) (bridge ?a ?b))
         :effect (and (at ?b) (not (at ?a)))))"""
BANKS = """(define (problem p) (:domain river) (:objects north middle south - bank)
(:init (at north) (bridge north middle) (bridge south middle)) (:goal (at south)))"""
DOSE = """(define (domain dose) (:functions (mg)) (:predicates (cured))
(:action drip :parameters () :precondition (<= (mg) 0.3) :effect (increase (mg) 0.1))
(:action cure :parameters () :precondition (>= (mg) 0.5) :effect (cured)))"""
PATIENT = "(define (problem p) (:domain dose) (:init (= (mg) 0)) (:goal (cured)))"


def test_a_swapped_fact_is_likelier_than_a_missing_short_cut() -> None:
    explanation = numbat.why(RIVER, BANKS)
    assert explanation.summary()[1].startswith("cross(middle, south): needs (bridge middle south)")
    assert "(bridge south middle) is" in explanation.summary()[1]


def test_what_is_said_to_be_enough_without_one_condition_needs_no_other_left_out() -> None:
    """Both conditions are about mg: leaving both out makes a plan with one step, but that is not what is said."""
    repairs = numbat.why(DOSE, PATIENT).repairs
    assert [(repair.condition, len(repair.plan)) for repair in repairs] == [("mg <= 0.3", 6), ("mg >= 0.5", 1)]
    for repair in repairs:
        left = DOSE.replace(f"({repair.condition.split()[1]} (mg) {repair.condition.split()[2]})", "()")
        assert left != DOSE and len(repair.places) == 1
        assert (
            numbat.validate(left, PATIENT, repair.plan).valid and not numbat.validate(DOSE, PATIENT, repair.plan).valid
        )


PAIRS = """(define (domain pairs) (:functions (x)) (:predicates (seen))
(:action two :parameters () :precondition (<= (x) 10) :effect (increase (x) 2))
(:action look :parameters () :precondition (= (x) 4) :effect (seen)))"""


@pytest.mark.parametrize(
    ("goals", "steps", "lacks"),
    [
        (["(= (x) 7)"], 4, "(= (x) 7)"),
        (["(= (x) 7)", "(seen)"], 3, "(= (x) 7)"),
        (["(seen)", "(= (x) 2)"], 1, "(seen)"),
        (["(= (x) 2)", "(= (x) 7)", "(= (x) 9)"], None, None),
    ],
)
def test_a_state_that_lacks_one_goal_only(goals: list[str], steps: int | None, lacks: str | None) -> None:
    def problem(*conditions: str) -> str:
        return f"(define (problem p) (:domain pairs) (:init (= (x) 0)) (:goal (and {' '.join(conditions)})))"

    explanation = numbat.why(PAIRS, problem(*goals))
    assert explanation.status is WhyStatus.EXHAUSTED and json.dumps(explanation.as_dict())
    near = explanation.nearest
    if near is None:
        assert lacks is None and "lacking" not in explanation.text()
        return
    assert (len(near.plan), near.lacks) == (steps, lacks)
    verdict = numbat.validate(PAIRS, problem(*goals), near.plan)
    assert verdict.step is None and not verdict.valid and near.details == verdict.details
    assert numbat.validate(PAIRS, problem(*(goal for goal in goals if goal != lacks)), near.plan).valid
    assert f"only {lacks} is lacking" in explanation.text() and 1 <= len(explanation.summary()) <= 2


def test_files_are_read_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = CASES[0]
    with pipes(*case.write(tmp_path)) as names:
        assert main(["why", *names]) == (11 if case.exhausted else 10)
    assert case.cause in capfd.readouterr().out


def test_a_run_that_read_pipes_ends_with_the_reason_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = CASES[0]
    with pipes(*case.write(tmp_path)) as names:
        assert main(["solve", *names, str(tmp_path / "plan")]) == (11 if case.exhausted else 10)
    assert case.cause in capfd.readouterr().err


@pytest.mark.parametrize("case", [c for c in CASES if not c.exhausted], ids=lambda case: case.name)
def test_removing_the_reasons_brings_the_goal_within_reach(case: Case, tmp_path: Path) -> None:
    asked, domain, problem = inquiry(*case.write(tmp_path))
    plain = RelaxedTask(domain, problem)
    goals = list(conjuncts(problem.goal))
    assert [plain.reaches(goal) for goal in goals] == asked.original.goals
    for number in asked.unreachable():
        for cause in asked.causes(number):
            assert RelaxedTask(domain, problem, removals(asked, cause)).reaches(goals[number])
            for left_out in range(len(cause.reasons)):
                fewer = RelaxedTask(domain, problem, removals(asked, cause, without=left_out))
                assert not fewer.reaches(goals[number])


def without(text: str, place: str) -> str:
    """The file with the list at a place replaced by the empty conjunction."""
    _, line, column = place.rsplit(":", 2)
    start = sum(len(row) + 1 for row in text.split("\n")[: int(line) - 1]) + int(column) - 1
    depth, end = 0, start
    while True:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
        if not depth:
            return f"{text[:start]}(and){text[end:]}"


@pytest.mark.parametrize("case", [c for c in CASES if c.exhausted], ids=lambda case: case.name)
def test_without_the_condition_there_is_a_plan(case: Case, tmp_path: Path) -> None:
    domain, problem = case.write(tmp_path)
    explanation = why(domain, problem)
    for repair in explanation.repairs:
        changed = domain.read_text()
        for place in sorted(repair.places, reverse=True):
            changed = without(changed, place)
        (tmp_path / "changed.pddl").write_text(changed)
        assert check(tmp_path / "changed.pddl", problem, repair.plan).valid
        verdict = check(domain, problem, repair.plan)
        assert verdict.step == repair.executable + 1 and verdict.reason == repair.lacks
    if explanation.conflict:
        assert all(goal.reach is Reach.REACHED for goal in explanation.goals)


def test_goals_in_conflict_are_as_few_as_possible(tmp_path: Path) -> None:
    goals = "(signed box) (at box shop) (at note depot) (at box hub)"
    domain, problem = Case("", "delivery", (("(at box shop))", f"{goals})"),), "").write(tmp_path)
    assert why(domain, problem).conflict == ("(at box shop)", "(at box hub)")


def test_nothing_is_claimed_when_the_time_is_over(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "fuel for one road")
    explanation = why(*case.write(tmp_path), seconds=0)
    assert explanation.status is WhyStatus.UNKNOWN and not explanation.complete
    assert {goal.reach for goal in explanation.goals} == {Reach.UNKNOWN}
    lost = why(*CASES[0].write(tmp_path), seconds=0)
    assert lost.status is WhyStatus.OUT_OF_REACH and not lost.complete
    assert lost.goals[0].causes[0].reasons[0].action == "the goal"


def test_attempts_prove_or_find(tmp_path: Path) -> None:
    asked, *_ = inquiry(*next(case for case in CASES if case.name == "on and off").write(tmp_path))
    attempts = Attempts(asked.model, Budget(60))
    assert attempts((0,)).answer is Solvable.YES and attempts((0, 1)).answer is Solvable.NO


@pytest.mark.skipif(not CRANES.is_dir(), reason="the development tasks are not here")
def test_the_crane_is_too_weak(tmp_path: Path) -> None:
    domain, problem = CRANES / "domain.pddl", CRANES / "instances" / "instance-3.pddl"
    explanation = why(domain, problem, seconds=300)
    reach = {goal.goal: goal.reach for goal in explanation.goals}
    assert reach["(delivered package0 location5)"] is reach["(delivered package2 location1)"] is Reach.OUT_OF_REACH
    assert reach["(delivered package1 location4)"] is Reach.REACHED
    reason = explanation.goals[0].causes[0].reasons[0]
    assert reason.action == "pick-up-package-ground(package0, crane0, location1)"
    assert reason.sentence == "needs weight-p(package0) <= weight-cap-c(crane0), which is 16 <= 15 for ever"
    assert reason.place.endswith("domain.pddl:145:8")
    stronger = tmp_path / "stronger.pddl"
    stronger.write_text(problem.read_text().replace("(weight-cap-c crane0) 15", "(weight-cap-c crane0) 16"))
    assert inquiry(domain, stronger)[0].original.goals[0]
    assert why(domain, problem, seconds=300, brief=True).goals[0].causes[0] == explanation.goals[0].causes[0]


def test_an_unsolvable_run_ends_with_the_reason(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for case in (CASES[0], next(case for case in CASES if case.exhausted)):
        files = [str(path) for path in case.write(tmp_path)]
        assert main(["solve", *files]) == (11 if case.exhausted else 10)
        *reasons, last = capfd.readouterr().err.splitlines()
        assert 1 <= len(reasons) <= 2 and case.cause in " ".join(reasons)
        assert "the task is unsolvable" in last
        assert main(["why", "--json", *files]) == (11 if case.exhausted else 10)
        assert json.loads(capfd.readouterr().out)["status"]


def test_the_same_from_python() -> None:
    explanation = numbat.why(*CASES[0].texts())
    assert explanation.status is WhyStatus.OUT_OF_REACH
    assert CASES[0].cause in str(explanation.goals[0].causes[0].reasons[0])


def test_places_name_file_line_and_column(tmp_path: Path) -> None:
    explanation = why(*CASES[0].write(tmp_path))
    file, line, column = explanation.goals[0].causes[0].reasons[0].place.rsplit(":", 2)
    text = Path(file).read_text().split("\n")[int(line) - 1]
    assert text[int(column) - 1 :].startswith("(<= (+ (loaded ?v) (size ?i)) (capacity ?v))")


def test_a_step_without_an_object_for_its_parameter_has_reasons_in_numbers_too() -> None:
    """A task that random testing found (tests/adversary)."""
    task = generate(7037800)
    assert any("a1(?a): needs 3 * f0 >" in line for line in numbat.why(domain_text(task), problem_text(task)).summary())
