"""What no action changes, judged by symbols: relations for the joins, values to fold at once.

Static here is coarse (a predicate or function no effect mentions). What only turns out constant for one ground atom
or fluent is found later, by reach.

Counters     their fluents start at 0 where the problem gives no value
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from numbat.errors import Span, UnsupportedFeature
from numbat.ground.columns import Rows
from numbat.task.lifted import LiftedTask

Number = int | Fraction


def exact(value: Number) -> Number:
    """An int where possible: several times as fast as a Fraction."""
    return value.numerator if value.denominator == 1 else value


def double(value: Number, span: Span) -> float:
    """The nearest double of a number that is used at this place."""
    try:
        return float(value)
    except OverflowError:
        raise UnsupportedFeature("a number beyond 10^308", span) from None


class Statics:
    """See the module's docstring. Tuples are in the order of the init section."""

    def __init__(self, task: LiftedTask) -> None:
        effects = [effect for action in task.actions for effect in action.effects]
        changed = {literal.predicate for effect in effects for literal in (*effect.adds, *effect.deletes)}
        written = {numeric.fluent.function for effect in effects for numeric in effect.numeric}
        self.predicates = frozenset(range(len(task.predicates))) - changed
        self.functions = frozenset(range(len(task.functions))) - written
        self.counters = task.counters
        self._atoms: list[list[tuple[int, ...]]] = [[] for _ in task.predicates]
        for atom in task.init_atoms:
            self._atoms[atom.predicate].append(atom.arguments)
        self.values: list[dict[tuple[int, ...], Number]] = [{} for _ in task.functions]
        for fluent, value in task.init_values.items():
            self.values[fluent.function][fluent.arguments] = exact(value)
        self._arity = [symbol.arity for symbol in task.predicates], [symbol.arity for symbol in task.functions]

    def true_tuples(self, predicate: int) -> Rows:
        """The initially true tuples, each once."""
        return _table(list(dict.fromkeys(self._atoms[predicate])), self._arity[0][predicate])

    def defined_tuples(self, function: int) -> Rows:
        """The tuples for which the function has a value initially."""
        return _table(list(self.values[function]), self._arity[1][function])

    def initial_value(self, function: int, arguments: tuple[int, ...]) -> Number | None:
        value = self.values[function].get(arguments)
        return 0 if value is None and function in self.counters else value


def _table(tuples: list[tuple[int, ...]], arity: int) -> Rows:
    return np.array(tuples, dtype=np.int64).reshape(len(tuples), arity)
