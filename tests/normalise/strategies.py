"""Random expressions and conditions over one small task: two types, three objects, one variable in sight (?v)."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from numbat.errors import Span
from numbat.normalise.context import Context
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols

HERE = Span("random.pddl", 1, 1)
SCOPE = {"?v": -1}
OBJECTS = ("one", "two", "red")


def _typed(names: str, types: tuple[str, ...]) -> tuple[tree.TypedName, ...]:
    return tuple(tree.TypedName(name, types, HERE) for name in names.split())


DOMAIN = tree.Domain(
    name="random",
    types=_typed("digit colour nothing", ()),
    constants=(),
    predicates=(tree.Signature("p", _typed("?x", ()), HERE), tree.Signature("q", (), HERE)),
    functions=(
        tree.Signature("f", _typed("?x", ()), HERE),
        tree.Signature("g", (), HERE),
        tree.Signature("h", (), HERE),
    ),
    actions=(),
    span=HERE,
)
PROBLEM = tree.Problem(
    name="random",
    domain="random",
    objects=_typed("one two", ("digit",)) + _typed("red", ("colour",)),
    init_atoms=(),
    init_negations=(),
    init_values=(),
    goal=tree.And((), HERE),
    metric=None,
    span=HERE,
)
SYMBOLS = Symbols(DOMAIN, PROBLEM, [])
FLUENTS = [("f", (name,)) for name in OBJECTS] + [("g", ()), ("h", ())]
ATOMS = [("p", (name,)) for name in OBJECTS] + [("q", ())]


def context() -> Context:
    return Context(SYMBOLS)


def _arguments(variables: tuple[str, ...]) -> st.SearchStrategy[tuple[str]]:
    return st.tuples(st.sampled_from((*OBJECTS, *variables)))


def numbers() -> st.SearchStrategy[tree.Number]:
    values = st.sampled_from(
        [Fraction(0), Fraction(1), Fraction(-2), Fraction(3, 2), Fraction(7, 10), Fraction(10**20)]
    )
    return values.map(lambda value: tree.Number(value, HERE))


def fluents(variables: tuple[str, ...]) -> st.SearchStrategy[tree.Expression]:
    return st.one_of(
        _arguments(variables).map(lambda arguments: tree.Atom("f", arguments, HERE)),
        st.sampled_from([tree.Atom("g", (), HERE), tree.Word("h", HERE)]),
    )


def expressions(variables: tuple[str, ...] = ("?v",)) -> st.SearchStrategy[tree.Expression]:
    def larger(part: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
        sums = st.builds(
            tree.Arithmetic, st.sampled_from("+-*"), st.lists(part, min_size=1, max_size=3).map(tuple), st.just(HERE)
        )
        quotients = st.builds(
            tree.Arithmetic, st.just("/"), st.lists(part, min_size=2, max_size=3).map(tuple), st.just(HERE)
        )
        return st.one_of(sums, sums, quotients)

    return st.recursive(st.one_of(numbers(), fluents(variables)), larger, max_leaves=8)


def _leaves(variables: tuple[str, ...]) -> st.SearchStrategy[tree.Condition]:
    terms = st.sampled_from((*OBJECTS, *variables)).map(lambda name: tree.Word(name, HERE))
    relations = st.sampled_from(["<", "<=", "=", ">=", ">"])
    amounts = st.one_of(numbers(), fluents(variables))
    sums = st.builds(lambda left, right: tree.Arithmetic("+", (left, right), HERE), amounts, amounts)
    return st.one_of(
        _arguments(variables).map(lambda arguments: tree.Atom("p", arguments, HERE)),
        st.just(tree.Atom("q", (), HERE)),
        st.builds(tree.Compare, st.just("="), terms, terms, st.just(HERE)),
        st.builds(tree.Compare, relations, sums, amounts, st.just(HERE)),
    )


def conditions(variables: tuple[str, ...] = ("?v",)) -> st.SearchStrategy[tree.Condition]:
    """Quantified variables are drawn from two names, so that they hide each other now and then."""
    inner = tuple(sorted({*variables, "?x", "?y"}))
    declared = st.lists(st.sampled_from(["?x", "?y"]), unique=True, min_size=2, max_size=2).flatmap(
        lambda names: st.tuples(
            *[
                st.sampled_from([(), ("digit",), ("colour", "digit")]).map(
                    lambda types, name=name: tree.TypedName(name, types, HERE)
                )
                for name in names
            ]
        )
    )

    def larger(part: st.SearchStrategy[tree.Condition]) -> st.SearchStrategy[tree.Condition]:
        parts = st.lists(part, max_size=3).map(tuple)
        return st.one_of(
            st.builds(tree.And, parts, st.just(HERE)),
            st.builds(tree.Or, parts, st.just(HERE)),
            st.builds(tree.Not, part, st.just(HERE)),
            st.builds(tree.Imply, part, part, st.just(HERE)),
            st.builds(tree.Quantified, st.sampled_from(["exists", "forall"]), declared, part, st.just(HERE)),
        )

    body = st.recursive(_leaves(inner), larger, max_leaves=6)
    return st.builds(tree.Quantified, st.sampled_from(["exists", "forall"]), declared, body, st.just(HERE))


def states() -> st.SearchStrategy[dict[tuple[str, tuple[str, ...]], Fraction | bool]]:
    """Small numbers, so that zero and equality are met; a fluent is undefined now and then."""
    numeric = st.one_of(st.none(), st.integers(-2, 3).map(Fraction), st.sampled_from([Fraction(1, 2), Fraction(-3, 4)]))
    entries = dict.fromkeys(FLUENTS, numeric) | dict.fromkeys(ATOMS, st.booleans())
    return st.fixed_dictionaries(entries).map(
        lambda state: {key: value for key, value in state.items() if value is not None}
    )
