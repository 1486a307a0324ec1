"""How a goal would be reached if some needs were granted: the cheapest derivation through what is out of reach.

Definition   in a variant with dropped keys, cost of a rule's instance = 1 + the sum over its needs; a need that is
             possible in the original task costs nothing, one that some instance brings about costs what that costs,
             one of a dropped key at most GRANT; an atom costs what its cheapest instance costs
             (with `only`, this one condition alone can be granted, wherever it is asked for)
In, out      RuleModel, the original fixpoint, the variant's → for a goal the instances used and the needs granted
Cost         a few passes over the instances that only the variant has, at most MOST_RULE_STEPS of them
Guarantee    none: causes.py checks that the granted needs suffice before it says so
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from numbat.explain.relaxed import Relaxed
from numbat.explain.rules import Binding, Key, Kind, Need, Rule, RuleModel, bind_literal, terms_of
from numbat.task.conditions import bind, bind_fluent, bind_numeric
from numbat.task.lifted import And, Compare, Condition, Fluent, Literal, NumericEffect, Or

GRANT = 1000.0
MOST_RULE_STEPS = 30_000

# Needs of a step that the original task can never satisfy; types and values have no condition.
OpenNeeds = tuple[tuple[Need, Condition | None], ...]


@dataclass(frozen=True, slots=True)
class RuleStep:
    """An instance of a rule."""

    rule: Rule
    binding: Binding

    def __hash__(self) -> int:
        return hash((self.rule.span, self.binding))


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a chain, and the need of it that the next step brings about (or, in the last one, that is granted)."""

    step: RuleStep
    need: Need


