"""A task as PDDL: two texts."""

from __future__ import annotations

from collections.abc import Iterable

from tests.adversary import syntax as s


def domain_text(task: s.Task) -> str:
    sections = [
        _section(":types", _typed(task.types)),
        _section(":constants", _typed(task.constants)),
        _section(":predicates", " ".join(map(_signature, task.predicates))),
        _section(":functions", " ".join(map(_signature, task.functions))),
        *map(_action, task.actions),
    ]
    return "(define (domain adversary)\n" + "".join(sections) + ")\n"


def problem_text(task: s.Task) -> str:
    initial = [_list(fact.predicate, *fact.arguments) for fact in task.facts]
    initial += [f"(= {written(value.fluent)} {value.number.text})" for value in task.values]
    sections = [
        _section(":objects", _typed(task.objects)),
        f"  (:init {' '.join(initial)})\n",
        f"  (:goal {written(task.goal)})\n",
        f"  (:metric {task.metric.direction} {written(task.metric.expression)})\n" if task.metric else "",
    ]
    return "(define (problem adversary-1)\n  (:domain adversary)\n" + "".join(sections) + ")\n"


def _section(keyword: str, content: str) -> str:
    return f"  ({keyword} {content})\n" if content else ""


def _action(action: s.Action) -> str:
    return (
        f"  (:action {action.name}\n    :parameters ({_typed(action.parameters)})\n"
        f"    :precondition {written(action.precondition)}\n    :effect {written(action.effect)})\n"
    )


def _signature(signature: s.Signature) -> str:
    return _list(signature.name, _typed(signature.parameters))


def _typed(entries: Iterable[s.Typed]) -> str:
    entries = tuple(entries)
    if not any(entry.types for entry in entries):
        return " ".join(entry.name for entry in entries)
    return " ".join(f"{entry.name} - {_types(entry.types or ('object',))}" for entry in entries)


def _types(types: s.Names) -> str:
    return types[0] if len(types) == 1 else _list("either", *types)


def _list(*words: str) -> str:
    return f"({' '.join(word for word in words if word)})"


def written(node: s.Expression | s.Condition | s.Effect) -> str:
    """An expression, a condition or an effect."""
    match node:
        case s.Number(text):
            return text
        case s.Fluent(name, arguments) | s.Atom(name, arguments):
            return _list(name, *arguments)
        case s.Arithmetic(operator, operands):
            return _list(operator, *map(written, operands))
        case s.Same(left, right):
            return _list("=", left, right)
        case s.Compare(relation, left, right):
            return _list(relation, written(left), written(right))
        case s.Not(part):
            return _list("not", written(part))
        case s.And(parts) | s.Effects(parts):
            return _list("and", *map(written, parts))
        case s.Or(parts):
            return _list("or", *map(written, parts))
        case s.Imply(premise, conclusion):
            return _list("imply", written(premise), written(conclusion))
        case s.Quantified(quantifier, variables, part):
            return _list(quantifier, f"({_typed(variables)})", written(part))
        case s.Add(atom):
            return written(atom)
        case s.Delete(atom):
            return _list("not", written(atom))
        case s.Change(operator, fluent, amount):
            return _list(operator, written(fluent), written(amount))
        case s.When(condition, effect):
            return _list("when", written(condition), written(effect))
        case s.ForAll(variables, effect):
            return _list("forall", f"({_typed(variables)})", written(effect))
