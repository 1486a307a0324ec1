"""Chains: a plan of many steps without any choice, in which additive estimates multiply from layer to layer."""

from __future__ import annotations

from random import Random

from tests.adversary import syntax as s

_LEVEL = "level"
_PAIR = (s.Typed("?p", (_LEVEL,)), s.Typed("?q", (_LEVEL,)))


def chain(random: Random) -> s.Task:
    """Each level needs several things of the level before; facts, numbers or both."""
    width = random.choice((2, 4, 8, 10))
    length = random.randint(2, 12) if random.random() < 0.4 else _overflowing(width, random)
    kinds = [random.choice(("fact", "number")) for _ in range(width)]
    if random.random() < 0.5:
        kinds = [random.choice(("fact", "number"))] * width
    levels = tuple(s.Typed(f"l{number}", (_LEVEL,)) for number in range(length))
    broken = random.randrange(1, length) if random.random() < 0.2 else None
    links = tuple(s.Atom("next", (f"l{number - 1}", f"l{number}")) for number in range(1, length) if number != broken)
    first = levels[0].name
    return s.Task(
        types=(s.Typed(_LEVEL),),
        constants=(),
        objects=levels,
        predicates=(s.Signature("next", _PAIR), *_declared(kinds, "fact")),
        functions=_declared(kinds, "number"),
        actions=(_make(kinds, random),),
        facts=(*links, *(s.Atom(f"k{i}", (first,)) for i, kind in enumerate(kinds) if kind == "fact")),
        values=tuple(
            s.Value(s.Fluent(f"k{i}", (level.name,)), s.Number("1" if level.name == first else "0"))
            for level in levels
            for i, kind in enumerate(kinds)
            if kind == "number"
        ),
        goal=s.And(tuple(_has(i, kind, levels[-1].name) for i, kind in enumerate(kinds))),
        metric=None,
    )


def _overflowing(width: int, random: Random) -> int:
    """About as many levels as it takes to leave a float's range."""
    return 128 // (width.bit_length() - 1) + random.randint(-2, 12)


def _declared(kinds: list[str], wanted: str) -> tuple[s.Signature, ...]:
    return tuple(s.Signature(f"k{i}", (s.Typed("?p", (_LEVEL,)),)) for i, kind in enumerate(kinds) if kind == wanted)


def _has(number: int, kind: str, level: str) -> s.Condition:
    if kind == "fact":
        return s.Atom(f"k{number}", (level,))
    return s.Compare(">=", s.Fluent(f"k{number}", (level,)), s.Number("1"))


def _make(kinds: list[str], random: Random) -> s.Action:
    operator = random.choice(("increase", "assign"))
    effects: list[s.Effect] = [
        s.Add(s.Atom(f"k{i}", ("?q",)))
        if kind == "fact"
        else s.Change(operator, s.Fluent(f"k{i}", ("?q",)), s.Number("1"))
        for i, kind in enumerate(kinds)
    ]
    conditions = [s.Atom("next", ("?p", "?q")), *(_has(i, kind, "?p") for i, kind in enumerate(kinds))]
    if "number" in kinds:  # once per level, so that the states are few
        conditions.append(s.Compare("<", s.Fluent(f"k{kinds.index('number')}", ("?q",)), s.Number("1")))
    return s.Action("make", _PAIR, s.And(tuple(conditions)), s.Effects(tuple(effects)))
