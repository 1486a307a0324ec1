"""The runner of code blocks: it runs what it says, and notices what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import Reader, blocks, matches

PAGE = """
<!-- file: data -->
```pddl
(a b)
```
```console
$ cat data
(a b)
$ printf '1\\n2\\n3\\n'
1
...
```
```python
x = open("data").read()
```
words
```python
print(x.strip(), 3)
```
```text
(a ...) 3
```
<!-- not run: it is not there -->
```console
$ nonsense
```
<!-- exit code: 3 -->
```console
$ exit 3
```
"""


def test_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Reader(tmp_path).read(PAGE)
    assert [block.claims_to_run for block in blocks(PAGE)] == [False, True, True, True, False, False, True]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("exit 3", "exit 4", 28), ("3\n```\n<!-- not", "4\n```\n<!-- not", 17), ("(a b)\n$", "(a c)\n$", 6)],
)
def test_mistakes(old: str, new: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert old in PAGE
    with pytest.raises(AssertionError, match=f"^line {line}"):
        Reader(tmp_path).read(PAGE.replace(old, new))


def test_expectations() -> None:
    assert matches("a\n...\nc", "a\nb\nb\nc\n") and matches("a...c", "abbc") and matches("a", "a\n")
    assert not matches("a\n...\nc", "a\nb") and not matches("a", "ab") and not matches("a.c", "abc")
