"""Relaxed reachability: which instances can ever be applied, when facts only accumulate and intervals only grow.

Definition   an instance is reachable when its precondition is possible and everything that it always reads may have a
             value; its effects fire when their condition is possible and what they read may have a value. Least
             fixpoint, sweep by sweep over whole columns.
In, out      Instances -> reached rows per action, fired rows per effect, facts that vary, intervals of fluents
Guarantee    every applicable action of every reachable state is kept; what is found constant is constant
Cost         one sweep per step of the longest chain; a row is looked at until it is reached
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from numbat.ground.columns import Mask, distinct
from numbat.ground.expressions import Expressions
from numbat.ground.instances import ActionRows, All, Any, Compares, EffectRows, Facts, Instances, Node, Truth
from numbat.ground.intervals import Intervals


class Reachability:
    """The fixpoint, computed on construction."""

    def __init__(self, instances: Instances) -> None:
        self.instances = instances
        table = instances.expressions
        self.intervals = Intervals(table)
        self.can_be_true = _initially_true(instances)
        self.can_be_false = ~self.can_be_true
        self.initially_true = self.can_be_true.copy()
        self.reached = [np.zeros(len(action.rows), dtype=bool) for action in instances.actions]
        self.fired = [[np.zeros(len(e.parent), dtype=bool) for e in action.effects] for action in instances.actions]
        read = _expressions_read(instances)
        self._watchers = _watchers(table, read)
        self._possible = np.zeros(len(table.comparisons), dtype=bool)
        self._readable = np.zeros(len(table.expressions), dtype=bool)
        self._executable = np.zeros(len(table.effects), dtype=bool)
        self.enabled = np.zeros(len(table.effects), dtype=bool)
        self._applied = self.enabled.copy()
        self._look_at(range(len(table.comparisons)), range(len(table.effects)), read)
        while self._sweep():
            pass
        # nothing follows from the goal, so it is enough to look at it in the end
        self.reached[-1][:] = self._applicable(instances.goal)

    @property
    def goal_reachable(self) -> bool:
        return bool(self.reached[-1].any())

    # --- one sweep ---

    def _sweep(self) -> bool:
        changed = False
        for action, reached, fired in zip(self.instances.actions[:-1], self.reached, self.fired, strict=False):
            waiting = np.flatnonzero(~reached)
            if len(waiting):
                new = waiting[self._applicable(action)[waiting]]
                reached[new] = True
                changed |= len(new) > 0
            for effect, done in zip(action.effects, fired, strict=True):
                changed |= self._fire(effect, reached, done)
        return self._widen() or changed

    def _applicable(self, action: ActionRows) -> Mask:
        result = self.possible(action.precondition, len(action.rows))
        for ids in action.reads:
            result &= self._readable[ids]
        for effect in action.effects:
            if effect.unconditional:
                result[effect.parent[~self._has_values(effect)]] = False
        return result

    def _has_values(self, effect: EffectRows) -> Mask:
        """Per row: may everything that the effect reads have a value?"""
        result = np.ones(len(effect.parent), dtype=bool)
        for ids in effect.reads:
            result &= self._readable[ids]
        for ids in effect.numeric:
            result &= self._executable[ids]
        return result

    def _fire(self, effect: EffectRows, reached: Mask, done: Mask) -> bool:
        new = reached[effect.parent] & ~done
        if not new.any():
            return False
        new &= self.possible(effect.condition, len(done)) & self._has_values(effect)
        index = np.flatnonzero(new)
        done[index] = True
        for ids in effect.adds:
            self.can_be_true[ids[index]] = True
        for ids in effect.deletes:
            deleted = ids[index]
            added_again = np.zeros(len(index), dtype=bool)
            for added in effect.adds:
                added_again |= added[index] == deleted
            self.can_be_false[deleted[~added_again]] = True
        for ids in effect.numeric:
            self.enabled[ids[index]] = True
        return len(index) > 0

    def possible(self, node: Node, size: int) -> Mask:
        """Per row: may the condition hold in some state that is reachable by what is known so far?"""
        match node:
            case Truth(values=values):
                return values.copy()
            case Facts(ids=ids, negated=negated):
                return (self.can_be_false if negated else self.can_be_true)[ids]
            case Compares(ids=ids):
                return self._possible[ids]
            case All(parts=parts):
                result = np.ones(size, dtype=bool)
                for part in parts:
                    result &= self.possible(part, size)
                return result
            case Any(parts=parts):
                result = np.zeros(size, dtype=bool)
                for part in parts:
                    result |= self.possible(part, size)
                return result

    # --- numbers ---

    def _widen(self) -> bool:
        """Let the enabled effects widen the intervals, to a fixpoint of its own."""
        changed: set[int] = set()
        todo: list[int] = np.flatnonzero(self.enabled & ~self._applied).tolist()
        self._applied[todo] = True
        while todo:
            fresh = {self.instances.expressions.effects[e].fluent for e in todo if self.intervals.apply(e)}
            changed |= fresh
            affected = {e for fluent in fresh for e in self._watchers[fluent][1]}
            todo = sorted(e for e in affected if self.enabled[e])
        self._look_at(
            sorted({c for fluent in changed for c in self._watchers[fluent][0]}),
            sorted({e for fluent in changed for e in self._watchers[fluent][1]}),
            sorted({e for fluent in changed for e in self._watchers[fluent][2]}),
        )
        return bool(changed)

    def _look_at(self, comparisons: Iterable[int], effects: Iterable[int], expressions: Iterable[int]) -> None:
        """Judge comparisons, effects and expressions again after the intervals of their fluents have grown."""
        table, intervals = self.instances.expressions, self.intervals
        for c in comparisons:
            expression, relation = table.comparisons[c]
            if not self._possible[c] and intervals.readable(expression):
                self._possible[c] = intervals.possible(expression, relation)
        for e in effects:
            effect = table.effects[e]
            target = effect.assign or intervals.of[effect.fluent] is not None
            self._executable[e] = target and intervals.readable(effect.expression)
        for expression in expressions:
            self._readable[expression] = intervals.readable(expression)


def _initially_true(instances: Instances) -> Mask:
    facts, statics = instances.facts, instances.statics
    true = [facts.all_of(p, statics.true_tuples(p)) for p in range(len(facts.symbols))]
    truth = np.zeros(len(facts), dtype=bool)
    truth[np.concatenate(true) if true else []] = True
    return truth


def _expressions_read(instances: Instances) -> list[int]:
    """The expressions whose having a value decides whether something can be executed."""
    columns = [ids for action in instances.actions for ids in action.reads]
    columns += [ids for action in instances.actions for effect in action.effects for ids in effect.reads]
    return distinct(np.concatenate(columns)).tolist() if columns else []


def _watchers(table: Expressions, read: list[int]) -> dict[int, tuple[list[int], list[int], list[int]]]:
    """For every fluent the comparisons, effects and expressions whose range or definedness depends on it."""
    watchers: dict[int, tuple[list[int], list[int], list[int]]] = defaultdict(lambda: ([], [], []))
    for c, (expression, _) in enumerate(table.comparisons):
        for fluent in table.expressions[expression].reads:
            watchers[fluent][0].append(c)
    for e, effect in enumerate(table.effects):
        for fluent in {effect.fluent, *table.expressions[effect.expression].reads}:
            watchers[fluent][1].append(e)
    for expression in read:
        for fluent in table.expressions[expression].reads:
            watchers[fluent][2].append(expression)
    return watchers
