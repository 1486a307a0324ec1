"""A task as rules whose conditions know their place in the text, and variants of it without some of the conditions.

In, out      syntax tree → RuleModel: rules and goals; RuleModel.variant(dropped) → LiftedTask
A rule       an action and one of its effect blocks: extra parameters of a (forall ...) come after the action's own, the
             conditions of a (when ...) join the precondition. In a delete-free task that means the same.
A need       one conjunct as written, or that a fluent it reads has a value, or a parameter's type
Keys         needs that ask for the same thing share a key, whichever action they stand in; a variant drops whole keys
Goals        every conjunct of the goal is a rule without effects at the end of a variant's actions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from numbat.errors import Span
from numbat.normalise.conditions import Reads
from numbat.normalise.context import Context, Scope
from numbat.normalise.effects import EffectLowering
from numbat.normalise.pipeline import PASSES, condition
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols
from numbat.task.conditions import FALSE, TRUE, bind, bind_numeric, conjunction
from numbat.task.lifted import (
    Action,
    And,
    Compare,
    Condition,
    Effect,
    Expression,
    Fluent,
    LiftedTask,
    Literal,
    Or,
    Same,
    parameter,
)

Binding = tuple[int, ...]


class Kind(IntEnum):
    """What a need asks for."""

    NUMBER = 0
    FACT = 1
    MIXED = 2  # disjunctions and quantifiers over several things
    VALUE = 3  # a fluent that is read has a value
    TYPE = 4


@dataclass(frozen=True, slots=True)
class Key:
    """Needs with the same key are dropped together."""

    kind: Kind
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """One condition of a rule; `text` is the conjunct as written, None for values and types.

    parameter   of a TYPE: the parameter it is about; the key has its types as written
    reads       of a VALUE: what the condition or effect at `span` reads
    """

    key: Key
    span: Span
    condition: Condition = TRUE
    text: tree.Condition | None = None
    expressions: tuple[Expression, ...] = ()
    reads: tuple[Fluent, ...] = ()
    parameter: int = -1


@dataclass(frozen=True, slots=True)
class Rule:
    """See the module's docstring; `variables` are the parameters as written, `effect` has no condition of its own."""

    name: str
    variables: tuple[tree.TypedName, ...]
    needs: tuple[Need, ...]
    effect: Effect
    span: Span
    arity: int  # of the action; further parameters are those of its (forall ...)


