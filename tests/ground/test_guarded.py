"""Bounds that conditions keep: against every state that a simulation reaches, and what they are worth to costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numbat.ground import ground_with_report
from numbat.ground.guarded import Guarded
from numbat.ground.instances import Instances
from numbat.ground.intervals import Interval
from numbat.ground.operators import operators
from numbat.ground.prepare import prepare
from numbat.ground.reach import Reachability
from numbat.task.lifted import Fluent, LiftedTask
from tests.ground.pddl import action, task
from tests.oracles.reference_grounder import Reference, State

FLUENTS = ("(n)", "(m)", "(f a)")


def intervals(lifted: LiftedTask) -> Iterator[tuple[Fluent, Interval | None, Interval | None]]:
    """Every fluent, its interval without conditions and with them."""
    found = operators(Reachability(Instances(prepare(lifted), 1 << 30)))
    table, guarded = found.instances.fluents, Guarded(found)
    for number, plain in enumerate(found.reach.intervals.of):
        yield Fluent(table.symbol(number), table.arguments(number)), plain, guarded.interval(number)


def named(lifted: LiftedTask) -> dict[str, Interval | None]:
    return {lifted.functions[fluent.function].name: interval for fluent, _, interval in intervals(lifted)}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # what is taken off is there; what is put on has room
        ([("(>= (n) 3)", "(decrease (n) 3)"), ("(<= (n) 5)", "(increase (n) 2)")], (0, 7)),
        ([("(> (n) 3)", "(decrease (n) 3)"), ("(< (n) 5)", "(increase (n) 2)")], (0, 7)),
        ([("(= (n) 3)", "(decrease (n) 5)"), ("(flag)", "(increase (n) 1)")], (-2, inf)),
        # the bound is kept by a sum, or by another fluent that is constant
        ([("(>= (+ (n) (m)) 4)", "(decrease (n) 1)"), ("(flag)", "(increase (n) 1)")], (1, inf)),
        ([("(>= (* 2 (n)) 4)", "(decrease (n) 1)"), ("(flag)", "(increase (n) 1)")], (1, inf)),
        # assignments, also of an expression
        ([("(>= (n) 1)", "(decrease (n) 1)"), ("(<= (n) 5)", "(assign (n) (- (m) 9))")], (-7, 2)),
        # the condition of the effect alone
        ([("(flag)", "(when (>= (n) 1) (decrease (n) 1))"), ("(flag)", "(increase (n) 1)")], (0, inf)),
        # half of it each time
        ([("(>= (n) 1)", "(assign (n) (/ (n) 2))"), ("(flag)", "(increase (n) 1)")], (Fraction(1, 2), inf)),
        # conditions that keep nothing: another way round, with a disjunction, twice in one step
        ([("(<= (n) 5)", "(decrease (n) 1)"), ("(flag)", "(increase (n) 1)")], (-inf, inf)),
        ([("(or (>= (n) 1) (flag))", "(decrease (n) 1)"), ("(flag)", "(not (flag))")], (-inf, 2)),
        ([("(>= (n) 1)", "(and (not (flag)) (decrease (n) 1) (when (flag) (decrease (n) 1)))")], (-inf, 2)),
    ],
)
def test_bounds_that_are_kept(steps: list[tuple[str, str]], expected: Interval) -> None:
    actions = [action(f"a{i}", "", f"(and {condition})", effect) for i, (condition, effect) in enumerate(steps)]
    finish = action("finish", "", "(and (>= (n) (f a)) (>= (m) 0))", "(done)")
    lifted = task("".join(actions) + finish, "(flag) (= (n) 2) (= (m) 2) (= (f a) 1)")
    assert named(lifted)["n"] == expected


def test_a_fluent_of_which_too_much_is_changed_keeps_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    take = action("take", "?x", "(and (>= (n) 1) (p ?x))", "(decrease (n) 1)")
    lifted = task(take, "(= (n) 2) (p a) (p b)", "(= (n) 0)")
    assert named(lifted)["n"] == (0, 2)
    monkeypatch.setattr("numbat.ground.guarded.MOST_EFFECTS", 1)
    assert named(lifted)["n"] == (-inf, 2)


def test_costs_of_a_load_cannot_fall() -> None:
    load = action("load", "", "(<= (n) 3)", "(increase (n) 1)")
    unload = action("unload", "", "(>= (n) 1)", "(and (decrease (n) 1) (increase (m) 1))")
    drive = action("drive", "", "(>= (m) 2)", "(and (done) (increase (total-cost) (+ 1 (n))))")
    for guard, can_fall in (("(>= (n) 1)", False), ("(flag)", True)):
        actions = load + unload.replace("(>= (n) 1)", guard) + drive
        _, report = ground_with_report(task(actions, "(flag) (= (n) 0) (= (m) 0)", metric="minimize (total-cost)"))
        assert report.costs_can_fall == can_fall


class Words:
    """A random task over a few fluents, most of whose changes have conditions on what they change."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def _number(self) -> str:
        return str(self._random.choice([-2, -1, 0, 1, 2, 3, 0.5]))

    def _amount(self) -> str:
        return self._random.choice([self._number(), self._number(), self._random.choice(FLUENTS)])

    def _side(self, fluent: str) -> str:
        return self._random.choice([fluent, fluent, f"(* {self._number()} {fluent})", f"(+ {fluent} {self._amount()})"])

    def _condition(self, fluent: str) -> str:
        relation = self._random.choice([">=", ">=", ">", "<=", "<", "="])
        plain = f"({relation} {self._side(fluent)} {self._amount()})"
        return self._random.choice([plain] * 6 + [f"(not {plain})", f"(or {plain} (flag))"])

    def _change(self) -> tuple[str, str]:
        fluent = self._random.choice(FLUENTS)
        kind = self._random.choice(["increase", "decrease", "decrease", "assign"])
        condition, change = self._condition(fluent), f"({kind} {fluent} {self._amount()})"
        if self._random.random() < 0.2:
            return "(and)", f"(when {condition} {change})"
        return self._random.choice([condition, condition, condition, "(and)"]), change

    def action(self, number: int) -> str:
        changes = [self._change() for _ in range(self._random.choice([1, 1, 2]))]
        effect = self._random.choice(["(flag)", "(not (flag))", "(done)"])
        conditions, effects = zip(*changes, strict=True)
        return action(f"a{number}", "", f"(and {' '.join(conditions)})", f"(and {effect} {' '.join(effects)})")

    def task(self) -> LiftedTask:
        actions = "".join(self.action(number) for number in range(self._random.choice([1, 2, 3])))
        init = " ".join(f"(= {fluent} {self._number()})" for fluent in FLUENTS)
        goal = "(and (done) (flag) " + " ".join(f"(>= {fluent} 2)" for fluent in FLUENTS) + ")"
        return task(actions, init, goal)


def reached(lifted: LiftedTask, most: int) -> list[State]:
    reference = Reference(lifted)
    found = {reference.initial: None}
    waiting = [reference.initial]
    for state in waiting:
        successors = (reference.apply(action, state) for action in reference.actions)
        new = [s for s in dict.fromkeys(successors) if s is not None and s not in found]
        found.update(dict.fromkeys(new))
        waiting += new
        if len(waiting) >= most:
            break
    return waiting


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_every_state_is_inside(seed: int) -> None:
    lifted = Words(Random(seed)).task()
    states = reached(lifted, 150)
    for fluent, plain, better in intervals(lifted):
        if plain is None or better is None:
            assert plain == better
            continue
        assert plain[0] <= better[0] and better[1] <= plain[1]
        values = [value for state in states for known, value in state.values if known == fluent]
        assert all(better[0] <= value <= better[1] for value in values), fluent
