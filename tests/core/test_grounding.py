"""Relaxed reachability in the core: the same instances as trying every binding, within limits."""

from __future__ import annotations

import signal
from random import Random
from types import FrameType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat import _core
from tests.oracles import rules as oracle

OBJECTS = 4
DOMAINS = [[0, 1, 2, 3], [1, 2], [3], []]
ARITIES = [0, 1, 2, 1, 2, 3]
GROWS = [True, True, True, False, False, True]


def relation(arity: int, tuples: list[tuple[int, ...]], grows: bool) -> _core.Relation:
    entries = np.array([entry for row in tuples for entry in row], dtype=np.int32)
    return {"arity": arity, "size": len(tuples), "tuples": entries, "grows": grows}


def rule(
    domains: list[int], body: list[_core.RuleAtom], heads: list[_core.RuleAtom] | None = None, **rest: list[object]
) -> _core.Rule:
    empty: _core.Rule = {"domains": domains, "body": body, "absent": [], "heads": [], "equal": [], "unequal": []}
    return {**empty, "heads": heads or [], **rest}  # type: ignore[typeddict-item]


class Maker:
    """One random program per seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def relations(self) -> list[_core.Relation]:
        made = []
        for arity, grows in zip(ARITIES, GROWS, strict=True):
            count = self.random.randrange(4)
            made.append(relation(arity, [self._terms(arity, 0) for _ in range(count)], grows))
        return made

    def _terms(self, arity: int, variables: int) -> tuple[int, ...]:
        choices = [*range(OBJECTS), *([-1 - v for v in range(variables)] * 4)]
        return tuple(self.random.choice(choices) for _ in range(arity))

    def _atoms(self, most: int, relations: list[int], variables: int) -> list[_core.RuleAtom]:
        chosen = [self.random.choice(relations) for _ in range(self.random.randrange(most + 1))]
        return [(number, self._terms(ARITIES[number], variables)) for number in chosen]

    def rule(self) -> _core.Rule:
        domains = [self.random.choice([0, 0, 0, 0, 1, 2, 3]) for _ in range(self.random.randrange(4))]
        everything, growing = list(range(len(ARITIES))), [n for n, grows in enumerate(GROWS) if grows]
        still = [n for n in everything if n not in growing]
        pairs = [[self._terms(2, len(domains)) for _ in range(self.random.choice([0, 0, 0, 1]))] for _ in range(2)]
        return {
            "domains": domains,
            "body": self._atoms(3, everything, len(domains)),
            "absent": self._atoms(1, still, len(domains)),
            "heads": self._atoms(2, growing, len(domains)),
            "equal": pairs[0],
            "unequal": pairs[1],
        }  # type: ignore[typeddict-item]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_the_same_instances_as_trying_every_binding(seed: int) -> None:
    maker = Maker(seed)
    relations, rules = maker.relations(), [maker.rule() for _ in range(maker.random.randrange(1, 5))]
    expected = oracle.reachable(DOMAINS, relations, rules)
    found = _core.reachable(OBJECTS, DOMAINS, relations, rules, 10_000)
    assert not isinstance(found, int)
    for (count, entries), known, own in zip(found, expected, rules, strict=True):
        assert count == len(known)
        assert entries.reshape(count, len(own["domains"])).tolist() == [list(row) for row in known]
    total = sum(map(len, expected))
    assert not isinstance(_core.reachable(OBJECTS, DOMAINS, relations, rules, total), int)
    if total:
        assert isinstance(_core.reachable(OBJECTS, DOMAINS, relations, rules, total - 1), int)


def test_rows_too_wide_for_one_number_are_sorted_as_well() -> None:
    width, rows = 40, [[3] * 40, [1] * 39 + [2], [1] * 40]
    wide = relation(width, [tuple(row) for row in rows], grows=False)
    found = _core.reachable(OBJECTS, [[0, 1, 2, 3]], [wide], [rule([0] * width, [(0, tuple(range(-1, -41, -1)))])], 9)
    assert not isinstance(found, int)
    assert found[0][1].reshape(3, width).tolist() == sorted(rows)


def test_a_product_that_is_too_large_is_noticed_before_it_is_made() -> None:
    assert _core.reachable(300, [list(range(300))], [], [rule([], []), rule([0] * 26, [])], 10**9) == 1


def test_a_signal_ends_it() -> None:
    class Alarm(Exception):
        pass

    def ring(number: int, frame: FrameType | None) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        # a product of 10^15, of which nothing is kept
        with pytest.raises(Alarm):
            _core.reachable(1000, [list(range(1000))], [], [rule([0] * 5, [], unequal=[(-5, -5)])], 9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (rule([7], []), "domain out of range"),
        (rule([0], [(9, (-1,))]), "relation out of range"),
        (rule([0], [(1, (-1, -1))]), "wrong arity"),
        (rule([0], [(1, (-2,))]), "term out of range"),
        (rule([0], [(1, (OBJECTS,))]), "term out of range"),
        (rule([0], [], [(3, (-1,))]), "must be able to grow"),
        (rule([0], [], absent=[(1, (-1,))]), "must not grow"),
        (rule([0], [], equal=[(-1, -2)]), "term out of range"),
    ],
)
def test_wrong_rules_are_refused(wrong: _core.Rule, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.reachable(OBJECTS, DOMAINS, Maker(0).relations(), [wrong], 9)
