"""Is a goal held back by nothing but a missing start, or a circle of actions that wait for each other?

Definition   the greatest set of rule instances in which every condition is possible in the relaxed task, or is brought
             about by an instance of the set. A goal whose conditions the set can bring about needs nothing that is
             impossible for good: one more fact at the start would set it going.
In, out      RuleModel, the fixpoint, the instances whose unchangeable conditions hold → which goals
Cost         a few passes over these instances
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf

from numbat.explain.relaxed import Relaxed
from numbat.explain.rules import Binding, Kind, Rule, RuleModel, bind_literal, terms_of
from numbat.task.conditions import bind, bind_numeric
from numbat.task.lifted import And, Compare, Condition, Fluent, Literal, Or

Thing = Literal | tuple[Fluent, int]  # a literal that becomes true, or a fluent that rises (1) or falls (-1)


def self_supporting(model: RuleModel, original: Relaxed, rows: list[list[Binding]]) -> list[bool]:
    """For every goal: can it be brought about by instances that only wait for each other?"""
    instances = [(rule, binding) for rule, bindings in zip(model.rules, rows, strict=True) for binding in bindings]
    waiting = [list(_open(rule, binding, original)) for rule, binding in instances]
    effects = [list(_effects(rule, binding, original)) for rule, binding in instances]
    supply = Counter(thing for things in effects for thing in things)
    alive = [True] * len(instances)
    changed = True
    while changed:
        changed = False
        for number, conditions in enumerate(waiting):
            if alive[number] and not all(_supplied(condition, supply, original) for condition in conditions):
                alive[number] = False
                supply.subtract(effects[number])
                changed = True
    return [all(_supplied(c, supply, original) for c in _open(goal, (), original)) for goal in model.goals]


def _open(rule: Rule, binding: Binding, original: Relaxed) -> Iterator[Condition]:
    """The conditions of an instance that the relaxed task can never satisfy."""
    terms = terms_of(binding)
    for need in rule.needs:
        if need.key.kind not in (Kind.TYPE, Kind.VALUE):
            condition = bind(need.condition, terms)
            if not original.possible(condition):
                yield condition


def _effects(rule: Rule, binding: Binding, original: Relaxed) -> Iterator[Thing]:
    terms = terms_of(binding)
    yield from (bind_literal(literal, terms) for literal in rule.effect.adds)
    for literal in rule.effect.deletes:
        yield Literal(literal.predicate, bind_literal(literal, terms).arguments, negated=True)
    for change in rule.effect.numeric:
        ground = bind_numeric(change, terms)
        by = original.range(ground.expression)
        low, high = (-inf, inf) if by is None or ground.kind == "assign" else by
        yield from ((ground.fluent, sign) for sign, possible in ((1, high > 0), (-1, low < 0)) if possible)


def _wanted(comparison: Compare) -> Iterator[tuple[Fluent, int]]:
    """Changes that may help a comparison to become true."""
    simple = {
        t.factors[0]: t.coefficient for t in comparison.expression.terms if len(t.factors) == 1 and not t.divisors
    }
    for fluent in comparison.expression.reads:
        known = fluent in simple and comparison.relation != "="
        yield from ((fluent, sign) for sign in (1, -1) if not known or simple[fluent] * sign > 0)


def _supplied(condition: Condition, supply: Counter[Thing], original: Relaxed) -> bool:
    match condition:
        case And(parts=parts):
            return all(_supplied(part, supply, original) for part in parts)
        case Or(parts=parts):
            return any(_supplied(part, supply, original) for part in parts)
        case Literal():
            return original.possible(condition) or supply[condition] > 0
        case Compare():
            return original.possible(condition) or any(supply[change] > 0 for change in _wanted(condition))
    return original.possible(condition)
