"""Text to syntax tree: grammar.lark and parse.py read, symbols.py and check.py see whether it makes sense."""

from __future__ import annotations

from os import PathLike

from numbat.pddl import tree
from numbat.pddl.check import check
from numbat.pddl.parse import parse_domain, parse_problem

__all__ = ["load"]


def load(
    domain_path: str | PathLike[str], problem_path: str | PathLike[str]
) -> tuple[tree.Domain, tree.Problem, list[str]]:
    """Read and check both files; the warnings are ready to be shown, one a line."""
    domain = parse_domain(domain_path)
    problem = parse_problem(problem_path)
    return domain, problem, [f"{span}: {message}" for span, message in check(domain, problem)]
