"""Text to syntax tree, with lark's LALR parser.

In, out      a file, or the path of one → tree.Domain or tree.Problem
Cost         about 5 ms for each 100 KB of initial state; lark itself takes 0.05 s to import
Cache        the parse tables lie beside the compiled modules, in __pycache__, and lark renews them when the grammar,
             lark or Python changed; where that folder cannot be written the grammar is compiled again (0.06 s)
Not here     what names mean (symbols.py, check.py)
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import cast

from lark import Lark, UnexpectedInput

from numbat.pddl import tree
from numbat.pddl.build import Builder
from numbat.pddl.source import MAXIMUM_NESTING, FileOrPath, read
from numbat.pddl.syntax_errors import explain

# Passes over the tree recurse a few Python frames per level of nesting. Python allows 1000 frames, which is not enough
# where lists are nested deeper than people write them.
_USUAL_NESTING = 60
_RECURSION_LIMIT = 10 * MAXIMUM_NESTING


def parse_domain(file: FileOrPath) -> tree.Domain:
    """Read a domain file."""
    return cast(tree.Domain, _parse(file, "domain"))


def parse_problem(file: FileOrPath) -> tree.Problem:
    """Read a problem file."""
    return cast(tree.Problem, _parse(file, "problem"))


def _parse(file: FileOrPath, start: str) -> object:
    source = read(file)
    if source.nesting > _USUAL_NESTING:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    parser, builder = _parser()
    builder.source = source
    try:
        return parser.parse(source.text, start=start)
    except UnexpectedInput as error:
        raise explain(error, source) from None


@lru_cache(maxsize=1)
def _parser() -> tuple[Lark, Builder]:
    builder = Builder()
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="ascii")
    parser = Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["domain", "problem"],
        maybe_placeholders=False,
        transformer=builder,
        g_regex_flags=re.ASCII,  # blanks are those of ASCII
        cache=_cache_file(),
    )
    return parser, builder


def _cache_file() -> str | bool:
    """Beside the compiled modules: whoever can write there can change the program anyway."""
    file = Path(cache_from_source(__file__)).with_suffix(".grammar")
    if file.exists() or (file.parent.is_dir() and not sys.dont_write_bytecode):
        return str(file)
    return False
