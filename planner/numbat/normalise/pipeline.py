"""Syntax tree to LiftedTask: the passes in order.

In, out      tree.Domain and tree.Problem, checked (numbat.pddl.load) → LiftedTask
Passes       every condition goes through PASSES, each of which removes one kind of node, and then conditions.lower
"""

from __future__ import annotations

from collections.abc import Callable

from numbat.normalise import implications, metric, negation, quantifiers
from numbat.normalise.conditions import literal, lower
from numbat.normalise.context import Context, Scope
from numbat.normalise.effects import EffectLowering
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols
from numbat.task.lifted import Action, Condition, LiftedTask, Symbol, parameter

PASSES: tuple[Callable[[tree.Condition, Context], tree.Condition], ...] = (
    implications.rewrite,
    negation.rewrite,
    quantifiers.rewrite,
)


def normalise(domain: tree.Domain, problem: tree.Problem) -> LiftedTask:
    """What the two files mean."""
    symbols = Symbols(domain, problem, warnings=[])
    context = Context(symbols)
    actions = tuple(_action(action, context) for action in domain.actions)
    goal = _condition(problem.goal, {}, context)
    return LiftedTask(
        domain=domain.name,
        problem=problem.name,
        objects=tuple(symbols.objects),
        types=tuple(context.types),
        predicates=tuple(Symbol(name, len(entry.parameters)) for name, entry in symbols.predicates.items()),
        functions=tuple(Symbol(name, len(entry.parameters)) for name, entry in symbols.functions.items()),
        actions=actions,
        init_atoms=tuple(dict.fromkeys(literal(atom, {}, context) for atom in problem.init_atoms)),
        init_values={
            context.fluent(item.fluent.name, item.fluent.arguments, {}): item.value
            for item in problem.init_values
            if item.fluent.name in symbols.functions
        },
        goal=goal,
        goal_span=problem.goal.span,
        metric=metric.lower(problem.metric, context) if problem.metric else None,
    )


def _condition(node: tree.Condition, scope: Scope, context: Context) -> Condition:
    for rewrite in PASSES:
        node = rewrite(node, context)
    return lower(node, scope, context)


def _action(action: tree.Action, context: Context) -> Action:
    scope = {variable.name: parameter(number) for number, variable in enumerate(action.parameters)}
    effects = EffectLowering(context, len(scope), lambda node, inner: _condition(node, inner, context))
    return Action(
        name=action.name,
        parameters=tuple(context.type_number(variable.types) for variable in action.parameters),
        precondition=_condition(action.precondition, scope, context),
        effects=effects.lower(action.effect, scope),
        span=action.span,
    )
