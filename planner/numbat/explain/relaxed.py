"""What can ever hold when facts only accumulate and numbers only spread: the grounder's fixpoint, asked by name.

In, out      LiftedTask (a variant of rules.RuleModel) → Relaxed: which rules, goals, atoms and comparisons are possible
Guarantee    what is not possible here is true in no reachable state of that task
Not here     the fixpoint itself (numbat.ground.reach)
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from numbat.explain.rules import Binding
from numbat.ground.instances import Instances
from numbat.ground.intervals import Bound, Interval, plus, product
from numbat.ground.reach import Reachability
from numbat.task.lifted import And, Compare, Condition, Expression, Fluent, LiftedTask, Literal, Or, Same

UNBOUNDED: Interval = (-inf, inf)
MEMORY = 1 << 30  # for the instances of a variant, which may have many more than the task


class Relaxed:
    """The fixpoint of one variant; `rules` and `goals` are how many of each it has."""

    def __init__(self, task: LiftedTask, rules: int, goals: int) -> None:
        instances = Instances(task, MEMORY)
        reach = Reachability(instances)
        rows = [instances.actions[number].rows[reach.reached[number]].tolist() for number in range(rules)]
        self.rows: list[list[Binding]] = [[tuple(row) for row in table] for table in rows]
        first_goal = len(task.actions) - goals
        self.goals = [bool(reach.reached[first_goal + number].any()) for number in range(goals)]
        self._statics = instances.statics
        self._reach = reach
        facts, fluents = instances.facts, instances.fluents
        self._facts = {(facts.symbol(n), facts.arguments(n)): n for n in range(len(facts))}
        self._fluents = {Fluent(fluents.symbol(n), fluents.arguments(n)): n for n in range(len(fluents))}

    def can_be(self, literal: Literal) -> bool:
        """May this ground literal be true in some reachable state?"""
        number = self._facts.get((literal.predicate, literal.arguments))
        if number is None:  # nobody adds it, deletes it, asks for it or states it
            return literal.negated
        return bool((self._reach.can_be_false if literal.negated else self._reach.can_be_true)[number])

    def interval(self, fluent: Fluent) -> Interval | None:
        """The values a ground fluent can have, None if it never has one."""
        number = self._fluents.get(fluent)
        if number is not None:
            return self._reach.intervals.of[number]
        value = self._statics.initial_value(fluent.function, fluent.arguments)
        return None if value is None else (value, value)

    def range(self, expression: Expression) -> Interval | None:
        """Bounds of a ground expression, None if it never has a value."""
        if any(self.interval(fluent) is None for fluent in expression.reads):
            return None
        low: Bound = 0
        high: Bound = 0
        for term in expression.terms:
            result: Interval = (term.coefficient, term.coefficient)
            for factor in term.factors:
                result = product(result, self.interval(factor) or UNBOUNDED)
            for divisor in term.divisors:
                by = self.range(divisor)
                if by is None or by == (0, 0):
                    return None
                result = product(result, _reciprocal(by))
            low, high = plus(low, result[0]), plus(high, result[1])
        return low, high

    def possible(self, condition: Condition) -> bool:
        """May this ground condition hold in some reachable state?"""
        match condition:
            case Literal():
                return self.can_be(condition)
            case Same(left=left, right=right, negated=negated):
                return (left == right) != negated
            case Compare(expression=expression, relation=relation):
                bounds = self.range(expression)
                return bounds is not None and satisfiable(bounds, relation)
            case And(parts=parts):
                return all(self.possible(part) for part in parts)
            case Or(parts=parts):
                return any(self.possible(part) for part in parts)


def satisfiable(bounds: Interval, relation: str) -> bool:
    """Can something between these bounds be >= 0, > 0 or = 0?"""
    low, high = bounds
    if relation == ">=":
        return high >= 0
    return high > 0 if relation == ">" else low <= 0 <= high


def _reciprocal(interval: Interval) -> Interval:
    low, high = interval
    if low != high or isinstance(low, float):
        return UNBOUNDED
    return (Fraction(1) / low, Fraction(1) / low)
