"""The instances of rules whose body can become true: every binding is tried until nothing new follows.

Definition   core/grounding/reachability.h
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from numbat import _core

Tuples = list[set[tuple[int, ...]]]


def reachable(
    domains: list[list[int]], relations: list[_core.Relation], rules: list[_core.Rule]
) -> list[list[tuple[int, ...]]]:
    """Per rule its instances, in lexical order."""
    known = [_tuples(relation) for relation in relations]
    instances: list[set[tuple[int, ...]]] = [set() for _ in rules]
    changed = True
    while changed:
        changed = False
        for rule, found in zip(rules, instances, strict=True):
            for binding in product(*(domains[domain] for domain in rule["domains"])):
                if binding not in found and _holds(rule, binding, known):
                    found.add(binding)
                    for relation, head in _bound(rule["heads"], binding):
                        known[relation].add(head)
                    changed = True
    return [sorted(found) for found in instances]


def _tuples(relation: _core.Relation) -> set[tuple[int, ...]]:
    entries, arity = relation["tuples"].tolist(), relation["arity"]
    return {tuple(entries[row * arity : (row + 1) * arity]) for row in range(relation["size"])}


def _value(term: int, binding: tuple[int, ...]) -> int:
    return term if term >= 0 else binding[-1 - term]


def _bound(atoms: Iterable[_core.RuleAtom], binding: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    return [(relation, tuple(_value(term, binding) for term in terms)) for relation, terms in atoms]


def _holds(rule: _core.Rule, binding: tuple[int, ...], known: Tuples) -> bool:
    return (
        all(atom in known[relation] for relation, atom in _bound(rule["body"], binding))
        and not any(atom in known[relation] for relation, atom in _bound(rule["absent"], binding))
        and all(_value(a, binding) == _value(b, binding) for a, b in rule["equal"])
        and all(_value(a, binding) != _value(b, binding) for a, b in rule["unequal"])
    )
