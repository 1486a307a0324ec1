"""Text to syntax tree: grammar.lark and parse.py read, symbols.py and check.py see whether it makes sense."""

from __future__ import annotations

from numbat.errors import shown
from numbat.pddl import tree
from numbat.pddl.check import check
from numbat.pddl.parse import parse_domain, parse_problem
from numbat.pddl.source import File, FileOrPath, read_file, read_once

__all__ = ["File", "FileOrPath", "load", "read_file", "read_once"]


def load(domain_file: FileOrPath, problem_file: FileOrPath) -> tuple[tree.Domain, tree.Problem, list[str]]:
    """Read and check both files; the warnings are ready to be shown, one a line."""
    domain = parse_domain(domain_file)
    problem = parse_problem(problem_file)
    return domain, problem, [f"{span}: {shown(message)}" for span, message in check(domain, problem)]
