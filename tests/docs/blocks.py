"""Run the code blocks of a page, top to bottom, as a reader would.

    python tests/docs/blocks.py PAGE FOLDER

Blocks       ```console   lines that begin with `$ ` are commands of a shell; what follows is what they print
             ```python    one session for the whole page; a ```text block right after it is what it prints
             any other    is not run; after a comment `<!-- file: NAME -->` it is written to that file
Comments     <!-- not run: WHY -->     right before a block that is not run
             <!-- exit code: N -->     right before a block whose last command ends like this; 0 otherwise
Expected     `...` stands for anything within a line, a line of nothing but `...` for any lines; without an expectation
             any output will do
Folder       where it happens; `examples` and the commands are expected to be there
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_COMMENT = re.compile(r"<!-- ([a-z ]+): (.*?) -->\n\s*\Z")
RUN = ("console", "python")


@dataclass(frozen=True)
class Block:
    """A fenced block, its first line in the page, and the comments before it."""

    language: str
    text: str
    line: int
    comments: dict[str, str]

    @property
    def claims_to_run(self) -> bool:
        return self.language in RUN and "not run" not in self.comments


def blocks(page: str) -> Iterator[Block]:
    for match in _BLOCK.finditer(page):
        before, comments = page[: match.start()], {}
        while comment := _COMMENT.search(before):
            comments[comment[1]] = comment[2]
            before = before[: comment.start()]
        yield Block(match[1], match[2], page.count("\n", 0, match.start()) + 1, comments)


def matches(expected: str, printed: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"[ ]*\n"
        for line in expected.strip("\n").split("\n")
    )
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


class Reader:
    """Somebody who types what a page says."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._session: dict[str, Any] = {"__name__": "__main__"}

    def read(self, page: str) -> None:
        found = list(blocks(page))
        for block, following in zip(found, [*found[1:], None], strict=True):
            try:
                self._do(block, following.text if following and following.language == "text" else "")
            except Exception as error:
                raise AssertionError(f"line {block.line}: {error}\n{block.text}") from error

    def _do(self, block: Block, following: str) -> None:
        if "file" in block.comments:
            (self._folder / block.comments["file"]).write_text(block.text, encoding="utf-8")
        elif block.claims_to_run and block.language == "console":
            self._type(block)
        elif block.claims_to_run:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, f"<line {block.line}>", "exec"), self._session)
            _compare(following, printed.getvalue())

    def _type(self, block: Block) -> None:
        commands = re.split(r"^\$ ", block.text, flags=re.M)
        assert not commands[0], "a command begins with '$ '"
        for number, part in enumerate(commands[1:], 2):
            command, expected = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.S).groups()  # type: ignore[union-attr]
            done = subprocess.run(
                ["bash", "-c", command], cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            code = int(block.comments.get("exit code", 0)) if number == len(commands) else 0
            assert done.returncode == code, f"exit code {done.returncode}:\n{done.stdout}"
            _compare(expected, done.stdout)


def _compare(expected: str, printed: str) -> None:
    assert not expected.strip() or matches(expected, printed), f"printed:\n{printed}\nexpected:\n{expected}"


if __name__ == "__main__":
    Reader(Path(sys.argv[2])).read(Path(sys.argv[1]).read_text(encoding="utf-8"))
