"""Which argument tuples actions and effects have at all; everything else about them is columns over these rows.

Few          a join of what never changes (joins), per action; what can never be applied is found later (reach)
Many         beyond MOST_JOINED rows what never changes leaves too much unbound, and relaxed reachability drives
             the instantiation: the core computes which atoms can become true and which instances have all their
             positive conditions among them; only these are made. Numbers that change, disjunctions, negations of what
             changes are ignored here: reach looks at what is left.
In, out      LiftedTask, Statics -> per action (the goal is the last) its rows, and those of its effects
Guarantee    every instance that reach would find reachable is there; rows are in lexical order either way
Limit        as many rows as fit into the memory when each becomes a ground action, then TooLarge
Not here     the join over static relations (joins), the fixpoint (core/grounding)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np

from numbat import _core
from numbat.errors import TooLarge
from numbat.ground.columns import Index, Mask, Rows, row_codes
from numbat.ground.comparisons import StaticComparisons
from numbat.ground.joins import Join, Question, Relation, TooManyRows
from numbat.ground.statics import Statics
from numbat.task.conditions import is_true
from numbat.task.lifted import Action, And, Compare, Condition, Effect, Expression, Fluent, LiftedTask, Literal, Same
from numbat.task.numbering import Numbering

MOST_JOINED = 100_000
# Combinations of objects that are tried for comparisons of static numbers: at first, and where many rows are left.
FEW_COMPARED, MANY_COMPARED = 1 << 18, 1 << 23
BYTES_PER_ROW = 256  # at least, from here to the tables of a search


class EffectArguments(NamedTuple):
    """Rows of objects for the action's parameters and the effect's own, and the row of the action of each."""

    rows: Rows
    parent: Index


@dataclass(frozen=True)
class ActionArguments:
    rows: Rows
    effects: tuple[EffectArguments, ...]


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


def argument_rows(task: LiftedTask, statics: Statics, actions: Sequence[Action], memory: int) -> list[ActionArguments]:
    """Per action; the last one is the goal."""
    try:
        return _joined(Questions(task, statics, FEW_COMPARED), actions, MOST_JOINED)
    except TooManyRows:
        questions = Questions(task, statics, MANY_COMPARED)
        # the goal stays even if it is out of reach: somebody may ask why
        return [*_reached(questions, actions[:-1], memory // BYTES_PER_ROW), *_joined(questions, actions[-1:], 1)]


class Questions:
    """What of conditions can be asked without knowing any state."""

    def __init__(self, task: LiftedTask, statics: Statics, most_compared: int) -> None:
        self.task = task
        self.statics = statics
        self._comparisons = StaticComparisons(task, statics, most_compared)

    def is_static(self, part: Condition) -> TypeGuard[Literal]:
        return isinstance(part, Literal) and not part.negated and part.predicate in self.statics.predicates

    def of_action(self, action: Action) -> Question:
        return self._question(action.parameters, action.precondition, self.always_read(action))

    def of_effect(self, action: Action, effect: Effect) -> Question:
        return self._question((*action.parameters, *effect.parameters), effect.condition, [])

    def _question(self, parameters: tuple[int, ...], condition: Condition, reads: list[Fluent]) -> Question:
        """The static part of a condition, and that static fluents which are read have values."""
        parts = conjuncts(condition)
        static = [part for part in parts if self.is_static(part)]
        relations = [Relation(part.arguments, self.statics.true_tuples(part.predicate)) for part in static]
        relations += [Relation(fluent.arguments, self.statics.defined_tuples(fluent.function)) for fluent in reads]
        relations += self.compared(parts, parameters)
        same = [part for part in parts if isinstance(part, Same)]
        equal = tuple((part.left, part.right) for part in same if not part.negated)
        unequal = tuple((part.left, part.right) for part in same if part.negated)
        return Question(parameters, tuple(relations), equal, unequal)

    def compared(self, parts: Sequence[Condition], parameters: tuple[int, ...]) -> list[Relation]:
        """What comparisons of static fluents leave for the parameters."""
        found = (self._comparisons.relation(part, parameters) for part in parts if isinstance(part, Compare))
        return [relation for relation in found if relation is not None]

    def always_read(self, action: Action) -> list[Fluent]:
        """Static fluents over the action's parameters that every instance reads, in every state."""
        reads = dict.fromkeys(fluent for e in self._expressions_always_read(action) for fluent in e.reads)
        static = (fluent for fluent in reads if fluent.function in self.statics.functions)
        return [fluent for fluent in static if min(fluent.arguments, default=0) >= -len(action.parameters)]

    def _expressions_always_read(self, action: Action) -> Iterator[Expression]:
        yield from action.reads
        for effect in action.effects:
            if is_true(effect.condition) and all(self.task.types[t] for t in effect.parameters):
                yield from effect.reads
                yield from (numeric.expression for numeric in effect.numeric)


