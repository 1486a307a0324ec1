"""python -m tests.adversary.optimal: random tasks, and what is claimed optimal in them against uniform-cost search.

Wrong        a claimed plan that is none, or for which the search knows a cheaper one; a plan where there is none to be
             had, and none claimed where the search knows one
Confirmed    the search ended and found the same cost; other claims it could not refute within its horizon
Exhaustion   is asked below the best cost, and one unit above it, where costs can fall, too
Refused      tasks whose costs or numbers allow no claim; the front end's refusals count as such, too
"""

from __future__ import annotations

import argparse
import heapq
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import count, islice, takewhile
from pathlib import Path

from numbat.engines import table
from numbat.engines.board import Board
from numbat.engines.exhaustion import Exhaustion
from numbat.engines.outcome import Status
from numbat.engines.problem import Problem
from numbat.errors import PlannerError
from numbat.run.frontend import FrontEnd, prepare
from numbat.run.optimal import require_optimality_possible
from numbat.search.options import SearchOptions
from numbat.search.registry import heuristics
from numbat.search.run import Limits
from tests.adversary import workers
from tests.adversary.arithmetic import Exact
from tests.adversary.generate import generate
from tests.adversary.oracle import Model, State
from tests.adversary.text import domain_text, problem_text

SEARCHES = [*(f"A({entry['name']})" for entry in heuristics() if entry["admissible"]), "A(hpot, hlmcut)"]
CONFIGURATIONS = [*SEARCHES, Exhaustion.name]
STATES = 600
SECONDS = 0.05  # of CPU time for one search
MEMORY = 200 << 20
WRONG = "WRONG"


def cheapest(model: Model, limit: int) -> tuple[Exact | None, bool]:
    """The least cost of a plan, None if no plan was met; and whether that is certain."""
    order = count()
    queue: list[tuple[Exact, int, int, State]] = [(0, next(order), 0, model.initial)]
    seen: set[State] = set()
    while queue:
        cost, _, length, state = heapq.heappop(queue)
        if state in seen:
            continue
        if model.solved(state):
            return cost, True
        seen.add(state)
        if len(seen) >= limit:
            known = [cost for cost, _, _, state in queue if model.solved(state)]
            return min(known, default=None), False
        for action in model.actions:
            following = model.applied(action, state)
            if following is not None and following not in seen:
                price = cost_of(model, following, length + 1)
                if price is None or price < cost:
                    return None, False
                heapq.heappush(queue, (price, next(order), length + 1, following))
    return None, True


def optimum(model: Model, limit: int) -> tuple[Exact | None, bool]:
    """What `cheapest` says, also where costs can fall; more is better if the metric is to be maximized."""
    sign = -1 if model.maximizes else 1
    least: dict[State, Exact] = {model.initial: 0}
    waiting: deque[tuple[State, int, Exact]] = deque([(model.initial, 0, 0)])
    while waiting:
        state, length, cost = waiting.popleft()
        if cost > least[state]:
            continue
        if length > len(least) or len(least) > limit:  # costs that fall for ever, or too many states
            return None, False
        for action in model.actions:
            following = model.applied(action, state)
            price = None if following is None else cost_of(model, following, length + 1)
            if following is None:
                continue
            if price is None:
                return None, False
            if following not in least or sign * price < least[following]:
                least[following] = sign * price
                waiting.append((following, length + 1, sign * price))
    found = min((cost for state, cost in least.items() if model.solved(state)), default=None)
    return None if found is None else sign * found, True


def cost_of(model: Model, state: State, length: int) -> Exact | None:
    """Above that of the initial state; without a metric the number of steps."""
    now, before = model.cost(state, length), model.cost(model.initial, 0)
    if now is None or before is None:
        return None if model.has_metric else length
    return now - before


