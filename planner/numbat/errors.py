"""What can go wrong, where, and with which exit code.

Everything the planner says to a user about bad input is a PlannerError with a Span.
Only cli.py catches them and turns them into a message and an exit code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """Fast Downward's groups: 0-3 plan found, 10-12 none, 20-24 limits, 30-37 errors."""

    SUCCESS = 0
    PLAN_FOUND_OUT_OF_MEMORY = 1
    PLAN_FOUND_OUT_OF_TIME = 2
    PLAN_FOUND_OUT_OF_MEMORY_AND_TIME = 3
    TRANSLATE_UNSOLVABLE = 10
    SEARCH_UNSOLVABLE = 11
    SEARCH_UNSOLVED_INCOMPLETE = 12
    TRANSLATE_OUT_OF_MEMORY = 20
    TRANSLATE_OUT_OF_TIME = 21
    SEARCH_OUT_OF_MEMORY = 22
    SEARCH_OUT_OF_TIME = 23
    SEARCH_OUT_OF_MEMORY_AND_TIME = 24
    TRANSLATE_CRITICAL_ERROR = 30
    TRANSLATE_INPUT_ERROR = 31
    SEARCH_CRITICAL_ERROR = 32
    SEARCH_INPUT_ERROR = 33
    SEARCH_UNSUPPORTED = 34
    DRIVER_CRITICAL_ERROR = 35
    DRIVER_INPUT_ERROR = 36
    DRIVER_UNSUPPORTED = 37


_LONGEST_WORD = 200  # a path may be that long
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")


def shown(text: str) -> str:
    """A text within a message: long words are cut, since a name may be as long as a file; no control characters."""
    text = _LONG_WORD.sub(lambda word: f"{word[0][: _LONGEST_WORD // 2]}...", text)
    return "\n".join(map(_printable, text.split("\n")))


def _printable(line: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text file; line and column count from 1, 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        file = _printable(self.file)
        return f"{file}:{self.line}:{self.column}" if self.line else file


class PlannerError(Exception):
    """An error a user can act on.

    message   one sentence: what is wrong
    span      where, if it is in a file
    expected, got   filled in where a reader met something else
    """

    exit_code = ExitCode.DRIVER_CRITICAL_ERROR

    def __init__(
        self, message: str, span: Span | None = None, *, expected: str | None = None, got: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        message = shown(self.message)
        lines = [f"{self.span}: {message}" if self.span else message]
        if self.expected:
            lines.append(f"  expected: {shown(self.expected)}")
        if self.got:
            lines.append(f"  got: {shown(self.got)}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """For JSON: the parts of the message."""
        place = {"file": self.span.file, "line": self.span.line, "column": self.span.column} if self.span else {}
        return {"message": self.message, **place, "expected": self.expected, "got": self.got}


class InputError(PlannerError):
    """The PDDL text has no meaning: syntax, undeclared name, wrong arity or type, unreadable file."""

    exit_code = ExitCode.TRANSLATE_INPUT_ERROR


class UnsupportedFeature(PlannerError):
    """The PDDL is meaningful but outside what we plan for; named, never ignored."""

    exit_code = ExitCode.SEARCH_UNSUPPORTED

    def __init__(self, feature: str, span: Span | None = None) -> None:
        super().__init__(f"{feature} is not supported", span)
        self.feature = feature


class TooLarge(PlannerError):
    """Grounding or expansion would outgrow sensible memory."""

    exit_code = ExitCode.TRANSLATE_OUT_OF_MEMORY


class ConfigurationError(PlannerError):
    """A search configuration or option that does not parse or does not exist."""

    exit_code = ExitCode.DRIVER_INPUT_ERROR


class UnsuitedSearch(ConfigurationError):
    """The configuration exists, but nothing in it can handle this task."""

    exit_code = ExitCode.SEARCH_UNSUPPORTED
