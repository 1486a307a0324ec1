"""The smallest task that still shows a disagreement: greedy, one simplification at a time.

Simpler      parts left out, a condition, effect or expression replaced by a part of itself or by nothing, shorter
             numbers, no types. What is not well formed any more is not tried
Cost         one check per attempt, with the configuration that disagreed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from tests.adversary import syntax as s

_CONDITIONS = (s.Atom, s.Same, s.Compare, s.Not, s.And, s.Or, s.Imply, s.Quantified)
_EFFECTS = (s.Add, s.Delete, s.Change, s.Effects, s.When, s.ForAll)
_EXPRESSIONS = (s.Number, s.Fluent, s.Arithmetic)
_CATEGORIES = ((_CONDITIONS, (s.And(),)), (_EFFECTS, (s.Effects(),)), (_EXPRESSIONS, (s.Number("0"), s.Number("1"))))


def shrink(task: s.Task, shows: Callable[[s.Task], bool], attempts: int = 600) -> s.Task:
    """`shows` tells whether a task still shows the disagreement; this one must."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for candidate in _simpler_tasks(task):
            attempts -= 1
            if attempts < 0:
                break
            if well_formed(candidate) and shows(candidate):
                task, progress = candidate, True
                break
    return task


def _simpler_tasks(task: s.Task) -> Iterator[s.Task]:
    yield from _without_objects(task)
    if any(entry.types for entry in task.types + task.objects + task.constants) or task.types:
        yield replace(_untyped(task), types=())
    if task.metric:
        yield replace(task, metric=None)
    for name in ("actions", "goal", "facts", "values", "predicates", "functions"):
        simplify: Callable[[Any], Iterator[Any]] = _fewer if name == "facts" else _simpler
        for simpler in simplify(getattr(task, name)):
            yield replace(task, **{name: simpler})
    if task.metric:
        for expression in _simpler(task.metric.expression):
            yield replace(task, metric=replace(task.metric, expression=expression))


def _without_objects(task: s.Task) -> Iterator[s.Task]:
    """One less, and what is initially said of it."""
    for kind in ("objects", "constants"):
        entries: tuple[s.Typed, ...] = getattr(task, kind)
        for gone in entries:
            left = tuple(entry for entry in entries if entry != gone)
            facts = tuple(fact for fact in task.facts if gone.name not in fact.arguments)
            values = tuple(value for value in task.values if gone.name not in value.fluent.arguments)
            smaller = replace(task, facts=facts, values=values)
            yield replace(smaller, objects=left) if kind == "objects" else replace(smaller, constants=left)


def _untyped(node: Any) -> Any:
    if isinstance(node, s.Typed):
        return s.Typed(node.name)
    if isinstance(node, tuple):
        return tuple(_untyped(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        return type(node)(*(_untyped(getattr(node, field.name)) for field in fields(node)))
    return node


def _simpler(node: Any) -> Iterator[Any]:
    """Simpler versions of a tuple or a record, the boldest first."""
    if isinstance(node, s.Number):
        yield from (s.Number(text) for text in _shorter(node.text))
    elif isinstance(node, tuple):
        yield from _simpler_tuple(node)
    elif is_dataclass(node) and not isinstance(node, s.Typed | s.Signature | type):
        for kinds, nothing in _CATEGORIES:
            if isinstance(node, kinds):
                yield from (empty for empty in nothing if empty != node)
                yield from (part for part in _below(node) if isinstance(part, kinds))
        for field in fields(node):
            value = getattr(node, field.name)
            required = (s.Atom, s.Fluent) if isinstance(node, s.Change | s.Add | s.Delete | s.Value) else ()
            for simpler in _simpler(value) if not isinstance(value, required) or field.name == "amount" else ():
                yield replace(node, **{field.name: simpler})


def _fewer(node: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    size = len(node)
    while size > 0:
        for start in range(0, len(node), size):
            yield node[:start] + node[start + size :]
        size //= 2


def _simpler_tuple(node: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield from _fewer(node)
    for i, part in enumerate(node):
        for simpler in _simpler(part) if not isinstance(part, str) else ():
            yield (*node[:i], simpler, *node[i + 1 :])


def _below(node: object) -> Iterator[object]:
    for part in s.parts(node):
        if isinstance(part, tuple):
            yield from part
        else:
            yield part


def _shorter(text: str) -> Iterator[str]:
    value = Fraction(text)
    leading = round(value, 1 - len(str(int(value))))
    for candidate in (0, 1, 2, int(value), leading):
        if candidate != value and len(str(candidate)) < len(text):
            yield str(candidate)


# --- well formed ------------------------------------------------------------------------------------------------------


def well_formed(task: s.Task) -> bool:
    """Names are declared and used with as many arguments as declared, variables are bound."""
    signatures = {
        kind: {entry.name: len(entry.parameters) for entry in entries}
        for kind, entries in ((s.Atom, task.predicates), (s.Fluent, task.functions))
    }
    objects = {entry.name for entry in task.objects + task.constants}

    def fine(node: object, terms: set[str]) -> bool:
        match node:
            case s.Atom(name, arguments) | s.Fluent(name, arguments):
                special = name == "total-time"
                declared = special or signatures[type(node)].get(name) == len(arguments)
                return declared and terms.issuperset(arguments)
            case s.Same(left, right):
                return left in terms and right in terms
            case s.Arithmetic(operator, operands) if len(operands) < (2 if operator == "/" else 1):
                return False
            case s.Quantified(_, variables, _) | s.ForAll(variables, _) | s.Action(_, variables, _, _):
                if not variables and not isinstance(node, s.Action):
                    return False
                terms = terms | {entry.name for entry in variables}
        return all(fine(part, terms) for part in s.parts(node))

    problem = fine((task.facts, task.values, task.goal), objects)
    domain = fine(task.actions, {entry.name for entry in task.constants})
    return problem and domain and (task.metric is None or fine(task.metric, objects))
