"""linear.py answers to sympy: term by term, its sums are what sympy's polynomials come to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import example, given, settings

from numbat.cli import main
from numbat.normalise.context import Context, Scope
from numbat.normalise.linear import linear
from numbat.normalise.polynomial import numeric_nodes, polynomial
from numbat.pddl import load, tree
from numbat.pddl.symbols import Symbols
from numbat.task.lifted import Expression, Fluent
from tests.bad_inputs.cases import DOMAIN, PROBLEM
from tests.normalise.strategies import HERE, SCOPE, SYMBOLS, expressions
from tests.normalise.test_linear import f_one, g, h, number, op
from tests.pddl.mutants import BENCHMARKS, ROOT


class Names:
    """A lifted expression as sympy would write it: the way back from numbers to names."""

    def __init__(self, symbols: Symbols, scope: Scope) -> None:
        self._functions = [*symbols.functions, "total-time"]  # which is number -1 where nobody declares it
        self._terms = {**dict(enumerate(symbols.objects)), **{term: name for name, term in scope.items()}}

    def sympy(self, expression: Expression) -> Any:
        total = sympy.Integer(0)
        for term in expression.terms:
            product = sympy.Rational(term.coefficient.numerator, term.coefficient.denominator)
            for fluent in term.factors:
                product *= self._symbol(fluent)
            for divisor in map(self.sympy, term.divisors):
                product *= 1 / divisor if divisor.is_Number and divisor else sympy.Symbol(f"1/({divisor})")
            total += product
        return total

    def _symbol(self, fluent: Fluent) -> Any:
        name = self._functions[fluent.function]
        arguments = ", ".join(self._terms[term] for term in fluent.arguments)
        return sympy.Symbol(f"{name}({arguments})" if arguments else name)


def check_against_sympy(node: tree.Expression, symbols: Symbols, scope: Scope) -> None:
    ours = linear(node, scope, Context(symbols), HERE)
    theirs = polynomial(node)
    assert Names(symbols, scope).sympy(ours) == theirs.as_expr()
    assert sum(term.coefficient != 0 for term in ours.terms) == sum(value != 0 for value in theirs.coeffs())


@settings(max_examples=200, deadline=None)
@given(expressions())
@example(op("-", op("/", g, op("+", h, f_one)), op("/", g, op("+", f_one, h))))
@example(op("+", op("/", f_one, g, h), op("/", f_one, h, g)))
@example(op("*", op("/", op("+", g, h), h), op("/", op("-", g, h), g), op("/", h, g)))
@example(op("/", op("/", number("0.3"), op("/", g, h)), op("-", number("0.1"), number("0.2"))))
@example(op("/", number("1"), op("+", number("1"), op("/", number("0"), number("0")))))
def test_random_expressions(node: tree.Expression) -> None:
    check_against_sympy(node, SYMBOLS, SCOPE)


def domains() -> list[Path]:
    """Of the repository, and of IPC 2023 and the development set where they are at hand."""
    found = [*ROOT.glob("tests/tasks/*/domain.pddl"), *ROOT.glob("examples/*/domain.pddl")]
    return sorted(found) + sorted(BENCHMARKS.parent.glob("*/*/domain.pddl"))


def variables_of(node: object) -> set[str]:
    """Every variable mentioned anywhere below a node."""
    if isinstance(node, str):
        return {node} if node.startswith("?") else set()
    return set().union(*map(variables_of, node)) if isinstance(node, tuple) else set()


@pytest.mark.parametrize("domain", domains(), ids=lambda file: file.parent.name)
def test_every_domain(domain: Path) -> None:
    problems = [*domain.parent.glob("instances/*.pddl"), *domain.parent.glob("p*.pddl")]
    domain_tree, problem_tree, _ = load(domain, min(problems, key=lambda file: (file.stat().st_size, file)))
    symbols = Symbols(domain_tree, problem_tree, warnings=[])
    for node in numeric_nodes(domain_tree, problem_tree, symbols):
        scope = {name: -1 - place for place, name in enumerate(sorted(variables_of(node)))}
        if isinstance(node, tree.Compare):
            check_against_sympy(tree.Arithmetic("-", (node.left, node.right), node.span), symbols, scope)
        else:
            check_against_sympy(node.expression, symbols, scope)


def test_inspect_prints_normal_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = DOMAIN.read_text()
    condition = "(>= (* (+ (fuel ?v) 0.5) (- (fuel ?v) 1/2)) 3)".replace("1/2", "0.5")
    domain = tmp_path / "domain.pddl"
    domain.write_text(text.replace("(<= (weight ?p) 20)", condition))
    assert main(["inspect", "--expressions", str(domain), str(PROBLEM)]) == 0
    said = capsys.readouterr().out
    assert f"{domain}:16:46: {condition}  ->  fuel(?v)**2 - 13/4 >= 0" in said
    assert main(["inspect", "--expressions", "--json", str(domain), str(PROBLEM)]) == 0
    entries = json.loads(capsys.readouterr().out)["expressions"]
    assert {"place": f"{domain}:16:46", "written": condition, "normal": "fuel(?v)**2 - 13/4 >= 0"} in entries


def test_planning_does_without_sympy() -> None:
    program = f"""if True:
        import sys
        from pathlib import Path
        from numbat.run.frontend import prepare
        prepare(Path({str(DOMAIN)!r}), Path({str(PROBLEM)!r}))
        assert "sympy" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", program], check=True)
