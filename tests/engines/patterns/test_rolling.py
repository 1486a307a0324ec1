"""The rolling rule on random actions: one row says exactly how often an action can be executed."""

from __future__ import annotations

from random import Random

from numbat.engines.patterns.reduce import Action, Block, Change, Form, Model, State
from numbat.engines.patterns.rolling import may_repeat

CASES = 50_000
MOST = 6


def random_form(random: Random, variables: int, constant: int) -> Form:
    terms = [(v, random.choice([-2, -1, 1, 2])) for v in range(variables) if random.random() < 0.6]
    return Form(tuple(terms), random.randint(-constant, constant))


def random_case(random: Random) -> tuple[Model, Action, State]:
    """One action over two facts and three variables, in one state."""
    conditions = [random_form(random, 3, 8) for _ in range(random.randint(0, 2))]
    literals = [2 * fact + random.randint(0, 1) for fact in range(2) if random.random() < 0.3]
    atoms = (*literals, *(4 + number for number in range(len(conditions))))
    changes = []
    for variable in range(3):
        kind = random.choice(["none", "constant", "constant", "amount", "assign"])
        if kind != "none":
            amount = Form((), random.choice([-3, -1, 1, 2]))
            form = amount if kind == "constant" else Form(random_form(random, 3, 1).terms[:1], amount.constant)
            changes.append(Change(variable, kind == "assign", form))
    adds = tuple(fact for fact in range(2) if random.random() < 0.2)
    deletes = tuple(fact for fact in range(2) if fact not in adds and random.random() < 0.2)
    action = Action(0, 1, (Block(0, adds, deletes, tuple(changes)),), ())
    state = State(tuple(random.random() < 0.5 for _ in range(2)), tuple(random.randint(-6, 6) for _ in range(3)))
    return Model(state, tuple(conditions), ((), atoms), (), 0, (action,)), action, state


def runs_by_rule(model: Model, action: Action, state: State) -> int:
    """How many runs the first state and the rows allow, of an action that may be repeated."""
    if not model.holds(action.precondition, state):
        return 0
    amounts = {c.variable: c.form.value(state.values) for c in action.blocks[0].changes if not c.assign}
    forms = [form for atom in model.conjunctions[1] if (form := model.condition(atom)) is not None]
    slopes = [sum(c * amounts.get(v, 0) for v, c in form.terms) for form in forms]
    return max(
        k
        for k in range(MOST + 1)
        if all(form.value(state.values) + min(0, d) * (k - 1) >= 0 for form, d in zip(forms, slopes, strict=True))
    )


def after_runs(action: Action, state: State, runs: int) -> tuple[int, ...]:
    """The values in closed form."""
    values = list(state.values)
    for change in action.blocks[0].changes:
        amount = change.form.value(state.values)
        values[change.variable] = amount if change.assign else values[change.variable] + runs * amount
    return tuple(values)


def test_first_and_last_run_imply_all_between() -> None:
    random, repeated = Random(17), 0
    for case in range(CASES):
        model, action, state = random_case(random)
        if not may_repeat(model, action):
            continue
        possible, current = 0, state
        while possible < MOST and (after := model.apply(action, current)) is not None:
            possible, current = possible + 1, after
            assert current.values == after_runs(action, state, possible), case
        assert runs_by_rule(model, action, state) == possible, case
        repeated += possible > 1
    assert repeated > CASES // 50
