"""Costs that arise only under a condition: one action for each outcome of the condition.

Idea         an operator's cost is one linear form, with no condition. So an action with `when c: increase the metric`
             becomes two of the same name: one requires c and has the effect, the other requires not c.
In, out      Action -> the actions that together do the same
Limit        MOST_SPLITS conditions per action; above, and for quantified effects, conditional costs are not counted,
             which the report says. Plans stay valid, only costs inside the search are too low or too high then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.ground.rewrite import FALSITY, TRUTH, conjoin, negate
from planner.task.lifted import Action, Effect, LiftedTask

MOST_SPLITS = 4


def metric_functions(task: LiftedTask) -> frozenset[int]:
    return frozenset(fluent.function for fluent in task.metric.expression.reads) if task.metric else frozenset()


def is_conditional_cost(effect: Effect, functions: frozenset[int]) -> bool:
    conditional = bool(effect.parameters) or effect.condition != TRUTH
    return conditional and any(numeric.fluent.function in functions for numeric in effect.numeric)


def split(action: Action, functions: frozenset[int]) -> Iterator[Action]:
    """The variants of an action, the one where every condition holds first."""
    places = [i for i, effect in enumerate(action.effects) if is_conditional_cost(effect, functions)]
    if len(places) > MOST_SPLITS or any(action.effects[i].parameters for i in places):
        yield action
        return
    variants = [action]
    for place in places:
        variants = [half for variant in variants for half in _halves(variant, place)]
    yield from variants


def _halves(action: Action, place: int) -> tuple[Action, Action]:
    effect = action.effects[place]

    def variant(required: bool) -> Action:
        condition = effect.condition if required else negate(effect.condition)
        # an effect that never fires stays, so that what it reads must still be defined
        fixed = replace(effect, condition=TRUTH if required else FALSITY)
        effects = (*action.effects[:place], fixed, *action.effects[place + 1 :])
        return replace(action, precondition=conjoin(action.precondition, condition), effects=effects)

    return variant(True), variant(False)
