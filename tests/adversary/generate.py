"""A random task: the same number always gives the same task.

Shapes       mixed: everything at random; the goal is taken from the end of a random walk, and now and then put just out
             of reach. chain: many layers with several conditions each, so that additive estimates become huge
Finite       most tasks have few states: actions that can be used once ("fuse"), or bounds on what they change; the
             others are open
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.adversary import syntax as s
from tests.adversary.arithmetic import Exact
from tests.adversary.chains import chain
from tests.adversary.numbers import number
from tests.adversary.oracle import Fact, Model, State
from tests.adversary.pieces import Pieces
from tests.adversary.vocabulary import Vocabulary, random_parameters, random_vocabulary

_COST = "cost"
_LONGEST_WALK = 8
_LONGEST_NUMBER = 10**100
_MOST_TRIES = 4  # for a goal that does not hold at once


def generate(seed: int) -> s.Task:
    random = Random(seed)
    if random.random() < 0.01:
        return chain(random)
    for _ in range(_MOST_TRIES):
        task = _mixed(random)
        model = Model(task)
        if not model.solved(model.initial):
            break
    return task


def _mixed(random: Random) -> s.Task:
    words = random_vocabulary(random)
    pieces = Pieces(words, random, words.constants)
    manner = random.choices(("fuse", "bounds", "open"), (45, 35, 20))[0]
    metric = _metric(words, random)
    paying = metric is not None and s.Fluent(_COST) in _mentioned(metric.expression)
    actions = tuple(_action(f"a{i}", pieces, words, random, manner, paying) for i in range(random.randint(1, 4)))
    predicates = words.predicates
    if manner == "fuse":
        predicates += tuple(s.Signature(f"used-{action.name}", action.parameters) for action in actions)
    functions = tuple(function.signature for function in words.functions)
    if paying:
        functions += (s.Signature(_COST),)
    task = s.Task(
        words.types,
        words.constants,
        words.objects,
        predicates,
        functions,
        actions,
        _facts(words, random),
        _values(words, random, paying),
        s.And(),
        metric,
    )
    return _with_goal(task, words, random)


def _mentioned(expression: s.Expression) -> list[s.Fluent]:
    if isinstance(expression, s.Fluent):
        return [expression]
    operands = expression.operands if isinstance(expression, s.Arithmetic) else ()
    return [fluent for operand in operands for fluent in _mentioned(operand)]


# --- actions ----------------------------------------------------------------------------------------------------------


def _action(name: str, pieces: Pieces, words: Vocabulary, random: Random, manner: str, paying: bool) -> s.Action:
    parameters = random_parameters(words.types, random, most=2)
    scope = {entry.name: entry.types for entry in parameters}
    conditions = [
        pieces.condition(scope, random.choice((0, 0, 1, 2))) for _ in range(random.choices((0, 1, 2), (45, 45, 10))[0])
    ]
    effects = [pieces.effect(scope, random.choice((0, 1, 2))) for _ in range(random.choice((1, 1, 2, 3)))]
    if manner == "bounds":
        conditions += [bound for effect in effects for bound in _bounds(effect, words, set(scope), random)]
    if manner == "fuse":
        used = s.Atom(f"used-{name}", tuple(scope))
        conditions.append(s.Not(used))
        effects.append(s.Add(used))
    if paying and random.random() < 0.85:
        effects.append(_payment(pieces, scope, random))
    precondition = conditions[0] if len(conditions) == 1 and random.random() < 0.5 else s.And(tuple(conditions))
    return s.Action(name, parameters, precondition, s.Effects(tuple(effects)))


def _bounds(effect: s.Effect, words: Vocabulary, scope: set[str], random: Random) -> list[s.Condition]:
    """What is changed stays near its base, as far as it can be named outside of quantifiers."""
    if isinstance(effect, s.Effects):
        return [bound for part in effect.parts for bound in _bounds(part, words, scope, random)]
    if isinstance(effect, s.When):
        return _bounds(effect.effect, words, scope, random)
    if isinstance(effect, s.ForAll):
        hidden = {variable.name for variable in effect.variables}  # the same names mean something else outside
        return _bounds(effect.effect, words, scope - hidden, random)
    if not isinstance(effect, s.Change) or effect.operator == "assign":
        return []
    if any(term.startswith("?") and term not in scope for term in effect.fluent.arguments):
        return []
    scale = next(f.scale for f in words.functions if f.signature.name == effect.fluent.function)
    low, high = scale.base - 3 * scale.unit, scale.base + 4 * scale.unit
    ends = (low, high) if scale.unit > 0 else (high, low)
    least, most = (number(end, random) for end in ends)
    return [s.Compare("<=", effect.fluent, most), s.Compare(">=", effect.fluent, least)]


def _payment(pieces: Pieces, scope: dict[str, s.Names], random: Random) -> s.Effect:
    kind = random.random()
    amount: s.Expression = s.Number(random.choice(("1", "2", "0", "0.5", "-1", "1e39", "10000000000")))
    if kind < 0.25:
        amount = pieces.sum(scope)[0]
    payment = s.Change("increase" if random.random() < 0.9 else "decrease", s.Fluent(_COST), amount)
    return s.When(pieces.condition(scope, 1), payment) if kind > 0.75 else payment


# --- the problem ------------------------------------------------------------------------------------------------------


def _metric(words: Vocabulary, random: Random) -> s.Metric | None:
    if random.random() < 0.4:
        return None
    direction = random.choice(("minimize", "minimize", "maximize"))
    cost, time = s.Fluent(_COST), s.Fluent("total-time")
    plain = [s.Fluent(f.signature.name) for f in words.functions if not f.signature.parameters]
    both = s.Arithmetic("+", (cost, s.Arithmetic("*", (s.Number("0.5"), time))))
    expressions: list[s.Expression] = [cost, cost, time, both]
    for fluent in plain:
        expressions += [fluent, s.Arithmetic("-", (s.Arithmetic("*", (s.Number("3"), fluent)), cost))]
    return s.Metric(direction, random.choice(expressions))


def _tuples(words: Vocabulary, signature: s.Signature) -> list[s.Names]:
    found: list[s.Names] = [()]
    for entry in signature.parameters:
        found = [(*head, name) for head in found for name in words.members(entry.types)]
    return found


def _facts(words: Vocabulary, random: Random) -> tuple[s.Atom, ...]:
    return tuple(
        s.Atom(signature.name, arguments)
        for signature in words.predicates
        for arguments in _tuples(words, signature)
        if random.random() < 0.4
    )


def _values(words: Vocabulary, random: Random, paying: bool) -> tuple[s.Value, ...]:
    found: list[s.Value] = []
    for function in words.functions:
        for arguments in _tuples(words, function.signature):
            if random.random() < 0.88:
                value = number(function.scale.value(random), random)
                if isinstance(value, s.Number):
                    found.append(s.Value(s.Fluent(function.signature.name, arguments), value))
    if paying and random.random() < 0.7:
        found.append(s.Value(s.Fluent(_COST), s.Number(random.choice(("0", "0", "0", "5", "1e20")))))
    return tuple(found)


# --- the goal ---------------------------------------------------------------------------------------------------------


def _with_goal(task: s.Task, words: Vocabulary, random: Random) -> s.Task:
    """What holds at the end of a random walk, perhaps a little more."""
    model = Model(task)
    state = _walk(model, random) if random.random() < 0.4 else model.far_state(random.choice((10, 40, 150)))
    before, after = model.named_values(model.initial), model.named_values(state)
    parts: list[s.Condition] = [
        s.Atom(*_split(fact)) if fact in state.facts else s.Not(s.Atom(*_split(fact)))
        for fact in sorted(state.facts ^ model.initial.facts)
    ]
    names = {function.signature.name for function in words.functions}
    for fluent, value in after.items():
        if value is not None and value != before[fluent] and fluent[0] in names and _short(value):
            parts.append(_about(fluent, value, words, random))
    random.shuffle(parts)
    parts = parts[: random.choice((1, 2, 3, 5, 8))]
    pieces = Pieces(words, random, words.everything())
    if not parts or random.random() < 0.15:
        parts.append(pieces.condition({}, 2))
    if random.random() < 0.1:
        parts[0] = s.Or((parts[0], pieces.simple({})))
    goal = parts[0] if len(parts) == 1 else s.And(tuple(parts))
    return replace(task, goal=goal)


def _short(value: Exact) -> bool:
    """Numbers of more than 300 digits are refused."""
    return abs(value.numerator) < _LONGEST_NUMBER and value.denominator < _LONGEST_NUMBER


def _walk(model: Model, random: Random) -> State:
    state = model.initial
    for _ in range(random.randint(1, _LONGEST_WALK)):
        actions = list(model.actions)
        random.shuffle(actions)
        successors = (model.applied(action, state) for action in actions)
        following = next((successor for successor in successors if successor not in (None, state)), None)
        if following is None:
            break
        state = following
    return state


def _split(fact: Fact) -> tuple[str, s.Names]:
    return fact[0], fact[1:]


def _about(fluent: Fact, value: Exact, words: Vocabulary, random: Random) -> s.Condition:
    """A comparison that this value meets, mostly at the boundary, or just fails to meet."""
    unit = next(f.scale.unit for f in words.functions if f.signature.name == fluent[0])
    name: s.Expression = s.Fluent(*_split(fluent))
    relation = random.choice(("=", "=", ">=", "<=", ">", "<"))
    bound = Fraction(value)
    if relation in "<>" and random.random() < 0.7:
        bound += unit * (1 if (relation == "<") == (unit > 0) else -1)
    elif random.random() < 0.15:
        bound += unit
    if random.random() < 0.15:
        times = Fraction(random.choice(("3", "1e40", "0.25", "-2")))
        name, bound = s.Arithmetic("*", (number(times, random), name)), bound * times
        relation = relation if times > 0 else relation.translate(str.maketrans("<>", "><"))
    return s.Compare(relation, name, number(bound, random))
