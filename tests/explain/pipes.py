"""Files that can be read once, as a shell's process substitution makes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def pipes(*files: Path) -> Iterator[list[str]]:
    """The names of pipes that hold what these small files hold."""
    with ExitStack() as stack:
        names = []
        for file in files:
            reading, writing = os.pipe()
            stack.callback(os.close, reading)
            os.write(writing, file.read_bytes())
            os.close(writing)
            names.append(f"/dev/fd/{reading}")
        yield names
