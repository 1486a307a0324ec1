"""Text to trees: the referee's own s-expressions, exact numbers and plans.

A word ends at a blank, at a parenthesis, and where `?` or `:` begins the next. Upper and lower case are the same.
Time is linear in the text and depth limited by memory only; a decimal is read from its digits, never through a float.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

File = str | Path | tuple[str, bytes]  # a path, `-` for standard input, or a name and what the file of that name holds
Number = int | Fraction
Key = tuple[str, ...]  # a name and its arguments: a fluent or a step
Place = tuple[str, int, int]  # file, line and column, counted from 1; line 0 is the file as a whole

# A dash glued to a type name (`farm -object`) is a word of its own; a dash inside a name is not.
_TOKEN = re.compile(r"[()]|-(?=[a-z_])|[?:]?[^\s()?:]+|[?:]")
_COMMENT = re.compile(r";[^\n\0]*")
_FOREIGN = re.compile(r"[^\t-\r -~]")
# Such a word may name an object, too; where a number may stand, it is one.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?0*([0-9]+))?\Z")
_STEP = re.compile(r"(?:([0-9]{1,50}(?:\.[0-9]{0,50})?)\s*:)?\s*\(([^()]*)\)\s*(?:\[\s*[0-9.]+\s*\]\s*)?")


class Refusal(Exception):
    """What is wrong, and where, if it is at one place."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message, place)
        self.message, self.place = message, place

    def __str__(self) -> str:
        file, line, column = self.place or ("", 0, 0)
        return f"{f'{file}:{line}:{column}' if line else file}: {self.message}" if file else self.message


class InputError(Refusal):
    """A domain, problem or plan that cannot be read or has no meaning."""


class Unsupported(Refusal):
    """Meaningful PDDL outside the fragment the referee judges."""


class Source(NamedTuple):
    """A named text."""

    name: str
    text: str

    def place(self, offset: int) -> Place:
        return self.name, self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


class Node(list["str | Node"]):
    """A parenthesised list, which remembers where it begins and where its children do."""

    __slots__ = ("offset", "offsets", "source")

    def __init__(self, source: Source, offset: int = 0, words: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.source, self.offset = source, offset
        self.offsets: list[int] = []

    def add(self, child: "str | Node", offset: int) -> None:
        self.append(child)
        self.offsets.append(offset)

    def error(self, message: str, index: int | None = None) -> InputError:
        """About the list itself, or about its child at `index`."""
        offset = self.offset if index is None or index >= len(self.offsets) else self.offsets[index]
        return InputError(shorten(message, 400), self.source.place(offset))

    def unsupported(self, feature: str) -> Unsupported:
        return Unsupported(f"{shorten(feature, 400)} is not supported", self.source.place(self.offset))

    def head(self) -> str:
        if self and isinstance(self[0], str):
            return self[0]
        raise self.error("expected a name after '('")

    def list_at(self, index: int, expected: str, bare: bool = False) -> "Node":
        """The list at that place; if `bare`, a word, but no number, stands for the list of itself alone: x for (x)."""
        child = self[index]
        if isinstance(child, Node):
            return child
        if bare and self.number_at(index) is None:
            return Node(self.source, self.offsets[index], [child])
        raise self.error(f"expected {expected}, found '{shorten(child)}'", index)

    def number_at(self, index: int) -> Number | None:
        """The exact value of the numeral at that place, None if there is something else."""
        word = self[index]
        if isinstance(word, Node) or not (match := _NUMBER.match(word)):
            return None
        if len(word) > 1000 or len(match[1] or "") > 3:
            raise self.error("this number is too long to be meant", index)
        value = Fraction(word)
        return value.numerator if value.denominator == 1 else value


def read_source(file: File) -> Source:
    """The text in lower case, comments blanked. Only in comments may anything but plain ASCII stand."""
    name = file[0] if isinstance(file, tuple) else str(file)
    try:
        data = file[1] if isinstance(file, tuple) else Path("/dev/stdin" if name == "-" else name).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", (name, 0, 0)) from None
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    source = Source(name, _COMMENT.sub(lambda comment: " " * len(comment.group()), text))
    if foreign := _FOREIGN.search(source.text):
        raise InputError(f"the character {foreign.group()!a} outside of a comment", source.place(foreign.start()))
    return Source(name, source.text.lower())


def parse(source: Source) -> Node:
    """The one parenthesised list the text consists of."""
    outer = Node(source)
    stack = [outer]
    for match in _TOKEN.finditer(source.text):
        token = match.group()
        if token == "(":
            node = Node(source, match.start())
            stack[-1].add(node, match.start())
            stack.append(node)
        elif token == ")" and len(stack) > 1:
            stack.pop()
        elif len(stack) == 1:
            raise InputError(f"expected a list, found '{shorten(token)}'", source.place(match.start()))
        else:
            stack[-1].add(token, match.start())
    if len(stack) > 1:
        raise stack[-1].error("this list is never closed")
    if len(outer) != 1 or not isinstance(outer[0], Node):
        raise InputError(f"expected one list (define ...), found {len(outer)}", (source.name, 0, 0))
    return outer[0]


def parse_plan(source: Source) -> list[Key]:
    """Steps in the order of the text. Time stamps must not decrease; they and durations mean nothing else."""
    text = source.text.rstrip()
    steps: list[Key] = []
    position, latest = len(text) - len(text.lstrip()), Fraction(0)
    while position < len(text):
        match = _STEP.match(text, position)
        words = match.group(2).split() if match else []
        if not match or not words:
            found = shorten(text[position : position + 100].split("\n")[0])
            raise InputError(f"expected a step '(action argument ...)', found '{found}'", source.place(position))
        stamp = Fraction(match.group(1) or latest)
        if stamp < latest:
            raise InputError("time stamps decrease; only sequential plans are read", source.place(position))
        steps.append(tuple(words))
        position, latest = match.end(), stamp
    return steps


def shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[:limit] + "..."


def render(tree: str | Node, binding: dict[str, str], limit: int = 400) -> str:
    """The tree as PDDL text, variables replaced by their objects, cut off after about `limit` characters."""
    text = ""
    work = [tree]
    while work and len(text) < limit:
        item = work.pop()
        if isinstance(item, Node):
            work += [")", *reversed(item)]
            text += " ("
        else:
            word = shorten(binding.get(item, item))
            text += word if word == ")" or text.endswith("(") else " " + word
    return text.replace("( (", "((").lstrip() + (" ..." if work else "")


def render_number(value: Number) -> str:
    """An integer, a decimal where that is exact and short, otherwise a fraction."""
    scaled = value * 10**19
    if scaled.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    whole, decimals = divmod(abs(scaled.numerator), 10**19)
    return f"{'-' if value < 0 else ''}{whole}.{decimals:019d}".rstrip("0").rstrip(".")
