"""`numbat solve --report`: what a recorder keeps of a run, and the page made of it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from numbat import _core
from numbat.cli import main
from numbat.engines.board import Board
from numbat.errors import ExitCode
from numbat.explain.run_report import MOST_SAMPLES, Recorder, render
from numbat.portfolio.record import Record
from numbat.portfolio.runner import Snapshot
from numbat.run.solve import Report
from numbat.task.plan import Plan
from tests.browser import examine, needs_browser
from tests.explain.broken_tasks import Case


def snapshot(wall: float, memory: int, **best: float) -> Snapshot:
    boards = []
    for name, value in best.items():
        board = Board()
        board.slots[_core.BOARD_BEST_H] = value
        boards.append((name, board))
    return Snapshot(wall, memory, tuple(boards))


def a_run() -> tuple[Recorder, Report]:
    recorder = Recorder()
    recorder.watch(snapshot(1.0, 5 << 20, first=float("inf")))
    recorder.watch(snapshot(2.0, 9 << 20, first=7.0))
    recorder.watch(snapshot(3.0, 7 << 20, second=2.5))
    recorder.publish(Plan((), Fraction(1, 2)))
    report = Report(ExitCode.SUCCESS, "a plan <b>", members=[Record("first"), Record("second"), Record("never<i>")])
    return recorder, report


def test_lanes_show_who_searched_when() -> None:
    html = render(*a_run(), "task<script>.pddl")
    busy = re.findall(r'<path class="busy" d="([^"]*)"/>', html)
    assert busy == ["M333.3 3H333.3V17H333.3ZM333.3 3H666.7V17H333.3Z", "M666.7 3H1000.0V17H666.7Z", ""]
    assert "best heuristic value of second" in html and "<td>0.5</td>" in html and "<script" not in html


def test_a_long_run_is_thinned_out() -> None:
    recorder = Recorder()
    for number in range(10 * MOST_SAMPLES):
        recorder.watch(snapshot(number / 20, 1 << 20, one=1.0))
    assert MOST_SAMPLES / 4 < len(recorder.samples) <= MOST_SAMPLES
    assert recorder.samples[-1].wall > 0.99 * 10 * MOST_SAMPLES / 20


def test_the_command_writes_the_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [str(path) for path in Case("", "delivery", (), "").write(tmp_path)]
    page = tmp_path / "run.html"
    assert main(["solve", *files, "--report", str(page)]) == 0
    assert "(unload box truck1 shop)" in capfd.readouterr().out
    html = page.read_text(encoding="utf-8")
    assert "Who searched when" in html and "S(hmd)" in html and "<h2>Plans</h2>" in html


def test_a_page_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path) -> None:
    domain, problem = Case("", "delivery", (), "").write(tmp_path)
    before, plan = domain.read_bytes(), tmp_path / "plan"
    for place in (tmp_path / "missing" / "run.html", domain):
        assert main(["solve", str(domain), str(problem), str(plan), "--report", str(place)]) == 36
        assert not plan.exists() and domain.read_bytes() == before


def test_the_answer_stands_when_the_page_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk, which is noticed only then."""
    files = [str(path) for path in Case("", "delivery", (), "").write(tmp_path)]
    monkeypatch.setattr("numbat.cli._check_page", lambda *_: None)
    page = tmp_path / "missing" / "run.html"
    assert main(["solve", *files, str(tmp_path / "plan"), "--report", str(page)]) == 0
    *_, told, last = capfd.readouterr().err.splitlines()
    assert "cannot be written" in told and "plan with 4 steps" in last


def test_the_problem_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    domain, problem = Case("", "delivery", (), "").write(tmp_path)
    odd = problem.rename(tmp_path / "caf\udce9.pddl")
    page = tmp_path / "run.html"
    assert main(["solve", str(domain), str(odd), str(tmp_path / "plan"), "--report", str(page)]) == 0
    assert "caf" in page.read_text(encoding="utf-8")


@needs_browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_browser_shows_the_page(width: int, tmp_path: Path) -> None:
    answer = examine(render(*a_run(), "n" * 300), width, tmp_path)
    assert answer["troubles"] == [] and answer["needed"] <= answer["width"] == width
