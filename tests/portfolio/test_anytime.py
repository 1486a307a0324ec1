"""Better plans after the first: redundant actions go, the bound tightens, the file is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

import numbat_validate as validate
from numbat.errors import ExitCode
from numbat.portfolio.eliminate import eliminate
from numbat.portfolio.frontend import prepare
from numbat.portfolio.solve import Report, Request, Voices, solve
from numbat.search.options import SearchOptions
from numbat.search.run import core_task
from numbat.search.simulate import Simulator
from tests.search import small_tasks


def simulator(task: tuple[str, str], folder: Path) -> tuple[Simulator, dict[str, int]]:
    grounded = prepare(*small_tasks.write(task, folder)).task
    return Simulator(grounded, core_task(grounded)), {name: i for i, name in enumerate(grounded.operator_names)}


def test_detours_are_removed(tmp_path: Path) -> None:
    domain, problem = small_tasks.DELIVERY
    steps, ids = simulator((domain, problem.replace("(at q c) (at r a)", "")), tmp_path)
    needed = ["(pick p a)", "(drive a b)", "(drive b c)", "(drop p c)"]
    detours = ["(drive a b)", "(pick r b)", "(drive b a)", *needed[:2], "(drop r b)", *needed[2:]]
    assert eliminate([ids[name] for name in detours], steps, lambda: False) == tuple(ids[name] for name in needed)


def test_what_is_needed_stays(tmp_path: Path) -> None:
    steps, ids = simulator(small_tasks.BURN, tmp_path)
    plan = (ids["(burn)"], ids["(fill)"], ids["(burn)"])
    assert eliminate(plan, steps, lambda: False) == plan


def test_elimination_stops_at_its_deadline(tmp_path: Path) -> None:
    steps, ids = simulator(small_tasks.COUNTER, tmp_path)
    plan = (ids["(up)"],) * 6 + (ids["(down)"],)
    assert eliminate(plan, steps, lambda: True) == plan


def test_the_simulator_knows_costs_and_goals(tmp_path: Path) -> None:
    steps, ids = simulator(small_tasks.DELIVERY, tmp_path)
    state = steps.run([ids["(pick p a)"], ids["(drive a b)"]])
    assert state is not None and state.cost == 4 and not steps.is_goal(state)
    assert steps.run([ids["(drop p a)"]]) is None


def test_costs_that_depend_on_the_state(tmp_path: Path) -> None:
    domain, problem = small_tasks.COUNTER
    domain = domain.replace("(x))", "(x) (cost))").replace(
        "(increase (x) 1)", "(and (increase (x) 1) (increase (cost) (x)))"
    )
    problem = problem.replace("(= (x) 0)", "(= (x) 0) (= (cost) 10)").replace(
        "(:goal (= (x) 5))", "(:goal (= (x) 5)) (:metric minimize (cost))"
    )
    steps, ids = simulator((domain, problem), tmp_path)
    state = steps.run([ids["(up)"]] * 5)
    assert state is not None and state.cost == 0 + 1 + 2 + 3 + 4


def improve(task: tuple[str, str], folder: Path, search: str, **more: object) -> tuple[Report, list[str]]:
    domain, problem = small_tasks.write(task, folder)
    said: list[str] = []
    request = Request(
        domain, problem, folder / "plan", search, SearchOptions(), time=60.0, memory=1 << 30, anytime=True
    )
    return solve(request, Voices(said.append)), said


@pytest.mark.parametrize("search", ["S(hgc)", "P(3h||3n)"])
def test_plans_get_better_until_nothing_is_left_to_try(search: str, tmp_path: Path) -> None:
    report, said = improve(small_tasks.DELIVERY, tmp_path, search)
    assert report.exit_code is ExitCode.SUCCESS
    assert report.plan is not None and report.plan.text() == (tmp_path / "plan").read_text()
    costs = [float(line.split("cost ")[1].split(",")[0]) for line in said]
    assert costs == sorted(costs, reverse=True) and len(costs) >= 1
    assert report.plan.cost == costs[-1]
    assert validate.check(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan").valid


def test_an_unsolvable_task_is_still_unsolvable(tmp_path: Path) -> None:
    report, _ = improve(small_tasks.UNSOLVABLE, tmp_path, "P(3h||3n)")
    assert report.exit_code is ExitCode.SEARCH_UNSOLVABLE
    assert not (tmp_path / "plan").exists()
