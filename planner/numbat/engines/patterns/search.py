"""Which formula is asked next: from one pattern and all goals to growing patterns around the best state.

Definition   docs/patterns.md. First the complete pattern once, for all goals. Then rounds around the best state P
             (at first the initial one), each with patterns one copy longer and more effort than the last:
                 helpful   from P, the helpful pattern, twice as wide every round
                 greedy    from P, the complete pattern
                 from I    from the initial state, what led to P followed by the complete pattern
             Each asks for all goals or for progress (subgoals); progress makes a new P and begins with round 1 again.
             The formula that reaches the goal is asked once more, for few runs
Complete     the last pattern grows for ever, so every plan is found in the end, unless P is never left behind by it;
             limits of size and effort make the search incomplete all the same
Proof        only that the relaxed fixpoint from the initial state misses the goal. What a solver finds infeasible
             holds for its bounds and proves nothing
In, out      Model, solver → Ending. PatternProgress through a callback
Not here     processes and limits (worker)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from numbat.engines.patterns import decode
from numbat.engines.patterns.backends import Solver
from numbat.engines.patterns.decode import Step
from numbat.engines.patterns.encode import Encoder
from numbat.engines.patterns.formula import FormulaTooLarge, Size
from numbat.engines.patterns.layers import Index, Relaxation
from numbat.engines.patterns.pattern import PatternMaker
from numbat.engines.patterns.reduce import Model, State
from numbat.engines.patterns.subgoals import Subgoals

FIRST_EFFORT = 4.0
ROUND_EFFORT = 1.0
SHORTER_EFFORT = 1.0
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


Ending = Solved | Unsolvable | GaveUp


class PatternProgress(NamedTuple):
    """What is being asked: positions of the pattern, copies of it, subgoals that hold in the best state, of so many."""

    pattern_length: int
    copies: int
    subgoals: int
    of_subgoals: int


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
        self._index = Index(model)
        self._subgoals = Subgoals.of(model)
        self.mistakes = 0  # solutions that did not replay
        self._repeat = True
        self._largest = 0  # positions of the largest formula asked in this round

    def run(self) -> Ending:
        model = self._model
        initial = _Reached(model.initial, (), Relaxation(self._index, model.initial))
        if not initial.relaxation.goal_possible:
            return Unsolvable()
        if model.holds(model.goal, model.initial):
            return Solved(())
        self._initial = self._best = initial
        self._maker = PatternMaker(model, initial.relaxation)
        reached: _Reached | None = None
        with suppress(FormulaTooLarge):  # then helpful patterns may still be small enough
            pattern = self._maker.complete(initial.relaxation)
            reached = self._ask(_Question(initial, pattern, 1, FIRST_EFFORT, FIRST_RUNS, all_goals=True))
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
        complete = self._maker.complete(best.relaxation)
        helpful = self._maker.helpful(best.relaxation, best.state, growth)
        if len(helpful) < len(complete):
            yield _Question(best, helpful, round_number, effort, runs)
        yield _Question(best, complete, round_number, effort, runs)
        if best.steps:
            prefix = [step.action for step in best.steps]
            yield _Question(self._initial, prefix + complete * round_number, 1, effort, runs)

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
        answer = self._solver.solve(encoder.formula, question.effort)
        if answer.status != "sat":
            return None
        reached = self._accept(start, decode.decode(encoder.positions, answer.values))
        if reached is None or not model.holds(model.goal, reached.state):
            return reached
        return min(reached, self._shorter(start, encoder) or reached, key=lambda found: decode.length(found.steps))

    def _shorter(self, start: _Reached, encoder: Encoder) -> _Reached | None:
        """Ask once more for all goals, wishing for few runs."""
        formula = encoder.formula
        encoder.require(self._model.goal)
        formula.wishes.clear()
        formula.costs[:] = [(executed if runs is None else runs, 1) for _, executed, runs in encoder.positions]
        answer = self._solver.solve(formula, SHORTER_EFFORT)
        return self._accept(start, decode.decode(encoder.positions, answer.values)) if answer.status == "sat" else None

    def _accept(self, start: _Reached, steps: list[Step]) -> _Reached | None:
        """The state at the end, if the steps replay exactly and the goal is still possible there."""
        if decode.length(start.steps) + decode.length(steps) > decode.MOST_STEPS:
            return None
        state = decode.replay(self._model, steps, start.state)
        if state is None:
            # The encoder has made a mistake. Without repetitions it has fewer occasions to.
            self.mistakes += 1
            self._repeat = False
            return None
        relaxation = Relaxation(self._index, state)
        return _Reached(state, (*start.steps, *steps), relaxation) if relaxation.goal_possible else None