def verdict(front: FrontEnd, model: Model, configured: str, expected: tuple[Exact | None, bool], whole: bool) -> str:
    problem = Problem(front.lifted, front.task, separable=not whole)
    (make,) = table.makers(table.configuration(configured))
    outcome = make(SearchOptions()).run(problem, Limits(SECONDS, MEMORY), Board())
    least, certain = expected
    if outcome.status is Status.UNSOLVABLE:
        return "unsolvable" if least is None else f"{WRONG}: unsolvable, but there is a plan of cost {least}"
    if outcome.status is not Status.OPTIMAL:
        return "no claim"
    plan = [front.task.operator_names[operator] for operator in outcome.plan]
    judgement = model.judge(plan)
    if not judgement.valid:
        return f"{WRONG}: not a plan: {' '.join(plan)}"
    start = model.cost(model.initial, 0) or 0
    cost = len(plan) if judgement.cost is None else judgement.cost - start
    if (least is not None and cost > least) or (certain and cost != least):
        return f"{WRONG}: {cost}, but {least} is possible"
    return "confirmed" if certain else "claimed"


def verdict_of_exhaustion(front: FrontEnd, model: Model) -> str:
    """It must find nothing below the best cost, and must not say so of a bound that is one unit higher."""
    known = front.grounding
    problem = Problem(
        front.lifted,
        front.task,
        costs_exact=bool(known["costs_exact"]),
        costs_can_fall=bool(known["costs_can_fall"]),
    )
    if not front.task.has_metric or Exhaustion(SearchOptions(), Fraction(0)).declines(problem):
        return "refused"
    best, certain = optimum(model, STATES)
    if best is None or not certain:
        return "no claim"
    paid = Fraction(-best if front.maximize else best)
    at, above = (
        Exhaustion(SearchOptions(), bound).run(problem, Limits(SECONDS, MEMORY), Board()).status
        for bound in (paid, paid + front.task.cost_unit)
    )
    if at is Status.IMPROVED:
        return f"{WRONG}: something better than {best}"
    if above is Status.NONE_BETTER:
        return f"{WRONG}: nothing as good as {best}"
    return "confirmed" if at is Status.NONE_BETTER else "no claim"


def check_seed(configurations: Sequence[str], seed: int) -> dict[str, str]:
    task = generate(seed)
    model = Model(task)
    with tempfile.TemporaryDirectory(prefix="adversary-", dir="/dev/shm") as name:
        domain, problem = Path(name) / "domain.pddl", Path(name) / "problem.pddl"
        domain.write_text(domain_text(task))
        problem.write_text(problem_text(task))
        try:
            front = prepare(domain, problem)
        except PlannerError:
            return dict.fromkeys(configurations, "refused")
    found = {Exhaustion.name: verdict_of_exhaustion(front, model)} if Exhaustion.name in configurations else {}
    searches = [name for name in configurations if name != Exhaustion.name]
    try:
        whole = Problem(front.lifted, front.task, costs_exact=bool(front.grounding["costs_exact"]))
        require_optimality_possible(whole, SEARCHES[0], maximize=front.maximize)
    except PlannerError:
        return {**dict.fromkeys(searches, "refused"), **found}
    expected = cheapest(model, STATES)
    if not front.goal_reachable:
        wrong = f"{WRONG}: grounding says unsolvable, but there is a plan"
        return {**dict.fromkeys(searches, "unsolvable" if expected[0] is None else wrong), **found}
    return {**{name: verdict(front, model, name, expected, whole=seed % 2 == 0) for name in searches}, **found}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.adversary.optimal")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--tasks", type=int, help="stop after so many")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first task")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    begin, tasks = time.monotonic(), 0
    verdicts: dict[str, Counter[str]] = {name: Counter() for name in CONFIGURATIONS}
    seeds = takewhile(lambda _: time.monotonic() - begin < 60 * options.minutes, count(options.seed))
    for seed, found in workers.run(partial(check_seed, CONFIGURATIONS), islice(seeds, options.tasks), options.jobs):
        tasks += 1
        for name in CONFIGURATIONS:
            said = found.reason if isinstance(found, workers.Lost) else found[name]
            verdicts[name][said.split(":")[0]] += 1
            if said.startswith(WRONG) or isinstance(found, workers.Lost):
                print(f"task {seed}, {name}: {said}", flush=True)
    print(f"{tasks} tasks in {time.monotonic() - begin:.0f} s")
    for name, numbers in verdicts.items():
        print(f"{name:12}", ", ".join(f"{number} {said}" for said, number in sorted(numbers.items())))
    return 1 if any(numbers[WRONG] for numbers in verdicts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
