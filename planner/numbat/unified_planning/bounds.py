"""What bounded types and state invariants ask: in unified-planning, an action that would leave a fluent outside the
bounds of its type, or break an invariant, cannot be applied.

Before       where one action changes a bounded fluent in a way that can be computed, its precondition asks that the new
             value be inside
After        else, and for invariants, every precondition and the goal ask that the state they see be inside: as every
             state but the first is the result of an action, and the last one is the goal's, that is the same
Guarantee    the same plans as in unified-planning
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numbat.unified_planning.expressions import Scope, number

Condition = Callable[[Scope], str]
UP, DOWN, ANYWHERE = 1, -1, 0  # where a change can lead


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds of a type; None where there is none."""

    low: Any
    high: Any

    def holds(self, value: str, direction: int = ANYWHERE) -> str:
        """A value is inside; one that came from inside by going up needs no look at the lower bound."""
        checks = []
        if self.low is not None and direction != UP:
            checks.append(f"(<= {number(self.low)} {value})")
        if self.high is not None and direction != DOWN:
            checks.append(f"(<= {value} {number(self.high)})")
        return f"(and {' '.join(checks)})"


class Bounds:
    """The bounded fluents of a problem that some action changes, and its invariants."""

    def __init__(self, problem: Any) -> None:
        static = problem.get_static_fluents()
        self._ranges = {fluent: bounds for fluent in problem.fluents if fluent not in static and (bounds := of(fluent))}
        self._invariants = problem.state_invariants
        self._before: dict[Any, list[Condition]] = {}
        self._after: dict[Any, Range] = {}
        for action in problem.actions:
            self._before[action] = self._preconditions(action)

    def _preconditions(self, action: Any) -> list[Condition]:
        found = []
        for fluent, bounds in self._ranges.items():
            effects = [effect for effect in action.effects if effect.fluent.fluent() == fluent]
            conditions = _regressed(effects, bounds)
            if conditions is None:
                self._after[fluent] = bounds
            else:
                found += conditions
        return found

    def before(self, action: Any, scope: Scope) -> list[str]:
        """What its precondition must ask besides."""
        return [condition(scope) for condition in self._before[action]] + self.everywhere(scope)

    def everywhere(self, scope: Scope) -> list[str]:
        """What must hold in every state."""
        found = [scope.text(invariant) for invariant in self._invariants]
        for fluent, bounds in self._after.items():
            found.append(_all_inside(fluent, bounds, scope))
        return found


def of(fluent: Any) -> Range | None:
    """The range of a fluent, if it has one."""
    kind = fluent.type
    if not (kind.is_int_type() or kind.is_real_type()) or kind.lower_bound is kind.upper_bound is None:
        return None
    return Range(kind.lower_bound, kind.upper_bound)


def _all_inside(fluent: Any, bounds: Range, scope: Scope) -> str:
    def body(inner: Scope) -> str:
        return bounds.holds(inner.text(fluent(*fluent.signature)))

    return scope.quantified("forall", fluent.signature, body) if fluent.signature else body(scope)


def _regressed(effects: Sequence[Any], bounds: Range) -> list[Condition] | None:
    """The bounds after an action as conditions before it; None where that is not simple.

    An assignment and any other change of the same fluent at once cannot be executed, and two assignments only if their
    values are equal, so assignments need no look at the rest. Increases and decreases add up.
    """
    additive = [effect for effect in effects if not effect.is_assignment()]
    conditions = [_single(effect, bounds) for effect in effects if effect.is_assignment()]
    if len(additive) == 1 and _one_each(additive[0]):
        return [*conditions, _single(additive[0], bounds)]
    if not additive:
        return conditions
    if any(effect.is_conditional() or effect.is_forall() for effect in additive):
        return None
    groups: dict[Any, list[Any]] = {}
    for effect in additive:
        groups.setdefault(effect.fluent, []).append(effect)
    if len(groups) > 2:
        return None
    one, other = [*groups.values(), []][:2]
    return [*conditions, _together(one, other, bounds) if other else _sum(one, bounds)]


def _one_each(effect: Any) -> bool:
    """Every instance of a forall changes a fluent of its own."""
    arguments = [argument.variable() for argument in effect.fluent.args if argument.is_variable_exp()]
    return all(variable in arguments for variable in effect.forall)


def _single(effect: Any, bounds: Range) -> Condition:
    """The fluent is inside after this effect, if it takes place."""

    def inside(scope: Scope) -> str:
        if effect.is_assignment():
            condition = bounds.holds(scope.text(effect.value))
        else:
            condition = bounds.holds(_changed(scope, [effect]), _direction(effect))
        return f"(imply {scope.text(effect.condition)} {condition})" if effect.is_conditional() else condition

    if not effect.is_forall():
        return inside
    return lambda scope: scope.quantified("forall", effect.forall, inside)


def _sum(effects: Sequence[Any], bounds: Range) -> Condition:
    return lambda scope: bounds.holds(_changed(scope, effects))


def _together(one: Sequence[Any], other: Sequence[Any], bounds: Range) -> Condition:
    """Changes of f(a) and of f(b), which may be the same."""

    def inside(scope: Scope) -> str:
        pairs = zip(one[0].fluent.args, other[0].fluent.args, strict=True)
        same = f"(and {' '.join(f'(= {scope.text(left)} {scope.text(right)})' for left, right in pairs)})"
        apart = f"(and {_sum(one, bounds)(scope)} {_sum(other, bounds)(scope)})"
        return f"(and (imply (not {same}) {apart}) (imply {same} {_sum([*one, *other], bounds)(scope)}))"

    return inside


def _changed(scope: Scope, effects: Sequence[Any]) -> str:
    """The fluent after its increases and decreases."""
    value = scope.text(effects[0].fluent)
    for effect in effects:
        value = f"({'+' if effect.is_increase() else '-'} {value} {scope.text(effect.value)})"
    return value


def _direction(effect: Any) -> int:
    value = effect.value.simplify()
    if not (value.is_int_constant() or value.is_real_constant()):
        return ANYWHERE
    return UP if (value.constant_value() >= 0) == effect.is_increase() else DOWN
