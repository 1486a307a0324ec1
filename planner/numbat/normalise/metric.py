"""The metric: an expression over the last state, and a cost per step where it counts an undeclared (total-time).

Non-linear   where (total-time) stands in a product or quotient, the metric says so, and the referee alone counts it
"""

from __future__ import annotations

from fractions import Fraction

from numbat.normalise.context import TOTAL_TIME, Context
from numbat.normalise.linear import linear
from numbat.pddl import tree
from numbat.task.lifted import Expression, Fluent, Metric, Term


def lower(metric: tree.Metric, context: Context) -> Metric:
    """The metric in the vocabulary of numbat.task.lifted."""
    expression = linear(metric.expression, {}, context, metric.span)
    per_step, linear_in_steps = Fraction(0), True
    terms: list[Term] = []
    for term in expression.terms:
        if term.factors == (TOTAL_TIME,) and not term.divisors:
            per_step += term.coefficient
        elif TOTAL_TIME in _mentioned(term):
            linear_in_steps = False
        else:
            terms.append(term)
    reads = tuple(fluent for fluent in expression.reads if fluent != TOTAL_TIME)
    rest = Expression(tuple(terms), reads, expression.span)
    return Metric(metric.direction, rest, per_step, linear_in_steps)


def _mentioned(term: Term) -> tuple[Fluent, ...]:
    return term.factors + tuple(fluent for divisor in term.divisors for fluent in divisor.reads)