class RuleModel:
    """The rules and goals of a task."""

    def __init__(self, domain: tree.Domain, problem: tree.Problem, lifted: LiftedTask) -> None:
        self.symbols = Symbols(domain, problem, warnings=[])
        self._context = Context(self.symbols)
        self.lifted = lifted
        self.preconditions = {action.name: tuple(self._precondition(action)) for action in domain.actions}
        self.rules = tuple(rule for action in domain.actions for rule in self._rules(action))
        self.goals = tuple(self._goals(problem.goal))

    def variant(
        self,
        dropped: frozenset[Key] = frozenset(),
        granted: Sequence[tuple[Rule, Binding, frozenset[Need]]] = (),
    ) -> LiftedTask:
        """The task without the needs of these keys, and with some instances of rules freed of single needs."""
        actions = [self._action(rule, dropped) for rule in self.rules]
        actions += [bind_rule(rule, binding, without) for rule, binding, without in granted]
        actions += [_asking(Action(goal.name, (), TRUE, (), goal.span), goal.needs) for goal in self.goals]
        types = tuple(self._context.types)
        return replace(self.lifted, types=types, actions=tuple(actions), goal=TRUE, goal_reads=(), metric=None)

    def subtask(self, wanted: Sequence[Need], dropped: frozenset[Span] = frozenset()) -> LiftedTask:
        """The task itself, deletions and all, with this goal and without the preconditions at these places."""
        actions = []
        for action in self.lifted.actions:
            kept = [need for need in self.preconditions[action.name] if need.span not in dropped]
            actions.append(_asking(action, kept))
        goal, reads = conjunction([need.condition for need in wanted]), _read(wanted)
        return replace(self.lifted, actions=tuple(actions), goal=goal, goal_reads=reads, metric=None)

    def halves(self, goal: int) -> list[Need]:
        """Of a goal that two numbers be equal: that the one be at least, and at most, the other."""
        need = self.goals[goal].needs[0]
        if need.key.kind is not Kind.NUMBER or not isinstance(need.text, tree.Compare) or need.text.relation != "=":
            return []
        _, left, right, span = need.text
        return [self._need(tree.Compare(relation, left, right, span), {}) for relation in (">=", "<=")]

    def preconditions_by_key(self) -> dict[Key, list[Need]]:
        """What the actions' preconditions ask for."""
        found: dict[Key, list[Need]] = {}
        for needs in self.preconditions.values():
            for need in needs:
                found.setdefault(need.key, []).append(need)
        return found

    def members(self, types: tuple[str, ...]) -> tuple[int, ...]:
        """The objects of a parameter's type."""
        return self._context.types[self._context.type_number(types)]

    # --- variants ---

    def meaningful(self, rule: Rule, dropped: frozenset[Key]) -> list[Need]:
        """A rule's needs, except those about a parameter whose empty type is dropped: they speak of nothing."""
        free = self.stand_ins(rule, dropped)
        return [need for need in rule.needs if not (free and mentions(need, free))]

    def stand_ins(self, rule: Rule, dropped: frozenset[Key]) -> set[int]:
        """The parameters of a rule for which there are no objects, and whose type is dropped."""
        return {parameter(n.parameter) for n in rule.needs if n.key in dropped and self.is_empty(n)}

    def is_empty(self, need: Need) -> bool:
        """Does the need ask for a type that has no objects at all?"""
        return need.key.kind is Kind.TYPE and not self.members(need.key.names)

    def _action(self, rule: Rule, dropped: frozenset[Key]) -> Action:
        freed = {need.parameter for need in rule.needs if need.key.kind is Kind.TYPE and need.key in dropped}
        types = [() if number in freed else variable.types for number, variable in enumerate(rule.variables)]
        kept = [need for need in self.meaningful(rule, dropped) if need.key not in dropped]
        gone = {n.span for n in rule.needs if n.key.kind is Kind.VALUE and n not in kept}
        kept = [need for need in kept if need.span not in gone]
        numeric = tuple(change for change in rule.effect.numeric if change.span not in gone)
        effect = replace(rule.effect, numeric=numeric)
        numbers = tuple(self._context.type_number(names) for names in types)
        return _asking(Action(rule.name, numbers, TRUE, (effect,), rule.span), kept)

    # --- reading ---

    def _goals(self, goal: tree.Condition) -> Iterator[Rule]:
        for rewrite in PASSES:
            goal = rewrite(goal, self._context)
        nothing = Effect((), TRUE, (), (), ())
        for node in conjuncts(goal):
            yield Rule("the goal", (), (self._need(node, {}),), nothing, node.span, 0)

    def _rules(self, action: tree.Action) -> Iterator[Rule]:
        scope = _scope(action.parameters)
        own = [*self._types(action.parameters, 0), *self._with_values(self.preconditions[action.name])]
        blocks = list(_blocks(action.effect, (), ()))
        always = [leaves for variables, whens, leaves in blocks if not variables and not whens]
        own += [need for leaves in always for need in self._reads(self._effect(leaves, scope, action))]
        for variables, whens, leaves in blocks:
            everything = action.parameters + variables
            inner = _scope(everything)
            guards = [self._need(node, inner) for when in whens for node in conjuncts(when)]
            effect = self._effect(leaves, inner, action)
            extra = [*self._types(variables, len(action.parameters)), *self._with_values(guards), *self._reads(effect)]
            needs = dict.fromkeys([*own, *extra])
            yield Rule(action.name, everything, tuple(needs), effect, action.span, len(action.parameters))

    def _precondition(self, action: tree.Action) -> Iterator[Need]:
        scope = _scope(action.parameters)
        yield from (self._need(node, scope) for node in conjuncts(action.precondition))

    def _with_values(self, needs: Iterable[Need]) -> Iterator[Need]:
        for need in needs:
            yield need
            reads = (fluent for expression in need.expressions for fluent in expression.reads)
            yield from self._values(reads, need.span)

    def _types(self, variables: Iterable[tree.TypedName], first: int) -> Iterator[Need]:
        for number, variable in enumerate(variables, first):
            if variable.types and variable.types != ("object",):
                yield Need(Key(Kind.TYPE, variable.types), variable.span, parameter=number)

    def _need(self, node: tree.Condition, scope: Scope) -> Need:
        reads: Reads = {}
        lowered = condition(node, scope, self._context, reads)
        return Need(self._key(lowered), node.span, lowered, node, tuple(reads))

    def _effect(self, leaves: tuple[tree.Effect, ...], scope: Scope, action: tree.Action) -> Effect:
        lowering = EffectLowering(
            self._context, len(scope), lambda node, inner, reads: condition(node, inner, self._context, reads)
        )
        blocks = lowering.lower(tree.Effects(leaves, action.span), scope)
        return blocks[0] if blocks else Effect((), TRUE, (), (), ())

    def _reads(self, effect: Effect) -> Iterator[Need]:
        for change in effect.numeric:
            reads = change.expression.reads if change.kind == "assign" else (*change.expression.reads, change.fluent)
            yield from self._values(reads, change.span)

    def _values(self, reads: Iterable[Fluent], span: Span) -> Iterator[Need]:
        """That what is read has a value, function by function."""
        for fluent in dict.fromkeys(reads):
            yield Need(Key(Kind.VALUE, (self.lifted.functions[fluent.function].name,)), span, reads=(fluent,))

    def _key(self, lowered: Condition) -> Key:
        names = sorted(set(self._names(lowered)))
        match lowered:
            case Literal():
                return Key(Kind.FACT, tuple(names))
            case Compare():
                return Key(Kind.NUMBER, tuple(names))
        return Key(Kind.MIXED, tuple(names))

    def _names(self, lowered: Condition) -> Iterator[str]:
        match lowered:
            case Literal():
                yield ("not " if lowered.negated else "") + self.lifted.predicates[lowered.predicate].name
            case Compare():
                yield from (self.lifted.functions[fluent.function].name for fluent in lowered.expression.reads)
            case And(parts=parts) | Or(parts=parts):
                for part in parts:
                    yield from self._names(part)
            case _:
                yield "not =" if lowered.negated else "="


