"""Claims of optimality in some random tasks; `python -m tests.adversary.optimal` looks at as many as one likes."""

from __future__ import annotations

from numbat.engines.exhaustion import Exhaustion
from tests.adversary.optimal import CONFIGURATIONS, WRONG, check_seed


def test_no_wrong_claim() -> None:
    verdicts = [check_seed(CONFIGURATIONS, seed) for seed in range(1, 41)]
    found = [verdict for of_task in verdicts for verdict in of_task.values()]
    assert not [verdict for verdict in found if verdict.startswith(WRONG)]
    assert found.count("confirmed") > 10 and found.count("refused") > 5
    assert [of_task[Exhaustion.name] for of_task in verdicts].count("confirmed") > 3
