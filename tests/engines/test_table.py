"""Engines are members: by their names in the notation, from the table, declining what they cannot handle."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbat.engines import table
from numbat.engines.board import Board
from numbat.engines.compiled import CompiledSearch
from numbat.engines.engine import Engine
from numbat.engines.outcome import Outcome, Status
from numbat.engines.problem import Problem
from numbat.errors import ConfigurationError, ExitCode
from numbat.run.solve import Callbacks, Report, Request, solve
from numbat.search.options import SearchOptions
from numbat.search.registry import SCOUTS
from numbat.search.run import Limits
from tests.search import small_tasks


class Guess:
    """Tries its first operator a few times."""

    name = "guess"

    def declines(self, problem: Problem) -> str | None:
        return "it has more than two operators" if len(problem.grounded.operator_names) > 2 else None

    def run(self, problem: Problem, limits: Limits, board: Board) -> Outcome:
        return Outcome(Status.SOLVED, (problem.grounded.operator_names.index("(up)"),) * 5)


@pytest.fixture(autouse=True)
def guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(options: SearchOptions) -> Engine:
        return Guess()

    monkeypatch.setattr(table, "ENGINES", {"guess": table.EngineInfo("tries its first operator", make)})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("guess", ["guess"]),
        ("P(guess, S(hmd))", ["guess", "S(hmd)"]),
        ("P(3h||guess||guess*3)", ["S(hmd)", "S(hadd)", "S(hmrp+hj)", "guess"]),
    ],
)
def test_the_notation_names_engines(text: str, names: list[str]) -> None:
    read = table.configuration(text)
    assert table.configuration(str(read)) == read
    assert [make(SearchOptions()).name for make in table.makers(read)] == names


def test_members_know_which_searches_run_beside_them() -> None:
    wanted = table.configuration("P(S(hgc), guess, S(hmd)*2)")
    first, guess, last = (make(SearchOptions()) for make in table.makers(wanted))
    assert isinstance(first, CompiledSearch) and isinstance(guess, Guess) and isinstance(last, CompiledSearch)
    assert (first.options.beside, last.options.beside) == ({last.search}, {first.search})


def test_scouts_join_a_portfolio_that_does_not_have_them() -> None:
    scouts = table.configuration(SCOUTS).members
    assert len(scouts) > 1 and table.scouts(table.configuration("P(3h||3n)")) == scouts
    assert table.scouts(table.configuration(f"P(S(hgc), {scouts[0]}*3)")) == scouts[1:]
    assert table.scouts(table.configuration("S(hadd)")) == ()


@pytest.mark.parametrize("text", ["P(gues)", "S(guess)", "M(guess)", "guess(hadd)"])
def test_elsewhere_an_engine_has_no_place(text: str) -> None:
    with pytest.raises(ConfigurationError):
        table.configuration(text)


def ask(task: tuple[str, str], search: str, folder: Path) -> tuple[Report, list[str]]:
    said: list[str] = []
    domain, problem = small_tasks.write(task, folder)
    request = Request(domain, problem, folder / "plan", search, SearchOptions(), time=20.0, memory=1 << 30)
    return solve(request, Callbacks(said.append)), said


def test_an_engine_of_another_kind_finds_a_plan(tmp_path: Path) -> None:
    report, _ = ask(small_tasks.COUNTER, "guess", tmp_path)
    assert report.exit_code is ExitCode.SUCCESS and report.found_by == "guess"
    assert (tmp_path / "plan").read_text() == "(up)\n" * 5 + "; cost = 5\n"


def test_who_declines_is_left_out(tmp_path: Path) -> None:
    report, said = ask(small_tasks.DELIVERY, "P(guess, S(hadd))", tmp_path)
    assert report.found_by == "S(hadd)" and said == ["guess declines: it has more than two operators"]
    with pytest.raises(ConfigurationError, match="guess declines"):
        ask(small_tasks.DELIVERY, "guess", tmp_path)
