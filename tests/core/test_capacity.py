"""How many states fit: 50 million of a task with 60 facts and 4 numbers must fit into 8 GB."""

from __future__ import annotations

from tests.core.configurations import search
from tests.oracles.builder import Description, Op


def test_fifty_million_states_fit_into_eight_gigabytes() -> None:
    facts = {f"p{i}": False for i in range(60)}
    set_and_count = [Op(f"set{i}", [f"not p{i}"], [f"p{i}", f"x{i % 4} += 3"]) for i in range(60)]
    unset = [Op(f"unset{i}", [f"p{i}"], [f"not p{i}"]) for i in range(60)]
    numbers = {f"x{i}": 0 for i in range(4)}
    task = Description(facts, numbers, [*set_and_count, *unset], ["p0", "x0 < 0"]).task()
    result = search(task, "S(hgc)", time=60, memory=64 * 10**6)
    assert result.status == "out-of-memory"
    per_state = result.statistics["memory"] / result.statistics["evaluated"]
    assert 50e6 * per_state < 8e9
