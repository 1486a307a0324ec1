"""`numbat show`: the numbers on the page are the referee's, and a real browser shows it, whatever the names are."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from numbat.cli import main
from numbat.explain.charts import COLUMNS, SMALL, TAIL, Curve, Limit, draw, short
from numbat.explain.course import Course, follow
from numbat.explain.rules import RuleModel
from numbat.explain.show import MOST_CHANGES, STATIC_STEPS, render, show
from numbat.normalise import normalise
from numbat.pddl import load
from numbat_validate import load as load_for_referee
from tests.browser import UNREADABLE, examine, needs_browser, screenshot
from tests.explain import hostile
from tests.explain.broken_tasks import Case
from tests.explain.pipes import pipes

PLAN = ["(load box truck1 depot)", "(drive truck1 depot hub)", "(drive truck1 hub shop)", "(unload box truck1 shop)"]
STRAY = '(drive truck1 <script>document.title="broken"</script> hub)'


def task(folder: Path) -> tuple[Path, Path]:
    return Case("", "delivery", (), "").write(folder)


def course(folder: Path, plan: list[str]) -> Course:
    domain, problem = task(folder)
    read_domain, read_problem, _ = load(domain, problem)
    model = RuleModel(read_domain, read_problem, normalise(read_domain, read_problem))
    return follow(model, load_for_referee(domain, problem), plan)


def page(folder: Path, plan: list[str]) -> str:
    (folder / "plan").write_text("\n".join(plan))
    return show(*task(folder), folder / "plan").html


def data_of(html: str) -> dict[str, list[object]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, list[object]] = json.loads(found[1])
    return data


# --- the course of a plan ---


def test_changes_are_what_the_referee_does(tmp_path: Path) -> None:
    followed = course(tmp_path, PLAN)
    assert followed.verdict.valid and followed.executed == 4
    assert followed.changes[0].values == ((("loaded", "truck1"), 0, 6),)
    assert followed.changes[0].added == (("in", "box", "truck1"),)
    assert followed.changes[0].deleted == (("at", "box", "depot"),)
    assert followed.final["fuel", "truck1"] == 0
    assert followed.goals == [("(at box shop)", True)]


def test_demands_tell_what_is_left_over(tmp_path: Path) -> None:
    told = {(demand.step, demand.text): (demand.slack, demand.bounds) for demand in course(tmp_path, PLAN).demands}
    fuel, distance = ("fuel", "truck1"), ("distance", "hub", "shop")
    assert told[2, "fuel(truck1) >= distance(hub, shop)"] == (0, ((fuel, 4, ">="), (distance, 4, "<=")))
    slack, bounds = told[0, "loaded(truck1) + size(box) <= capacity(truck1)"]
    assert slack == 0 and (("loaded", "truck1"), Fraction(0), "<=") in bounds


def test_a_plan_is_followed_as_far_as_it_goes(tmp_path: Path) -> None:
    followed = course(tmp_path, [*PLAN[:2], STRAY, *PLAN[2:]])
    assert not followed.verdict.valid and followed.verdict.step == 3 and followed.executed == 2


def test_files_are_read_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan").write_text("\n".join(PLAN))
    with pipes(*task(tmp_path), tmp_path / "plan") as names:
        assert main(["show", *names, "-o", str(tmp_path / "page.html")]) == 0
    assert "the plan is valid" in capfd.readouterr().err
    assert "unload" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["domain.pddl", "problem.pddl", "plan", "missing/page.html", "."])
def test_no_file_of_the_user_is_replaced_by_a_page(name: str, tmp_path: Path) -> None:
    domain, problem = task(tmp_path)
    (tmp_path / "plan").write_text("\n".join(PLAN))
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert {domain.name, problem.name, "plan"} == {file.name for file in before}
    assert main(["show", str(domain), str(problem), str(tmp_path / "plan"), "-o", str(tmp_path / name)]) == 36
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


# --- pictures ---


def test_a_picture_of_a_long_history_is_small() -> None:
    many = [(step, step % 97) for step in range(50_000)]
    limits = [Limit(step, Fraction(step % 11), ">=") for step in range(50_000)]
    assert len(draw(Curve(many, 50_000, limits), "many")) < 40 * COLUMNS


def test_a_picture_of_a_short_history_has_every_value() -> None:
    drawn = draw(Curve([(0, 8), (2, 4), (3, Fraction(1, 2))], 4, [Limit(2, Fraction(4), ">")]), "fuel")
    assert 'aria-label="fuel"' in drawn and "&gt; 4" in drawn
    assert re.search(r'class="line curve" d="M[\d.]+ [\d.]+(H[\d.]+V[\d.]+){2}H[\d.]+"', drawn)


def path(drawn: str, kind: str) -> str:
    found = re.search(rf'<path class="{kind}" d="([^"]*)"/>', drawn)
    return found[1] if found else ""


def test_a_limit_is_drawn_where_it_is_asked_for() -> None:
    """From the value that is compared to its end; the goal's right of the axis, as the last value is."""
    limits = [Limit(0, Fraction(5), "<="), Limit(3, Fraction(5), "<="), Limit(4, Fraction(7), "=")]
    drawn = draw(Curve([(0, 0), (2, 10), (4, 7)], 4, limits), "level")
    step = (SMALL.x_end - SMALL.left) / 4
    assert re.findall(r"M([\d.]+) [\d.]+h([\d.]+)", path(drawn, "demand")) == [
        (f"{SMALL.left:.1f}", f"{step:.1f}"),
        (f"{SMALL.left + 3 * step:.1f}", f"{step:.1f}"),
        (f"{SMALL.x_end:.1f}", f"{TAIL:.1f}"),
    ]
    assert re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", path(drawn, "limit")) == [
        (f"{SMALL.left:.1f}", f"{SMALL.x_end:.1f}")
    ]
    assert path(drawn, "line curve").endswith(f"H{SMALL.x_end + TAIL:.1f}") and "= 7" in drawn and "≤ 5" in drawn


