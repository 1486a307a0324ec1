"""Which formula is asked next: from one pattern and all goals to growing patterns around the best state.

Definition   docs/patterns.md. First the complete pattern once, for all goals. Then rounds around the best state P
             (at first the initial one), each with patterns one copy longer and more effort than the last:
                 helpful   from P, three helpful patterns, each twice as wide as the last and one copy longer
                 greedy    from P, the complete pattern
                 loops     from P, the complete pattern with round trips, in every round twice as many copies: where
                           they are needed many follow each other, and the solver is quick with them
                 from I    from the initial state, what led to P followed by the complete pattern; not in round 1
                 first     the first formula again, if it was not answered; not in round 1
             Each asks for all goals or for progress (subgoals); progress makes a new P and begins with round 1 again.
             The formula that reaches the goal is asked once more, for few runs
Effort       grows with the size of the formula, too, since solvers look at all of it before they begin
Complete     the last pattern grows for ever, so every plan is found in the end, unless P is never left behind by it;
             limits of size and effort make the search incomplete all the same
Proof        only that the relaxed fixpoint from the initial state misses the goal. What a solver finds infeasible
             holds for its bounds and proves nothing
In, out      Model, solver → PatternResult. PatternProgress through a callback
Not here     processes and limits (worker)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from numbat.engines.board import PatternProgress
from numbat.engines.patterns import decode
from numbat.engines.patterns.backends import Answer, Solver
from numbat.engines.patterns.decode import Step
from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import Formula, FormulaTooLarge, Size
from numbat.engines.patterns.layers import Dependencies, Relaxation
from numbat.engines.patterns.loops import with_loops
from numbat.engines.patterns.pattern import PatternMaker
from numbat.engines.patterns.reduce import Model, State
from numbat.engines.patterns.subgoals import Subgoals

FIRST_EFFORT = 1.0
ROUND_EFFORT = 0.25
SHORTER_EFFORT = 0.5
HELPFUL = 3  # patterns in a round, if not larger than a complete one
UNIT_NONZEROS = 50_000  # for so many nonzeros of a formula its effort is added once more
FIRST_RUNS = 1 << 10  # of an action at one position, so that solvers do not choose a million runs where ten would do


@dataclass(frozen=True, slots=True)
class Solved:
    operators: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """Proved: the relaxed fixpoint from the initial state misses the goal."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    reason: str


PatternResult = Solved | Unsolvable | GaveUp


class _Reached(NamedTuple):
    """A state, what leads to it from the initial state, and the relaxed reachability from it."""

    state: State
    steps: tuple[Step, ...]
    relaxation: Relaxation


class _Question(NamedTuple):
    """A pattern from a state, asked for all goals or for progress beyond the best state."""

    start: _Reached
    pattern: list[int]
    copies: int
    effort: float
    runs: int
    all_goals: bool = False