def _has_own_rows(effect: Effect) -> bool:
    return bool(effect.parameters) or not is_true(effect.condition)


def _consistent(condition: Condition, rows: Rows) -> Mask:
    """Rows that do not demand an atom and its negation."""
    keep = np.ones(len(rows), dtype=bool)
    literals: dict[tuple[int, bool], list[Literal]] = defaultdict(list)
    for part in conjuncts(condition):
        if isinstance(part, Literal):
            literals[part.predicate, part.negated].append(part)
    for predicate, _ in [key for key in literals if key[1]]:
        ground = {literal.arguments for literal in literals[predicate, False]}
        for negative in literals[predicate, True]:
            if negative.arguments in ground:
                keep[:] = False
            for positive in literals[predicate, False]:
                if min((*negative.arguments, *positive.arguments), default=0) < 0:
                    keep &= ~_same_atom(positive, negative, rows)
    return keep


def _same_atom(left: Literal, right: Literal, rows: Rows) -> Mask:
    same = np.ones(len(rows), dtype=bool)
    for terms in zip(left.arguments, right.arguments, strict=True):
        a, b = (term if term >= 0 else rows[:, -1 - term] for term in terms)
        same &= a == b
    return same


# --- few: static joins ---


def _joined(questions: Questions, actions: Sequence[Action], most: int) -> list[ActionArguments]:
    """Raises TooManyRows."""
    result, total, task = [], 0, questions.task
    for action in actions:
        question = questions.of_action(action)
        rows, _ = Join(question, task.types, len(task.objects), None, most - total).run()
        rows = rows[_consistent(action.precondition, rows)]
        total += len(rows)
        if total > most:
            raise TooManyRows
        effects = []
        for effect in action.effects:
            if _has_own_rows(effect):
                question = questions.of_effect(action, effect)
                own = Join(question, task.types, len(task.objects), rows, most - total).run()
                total += len(own[0]) if effect.parameters else 0
                effects.append(EffectArguments(*own))
            else:
                effects.append(EffectArguments(rows, np.arange(len(rows))))
        result.append(ActionArguments(rows, tuple(effects)))
    return result


# --- many: relaxed reachability ---


def _reached(questions: Questions, actions: Sequence[Action], most: int) -> list[ActionArguments]:
    """Raises TooLarge."""
    program, task = _Program(questions), questions.task
    for action in actions:
        program.add(action, None)
        for effect in filter(_has_own_rows, action.effects):
            program.add(action, effect)
    found, result = program.run(most), []
    for action in actions:
        rows = _shaped(next(found), len(action.parameters))
        keep = _consistent(action.precondition, rows)
        effects = []
        for effect in action.effects:
            if _has_own_rows(effect):
                own = _shaped(next(found), len(action.parameters) + len(effect.parameters))
                parent = _parents(rows, own, len(task.objects))
            else:
                own, parent = rows, np.arange(len(rows))
            effects.append(_of_kept(keep, own, parent))
        result.append(ActionArguments(rows[keep], tuple(effects)))
    return result


def _shaped(found: tuple[int, _core.Ints], width: int) -> Rows:
    count, entries = found
    return entries.reshape(count, width).astype(np.int64)