def test_the_goal_is_labelled_among_many_limits() -> None:
    limits = [*(Limit(step, Fraction(step), ">=") for step in range(9)), Limit(9, Fraction(4), "=")]
    drawn = draw(Curve([(0, 0), (9, 9)], 9, limits), "level")
    assert "= 4" in drawn and "≥" not in drawn


def test_a_limit_far_away_leaves_room_for_the_values() -> None:
    drawn = draw(Curve([(0, 0), (2, 10)], 4, [Limit(1, Fraction(-1000), ">=")]), "level")
    assert "↓ ≥ -1000" in drawn and path(drawn, "demand") == ""
    both = [Limit(3, Fraction(1000), "<="), Limit(4, Fraction(10), "=")]
    assert "= 10" in draw(Curve([(0, 0), (2, 10)], 4, both), "level")
    assert re.search(r">0</text>", drawn) and not re.search(r">-1000</text>", drawn)


def test_a_number_at_rest_is_a_line_in_a_crowded_picture() -> None:
    """Not the last of many changes stretched to the next one."""
    points = [*((step, 10 * (step % 2)) for step in range(400)), (9_999, 10)]
    drawn = path(draw(Curve(points, 10_000), "level"), "band")
    x = SMALL.left + 0.9 * (SMALL.x_end - SMALL.left)
    spots = [tuple(map(float, spot.split())) for spot in drawn[1:-1].split("L")]
    near = sorted(spot for spot in spots if spot[0] < x)[-2:]
    assert near[0] == near[1] and near[0][0] < SMALL.left + 20


def test_numbers_in_few_characters() -> None:
    texts = ["0", "-9999", "0.3333", "12.35k", "-3.2M", "1e+12", "1e+400", "-2.5e-500"]
    values = [0, -9999, Fraction(1, 3), 12_345, -3_200_000, 10**12, 10**400, Fraction(-25, 10**501)]
    assert [short(value) for value in values] == texts


@pytest.mark.parametrize(
    ("cost", "told"), [("0.125", "0.125"), ("12345.5", "12,345.5"), ("(/ 1 3)", "0.33"), ("(- 0 0.5)", "-0.5")]
)
def test_a_cost_is_exact_where_it_is_a_short_decimal(cost: str, told: str, tmp_path: Path) -> None:
    domain = f"(define (domain d) (:functions (c)) (:action a :parameters () :effect (increase (c) {cost})))"
    problem = "(define (problem p) (:domain d) (:init (= (c) 0)) (:goal (> 1 0)) (:metric minimize (c)))"
    assert f"<b>{told} <small>of the metric" in page_of(tmp_path, domain, problem, "(a)")