class PatternSearch:
    """One search; `run` once."""

    def __init__(self, model: Model, solver: Solver, size: Size, report: Callable[[PatternProgress], None]) -> None:
        self._model, self._solver, self._size = model, solver, size
        self._report = report
        self._dependencies = Dependencies(model)  # of the task without round trips: where they lead, their steps lead
        self.mistakes = 0  # solutions that did not replay
        self._repeat = True
        self._largest = 0  # positions of the largest formula asked in this round
        self._first_effort = FIRST_EFFORT  # of the next time that the first question is asked
        self._first_open = False  # it was asked and not answered

    def run(self) -> PatternResult:
        relaxation = Relaxation(self._dependencies, self._model.initial)
        if not relaxation.goal_possible:
            return Unsolvable()
        if self._model.holds(self._model.goal, self._model.initial):
            return Solved(())
        self._model = model = with_loops(self._model, relaxation)
        self._initial = self._best = _Reached(model.initial, (), relaxation)
        self._subgoals = Subgoals.of(model)
        self._maker = PatternMaker(model, relaxation)
        self._initial_pattern = self._maker.complete(relaxation)
        reached: _Reached | None = None
        with suppress(FormulaTooLarge):  # then helpful patterns may still be small enough
            reached = self._ask(self._first_question())
        while reached is None or not model.holds(model.goal, reached.state):
            if reached is not None:
                self._best = reached
            found = self._rounds()
            if isinstance(found, GaveUp):
                return found
            reached = found
        plan = decode.shortened(model, reached.steps)
        return Solved(tuple(decode.operators(model, plan)))

    def _rounds(self) -> _Reached | GaveUp:
        """Ask until there is progress, or until no larger formula can be asked."""
        round_number, before = 1, 0
        while True:
            self._largest, reason = 0, "no action can be added to the pattern"
            for question in self._questions(round_number):
                try:
                    reached = self._ask(question)
                except FormulaTooLarge as error:
                    reason = f"the next formula is too large: {error}"
                    continue
                if reached is not None:
                    return reached
            if self._largest <= before:
                return GaveUp(reason)
            round_number, before = round_number + 1, self._largest

    def _questions(self, round_number: int) -> Iterator[_Question]:
        best, growth = self._best, 2 ** (round_number - 1)
        effort, runs = ROUND_EFFORT * growth, min(FIRST_RUNS * growth * growth, self._size.runs)
        for copies in range(round_number, round_number + HELPFUL):
            helpful = self._maker.helpful(best.relaxation, best.state, 2 ** (copies - 1))
            if copies == round_number or len(helpful) * copies <= len(self._initial_pattern):
                yield _Question(best, helpful, copies, effort, runs)
        complete = self._maker.complete(best.relaxation)
        yield _Question(best, complete, round_number, effort, runs)
        trips = self._maker.complete(best.relaxation, loops=True)
        if len(trips) > len(complete):
            yield _Question(best, trips, growth, effort, runs)
        if best.steps and round_number > 1:
            prefix = [step.action for step in best.steps]
            yield _Question(self._initial, prefix + complete * round_number, 1, effort, runs)
        if self._first_open and round_number > 1:
            yield self._first_question()

    def _first_question(self) -> _Question:
        """All goals by the complete pattern from the initial state; every time with twice the effort."""
        effort, self._first_effort = self._first_effort, 2 * self._first_effort
        return _Question(self._initial, self._initial_pattern, 1, effort, FIRST_RUNS, all_goals=True)

    # --- one question ---

    def _ask(self, question: _Question) -> _Reached | None:
        """A state that is a goal or better than the best one, if the solver finds one."""
        model, start = self._model, question.start
        subgoals = len(self._subgoals.reached(self._best.state))
        length = len(question.pattern) * question.copies
        self._report(PatternProgress(length, question.copies, subgoals, len(self._subgoals.atoms)))
        size = replace(self._size, runs=question.runs)
        encoder = Encoder(model, start.state, start.relaxation, size, repeat=self._repeat)
        for _ in range(question.copies):
            encoder.extend(question.pattern)
        if question.all_goals:
            encoder.require(model.goal)
        else:
            self._subgoals.require_progress(encoder, self._best.state)
        self._largest = max(self._largest, len(encoder.positions))
        answer = self._solve(encoder.formula, question.effort)
        if question.all_goals:
            self._first_open = answer.status == "unknown"
        if answer.status != "sat":
            return None
        reached = self._accept(start, decode.decode(encoder.positions, answer.values))
        if reached is None or not model.holds(model.goal, reached.state):
            return reached
        again = self._shorter(start, encoder) or reached
        return min(reached, again, key=lambda found: decode.length(model, found.steps))

    def _shorter(self, start: _Reached, encoder: Encoder) -> _Reached | None:
        """Ask once more for all goals, preferring few runs."""
        formula = encoder.formula
        encoder.require(self._model.goal)
        formula.soft.clear()
        formula.costs[:] = [(executed if runs is None else runs, 1) for _, executed, runs in encoder.positions]
        answer = self._solve(formula, SHORTER_EFFORT)
        return self._accept(start, decode.decode(encoder.positions, answer.values)) if answer.status == "sat" else None

    def _solve(self, formula: Formula, effort: float) -> Answer:
        return self._solver.solve(formula, effort * (1 + formula.nonzeros / UNIT_NONZEROS))

    def _accept(self, start: _Reached, steps: list[Step]) -> _Reached | None:
        """The state at the end, if the steps replay exactly and the goal is still possible there."""
        if decode.length(self._model, (*start.steps, *steps)) > decode.MOST_STEPS:
            return None
        state = decode.replay(self._model, steps, start.state)
        if state is None:
            # The encoder has made a mistake. Without repetitions it has fewer occasions to.
            self.mistakes += 1
            self._repeat = False
            return None
        relaxation = Relaxation(self._dependencies, state)
        return _Reached(state, (*start.steps, *steps), relaxation) if relaxation.goal_possible else None
