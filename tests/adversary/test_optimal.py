"""Claims of optimality in some random tasks; `python -m tests.adversary.optimal` looks at as many as one likes."""

from __future__ import annotations

from tests.adversary.optimal import CONFIGURATIONS, WRONG, check_seed


def test_no_wrong_claim() -> None:
    found = [verdict for seed in range(1, 41) for verdict in check_seed(CONFIGURATIONS, seed).values()]
    assert not [verdict for verdict in found if verdict.startswith(WRONG)]
    assert found.count("confirmed") > 10 and found.count("refused") > 5