def test_a_small_cost_is_not_nothing(tmp_path: Path) -> None:
    domain = "(define (domain d) (:functions (c)) (:action a :parameters () :effect (increase (c) 0.00002)))"
    problem = "(define (problem p) (:domain d) (:init (= (c) 0)) (:goal (> (c) 0)) (:metric minimize (c)))"
    html = page_of(tmp_path, domain, problem, "(a)")
    assert "2e-05" in html and "0.00<" not in html


# --- the page ---


def page_of(folder: Path, domain: str, problem: str, plan: str) -> str:
    files = [folder / name for name in ("domain", "problem", "plan")]
    for file, text in zip(files, (domain, problem, plan), strict=True):
        file.write_text(text)
    return show(*files).html


ODD = """(define (domain odd) (:functions (speed) (load) (fuel) (size))
  (:action set-speed :parameters () :effect (assign (speed) 5))
  (:action set-load :parameters () :effect (assign (load) 2))
  (:action more :parameters () :effect (and (increase (load) 3) (decrease (fuel) 4))))"""
ODD_PROBLEM = "(define (problem p) (:domain odd) (:init (= (fuel) 2) (= (size) 1)) (:goal (<= (fuel) 2)))"


def test_a_number_has_no_value_before_it_gets_one(tmp_path: Path) -> None:
    html = page_of(tmp_path, ODD, ODD_PROBLEM, "(set-speed)(set-load)(more)")
    assert "<b>3 <small>of 4</small></b>" in html and "1 number that never changes" in html
    assert "speed: no value at the start, 5 at the end" in html
    assert "<output>&ndash; → 5</output>" in html and "<output>2 → -2</output>" in html
    drawn = html.split('aria-label="load: no value at the start')[1].split("</svg>")[0]
    start = SMALL.left + 2 / 3 * (SMALL.x_end - SMALL.left)
    assert path(drawn, "line curve").startswith(f"M{start:.1f} ")


def test_a_number_too_long_to_read_is_rounded_and_says_so(tmp_path: Path) -> None:
    domain = f"(define (domain d) (:functions (c)) (:action a :parameters () :effect (assign (c) {10**50})))"
    html = page_of(tmp_path, domain, "(define (problem p) (:domain d) (:init (= (c) 0)) (:goal (> (c) 0)))", "(a)")
    assert "c 0 → ≈ 1e+50" in html and "10000000000" not in html
    assert data_of(html)["series"] == [[[0, 1], ["0", "≈ 1e+50"]]]


@needs_browser
def test_many_changes_of_one_step_are_folded_up(tmp_path: Path) -> None:
    domain = """(define (domain d) (:requirements :typing) (:types t) (:functions (c ?t - t))
      (:action a :parameters () :effect (forall (?t - t) (increase (c ?t) 1))))"""
    objects = [f"o{number}" for number in range(MOST_CHANGES + 10)]
    init = " ".join(f"(= (c {name}) 0)" for name in objects)
    problem = f"(define (problem p) (:domain d) (:objects {' '.join(objects)} - t) (:init {init}) (:goal (> (c o1) 0)))"
    html = page_of(tmp_path, domain, problem, "(a)")
    assert "<details><summary>10 more</summary>" in html
    count = "(page) => [...page.querySelectorAll('#rows .number')].filter((node) => node.checkVisibility()).length"
    answer = examine(html, 1280, tmp_path, count)
    assert answer["result"] == MOST_CHANGES and "10 more" in answer["text"]


@needs_browser
def test_a_plan_without_steps(tmp_path: Path) -> None:
    answer = examine(page_of(tmp_path, ODD, ODD_PROBLEM, ""), 1280, tmp_path)
    assert answer["troubles"] == [] and "The plan has no steps." in answer["text"]
    assert "No number changes." in answer["text"] and "Find" not in answer["text"]


def test_every_number_and_threshold_is_on_the_page(tmp_path: Path) -> None:
    html = page(tmp_path, PLAN)
    for name in ("loaded(truck1)", "fuel(truck1)", "capacity(truck1)", "size(note)", "distance(hub, shop)"):
        assert name in html
    assert "≥ 4" in html and "8 → 4" in html and "Valid:" in html
    assert not re.search(r"<link|src=|url\(|https?://", html)
    assert len(data_of(html)["steps"]) == 4


