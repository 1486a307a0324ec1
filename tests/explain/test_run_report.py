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
from numbat.explain.run_report import MOST_SAMPLES, Recorder, Series, render
from numbat.portfolio.record import MemberRecord
from numbat.portfolio.runner import Snapshot
from numbat.run.optimal import Knowledge
from numbat.run.pursuit import Found
from numbat.run.solve import Report
from tests.browser import UNREADABLE, examine, needs_browser
from tests.explain.broken_tasks import Case


def snapshot(wall: float, memory: int, *best: tuple[int, float], note: object = "") -> Snapshot:
    boards = []
    for member, value in best:
        board = Board()
        board.slots[_core.BOARD_BEST_H] = value
        board.slots[_core.BOARD_EVALUATED] = 1
        boards.append((member, "whoever", board))
    return Snapshot(wall, memory, tuple(boards), note)


def ran(name: str, *turns: tuple[float, float]) -> MemberRecord:
    record = MemberRecord(name, starts=bool(turns))
    for begin, end in turns:
        record.ran(begin, end)
    return record


def a_run() -> tuple[Recorder, Report]:
    recorder = Recorder()
    recorder.watch(snapshot(1.0, 5 << 20, (0, float("inf"))))
    recorder.watch(snapshot(2.0, 9 << 20, (0, 7.0)))
    recorder.watch(snapshot(3.0, 7 << 20, (1, 2.5)))
    members = [ran("same", (1.0, 1.5), (2.5, 3.0)), ran("same", (2.0, 2.0004)), ran("never<i>")]
    found = [Found(7, Fraction(9), "same", 2.0), Found(4, Fraction(1, 2), "the<b>user", 3.25)]
    return recorder, Report(ExitCode.SUCCESS, "a plan <b>", found=found, wall=4.0, members=members)


def lanes_of(html: str) -> dict[str, list[str]]:
    """What is filled in each lane, by what is told of it."""
    lanes = re.findall(r'<svg [^>]*aria-label="([^"]*)">(.*?)</svg>', html.split("Who searched when")[1])
    return {label: re.findall(r'<path class="(?:busy|ready)" d="([^"]*)"/>', drawn) for label, drawn in lanes[:4]}


def test_lanes_show_who_searched_when() -> None:
    html = render(*a_run(), "task<script>.pddl")
    assert lanes_of(html) == {
        "preparation: 1.00 s": ["M0 4H250V16H0Z"],
        "same: 1.00 s in 2 turns": ["M250 4H375V16H250ZM625 4H750V16H625Z"],
        "same: under 1 ms": ["M500 4H500V16H500Z"],  # the style gives it a width
        "never&lt;i&gt;: not started": [],
    }
    assert html.count('<path class="plan" d="M500 0V20"/><path class="plan" d="M812 0V20"/>') == 3
    assert "<script" not in html and "<b>user" not in html


def test_members_of_one_name_are_told_apart() -> None:
    html = render(*a_run(), "task.pddl").split("Best heuristic values")[1].split("</section>")[0]
    assert html.count("<figure>") == 2 and ">7</text>" in html and ">2.5</text>" in html