class Derivation:
    """Costs and supporters of everything that only the variant reaches."""

    def __init__(
        self,
        model: RuleModel,
        original: Relaxed,
        variant: Relaxed,
        dropped: frozenset[Key],
        only: Condition | None = None,
    ) -> None:
        self._model = model
        self._original = original
        self._variant = variant
        self._dropped = dropped
        self._only = only
        self._cost: dict[Condition, float] = {}
        self._supporter: dict[Condition, RuleStep] = {}
        self._comparisons: dict[Fluent, dict[Compare, None]] = defaultdict(dict)
        steps = list(self._new_steps())
        self.complete = len(steps) <= MOST_RULE_STEPS
        self._open: dict[RuleStep, OpenNeeds] = {}
        if self.complete:
            goals = [RuleStep(goal, ()) for goal in model.goals]
            self._open = {step: tuple(self._open_needs(step)) for step in [*steps, *goals]}
            brought = [(step, tuple(self._brought_about(step))) for step in steps]
            while self._pass(brought):
                pass

    def _new_steps(self) -> Iterator[RuleStep]:
        for rule, before, after in zip(self._model.rules, self._original.rows, self._variant.rows, strict=True):
            known = set(before)
            yield from (RuleStep(rule, binding) for binding in after if binding not in known)

    def _open_needs(self, step: RuleStep) -> Iterator[tuple[Need, Condition | None]]:
        terms = terms_of(step.binding)
        valueless = set()
        needs = self._model.meaningful(step.rule, self._dropped)
        for need in needs:
            if need.key.kind is Kind.TYPE:
                if step.binding[need.parameter] not in self._model.members(step.rule.variables[need.parameter].types):
                    yield need, None
            elif any(self._undefined(bind_fluent(fluent, terms), need.key) for fluent in need.reads):
                valueless.add(need.span)
                yield need, None
        for need in needs:
            # a comparison without a value is neither true nor false: the missing value alone is the cause
            if need.key.kind not in (Kind.TYPE, Kind.VALUE) and need.span not in valueless:
                condition = bind(need.condition, terms)
                if not self._original.possible(condition):
                    self._watch(condition)
                    yield need, condition

    def _undefined(self, fluent: Fluent, key: Key) -> bool:
        """Has it no value? In a variant where nobody reads a function any more, its fluents count from 0."""
        read = key not in self._dropped
        return self._original.interval(fluent) is None and not (read and self._variant.interval(fluent) is not None)

    def _watch(self, condition: Condition) -> None:
        """Remember the comparisons inside, so that changes of their fluents find them."""
        match condition:
            case Compare():
                for fluent in condition.expression.reads:
                    self._comparisons[fluent][condition] = None
            case And(parts=parts) | Or(parts=parts):
                for part in parts:
                    self._watch(part)

    # --- costs ---

    def _pass(self, brought: list[tuple[RuleStep, tuple[Condition, ...]]]) -> bool:
        changed = False
        for step, conditions in brought:
            cost = 1 + sum(self._need_cost(need, condition) for need, condition in self._open[step])
            if cost < inf:
                for condition in conditions:
                    if cost < self._cost.get(condition, inf):
                        self._cost[condition] = cost
                        self._supporter[condition] = step
                        changed = True
        return changed

    def _need_cost(self, need: Need, condition: Condition | None) -> float:
        own = inf if condition is None else self._condition_cost(condition)
        return min(own, GRANT) if self._grantable(need, condition) else own

    def _grantable(self, need: Need, condition: Condition | None) -> bool:
        return need.key in self._dropped and (self._only is None or condition == self._only)

    def _condition_cost(self, condition: Condition) -> float:
        match condition:
            case And(parts=parts):
                return sum(self._condition_cost(part) for part in parts)
            case Or(parts=parts):
                return min((self._condition_cost(part) for part in parts), default=inf)
        return 0.0 if self._original.possible(condition) else self._cost.get(condition, inf)

    def _brought_about(self, step: RuleStep) -> Iterator[Condition]:
        terms = terms_of(step.binding)
        effect = step.rule.effect
        yield from (bind_literal(literal, terms) for literal in effect.adds)
        for literal in effect.deletes:
            gone = bind_literal(literal, terms)
            yield Literal(gone.predicate, gone.arguments, negated=True)
        for change in effect.numeric:
            ground = bind_numeric(change, terms)
            yield from (c for c in self._comparisons.get(ground.fluent, ()) if self._helps(ground, c))

    def _helps(self, change: NumericEffect, comparison: Compare) -> bool:
        """Does the change push the comparison in the right direction?"""
        by = self._variant.range(change.expression)
        if by is None or not self._variant.possible(comparison):
            return False
        if change.kind == "assign" or comparison.relation == "=":
            return True
        coefficients = [t.coefficient for t in comparison.expression.terms if change.fluent in t.factors]
        return any((c > 0 and by[1] > 0) or (c < 0 and by[0] < 0) for c in coefficients) or not coefficients

    # --- the derivation of a goal ---

    def granted(self, goal: Rule) -> dict[RuleStep, list[Need]]:
        """The steps of the cheapest derivation that need something granted, and what."""
        found: dict[RuleStep, list[Need]] = {}
        for step in self._paths(goal):
            missing = [need for need, condition in self._open[step] if self._is_granted(need, condition)]
            if missing:
                found[step] = missing
        return found

    def asked(self) -> list[Condition]:
        """Every condition of a dropped key that is out of reach and asked for."""
        return list(
            dict.fromkeys(
                condition
                for open_needs in self._open.values()
                for need, condition in open_needs
                if need.key in self._dropped and condition is not None
            )
        )

    def chain(self, goal: Rule, target: RuleStep, missing: Need) -> tuple[Link, ...]:
        """From the goal down to the step that needs something granted, by the fewest links."""
        return (*self._paths(goal).get(target, ()), Link(target, missing))

    def _is_granted(self, need: Need, condition: Condition | None) -> bool:
        return self._grantable(need, condition) and (condition is None or self._condition_cost(condition) >= GRANT)

    def _paths(self, goal: Rule) -> dict[RuleStep, tuple[Link, ...]]:
        """Every step of the derivation and the links above it, breadth first."""
        start = RuleStep(goal, ())
        paths: dict[RuleStep, tuple[Link, ...]] = {start: ()}
        pending = [start]
        for step in pending:
            for need, condition in self._open[step]:
                if condition is not None and not self._is_granted(need, condition):
                    for below in self._supporters(condition):
                        if below not in paths:
                            paths[below] = (*paths[step], Link(step, need))
                            pending.append(below)
        return paths

    def _supporters(self, condition: Condition) -> list[RuleStep]:
        """The steps that bring a condition about, none for what is possible anyhow."""
        match condition:
            case And(parts=parts):
                return [step for part in parts for step in self._supporters(part)]
            case Or(parts=parts):
                return self._supporters(min(parts, key=self._condition_cost))
        return [self._supporter[condition]] if condition in self._supporter else []
