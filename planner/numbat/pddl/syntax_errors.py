"""What to tell the user when the parser is stuck.

In, out      lark's exception and the text → InputError, or UnsupportedFeature where the text is PDDL we do not plan for
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from numbat.errors import InputError, PlannerError, UnsupportedFeature
from numbat.pddl.source import Source

# A word the grammar does not know, wherever it opens a list, and what it would mean.
UNSUPPORTED = {
    ":durative-action": "a durative action",
    ":derived": "a derived predicate",
    ":axiom": "a derived predicate",
    ":process": "a process",
    ":event": "an event",
    ":constraints": "a section of trajectory constraints",
    ":control-knowledge": "control knowledge",
    ":method": "a hierarchical method",
    ":task": "a hierarchical task",
    ":htn": "a hierarchical task network",
    ":observe": "sensing",
    "preference": "a preference",
    "is-violated": "a preference",
    "always": "a trajectory constraint",
    "sometime": "a trajectory constraint",
    "within": "a trajectory constraint",
    "at-most-once": "a trajectory constraint",
    "sometime-after": "a trajectory constraint",
    "sometime-before": "a trajectory constraint",
    "always-within": "a trajectory constraint",
    "hold-during": "a trajectory constraint",
    "hold-after": "a trajectory constraint",
    "oneof": "a non-deterministic effect",
    "probabilistic": "a probabilistic effect",
    "unknown": "an uncertain initial state",
}

# What a set of terminals of the grammar amounts to; the first whose terminals are all expected is named.
_KINDS = {
    "a condition": frozenset({"AND", "OR", "NOT", "IMPLY", "EXISTS", "FORALL", "COMPARISON", "EQUAL"}),
    "an effect": frozenset({"AND", "NOT", "FORALL", "WHEN", "CHANGE"}),
    "a numeric expression": frozenset({"NUMBER", "FLUENT", "PLUS", "MINUS", "TIMES", "DIVIDE"}),
    "an initial atom or value": frozenset({"FACTS", "EQUAL", "NOT"}),
    "an atom or a name": frozenset({"PLAIN", "FLUENT"}),
    "an atom": frozenset({"PLAIN"}),
}
_PART_OF_KINDS = frozenset({"OPEN", "PLAIN", "EMPTY"})

# The other terminals as a reader knows them; those missing here open a section and are named after it.
_WORDS = {
    "$END": "the end of the file",
    "OPEN": "(",
    "_CLOSE": ")",
    "_DASH": "-",
    "_DEFINE": "(define",
    "_DOMAIN": "(domain",
    "_PROBLEM": "(problem",
    "PROBLEM_DOMAIN": "(:domain",
    "EITHER": "(either",
    "NAME": "a name",
    "LABEL": "a name",
    "FLUENT": "a name",
    "VARIABLE": "a variable",
    "KEYWORD": "a keyword",
    "NUMBER": "a number",
    "INTEGER": "a non-negative integer",
    "DIRECTION": "minimize or maximize",
    "PARAMETERS": ":parameters",
    "PRECONDITION": ":precondition",
    "EFFECT": ":effect",
}
_LOGICAL = frozenset({"and", "or", "not", "imply", "exists", "forall", "when", "increase", "decrease", "assign"})
_LONGEST = 40
_FIRST_WORD = re.compile(r"\(\s*([^\s()]*)")


class _List(NamedTuple):
    """The innermost list that is open at some position: its first word, and where it starts."""

    word: str
    position: int


def explain(error: UnexpectedInput, source: Source) -> PlannerError:
    """The error to raise instead of lark's."""
    expected = _expected(error)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return _unfinished(expected, source)
    position = error.pos_in_stream or 0
    outer = _enclosing_list(source.text, position)
    found = _unsupported(source, position, outer, expected)
    if found:
        return found
    if source.text[position] == "(" and outer.word in _LOGICAL and "VARIABLE" in expected:
        return InputError(f"({outer.word} ...) cannot stand here", source.span(outer.position))
    return InputError(
        f"unexpected text in the list ({outer.word} ...) of line {source.span(outer.position).line}"
        if outer.word
        else "unexpected text",
        source.span(position),
        expected=_described(expected),
        got=_excerpt(source.text, position),
    )


def _expected(error: UnexpectedInput) -> frozenset[str]:
    if isinstance(error, UnexpectedToken):
        return frozenset(error.accepts or error.expected)
    return frozenset((isinstance(error, UnexpectedCharacters) and error.allowed) or ())


def _unsupported(source: Source, position: int, outer: _List, expected: frozenset[str]) -> UnsupportedFeature | None:
    """Whether the surprise is a part of PDDL that we do not plan for."""
    text = source.text
    opened = _FIRST_WORD.match(text, position)
    if opened and opened[1] in UNSUPPORTED:
        return UnsupportedFeature(UNSUPPORTED[opened[1]], source.span(position))
    if outer.word in UNSUPPORTED:
        return UnsupportedFeature(UNSUPPORTED[outer.word], source.span(outer.position))
    if text[position] == "#":
        return UnsupportedFeature("a continuous effect", source.span(position))
    if re.compile(r"\(\s*at\s+[0-9.][^\s()]*\s*\(").match(text, outer.position):
        return UnsupportedFeature("a timed initial literal", source.span(outer.position))
    if opened and "VARIABLE" in expected and expected <= {"NAME", "VARIABLE", "_CLOSE"}:
        predicates, functions = _declared(text, "predicates"), _declared(text, "functions")
        # else a word is misspelled or a parenthesis is missing
        if outer.word in predicates | functions and opened[1] not in predicates:
            return UnsupportedFeature("an object fluent (a term with arguments)", source.span(position))
    return None


def _declared(text: str, section: str) -> frozenset[str]:
    """The names that a section of this file declares, as far as it can be read."""
    opening = re.search(rf"\(\s*:{section}\b", text)
    if not opening:
        return frozenset()
    depth, position = 1, opening.end()
    names = []
    for match in re.compile(r"[()]").finditer(text, position):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            break
        word = _FIRST_WORD.match(text, match.start())
        names += [word[1]] if word and depth == 2 else []
    return frozenset(names)


def _unfinished(expected: frozenset[str], source: Source) -> PlannerError:
    """The file ends too early: name the list that is still open, or say that there is nothing at all."""
    if not source.text.strip():
        return InputError("the file is empty", source.span(0), expected="(define ...)")
    word, position = _enclosing_list(source.text, len(source.text))
    message = f"the list ({word} ... is never closed"
    return InputError(message, source.span(position), expected=_described(expected), got="the end of the file")


def _enclosing_list(text: str, position: int) -> _List:
    """An empty word stands for a position outside of all lists."""
    closed = 0
    for match in reversed(list(re.finditer(r"[()]", text[:position]))):
        if match[0] == ")":
            closed += 1
        elif closed:
            closed -= 1
        else:
            word = _FIRST_WORD.match(text, match.start())
            return _List(word[1] if word else "", match.start())
    return _List("", 0)


def _described(terminals: frozenset[str]) -> str:
    words = []
    for kind, members in _KINDS.items():
        if members <= terminals:
            words.append(kind)
            terminals = terminals - members - _PART_OF_KINDS
    words += sorted(_WORDS.get(name, f"(:{name.lower()}") for name in terminals)
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _excerpt(text: str, position: int) -> str:
    line = text[position : position + _LONGEST + 1].partition("\n")[0].rstrip()
    line = line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