def test_times_of_plans_are_those_of_the_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Counted from the start, as in the last line, also if the plan is there before the first look."""
    files = [str(path) for path in Case("", "delivery", (), "").write(tmp_path)]
    page = tmp_path / "run.html"
    assert main(["solve", *files, str(tmp_path / "plan"), "--report", str(page)]) == 0
    told = re.search(r"found by (\S+) after (\S+) s; (\S+) s,", capfd.readouterr().err)
    assert told and float(told[2]) <= float(told[3])
    html = page.read_text(encoding="utf-8")
    assert f'<td>{told[2]} s</td><td>4</td><td>4</td><td class="text">{told[1]}</td>' in html
    preparation, first, *others = lanes_of(html)
    assert "preparation" in preparation and first.startswith("S(hmd): ") and len(lanes_of(html)[first]) == 1
    assert all(label.endswith(": not started") for label in others)


def test_nothing_is_said_of_members_without_values() -> None:
    """Before its first evaluation a search has no value; what an improver posts there is none."""
    recorder, report = Recorder(), Report(ExitCode.SUCCESS, "", wall=2.0, members=[ran("S(hmd)"), ran("improve")])
    recorder.watch(Snapshot(1.0, 1, ((0, "S(hmd)", Board()),)))
    recorder.watch(snapshot(1.0, 1, (1, 0.0)))
    assert "Best heuristic values" not in render(recorder, report, "")


def test_bounds_of_a_search_for_an_optimal_plan() -> None:
    recorder, report = a_run()
    for wall, lower in ((1.0, 2), (3.0, 4)):
        recorder.watch(snapshot(wall, 1, note=Knowledge(Fraction(lower), None)))
    report.knowledge = Knowledge(Fraction(5), Fraction(9))
    html = render(recorder, report, "task.pddl")
    drawn = html.split("Lower bound of the cost</h2>")[1].split("</svg>")[0]
    assert re.search(r'class="line curve" d="M[\d.]+ [\d.]+(H[\d.]+V[\d.]+){2}H[\d.]+"', drawn)
    assert 'class="limit"' in drawn and "None of them is proved optimal" in html


def test_a_long_run_is_thinned_out() -> None:
    series = Series()
    for number in range(10 * MOST_SAMPLES):
        series.note(number / 20, Fraction(number))
    assert MOST_SAMPLES / 4 < len(series.points) <= MOST_SAMPLES + 1
    assert series.points[0] == (0, 0) and series.points[-1][1] == 10 * MOST_SAMPLES - 1


def test_many_plans_are_folded_up() -> None:
    found = [Found(100 - number, Fraction(100 - number), "one", 1.0 + number / 100) for number in range(90)]
    html = render(Recorder(), Report(ExitCode.SUCCESS, "", found=found, wall=3.0), "")
    assert "All 90 plans" in html and "Cost of the best plan over time" in html


@pytest.mark.parametrize("kind", ["unsolvable", "holds"])
def test_runs_without_a_search(kind: str, tmp_path: Path) -> None:
    """A goal that is out of reach, with the reason, and one that holds from the start."""
    relation = "<" if kind == "unsolvable" else ">"
    (tmp_path / "problem").write_text(f"(define (problem p) (:domain d) (:init (= (c) 1)) (:goal ({relation} (c) 0)))")
    domain = "(define (domain d) (:functions (c)) (:action a :parameters () :effect (increase (c) 1)))"
    (tmp_path / "domain").write_text(domain)
    files = [str(tmp_path / name) for name in ("domain", "problem", "plan", "page")]
    code = main(["solve", *files[:3], "--report", files[3]])
    html = Path(files[3]).read_text(encoding="utf-8")
    assert "peak memory" in html and ">0 MB<" not in html
    if kind == "holds":
        assert code == 0 and "plan with 0 steps" in html and "Upright lines are plans" in html
    else:
        assert code == 10 and "The search did not begin" in html
        assert "needs c &lt; 0, but c is at least 1 for ever" in html


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


LANES = f"""(page, window) => {{
  const times = [...page.querySelectorAll(".axis span")].map((time) => time.getBoundingClientRect());
  return {{ unreadable: ({UNREADABLE})(page),
    widths: [...page.querySelectorAll(".busy")].map((turn) => parseFloat(window.getComputedStyle(turn).strokeWidth)),
    apart: times.every((time, place) => !place || times[place - 1].right < time.left),
    beside: [...page.querySelectorAll(".lanes .who")].map((who) => who.getBoundingClientRect().top
      <= who.nextElementSibling.getBoundingClientRect().bottom) }};
}}"""


@needs_browser
@pytest.mark.parametrize("width", [1280, 800, 390])
def test_a_browser_shows_the_page(width: int, tmp_path: Path) -> None:
    recorder, report = a_run()
    report.wall = 4.4  # with a round time shortly before
    answer = examine(render(recorder, report, "n" * 300), width, tmp_path, LANES)
    assert answer["troubles"] == [] and answer["needed"] <= answer["width"] == width
    assert answer["result"]["unreadable"] == [] and answer["result"]["apart"]
    assert all(answer["result"]["beside"]) and len(answer["result"]["widths"]) == 2
    assert min(answer["result"]["widths"]) >= 2  # pixels, also of a turn that is shorter
