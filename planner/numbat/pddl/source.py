"""A PDDL file as the parser wants it: lower-case text without comments, and the way from a position to its place.

In, out      a path → File, read once; File → Source
Guarantee    line and column of every position are those of the file; a comment becomes blanks of the same length
Encoding     outside of comments a PDDL file is plain ASCII, so what its comments are encoded in does not matter
Refused      what cannot be read, is not text, is larger than MAXIMUM_BYTES or nested deeper than MAXIMUM_NESTING
"""

from __future__ import annotations

import re
from bisect import bisect_left
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

from numbat.errors import InputError, Span, TooLarge, UnsupportedFeature

MAXIMUM_BYTES = 32 * 1024 * 1024
MAXIMUM_NESTING = 1000  # the passes over the tree recurse; see parse.py
STANDARD_INPUT = "-"

_COMMENT = re.compile(r";[^\n]*")
_NOT_PARENTHESES = bytes(set(range(256)) - set(b"()"))
_NEWLINE = re.compile(r"\n")


class File(NamedTuple):
    """What a file held when it was read; whoever needs it later takes this copy, since a pipe can be read only once."""

    name: str
    data: bytes


FileOrPath = File | str | PathLike[str]


class Source:
    """The text of one file, and where its lines begin."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.nesting = 0  # how deep lists are nested, if they are closed at all
        self._newlines = [match.start() for match in _NEWLINE.finditer(text)]

    def span(self, position: int) -> Span:
        """The place of the character at this position."""
        line = bisect_left(self._newlines, position)
        start = self._newlines[line - 1] + 1 if line else 0
        return Span(self.file, line + 1, position - start + 1)


def read_file(path: str | PathLike[str]) -> File:
    """The file's bytes; "-" is standard input."""
    name = fspath(path)
    try:
        with open(0, "rb", closefd=False) if name == STANDARD_INPUT else Path(name).open("rb") as stream:
            data = stream.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot read the file: {reason}", Span(name)) from None
    if len(data) > MAXIMUM_BYTES:
        raise TooLarge(f"the file is larger than {MAXIMUM_BYTES // 1024**2} MiB", Span(name))
    return File(name, data)


def read_once(file: FileOrPath) -> File:
    """The file itself if it has been read."""
    return file if isinstance(file, File) else read_file(file)


def read(file: FileOrPath) -> Source:
    """The file, ready for the parser."""
    name, data = read_once(file)
    source = Source(name, _without_comments(_decode(data, name)))
    source.nesting = _nesting(source)
    return source


def _decode(data: bytes, file: str) -> str:
    """Text with plain newlines, its ASCII letters in lower case."""
    if b"\0" in data:
        raise InputError("not a text file", Span(file), expected="PDDL as plain text", got="binary data")
    text = data.lower().decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda match: " " * len(match[0]), text) if ";" in text else text


def _nesting(source: Source) -> int:
    """Remove innermost pairs of parentheses layer by layer and count the layers; where some remain, look closely."""
    parentheses = source.text.encode().translate(None, _NOT_PARENTHESES)
    layers = 0
    while b"()" in parentheses and layers < MAXIMUM_NESTING:
        parentheses = parentheses.replace(b"()", b"")
        layers += 1
    depth = 0
    for match in re.finditer(r"[()]", source.text) if b"(" in parentheses else ():
        depth = depth + 1 if match[0] == "(" else max(depth - 1, 0)
        if depth > MAXIMUM_NESTING:
            raise UnsupportedFeature(f"a list nested more than {MAXIMUM_NESTING} deep", source.span(match.start()))
    return layers
