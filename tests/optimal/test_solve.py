"""`--optimal`: a plan only with a proof, bounds always, refusals by name."""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

from numbat import cli
from numbat.errors import ConfigurationError, ExitCode
from numbat.portfolio.processes import resident
from numbat.portfolio.runner import Snapshot
from numbat.run.frontend import prepare
from numbat.run.progress import line
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.bounds import Bounds
from numbat.search.options import SearchOptions
from numbat.search.registry import OPTIMAL, configuration
from numbat.search.run import Limits, core_task, run
from tests.search import small_tasks

DOMAIN, PROBLEM = small_tasks.DELIVERY
OPTIMAL_COST = 24  # three parcels picked and dropped, six drives


def optimal(task: tuple[str, str], folder: Path, search: str = OPTIMAL, **more: object) -> Report:
    domain, problem = small_tasks.write(task, folder)
    settings = {"options": SearchOptions(), "time": 60.0, "memory": 1 << 30, "optimal": True, **more}
    return solve(Request(domain, problem, folder / "plan", search, **settings), Callbacks(print))  # type: ignore[arg-type]


def counters(goal: str) -> tuple[str, str]:
    """Four counters that go up and down in steps of two, for ever."""
    domain = """(define (domain counters) (:types counter) (:functions (v ?c - counter))
        (:action up :parameters (?c - counter) :effect (increase (v ?c) 2))
        (:action down :parameters (?c - counter) :effect (decrease (v ?c) 2)))"""
    problem = f"""(define (problem up) (:domain counters) (:objects a b c d - counter)
        (:init (= (v a) 0) (= (v b) 0) (= (v c) 0) (= (v d) 0)) (:goal {goal}))"""
    return domain, problem


@pytest.mark.parametrize("search", [OPTIMAL, "A(blind)", "P(S(hgc), A(hmax))"])
def test_the_plan_is_proved_and_says_so(search: str, tmp_path: Path) -> None:
    report = optimal(small_tasks.DELIVERY, tmp_path, search)
    assert report.exit_code is ExitCode.SUCCESS and report.plan is not None
    assert report.plan.optimal and report.plan.cost == OPTIMAL_COST
    lines = (tmp_path / "plan").read_text().splitlines()
    assert lines[-2:] == ["; optimal: no plan costs less", f"; cost = {OPTIMAL_COST}"]
    assert report.summary.startswith("optimal plan with")
    said = report.as_dict()
    assert (said["optimal"], said["lower_bound"], said["best_known_cost"]) == (True, OPTIMAL_COST, OPTIMAL_COST)


def test_the_metric_may_start_anywhere_and_come_in_fractions(tmp_path: Path) -> None:
    """Bounds are in the user's numbers: a third per step, from 2.5."""
    domain = (
        "(define (domain d) (:predicates (p)) (:functions (c) (x)) (:action a :parameters () :precondition (< (x) 4)"
    )
    domain += " :effect (and (increase (x) 1) (increase (c) (/ 1 3)))))"
    problem = "(define (problem d) (:domain d) (:init (= (c) 2.5) (= (x) 0)) (:goal (>= (x) 4)) (:metric minimize (c)))"
    report = optimal((domain, problem), tmp_path, "A(hmax)")
    assert report.knowledge is not None and report.plan is not None
    assert report.plan.cost == report.knowledge.lower == Fraction(5, 2) + Fraction(4, 3)


def test_costs_beyond_all_bounds_prove_nothing(tmp_path: Path) -> None:
    """Two parts of 2^61 and more each: their sum, and that of many steps, must not wrap around."""
    steps = " ".join(
        f"(:action {name} :parameters () :precondition (<= ({name}x) 3) :effect (and (increase ({name}x) 1)"
        f" (increase (c) {cost})))"
        for name, cost in (("a", 2**61), ("b", 2**61 - 1))
    )
    domain = f"(define (domain d) (:functions (ax) (bx) (c)) {steps})"
    problem = "(define (problem d) (:domain d) (:init (= (ax) 0) (= (bx) 0) (= (c) 0))"
    problem += " (:goal (and (>= (ax) 2) (>= (bx) 3))) (:metric minimize (c)))"
    for whole in (False, True):
        report = optimal((domain, problem), tmp_path, "P(A(blind), S(hadd))", whole=whole)
        assert report.exit_code is ExitCode.SEARCH_UNSOLVED_INCOMPLETE and report.plan is None
        assert report.knowledge is not None and 0 < report.knowledge.lower < 5 * 2**61


def test_without_a_proof_there_is_no_plan_file(tmp_path: Path) -> None:
    """The counters go on for ever: the search ends at the limit, with a lower bound, and with what others found."""
    report = optimal(
        counters("(and (>= (v a) 90) (>= (v b) 90) (>= (+ (v c) (v d)) 90))"),
        tmp_path,
        "P(S(hmrp+hj), A(blind))",
        options=SearchOptions(pruning=()),
        time=3.0,
        wall=60.0,
        whole=True,
    )
    assert report.exit_code is ExitCode.SEARCH_OUT_OF_TIME
    assert report.plan is None and not (tmp_path / "plan").exists()
    assert report.knowledge is not None and report.knowledge.upper == 135 and 0 < report.knowledge.lower < 135
    assert report.summary.startswith("no plan is proved optimal, every plan costs at least")
    assert report.as_dict()["optimal"] is False and report.as_dict()["best_known_cost"] == 135


