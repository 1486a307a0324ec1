"""Two objects that can be interchanged without changing what is possible, at which cost, and what is wanted."""

from __future__ import annotations

from dataclasses import dataclass

from numbat.task.grounded import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Swap:
    """What is exchanged for what: pairs in a row (a0, b0, a1, b1, ...), a < b, ascending in a."""

    facts: Ints
    variables: Ints
    operators: Ints