def test_the_command_says_whether_the_plan_is_valid(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = task(tmp_path)
    plan, output = tmp_path / "plan", tmp_path / "plan.html"
    plan.write_text("\n".join(PLAN))
    arguments = ["show", str(domain), str(problem), str(plan)]
    assert main([*arguments, "-o", str(output)]) == 0
    plan.write_text("\n".join(PLAN[1:]))
    assert main(arguments) == 1
    streams = capfd.readouterr()
    assert "Step 3 cannot be executed" in streams.out and "the plan is not valid" in streams.err
    assert output.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert main([*arguments, "-o", str(tmp_path / "no" / "where.html")]) == 36
    plan.write_text("(unbalanced")
    assert main(arguments) == 31


def test_names_stay_names() -> None:
    html = render(hostile.course(), hostile.NAMES[0], hostile.NAMES[3])
    assert html.count("<script") == 2 and html.count("</script>") == 2 and "<img" not in html
    assert html.count("</title>") == html.count("</style>") == 1
    assert "\u2028" not in html.split('id="data">')[1]


CURSOR = """(page, window) => {
  const cursor = page.getElementById("cursor");
  cursor.value = 2;
  cursor.dispatchEvent(new window.Event("input"));
  const values = [...page.querySelectorAll("figure output")].map((output) => output.textContent);
  const find = page.getElementById("find");
  find.value = "unload";
  find.dispatchEvent(new window.Event("input"));
  return { now: page.getElementById("now").textContent, values, rows: page.getElementById("rows").children.length,
           unnamed: [...page.querySelectorAll("button, input, svg")].filter((node) => !(node.getAttribute("aria-label")
             || node.textContent || (node.labels && node.labels.length))).length };
}"""


@needs_browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_browser_shows_the_small_page(width: int, tmp_path: Path) -> None:
    answer = examine(page(tmp_path, PLAN), width, tmp_path, CURSOR)
    assert answer["troubles"] == [] and answer["needed"] <= answer["width"] == width
    assert "truck1" in answer["text"] and "Tightest conditions" in answer["text"]
    assert answer["result"]["now"] == "2 of 4: drive truck1 depot hub"
    assert answer["result"]["values"] == ["6", "4"] and answer["result"]["rows"] == 1
    assert answer["result"]["unnamed"] == 0


@needs_browser
@pytest.mark.parametrize("width", [1280, 800, 390])
def test_a_browser_shows_hostile_names(width: int, tmp_path: Path) -> None:
    answer = examine(render(hostile.course(), hostile.NAMES[1], hostile.NAMES[0]), width, tmp_path, UNREADABLE)
    assert answer["result"] == []
    assert answer["troubles"] == [] and answer["needed"] <= answer["width"] == width
    assert answer["title"] == f"Plan for {hostile.NAMES[0]}" and hostile.NAMES[3] in answer["text"]


@needs_browser
def test_a_browser_shows_fifty_thousand_steps(tmp_path: Path) -> None:
    followed = course(tmp_path, PLAN)
    followed.changes = followed.changes * 12_500
    followed.steps = followed.steps * 12_500
    html = render(followed, "delivery", "again and again")
    assert html.count("<li value=") == STATIC_STEPS
    answer = examine(html, 1280, tmp_path, "(page) => page.querySelectorAll('#rows li').length")
    assert answer["troubles"] == [] and answer["needed"] <= answer["width"]
    assert answer["result"] == 100 and "1 to 100 of 50,000" in answer["text"]


@needs_browser
def test_paper_says_which_steps_it_shows(tmp_path: Path) -> None:
    html = page(tmp_path, PLAN).replace("@media print", "@media all")
    shown = "(page) => [...page.querySelectorAll('button, .pager span')].filter((node) => node.offsetHeight).map("
    answer = examine(html, 720, tmp_path, f"{shown}(node) => node.textContent)")
    assert answer["result"] == [*(step.strip("()") for step in PLAN), "1 to 4 of 4"]


@needs_browser
def test_dark_is_not_light(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(tmp_path, PLAN), encoding="utf-8")
    light = screenshot(tmp_path / "page.html", tmp_path / "light.png")
    dark = screenshot(tmp_path / "page.html", tmp_path / "dark.png", "--blink-settings=preferredColorScheme=0")
    assert light != dark
