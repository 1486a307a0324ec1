"""How freed memory is treated while large tasks are grounded.

Grounding makes thousands of long columns that live for a moment. If the pages of those that are gone go back to the
system, as is the rule here, half of the time is spent on getting new ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numbat import _core


@contextmanager
def freed_memory_kept() -> Iterator[None]:
    """Inside, freed memory stays with the process and is used again; afterwards it is given back."""
    _core.keep_freed_memory(True)
    try:
        yield
    finally:
        _core.keep_freed_memory(False)
