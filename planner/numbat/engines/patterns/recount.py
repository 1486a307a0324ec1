"""A plan made cheaper by an integer solver: the plan is a pattern, and how often each of its runs is executed is open.

Definition   docs/improving.md. A run is one action, several times in a row. A formula of all runs, with the plan as a
             hint and its cost to be made small, sees at once what a hundred windows would see one after the other
Questions    counts       all runs are open, and nothing else
             everywhere   all runs are open, and at a few random places further actions may be executed
             stretch      some runs in a row and further actions between them are open; the rest stays as it is
Further      actions, in the order of the patterns: all that can ever be executed; of many the open runs' own actions,
             and those that change what the open runs change, the first to become possible first
Next         the question that has had least time in proportion to what it has saved. One that finds nothing gets more
             effort, or more further actions if it was answered in full. The solver's strategy changes, too
Cost         of an action: a form over the state before it. Where all are constants, the runs are weighed by them; else
             the cost so far is one more variable of the model, and its last value is to be small
Guarantee    what is reported was replayed with exact integers, reaches the goal and is better: in cost, then in steps
In, out      Model, costs of actions, plan → better plans through a callback
Not here     processes (worker), the engine (engines.improve.recount)
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from numbat.engines.patterns.backends import Answer
from numbat.engines.patterns.backends.cpsat import Solver, Strategy
from numbat.engines.patterns.decode import Step, decode, replay
from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import FormulaTooLarge, Size
from numbat.engines.patterns.layers import NEVER, Dependencies, Relaxation
from numbat.engines.patterns.pattern import PatternMaker
from numbat.engines.patterns.reduce import Action, Block, Change, Form, Model, State

FIRST_EFFORT, MOST_EFFORT = 0.05, 4.0
MORE = 1.5  # effort, or further actions, after a question that found nothing
LOST_TURN = 1.0  # seconds that a question which cannot be asked leaves to others
MOST_FAVOUR = 20.0  # of the time of a question, in proportion to one that saves nothing
FADING = 0.8  # of what a question has saved, each time that it saves nothing
MOST_FRUITLESS = 60  # questions in a row, after which nothing is left to try
FIRST_ADDED, MOST_ADDED = 400, 5000  # positions of further actions in one formula
MOST_PLACES = 4  # where further actions may be executed
SHORTEST_STRETCH = 6
LEAST_RUNS = 1 << 12  # that a position may have
LARGEST_OBJECTIVE = 1 << 60

Plan = tuple[Step, ...]


class Price(NamedTuple):
    """Of a plan."""

    cost: int
    steps: int


@dataclass(slots=True)
class Lane:
    """Questions of one kind; `stretch` is the number of open runs, None for all."""

    name: str
    places: int
    stretch: int | None = None
    added: int = FIRST_ADDED
    effort: float = FIRST_EFFORT
    saved: float = 0.0
    seconds: float = 0.0


@dataclass(slots=True)
class _Question:
    """A formula in the making: open positions, what the plan has there, and the steps around that stay."""

    encoder: Encoder
    before: Plan = ()
    after: Plan = ()
    hints: dict[int, int] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        """The action, with the step's runs as a hint; at several positions if it cannot be repeated at one."""
        left, positions = step.runs, self.encoder.positions
        while True:
            known = len(positions)
            self.encoder.extend((step.action,))
            if len(positions) == known:
                return
            _, executed, runs = positions[-1]
            self.hints[executed] = int(left > 0)
            if runs is not None:
                self.hints[runs] = left
                return
            left -= 1
            if left <= 0:
                return


