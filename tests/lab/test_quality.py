"""Plans over time beside published ones: by steps, or by cost where costs are something else."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError
from numbat.lab import quality, results
from numbat.lab.best import Best
from numbat.lab.cli import main
from numbat.lab.quality import Had, Known
from numbat.lab.results import Record


def run(domain: str, problem: str, plans: list[list[float]] | None, planner: str = "numbat") -> Record:
    """A run of 60 s whose plans are (after, steps, cost), the first by x, the others by y; None: it has none."""
    if plans is None:
        return Record(planner, domain, problem, 60.0, 1 << 30, "out-of-time")
    _, steps, cost = plans[-1]
    statistics: dict[str, object] = {"plans": [[*plan, "y" if number else "x"] for number, plan in enumerate(plans)]}
    return Record(
        planner, domain, problem, 60.0, 1 << 30, "solved", length=int(steps), cost=cost, statistics=statistics
    )


BELLS = [
    run("bell", "p1", [[1.0, 8, 8.0], [20.0, 4, 4.0]]),
    run("bell", "p2", [[12.0, 3, 3.0]]),
    run("bell", "p3", None),
    run("bell", "p4", [[0.5, 7, 7.0]]),  # nobody has published a plan
]
TOLLS = [run("toll", "p1", [[1.0, 2, 30.0], [2.0, 3, 20.0]])]
SHORTEST = {("bell", "p1"): 4, ("bell", "p2"): 4, ("bell", "p3"): 9, ("toll", "p1"): 2}
KNOWN = Known(SHORTEST, {("toll", "p1"): Best(Fraction(15), 3)})


@pytest.mark.parametrize(("seconds", "plan"), [(0.5, None), (1.0, Had(8, 8)), (19.9, Had(8, 8)), (60.0, Had(4, 4))])
def test_what_a_run_had_by_then(seconds: float, plan: Had | None) -> None:
    assert quality.had(BELLS[0], seconds) == plan


def test_a_run_without_times_is_good_for_its_whole_time_only() -> None:
    old = Record("numbat", "bell", "p1", 60.0, 1 << 30, "solved", length=4, cost=4.0)
    assert quality.had(old, 60.0) == Had(4, 4)
    with pytest.raises(ConfigurationError, match="does not tell when"):
        quality.had(old, 10.0)


def test_steps_are_compared_where_they_are_the_cost() -> None:
    early, late = (quality.sums(BELLS, seconds, KNOWN, by_cost=False) for seconds in (10.0, 60.0))
    assert (early.solved, early.compared, early.shorter, early.longer, early.score) == (2, 1, 0, 1, 0.5)
    assert (late.solved, late.compared, late.shorter, late.longer, late.score) == (3, 2, 1, 0, 2.0)


def test_costs_are_compared_where_they_are_not_the_steps() -> None:
    assert quality.costly_domains([*BELLS, *TOLLS], {}) == {"toll"}
    assert quality.costly_domains(BELLS, KNOWN.best) == {"toll"}
    assert [quality.sums(TOLLS, seconds, KNOWN, by_cost=True).score for seconds in (1.0, 60.0)] == [0.5, 0.75]


def test_a_plan_without_steps_is_as_good_as_any() -> None:
    nothing = quality.sums([run("bell", "p1", [[0.1, 0, 0.0]])], 60.0, KNOWN, by_cost=False)
    assert (nothing.score, nothing.shorter) == (1.0, 1)


def test_who_made_plans_better() -> None:
    found = quality.merits([*BELLS, *TOLLS])
    assert (found["x"].first, found["x"].better, found["x"].gain) == (4, 0, 0.0)
    assert (found["y"].first, found["y"].better) == (0, 2)
    assert found["y"].gain == pytest.approx(math.log(2) + math.log(1.5))


@pytest.mark.parametrize(("before", "after"), [(3.0, 0.0), (0.0, -2.0), (-1.0, -4.0)])
def test_costs_that_are_not_positive_have_no_ratio(before: float, after: float) -> None:
    found = quality.merits([run("bell", "p1", [[1.0, 5, before], [2.0, 5, after]])])
    assert (found["y"].better, found["y"].gain) == (1, 0.0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with results.appending(tmp_path / "runs") as file:
        for record in (*BELLS, *TOLLS):
            file.append(record)
    (tmp_path / "short.csv").write_text(
        "domain,problem,steps,planner\n" + "".join(f"{d},{p},{n},x\n" for (d, p), n in SHORTEST.items())
    )
    (tmp_path / "known.csv").write_text("domain,problem,cost,steps\ntoll,p1,15,3\n")
    words = ["--shortest", str(tmp_path / "short.csv"), "--known", str(tmp_path / "known.csv"), "--at", "10"]
    assert main(["quality", str(tmp_path / "runs"), *words]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "numbat, 60 s, 1 GB",
        "",
        "| domain | runs | solved, 10 s | shorter | longer | score | solved, 60 s | shorter | longer | score |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| bell | 4 | 2 | 0 | 1 | 0.500 | 3 | 1 | 0 | 1.000 |",
        "| toll (cost) | 1 | 1 | 0 | 1 | 0.750 | 1 | 0 | 1 | 0.750 |",
        "| **all** | 5 | 3 | 0 | 2 | 0.625 | 4 | 1 | 1 | 0.917 |",
        "",
        "compared: 2 at 10 s, 3 at 60 s",
        "",
        "| found by | first plans | better plans | of the gain |",
        "| --- | ---: | ---: | ---: |",
        "| y | 0 | 2 | 100.0 % |",
        "| x | 4 | 0 | 0.0 % |",
    ]
