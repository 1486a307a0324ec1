"""What becomes of valid plans when something small is changed: the referee and the simulator never disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import numbat_validate as validate
from tests.oracles import simulator
from tests.oracles.simulator import Step
from tests.validate.samples import PROBLEMS, domain_of, lines_of, name_of, simulated

NUMERAL = re.compile(r"(?<=[\s(])-?[0-9]+(?:\.[0-9]+)?(?=[\s)])")
PLANS_PER_PROBLEM = 8


def valid_plans(task: simulator.Task, random: Random) -> list[list[Step]]:
    """Different valid plans: the shortest one, shortest continuations of random beginnings, and plans with detours."""
    shortest = task.shortest_plan()
    assert shortest
    plans = [shortest]
    steps = task.every_step()
    for attempt in range(200):
        if attempt < 4:
            found = continued(task, task.walk(attempt + 1, random))
        else:
            base = random.choice(plans)
            place = random.randrange(len(base) + 1)
            found = [*base[:place], random.choice(steps), *base[place:]]
        if found and found not in plans and task.is_valid(found):
            plans.append(found)
        if len(plans) == PLANS_PER_PROBLEM:
            break
    return plans


def continued(task: simulator.Task, beginning: list[Step]) -> list[Step] | None:
    try:
        rest = task.shortest_plan(start=task.final(beginning), limit=500)
    except simulator.TooManyStates:
        return None
    return None if rest is None else [*beginning, *rest]


def mutated_plans(plan: list[Step], objects: list[str], random: Random) -> Iterator[list[Step]]:
    """One step dropped, two swapped, one repeated, one argument replaced, at random places and at the ends."""
    places = {0, len(plan) - 1, random.randrange(len(plan)), random.randrange(len(plan))}
    for place in sorted(places):
        yield plan[:place] + plan[place + 1 :]
        yield plan[: place + 1] + plan[place:]
        other = random.randrange(len(plan))
        swapped = list(plan)
        swapped[place], swapped[other] = swapped[other], swapped[place]
        yield swapped
        step = plan[place]
        if len(step) > 1:
            position = random.randrange(1, len(step))
            changed = (*step[:position], random.choice(objects), *step[position + 1 :])
            yield [*plan[:place], changed, *plan[place + 1 :]]


def mutated_problems(text: str, random: Random) -> Iterator[str]:
    """The problem with one number replaced by a near one."""
    body = text.index(":init")
    numerals = [match for match in NUMERAL.finditer(text) if match.start() > body]
    for match in random.sample(numerals, min(3, len(numerals))):
        value = simulator.Fraction(match.group())
        change = random.choice([-1, 1, simulator.Fraction(1, 10), -simulator.Fraction(1, 100000)])
        yield f"{text[: match.start()]}{float(value + change):.6f}{text[match.end() :]}"


def assert_agreement(task: validate.Task, oracle: simulator.Task, plan: list[Step]) -> bool:
    verdict = validate.judge(task, lines_of(plan))
    assert verdict.valid == oracle.is_valid(plan), (plan, verdict.reason)
    assert verdict.step == oracle.first_failure(plan), (plan, verdict.reason)
    if verdict.valid:
        assert verdict.cost == oracle.metric_value(plan)
    return verdict.valid


@pytest.fixture(scope="module")
def tally() -> dict[str, int]:
    return {"problems": 0, "plans": 0, "mutants": 0, "rejected": 0}


@pytest.mark.parametrize("problem", PROBLEMS, ids=name_of)
def test_mutants_are_rejected_or_confirmed(problem: Path, tmp_path: Path, tally: dict[str, int]) -> None:
    random = Random(name_of(problem))
    oracle = simulated(problem)
    task = validate.load(domain_of(problem), problem)
    text = problem.read_text(encoding="utf-8").lower()
    plans = valid_plans(oracle, random)
    assert plans
    for plan in plans:
        assert assert_agreement(task, oracle, plan)
        for mutant in mutated_plans(plan, list(oracle.objects), random):
            tally["mutants"] += 1
            tally["rejected"] += not assert_agreement(task, oracle, mutant)
        for changed in mutated_problems(text, random):
            place = tmp_path / "changed.pddl"
            place.write_text(changed, encoding="utf-8")
            other = simulator.load(domain_of(problem), place)
            tally["mutants"] += 1
            tally["rejected"] += not assert_agreement(validate.load(domain_of(problem), place), other, plan)
    tally["plans"] += len(plans)
    tally["problems"] += 1


def test_enough_plans_were_tried(tally: dict[str, int]) -> None:
    if tally["problems"] < len(PROBLEMS):
        pytest.skip("counts only when all problems of this file have run")
    assert len({problem.parent for problem in PROBLEMS}) >= 15
    assert tally["plans"] >= 200
    assert tally["mutants"] >= 2000
    assert tally["rejected"] >= tally["mutants"] // 2
