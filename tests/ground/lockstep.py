"""Two executions of one task side by side: the grounded arrays against the reference, state by state.

Checked      in every pair of states up to a depth: the same facts and numbers where the grounded task has them, the
             same goal, the same applicable operators, the same costs; operators the grounder dropped change nothing
             that it kept
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from numbat.ground.conditional_costs import CostSplitter
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import Fluent, LiftedTask
from tests.oracles import reference_grounder, states


class Reference(Protocol):
    """Who knows what the task means, in the numbers of the LiftedTask."""

    initial: reference_grounder.State
    actions: Sequence[Any]  # each has a name

    def apply(self, action: Any, state: reference_grounder.State) -> reference_grounder.State | None: ...
    def is_goal(self, state: reference_grounder.State) -> bool: ...
    def metric(self, state: reference_grounder.State) -> Fraction: ...


class Lockstep:
    def __init__(
        self, lifted: LiftedTask, grounded: GroundedTask, reference: Reference | None = None, *, costs: bool = True
    ) -> None:
        self.lifted = lifted
        self.costs = costs
        self.grounded = grounded
        self.reference: Reference = reference or reference_grounder.Reference(lifted)
        self.model = states.Model(grounded)
        self.operators: dict[str, list[int]] = {}
        for number, name in enumerate(grounded.operator_names):
            self.operators.setdefault(name, []).append(number)
        splitter = CostSplitter(lifted)
        self._split = {  # several operators stand for one such action, and each may have been dropped
            action.name for action in lifted.actions if any(map(splitter.is_conditional_cost, action.effects))
        }
        objects = {name: number for number, name in enumerate(lifted.objects)}
        predicates = {symbol.name: number for number, symbol in enumerate(lifted.predicates)}
        functions = {symbol.name: number for number, symbol in enumerate(lifted.functions)}
        self._facts: list[tuple[int, tuple[int, ...]] | Fluent] = []
        for name in grounded.fact_names:
            defined, words = name.startswith("(defined ("), name.replace("(defined ", "").strip("()").split()
            arguments = tuple(objects[word] for word in words[1:])
            known = Fluent(functions[words[0]], arguments) if defined else (predicates[words[0]], arguments)
            self._facts.append(known)
        split = [name.strip("()").split() for name in grounded.variable_names]
        self._fluents = [Fluent(functions[words[0]], tuple(objects[w] for w in words[1:])) for words in split]

    def run(self, depth: int, most: int = 400) -> int:
        """Compare up to `depth` steps from the start, or `most` pairs; how many were compared."""
        start = (self.reference.initial, self.model.initial)
        self._same(*start)
        seen, layer = {start}, [start]
        for _ in range(depth):
            following = [pair for before in layer for pair in self._successors(*before)]
            layer = [pair for pair in dict.fromkeys(following) if pair not in seen][:most]
            for pair in layer:
                self._same(*pair)
            seen.update(layer)
        return len(seen)

    def _same(self, reference: reference_grounder.State, model: states.State) -> None:
        defined = dict(reference.values)
        for known, truth, name in zip(self._facts, model.facts, self.grounded.fact_names, strict=True):
            expected = known in defined if isinstance(known, Fluent) else known in reference.atoms
            assert truth == expected, name
        units = self.grounded.variable_unit.tolist()
        slack = Fraction(0) if self.grounded.exact else Fraction(1, 10**9)
        names = self.grounded.variable_names
        for fluent, value, unit, name in zip(self._fluents, model.values, units, names, strict=True):
            if fluent in defined:
                assert abs(value * Fraction(unit).limit_denominator(2**20) - defined[fluent]) <= slack, name
        assert self.model.is_goal(model) == self.reference.is_goal(reference)

    def _successors(
        self, reference: reference_grounder.State, model: states.State
    ) -> list[tuple[reference_grounder.State, states.State]]:
        pairs = []
        for action in self.reference.actions:
            after = self.reference.apply(action, reference)
            numbers = self.operators.get(action.name, [])
            reached = [(n, s) for n in numbers if (s := self.model.apply(n, model)) is not None]
            if after is None:
                assert not reached, f"{action.name} is not applicable"
            elif not numbers or (not reached and action.name.strip("()").split()[0] in self._split):
                self._same(after, model)
            else:
                assert len(reached) == 1, f"{action.name} is applicable"
                ((number, successor),) = reached
                if self.costs:
                    self._same_cost(number, model, reference, after)
                pairs.append((after, successor))
        return pairs

    def _same_cost(
        self, number: int, model: states.State, before: reference_grounder.State, after: reference_grounder.State
    ) -> None:
        metric = self.lifted.metric
        if metric is None:
            assert self.model.cost(number, model) == 1
            return
        try:
            change = self.reference.metric(after) - self.reference.metric(before)
        except reference_grounder.Undefined:
            return
        step = metric.per_step if metric.direction == "minimize" else -metric.per_step
        assert abs(self.model.cost(number, model) - change - step) < Fraction(1, 10**6)
