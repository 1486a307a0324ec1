"""The oracle on examples whose answers were found by hand, and the generator's promises."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.adversary import syntax as s
from tests.adversary.generate import generate
from tests.adversary.oracle import Model
from tests.adversary.text import domain_text, problem_text

X, P = s.Fluent("x"), s.Atom("p")


def task(effect: s.Effect, goal: s.Condition, start: str | None = "2") -> s.Task:
    """One action `go`, one fact p (false), one number x."""
    values = (s.Value(X, s.Number(start)),) if start else ()
    action = s.Action("go", (), s.And(), effect)
    return s.Task((), (), (), (s.Signature("p"),), (s.Signature("x"),), (action,), (), values, goal, None)


def change(operator: str, amount: str) -> s.Change:
    return s.Change(operator, X, s.Number(amount))


def equals(value: str) -> s.Compare:
    return s.Compare("=", X, s.Number(value))


def both(*effects: s.Effect) -> s.Effects:
    return s.Effects(effects)


NEVER = s.Compare(">", s.Arithmetic("/", (X, s.Number("0"))), s.Number("0"))


@pytest.mark.parametrize(
    ("effect", "goal", "steps"),
    [
        (both(change("increase", "0.1"), change("decrease", "0.3")), equals("1.8"), 1),
        (both(change("scale-up", "3"), change("scale-down", "4")), equals("1.5"), 1),
        (both(change("assign", "5"), change("assign", "5.0")), equals("5"), 1),
        (both(change("assign", "5"), change("assign", "6")), s.Or((equals("5"), equals("6"))), None),
        (both(change("assign", "5"), change("increase", "1")), equals("5"), None),
        (both(s.Add(P), s.Delete(P)), P, 1),
        (both(s.Add(P), s.When(P, s.Change("increase", X, s.Arithmetic("/", (X, s.Number("0")))))), P, 1),
        (both(s.Add(P), s.When(NEVER, change("increase", "1"))), P, None),
        (both(s.Add(P), s.When(P, s.When(NEVER, change("increase", "1")))), P, 1),
        (s.When(s.Compare("<", X, s.Number("5")), change("increase", "1")), equals("5"), 3),
        (s.When(s.Compare("<", X, s.Number("5")), change("increase", "1")), s.Compare(">", X, s.Number("5")), None),
        (s.Add(P), s.Or((P, NEVER)), None),
    ],
)
def test_shortest_plan(effect: s.Effect, goal: s.Condition, steps: int | None) -> None:
    answer = Model(task(effect, goal)).search(100)
    assert (answer.plan, answer.exhausted) == ((None, True) if steps is None else (("(go)",) * steps, False))


def test_a_function_that_nobody_reads_is_a_counter() -> None:
    counting = task(both(s.Add(P), change("increase", "1")), P, start=None)
    reading = task(both(s.Add(P), change("increase", "1")), s.And((P, equals("1"))), start=None)
    assert Model(counting).search(10).plan == ("(go)",)
    assert Model(reading).search(10).exhausted


def test_a_number_always_gives_the_same_task() -> None:
    assert generate(7) == generate(7)
    assert domain_text(generate(7)) + problem_text(generate(7)) != domain_text(generate(8)) + problem_text(generate(8))


def test_tasks_are_worth_asking_about() -> None:
    answers = [Model(generate(seed)).search(400) for seed in range(300)]
    found = Counter("open" if a.plan is None and not a.exhausted else a.plan is not None for a in answers)
    assert found[True] > 120 and found[False] > 60 and found["open"] < 60
    assert sum(len(answer.plan or ()) > 1 for answer in answers) > 60
