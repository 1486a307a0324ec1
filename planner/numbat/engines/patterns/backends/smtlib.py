"""z3, through a text in SMT-LIB: ten times faster to hand over than objects.

Effort       z3's resource units, UNITS to about a second of an idle core; its timeout is in wall time, so not used
Objective    greedy: what the first solution makes true is kept, then one soft literal after the other is added as an
             assumption and kept where that has a solution. Costs of integers are left to the caller's constraints
Memory       the limit of the process: z3 dies of it, and the worker that runs it with it
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from numbat.engines.patterns.backends import Answer
from numbat.engines.patterns.formula import Expression, Formula, Row

UNITS = 2_000_000


class Solver:
    """See numbat.engines.patterns.backends."""

    def solve(self, formula: Formula, effort: float) -> Answer:
        if formula.contradiction:
            return Answer("unsat")
        solver = z3.Solver()
        solver.from_string("\n".join(_lines(formula)))
        solver.set(rlimit=int(effort * UNITS))
        result = solver.check()
        if result != z3.sat:
            return Answer("unsat" if result == z3.unsat else "unknown")
        values = _values(solver.model(), formula)
        kept = [literal for literal, _ in formula.soft if _true(values, literal)]
        for literal, _ in sorted(formula.soft, key=lambda soft: -soft[1]):
            if literal in kept:
                continue
            assumptions = [_literal(assumed) for assumed in (*kept, literal)]
            if solver.check(assumptions) == z3.sat:
                values = _values(solver.model(), formula)
                kept = [other for other, _ in formula.soft if _true(values, other)]
        return Answer("sat", values)


def _true(values: list[int], literal: int) -> bool:
    return values[literal] == 1 if literal >= 0 else values[~literal] == 0


def _literal(literal: int) -> z3.BoolRef:
    return z3.Bool(f"v{literal}") if literal >= 0 else z3.Not(z3.Bool(f"v{~literal}"))


def _values(model: z3.ModelRef, formula: Formula) -> list[int]:
    values = list(formula.lower)
    for declaration in model.decls():
        name = declaration.name()
        if not name.startswith("v"):
            continue
        value = model[declaration]
        values[int(name[1:])] = int(z3.is_true(value)) if z3.is_bool(value) else value.as_long()
    return values


# --- text ---


def _lines(formula: Formula) -> Iterator[str]:
    for number, boolean in enumerate(formula.boolean):
        yield f"(declare-const v{number} {'Bool' if boolean else 'Int'})"
        if not boolean:
            yield f"(assert (<= {_integer(formula.lower[number])} v{number} {_integer(formula.upper[number])}))"
    yield "(assert v0)"
    for clause in formula.clauses:
        yield f"(assert {_any([_name(literal) for literal in clause])})"
    for row in formula.rows:
        yield f"(assert {_row(row, formula)})"
    for product in formula.products:
        yield f"(assert (= v{product.target} (* v{product.factor} {_sum(product.amount, formula)})))"


def _row(row: Row, formula: Formula) -> str:
    total = _sum(Expression(dict(row.terms), 0), formula)
    if row.low is not None and row.low == row.high:
        body = f"(= {total} {_integer(row.low)})"
    else:
        sides = [f"(>= {total} {_integer(row.low)})"] if row.low is not None else []
        sides += [f"(<= {total} {_integer(row.high)})"] if row.high is not None else []
        body = f"(and {' '.join(sides)})"
    return _any([*(_name(~guard) for guard in row.guards), body])


def _sum(expression: Expression, formula: Formula) -> str:
    parts = [_term(number, coefficient, formula) for number, coefficient in expression.terms.items()]
    if expression.constant or not parts:
        parts.append(_integer(expression.constant))
    return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


def _term(number: int, coefficient: int, formula: Formula) -> str:
    if formula.boolean[number]:
        return f"(ite v{number} {_integer(coefficient)} 0)"
    return f"v{number}" if coefficient == 1 else f"(* {_integer(coefficient)} v{number})"


def _any(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"


def _name(literal: int) -> str:
    return f"v{literal}" if literal >= 0 else f"(not v{~literal})"


def _integer(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"
