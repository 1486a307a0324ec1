"""Text to trees: the referee's own s-expressions, exact numbers and plans.

Time is linear in the text and depth limited by memory only; a decimal is read from its digits, never through a float.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

Number = int | Fraction
Key = tuple[str, ...]  # a name and its arguments: a fluent or a step

# A dash glued to a type name (`farm -object`) is a word of its own; a dash inside a name is not.
_TOKEN = re.compile(r";[^\n]*|([()]|-(?=[A-Za-z_])|[^\s();]+)")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e([+-]?[0-9]+))?\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_STEP = re.compile(r"(?:([0-9]{1,50}(?:\.[0-9]{0,50})?)\s*:)?\s*\(([^()]*)\)\s*(?:\[\s*[0-9.]+\s*\]\s*)?")
_LONGEST_NUMBER = 1000  # digits, and size of the exponent: beyond this a text is a trap, not a task


class InputError(Exception):
    """A domain, problem or plan that cannot be read or has no meaning."""


class Unsupported(Exception):
    """Meaningful PDDL outside the fragment the referee judges."""


class Source(NamedTuple):
    """A named text."""

    name: str
    text: str

    def place(self, offset: int) -> str:
        """`file:line:column`, both counted from 1."""
        return f"{self.name}:{self.text.count(chr(10), 0, offset) + 1}:{offset - self.text.rfind(chr(10), 0, offset)}"


class Node(list["str | Node"]):
    """A parenthesised list, which remembers where it begins and where its children do."""

    __slots__ = ("offset", "offsets", "source")

    def __init__(self, source: Source, offset: int = 0, words: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.source = source
        self.offset = offset
        self.offsets: list[int] = []

    def add(self, child: "str | Node", offset: int) -> None:
        self.append(child)
        self.offsets.append(offset)

    def error(self, message: str, index: int | None = None) -> InputError:
        """About the list itself, or about its child at `index`."""
        offset = self.offset if index is None or index >= len(self.offsets) else self.offsets[index]
        return InputError(f"{self.source.place(offset)}: {message}")

    def unsupported(self, feature: str) -> Unsupported:
        return Unsupported(f"{self.source.place(self.offset)}: {feature} is not supported")

    def head(self) -> str:
        if self and isinstance(self[0], str):
            return self[0]
        raise self.error("expected a name after '('")

    def list_at(self, index: int, expected: str) -> "Node":
        child = self[index]
        if isinstance(child, Node):
            return child
        raise self.error(f"expected {expected}, found '{shorten(child)}'", index)

    def number_at(self, index: int) -> Number | None:
        """The exact value of the numeral at that place, None if there is something else."""
        word = self[index]
        match = None if isinstance(word, Node) else _NUMBER.match(word)
        if match is None:
            return None
        exponent = match.group(1) or "0"
        if len(match.group()) > _LONGEST_NUMBER or len(exponent) > 9 or abs(int(exponent)) > _LONGEST_NUMBER:
            raise self.error(f"this number has more than {_LONGEST_NUMBER} digits", index)
        value = Fraction(match.group())
        return value.numerator if value.denominator == 1 else value


def read_source(path: str | Path) -> Source:
    """The file as text; anything that is not readable UTF-8 without control characters is an InputError."""
    try:
        source = Source(str(path), Path(path).read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start + 1})") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if control := _CONTROL.search(source.text):
        raise InputError(f"{source.place(control.start())}: control character {control.group()!r} in the text")
    return source


def parse(source: Source) -> Node:
    """The one parenthesised list the text consists of."""
    outer = Node(source)
    stack = [outer]
    for match in _TOKEN.finditer(source.text):
        token = match.group(1)
        if token == "(":
            node = Node(source, match.start())
            stack[-1].add(node, match.start())
            stack.append(node)
        elif token == ")" and len(stack) > 1:
            stack.pop()
        elif token is not None and len(stack) > 1:
            stack[-1].add(token.lower(), match.start())
        elif token is not None:
            raise InputError(f"{source.place(match.start())}: expected a list, found '{shorten(token)}'")
    if len(stack) > 1:
        raise stack[-1].error("this list is never closed")
    if len(outer) != 1 or not isinstance(outer[0], Node):
        raise InputError(f"{source.name}: expected one list (define ...), found {len(outer)}")
    return outer[0]


def parse_plan(source: Source) -> list[Key]:
    """Steps in the order of the text. Time stamps must not decrease; they and durations mean nothing else."""
    # Comments become blanks, so that offsets stay true.
    text = re.sub(r";[^\n]*", lambda match: " " * len(match.group()), source.text).rstrip()
    steps: list[Key] = []
    position, latest = len(text) - len(text.lstrip()), Fraction(0)
    while position < len(text):
        match = _STEP.match(text, position)
        words = match.group(2).lower().split() if match else []
        if not match or not words:
            found = shorten(text[position : position + 100].split("\n")[0])
            raise InputError(f"{source.place(position)}: expected a step '(action argument ...)', found '{found}'")
        stamp = Fraction(match.group(1) or latest)
        if stamp < latest:
            raise InputError(f"{source.place(position)}: time stamps decrease; only sequential plans are read")
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
            word = binding.get(item, item)
            text += word if word == ")" or text.endswith("(") else " " + word
    return text.replace("( (", "((").lstrip() + (" ..." if work else "")


def render_number(value: Number) -> str:
    """An integer, a decimal where that is exact and short, otherwise a fraction."""
    scaled = value * 10**19
    if scaled.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    whole, decimals = divmod(abs(scaled.numerator), 10**19)
    return f"{'-' if value < 0 else ''}{whole}.{decimals:019d}".rstrip("0").rstrip(".")
