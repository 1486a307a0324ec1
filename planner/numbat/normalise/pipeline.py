"""Syntax tree to LiftedTask: the passes in order.

In, out      tree.Domain and tree.Problem, checked (numbat.pddl.load) → LiftedTask
Passes       every condition goes through PASSES, each of which removes one kind of node, and then conditions.lower
"""

from __future__ import annotations

from collections.abc import Callable

from numbat.normalise import implications, metric, negation, quantifiers
from numbat.normalise.conditions import Reads, literal, lower
from numbat.normalise.context import Context, Scope
from numbat.normalise.counters import functions_read
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
    goal_reads: Reads = {}
    goal = condition(problem.goal, {}, context, goal_reads)
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
        goal_reads=tuple(goal_reads),
        counters=frozenset(symbols.function_numbers.values()) - functions_read(domain, problem, symbols),
    )


def condition(node: tree.Condition, scope: Scope, context: Context, reads: Reads) -> Condition:
    for rewrite in PASSES:
        node = rewrite(node, context)
    return lower(node, scope, context, reads)


def _action(action: tree.Action, context: Context) -> Action:
    scope = {variable.name: parameter(number) for number, variable in enumerate(action.parameters)}
    reads: Reads = {}
    effects = EffectLowering(context, len(scope), lambda node, inner, read: condition(node, inner, context, read))
    return Action(
        name=action.name,
        parameters=tuple(context.type_number(variable.types) for variable in action.parameters),
        precondition=condition(action.precondition, scope, context, reads),
        effects=effects.lower(action.effect, scope),
        span=action.span,
        reads=tuple(reads),
    )