def _parents(rows: Rows, extended: Rows, objects: int) -> Index:
    """For each row of an effect the row of the action that it begins with; both are in lexical order."""
    if not rows.shape[1]:
        return np.zeros(len(extended), dtype=np.int64)
    codes = row_codes([np.concatenate([rows[:, p], extended[:, p]]) for p in range(rows.shape[1])], objects)
    return np.searchsorted(codes[: len(rows)], codes[len(rows) :])


def _of_kept(keep: Mask, rows: Rows, parent: Index) -> EffectArguments:
    if keep.all():
        return EffectArguments(rows, parent)
    chosen = keep[parent]
    return EffectArguments(rows[chosen], (np.cumsum(keep) - 1)[parent[chosen]])


class _Program:
    """Rules for the core: positive conditions in their bodies, what effects add in their heads."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._statics = questions.statics
        tuples = map(self._statics.true_tuples, range(len(questions.task.predicates)))
        self.relations = [_relation(rows, p not in self._statics.predicates) for p, rows in enumerate(tuples)]
        self.rules: list[_core.Rule] = []
        self._actions: list[Action] = []  # per rule
        self._further: Numbering[int | Relation] = Numbering()  # relations of functions and of comparisons

    def add(self, action: Action, effect: Effect | None) -> None:
        """A rule for an action with its effects on everything that it does, or for one effect of its own."""
        question = self._questions.of_action(action)
        parts = conjuncts(action.precondition)
        heads = [atom for own in action.effects if not _has_own_rows(own) for atom in own.adds]
        equal, unequal, parameters = question.equal, question.unequal, action.parameters
        if effect is not None:
            more = self._questions.of_effect(action, effect)
            parts, heads = (*parts, *conjuncts(effect.condition)), list(effect.adds)
            equal, unequal, parameters = (*equal, *more.equal), (*unequal, *more.unequal), more.parameters
        literals = [part for part in parts if isinstance(part, Literal)]
        body = [_atom(literal) for literal in literals if not literal.negated]
        body += [self._defined(fluent) for fluent in self._questions.always_read(action)]
        body += [self._listed(relation) for relation in self._questions.compared(parts, parameters)]
        self._actions.append(action)
        self.rules.append(
            {
                "domains": list(parameters),
                "body": list(dict.fromkeys(body)),
                "absent": [_atom(p) for p in literals if p.negated and p.predicate in self._statics.predicates],
                "heads": [_atom(literal) for literal in heads],
                "equal": list(equal),
                "unequal": list(unequal),
            }
        )

    def run(self, most: int) -> Iterator[tuple[int, _core.Ints]]:
        """What the core finds, rule by rule."""
        task = self._questions.task
        domains = [list(objects) for objects in task.types]
        found = _core.reachable(len(task.objects), domains, self.relations, self.rules, most)
        if isinstance(found, int):
            action = self._actions[found]
            raise TooLarge(
                f"{action.name} has too many instances: the memory is enough for {most:,} ground actions",
                action.span,
                expected="preconditions that bind the parameters, fewer objects, or more memory",
            )
        return iter(found)

    def _defined(self, fluent: Fluent) -> _core.RuleAtom:
        """The tuples for which a function has a value are a relation of their own."""
        return self._static(fluent.function, self._statics.defined_tuples(fluent.function)), fluent.arguments

    def _listed(self, relation: Relation) -> _core.RuleAtom:
        return self._static(relation, relation.tuples), relation.arguments

    def _static(self, key: int | Relation, tuples: Rows) -> int:
        """The number of a relation that never changes."""
        number = len(self._questions.task.predicates) + self._further[key]
        if number == len(self.relations):
            self.relations.append(_relation(tuples, grows=False))
        return number


def _relation(rows: Rows, grows: bool) -> _core.Relation:
    size, arity = rows.shape
    return {"arity": arity, "size": size, "tuples": rows.astype(np.int32).ravel(), "grows": grows}


def _atom(literal: Literal) -> _core.RuleAtom:
    return literal.predicate, literal.arguments