def conjuncts(node: tree.Condition) -> Iterator[tree.Condition]:
    """The parts of nested conjunctions."""
    if isinstance(node, tree.And):
        for part in node.parts:
            yield from conjuncts(part)
    else:
        yield node


def _asking(action: Action, needs: Sequence[Need]) -> Action:
    """The action with these needs as its precondition."""
    return replace(action, precondition=conjunction([need.condition for need in needs]), reads=_read(needs))


def _read(needs: Iterable[Need]) -> tuple[Expression, ...]:
    return tuple(dict.fromkeys(expression for need in needs for expression in need.expressions))


def _scope(variables: Sequence[tree.TypedName]) -> Scope:
    return {variable.name: parameter(number) for number, variable in enumerate(variables)}


_Block = tuple[tuple[tree.TypedName, ...], tuple[tree.Condition, ...], tuple[tree.Effect, ...]]


def _blocks(
    effect: tree.Effect, variables: tuple[tree.TypedName, ...], whens: tuple[tree.Condition, ...]
) -> Iterator[_Block]:
    """Effects under the same (forall ...) and (when ...) together."""
    leaves: list[tree.Effect] = []
    deeper: list[_Block] = []
    pending = [effect]
    while pending:
        match node := pending.pop(0):
            case tree.Effects(parts=parts):
                pending = [*parts, *pending]
            case tree.When():
                deeper += _blocks(node.effect, variables, (*whens, node.condition))
            case tree.ForAll():
                deeper += _blocks(node.effect, (*variables, *node.variables), whens)
            case _:
                leaves.append(node)
    if leaves:
        yield variables, whens, tuple(leaves)
    yield from deeper


# --- rules with objects for their parameters --------------------------------------------------------------------------


def mentions(need: Need, terms: set[int]) -> bool:
    """Does the need speak of one of these parameters?"""
    return any(not terms.isdisjoint(fluent.arguments) for fluent in need.reads) or _mentions(need.condition, terms)


def _mentions(lowered: Condition, terms: set[int]) -> bool:
    match lowered:
        case Literal(arguments=arguments):
            return not terms.isdisjoint(arguments)
        case Compare():
            return any(not terms.isdisjoint(fluent.arguments) for fluent in lowered.expression.reads)
        case And(parts=parts) | Or(parts=parts):
            return any(_mentions(part, terms) for part in parts)
    return not terms.isdisjoint((lowered.left, lowered.right))


def terms_of(binding: Binding) -> dict[int, int]:
    """The object each parameter stands for."""
    return {parameter(number): value for number, value in enumerate(binding)}


def bind_rule(rule: Rule, binding: Binding, without: frozenset[Need]) -> Action:
    """The instance of a rule as an action without parameters, freed of some of its needs."""
    terms = terms_of(binding)
    gone = {need.span for need in without if need.key.kind is Kind.VALUE}
    kept = [bind(need.condition, terms) for need in rule.needs if need not in without and need.span not in gone]
    effect = Effect(
        (),
        TRUE,
        tuple(bind_literal(literal, terms) for literal in rule.effect.adds),
        tuple(bind_literal(literal, terms) for literal in rule.effect.deletes),
        tuple(bind_numeric(change, terms) for change in rule.effect.numeric if change.span not in gone),
    )
    return Action(rule.name, (), conjunction(_decided(part) for part in kept), (effect,), rule.span)


def bind_literal(literal: Literal, terms: dict[int, int]) -> Literal:
    return replace(literal, arguments=tuple(terms.get(term, term) for term in literal.arguments))


def _decided(part: Condition) -> Condition:
    """Equalities of known objects become truth or falsity."""
    match part:
        case Same(left=left, right=right, negated=negated):
            return TRUE if (left == right) != negated else FALSE
        case And(parts=parts):
            return And(tuple(_decided(inner) for inner in parts))
        case Or(parts=parts):
            return Or(tuple(_decided(inner) for inner in parts))
    return part
