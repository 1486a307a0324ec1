"""CP-SAT of OR-tools, one worker: a formula is copied row by row into its model.

Interface    the compiled one below OR-tools' models in Python: a tenth of a second to import, and no pandas
Effort       its deterministic time; the wall clock is not asked
Halves       of the effort, where there is no objective: the first with linear relaxations, the second, if there is no
             answer yet, without them. Which of the two is quicker cannot be told from the formula
Objective    its own; the best solution found within the effort is the answer
Strategies   of the solver, for whoever asks often: none is the best one everywhere
"""

from __future__ import annotations

from enum import Enum

from ortools.sat.python import cp_model_helper as cpsat

from numbat.engines.patterns.backends import Answer
from numbat.engines.patterns.formula import TRUE, Expression, Formula

_INFINITY = 2**63 - 1


class Strategy(Enum):
    """How the solver searches: with linear relaxations, without, or with all that it has by turns."""

    LINEAR = "linear"
    CLAUSES = "clauses"
    MIXED = "mixed"


class Solver:
    """See numbat.engines.patterns.backends."""

    def solve(self, formula: Formula, effort: float, strategy: Strategy = Strategy.LINEAR) -> Answer:
        if formula.contradiction:
            return Answer("unsat")
        model = _model(formula)
        if formula.soft or formula.costs:
            return self._solve(model, strategy, effort)
        answer = self._solve(model, Strategy.LINEAR, effort / 2)
        return answer if answer.status != "unknown" else self._solve(model, Strategy.CLAUSES, effort / 2)

    def _solve(self, model: cpsat.CpModelProto, strategy: Strategy, effort: float) -> Answer:
        parameters = cpsat.SatParameters()
        parameters.num_workers = 1
        parameters.linearization_level = 0 if strategy is Strategy.CLAUSES else 1
        parameters.interleave_search = strategy is Strategy.MIXED
        parameters.max_deterministic_time = effort
        solver = cpsat.SolveWrapper()
        solver.set_parameters(parameters)
        response = solver.solve(model)  # type: ignore[no-untyped-call]
        if response.status in (cpsat.OPTIMAL, cpsat.FEASIBLE):
            return Answer("sat", list(response.solution), response.status == cpsat.OPTIMAL)
        if response.status == cpsat.MODEL_INVALID:
            raise ValueError(f"CP-SAT does not take the formula: {cpsat.CpSatHelper.validate_model(model)}")
        return Answer("unsat" if response.status == cpsat.INFEASIBLE else "unknown")


def _model(formula: Formula) -> cpsat.CpModelProto:
    proto = cpsat.CpModelProto()
    for lower, upper in zip(formula.lower, formula.upper, strict=True):
        proto.variables.add().domain.extend([lower, upper])
    for clause in formula.clauses:
        proto.constraints.add().bool_or.literals.extend(clause)
    for row in formula.rows:
        constraint = proto.constraints.add()
        constraint.enforcement_literal.extend(row.guards)
        linear = constraint.linear
        linear.vars.extend([number for number, _ in row.terms])
        linear.coeffs.extend([coefficient for _, coefficient in row.terms])
        low = -_INFINITY if row.low is None else row.low
        linear.domain.extend([low, _INFINITY if row.high is None else row.high])
    for product in formula.products:
        _add_product(proto.constraints.add().int_prod, product.target, product.factor, product.amount)
    if formula.soft or formula.costs:
        _add_objective(proto, formula)
    proto.solution_hint.vars.extend(list(formula.hints))
    proto.solution_hint.values.extend(list(formula.hints.values()))
    return proto


def _add_product(product: object, target: int, factor: int, amount: Expression) -> None:
    _fill(product.target, Expression({target: 1}, 0))  # type: ignore[attr-defined]
    _fill(product.exprs.add(), Expression({factor: 1}, 0))  # type: ignore[attr-defined]
    _fill(product.exprs.add(), amount)  # type: ignore[attr-defined]


def _fill(linear: object, expression: Expression) -> None:
    linear.vars.extend(list(expression.terms))  # type: ignore[attr-defined]
    linear.coeffs.extend(list(expression.terms.values()))  # type: ignore[attr-defined]
    linear.offset = expression.constant  # type: ignore[attr-defined]


def _add_objective(proto: cpsat.CpModelProto, formula: Formula) -> None:
    """Low costs, and soft literals made true."""
    total: dict[int, int] = {}
    for literal, weight in formula.soft:
        number, sign = (literal, -1) if literal >= TRUE else (~literal, 1)
        total[number] = total.get(number, 0) + sign * weight
    for number, weight in formula.costs:
        total[number] = total.get(number, 0) + weight
    objective = proto.objective
    objective.vars.extend(list(total))
    objective.coeffs.extend(list(total.values()))