def test_out_of_memory_carries_the_bounds(tmp_path: Path) -> None:
    # the member is at first as large as this process, which may have mapped more than it holds
    mapped = int(re.search(r"VmData:\s*(\d+) kB", Path("/proc/self/status").read_text())[1]) << 10
    memory = max(2 * resident(os.getpid()), mapped) + (60 << 20)
    report = optimal(
        counters("(>= (+ (v a) (+ (v b) (+ (v c) (v d)))) 900)"),
        tmp_path,
        "A(blind)",
        memory=memory,
        options=SearchOptions(pruning=()),
    )
    assert report.exit_code is ExitCode.SEARCH_OUT_OF_MEMORY
    assert report.knowledge is not None and report.knowledge.lower > 1
    statistics = report.members[0].statistics
    assert 20 < statistics["bytes_per_state"] < 200


def test_unsolvable_is_still_a_proof(tmp_path: Path) -> None:
    assert optimal(small_tasks.UNSOLVABLE, tmp_path).exit_code is ExitCode.SEARCH_UNSOLVABLE
    assert optimal(small_tasks.UNREACHABLE, tmp_path).exit_code is ExitCode.TRANSLATE_UNSOLVABLE


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("minimize", "maximize", "maximized"),
        ("(increase (total-cost) 3)", "(decrease (total-cost) 3)", "negative"),
        ("(increase (total-cost) 3)", "(increase (total-cost) (+ 1 (load)))", "depends on the state"),
        ("(total-cost) 3)", "(total-cost) 3) (increase (total-cost) 1e-30)", "too far apart"),
        ("(truck-at ?b)", "(truck-at ?b) (assign (load) (* 0.3 (load)))", "cannot be kept exactly"),
    ],
)
def test_what_cannot_be_proved_is_refused_by_name(old: str, new: str, reason: str, tmp_path: Path) -> None:
    task = DOMAIN.replace(old, new, 1), PROBLEM.replace(old, new, 1)
    with pytest.raises(ConfigurationError, match=reason):
        optimal(task, tmp_path)


def test_conditional_costs_beyond_counting_are_refused(tmp_path: Path) -> None:
    when = "(forall (?p - parcel) (when (loaded ?p) (increase (total-cost) 1)))"
    domain = DOMAIN.replace("(increase (total-cost) 3)", f"(increase (total-cost) 3) {when}")
    problem = PROBLEM.replace("p q r - parcel", "p q r s t u v - parcel")
    with pytest.raises(ConfigurationError, match="too many conditions"):
        optimal((domain, problem), tmp_path)


def test_options_that_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--anytime"):
        optimal(small_tasks.COUNTER, tmp_path, anytime=True)
    with pytest.raises(ConfigurationError, match="proves nothing"):
        optimal(small_tasks.COUNTER, tmp_path, "P(3h)")


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(path) for path in small_tasks.write(small_tasks.DELIVERY, tmp_path)]
    assert cli.main(["solve", *files, "--optimal", "--json", "--time", "20"]) == 0
    assert json.loads(capsys.readouterr().out)["optimal"] is True


def test_the_progress_line_tells_the_bounds() -> None:
    assert "every plan costs at least 4" in line(
        Snapshot(1.0, 1 << 20, (), "every plan costs at least 4, none is known")
    )


# --- shared bounds ---


def cheapest(folder: Path, upper: int | None, cost_elsewhere: int = 0) -> tuple[str, int]:
    task = core_task(prepare(*small_tasks.write(small_tasks.DELIVERY, folder)).task)
    bounds = Bounds()
    if upper is not None:
        bounds.upper = upper
    limits = Limits(20.0, 1 << 28, bounds=bounds, cost_elsewhere=cost_elsewhere)
    result = run(task, configuration("A(blind)").searches[0], SearchOptions(), limits)
    return result.status, bounds.lower


def test_a_known_plan_is_proved_by_exhaustion(tmp_path: Path) -> None:
    cost = OPTIMAL_COST
    assert cheapest(tmp_path, None) == ("solved", cost)
    assert cheapest(tmp_path, cost + 1) == ("solved", cost)
    assert cheapest(tmp_path, cost) == ("exhausted-pruned", cost)
    assert cheapest(tmp_path, cost - 4) == ("exhausted-pruned", cost - 4)


def test_bounds_contain_what_other_parts_cost(tmp_path: Path) -> None:
    cost = OPTIMAL_COST
    assert cheapest(tmp_path, None, 5) == ("solved", cost + 5)
    assert cheapest(tmp_path, cost + 5, 5) == ("exhausted-pruned", cost + 5)
    assert cheapest(tmp_path, cost + 6, 5) == ("solved", cost + 5)