class Recount:
    """One start with one plan; `known` are lanes of an earlier start."""

    def __init__(self, model: Model, costs: Sequence[Form], seed: int, known: Sequence[Lane] = ()) -> None:
        self._counted: int | None = None  # the variable that is the cost so far
        self._changes = [_changed(action) for action in model.actions]
        if any(cost.terms for cost in costs):
            self._counted = len(model.initial.values)
            model = _counting(model, costs)
        self._model, self._costs = model, [cost.constant for cost in costs]
        self._chance = random.Random(seed)
        self._solver = Solver()
        self._dependencies = Dependencies(model)
        self._relaxation = Relaxation(self._dependencies, model.initial)
        self._maker = PatternMaker(model, self._relaxation)
        self._all = self._maker.complete(self._relaxation)
        self._settled: Plan = ()  # no other counts of its runs are cheaper
        self._fruitless = 0
        self.lanes = list(known)

    def run(
        self, newest: Callable[[], Sequence[int] | None], over: Callable[[], bool], report: Callable[[Plan], None]
    ) -> None:
        """Report ever better plans until `over`, or until nothing is left to try.

        `newest` is asked before every question: a plan, as actions, that somebody else has found since.
        """
        best: Plan = ()
        while self._fruitless < MOST_FRUITLESS and not over():
            best = self._better(best, newest())
            if not best:
                return
            lane = self._next_lane(len(best))
            begin = time.process_time()
            found = self._ask(lane, best)
            lane.seconds += time.process_time() - begin
            if found is None:
                lane.saved *= FADING
                self._fruitless += 1
                continue
            before, now = self.price(best), self.price(found)
            lane.saved += before.cost - now.cost + 0.01 * (before.steps - now.steps)
            self._fruitless = 0
            best = found
            report(best)

    def _better(self, best: Plan, other: Sequence[int] | None) -> Plan:
        if other is None:
            return best
        plan = runs_of(other)
        if best and self.price(plan) >= self.price(best):
            return best
        self._fruitless = 0
        return plan

    def price(self, plan: Plan) -> Price:
        steps = sum(runs for _, runs in plan)
        if self._counted is None:
            return Price(sum(self._costs[action] * runs for action, runs in plan), steps)
        end = replay(self._model, plan, self._model.initial)
        return Price(end.values[self._counted] if end else sys.maxsize, steps)

    def _next_lane(self, runs: int) -> Lane:
        if not self.lanes:
            self.lanes = _lanes(runs)
        most = max(1e-9, *(lane.saved for lane in self.lanes))
        return min(self.lanes, key=lambda lane: lane.seconds / (1 + MOST_FAVOUR * lane.saved / most))

    # --- one question ---

    def _ask(self, lane: Lane, plan: Plan) -> Plan | None:
        """A better plan, if the solver finds one."""
        if lane.places == 0 and plan == self._settled:
            lane.seconds += LOST_TURN
            return None
        try:
            question = self._question(lane, plan)
            answer = self._solve(question, lane.effort, self.price(plan).steps)
        except FormulaTooLarge:
            lane.seconds += LOST_TURN
            lane.added = max(FIRST_ADDED, lane.added // 2)
            return None
        found = self._accept(question, answer, plan)
        if lane.places == 0 and answer.optimal:
            self._settled = found or plan
        if found is None and answer.optimal:
            lane.added = min(int(lane.added * MORE), MOST_ADDED)
        elif found is None:
            lane.effort = min(lane.effort * MORE, MOST_EFFORT)
        return found

    def _accept(self, question: _Question, answer: Answer, plan: Plan) -> Plan | None:
        """The plan of an answer, if it is one and better."""
        if answer.status != "sat":
            return None
        found = _merged((*question.before, *decode(question.encoder.positions, answer.values), *question.after))
        if self.price(found) >= self.price(plan):
            return None
        end = replay(self._model, found, self._model.initial)
        return found if end is not None and self._model.holds(self._model.goal, end) else None

    def _solve(self, question: _Question, effort: float, steps: int) -> Answer:
        formula, positions = question.encoder.formula, question.encoder.positions
        formula.hints.update(question.hints)
        open_runs = [(executed if runs is None else runs, action) for action, executed, runs in positions]
        if self._counted is not None:
            # a step counts as well, but less than the cost
            cost = question.encoder.value(Form(((self._counted, 1),), 0))
            total = formula.named(cost, *formula.range(cost))
            formula.costs[:] = [(number, 1) for number, _ in open_runs]
            formula.costs += [(number, steps + 1) for number in total.terms]
        else:
            scale = steps + 1 if len({self._costs[action] for _, action in open_runs}) > 1 else 1
            formula.costs[:] = [(number, self._costs[action] * scale + 1) for number, action in open_runs]
        if sum(weight * formula.upper[number] for number, weight in formula.costs) >= LARGEST_OBJECTIVE:
            raise FormulaTooLarge("costs beyond 60 bits")
        return self._solver.solve(formula, effort, self._chance.choice(list(Strategy)))

    def _question(self, lane: Lane, plan: Plan) -> _Question:
        begin, end = self._open(lane, len(plan))
        start = replay(self._model, plan[:begin], self._model.initial)
        if start is None:
            raise FormulaTooLarge("the plan cannot be replayed")
        size = Size(runs=max(LEAST_RUNS, 2 * max(step.runs for step in plan)))
        encoder = Encoder(self._model, start, self._relaxation, size)
        question = _Question(encoder, plan[:begin], plan[end:])
        places = set(self._chance.sample(range(begin, end + 1), min(lane.places, end + 1 - begin)))
        further = self._further(plan[begin:end], start, lane.added // len(places)) if places else []
        for place in range(begin, end + 1):
            if place in places:
                for action in further:
                    question.add(Step(action, 0))
            if place < end:
                question.add(plan[place])
        for action, runs in plan[end:]:
            encoder.execute(action, runs)
        encoder.require(self._model.goal)
        return question

    def _open(self, lane: Lane, length: int) -> tuple[int, int]:
        if lane.stretch is None or lane.stretch >= length:
            return 0, length
        begin = self._chance.randrange(length - lane.stretch + 1)
        return begin, begin + lane.stretch

    def _further(self, runs: Plan, start: State, most: int) -> list[int]:
        """At most so many actions that may be executed besides, in the order of the patterns."""
        if len(self._all) <= most:
            return self._all
        own = {action for action, _ in runs}
        changed = set[int]().union(*(self._changes[action] for action in own))
        relaxation = Relaxation(self._dependencies, start)
        order = self._maker.complete(relaxation)
        layer = relaxation.layer
        related = [
            action
            for action in order
            if action not in own and layer[action] != NEVER and not changed.isdisjoint(self._changes[action])
        ]
        self._chance.shuffle(related)
        related.sort(key=lambda action: layer[action])
        chosen = {*own, *related[: max(0, most - len(own))]}
        return [action for action in order if action in chosen]


def _counting(model: Model, costs: Sequence[Form]) -> Model:
    """The model with the cost so far as its last variable."""
    counted = len(model.initial.values)

    def paying(action: Action, cost: Form) -> Action:
        change = Change(counted, False, cost)
        first = action.blocks[0] if action.blocks else None
        if first is None or first.condition != 0:
            return action._replace(blocks=(*action.blocks, Block(0, (), (), (change,))))
        return action._replace(blocks=(first._replace(changes=(*first.changes, change)), *action.blocks[1:]))

    initial = model.initial._replace(values=(*model.initial.values, 0))
    return replace(model, initial=initial, actions=tuple(map(paying, model.actions, costs)))


def runs_of(plan: Iterable[int]) -> Plan:
    """Equal actions in a row are one step."""
    return _merged(Step(action, 1) for action in plan)


def unrolled(plan: Plan) -> list[int]:
    """One action after the other."""
    return [action for action, runs in plan for _ in range(runs)]


def _merged(steps: Iterable[Step]) -> Plan:
    merged: list[Step] = []
    for step in steps:
        if merged and merged[-1].action == step.action:
            merged[-1] = Step(step.action, merged[-1].runs + step.runs)
        else:
            merged.append(step)
    return tuple(merged)


def _lanes(runs: int) -> list[Lane]:
    lanes = [Lane("counts", 0), Lane("everywhere", 1), Lane("everywhere", MOST_PLACES)]
    stretch = SHORTEST_STRETCH
    while stretch < runs:
        lanes.append(Lane("stretch", MOST_PLACES, stretch))
        stretch *= 2
    return lanes


def _changed(action: Action) -> frozenset[int]:
    """What an action changes: facts as they are, variables as negative numbers."""
    facts = (fact for block in action.blocks for fact in (*block.adds, *block.deletes))
    return frozenset(facts) | {~change.variable for block in action.blocks for change in block.changes}
