"""The planner called from Python."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

import numbat
import numbat_validate as validate
from numbat import PlanningError, Status, solve
from numbat.errors import ExitCode
from tests.search import small_tasks
from tests.test_obstacles import HUGE

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_plan() -> None:
    domain, problem = EXAMPLES / "jugs" / "domain.pddl", EXAMPLES / "jugs" / "problem.pddl"
    solution = solve(domain, str(problem), time=30, memory="1G", search="S(hadd)", options=("--seed", "3"))
    assert solution.exit_code == ExitCode.SUCCESS
    assert solution.plan and solution.cost == len(solution.plan)
    assert validate.check(domain, problem, list(solution.plan)).valid
    assert solution.statistics["found_by"] == "S(hadd)"


def test_file_names_that_look_like_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES.parent))
    monkeypatch.chdir(tmp_path)
    assert solve(domain.rename("-d.pddl"), problem.rename("--json")).plan


def test_proof_that_there_is_none(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.UNSOLVABLE, tmp_path)
    solution = solve(domain, problem)
    assert solution.plan is None and solution.unsolvable


def test_bad_input_raises_what_the_planner_says(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    problem.write_text(problem.read_text().replace("(:goal", "(:gaol"))
    with pytest.raises(PlanningError, match=r"(?s)^/.*problem\.pddl:\d+:\d+: .*gaol") as caught:
        solve(domain, problem)
    assert caught.value.exit_code == ExitCode.TRANSLATE_INPUT_ERROR


def test_standard_input_is_not_waited_for(tmp_path: Path) -> None:
    domain, _ = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    with pytest.raises(PlanningError, match="cannot read"):
        solve(domain, "-", timeout=60)


def test_nonsense_options_raise(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    with pytest.raises(PlanningError, match="frobnicate"):
        solve(domain, problem, search="S(frobnicate)")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--help",), "--help"),
        (("--version",), "--version"),
        (("--",), "'--'"),
        (("--", "plan"), "'--'"),
        (("plan",), "'plan'"),
        (("--anytime", "plan"), "'plan'"),
        (("--time",), "--time"),
        (("--time", "soon"), "seconds"),
        ("--anytime", "sequence of words"),
        (("--frobnicate",), "--frobnicate"),
        (("--search", "S(\0)"), "null"),
    ],
)
def test_odd_options_are_refused(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    before = problem.read_text()
    with pytest.raises(PlanningError, match=re.escape(said)) as caught:
        solve(domain, problem, options=options)
    assert caught.value.exit_code == ExitCode.DRIVER_INPUT_ERROR
    assert problem.read_text() == before and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    "options", [("--json",), ("--json", "--json"), ["--seed", 3], ("--time=20", "--time", "30"), ("--track", "agile")]
)
def test_options_that_are_not_needed_do_no_harm(options: tuple[str, ...], tmp_path: Path) -> None:
    assert solve(*small_tasks.write(small_tasks.DELIVERY, tmp_path), options=options).plan


def test_the_caller_may_ignore_its_children(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert solve(*small_tasks.write(small_tasks.UNSOLVABLE, tmp_path)).unsolvable
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_costs_of_any_size(tmp_path: Path) -> None:
    domain, problem = HUGE
    for rest, cost in (("0.5", Fraction(10) ** 500 + Fraction(1, 2)), ("7", 10**500 + 7)):
        text = problem.replace("NUMBER", "1" + "0" * 250).replace("REST", rest)
        assert solve(*small_tasks.write((domain.replace("PRICE", "0"), text), tmp_path)).cost == cost


@pytest.mark.parametrize("name", ["planner", "numbat", "validate", "numbat_validate", "sympy", "json", "subprocess"])
def test_nothing_in_the_current_directory_is_imported(name: str, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text("import sys; from numbat import solve; print(*solve(*sys.argv[1:]).plan, sep='\\n')")
    done = subprocess.run([sys.executable, script, domain, problem], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert validate.check(domain, problem, done.stdout.splitlines()).valid


def running_planners(marker: str) -> list[str]:
    """Processes whose command line has the marker."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if marker.encode() in file.read_bytes():
                found.append(file.parent.name)
    return found


def gone(marker: str) -> bool:
    """Is nobody left who has the marker on the command line? The system may take a moment to remove ended processes."""
    deadline = time.monotonic() + 10
    while running_planners(marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not running_planners(marker)


def test_steps_have_names_and_arguments(tmp_path: Path) -> None:
    solution = solve(*small_tasks.write(small_tasks.DELIVERY, tmp_path))
    assert solution.status is Status.SOLVED and solution.plan is not None
    for step in solution.plan:
        assert f"({' '.join([step.name, *step.arguments])})" == step
    assert solution.cost == solution.plan.cost and isinstance(solution.cost, Fraction)


def test_texts_instead_of_files() -> None:
    domain, problem = small_tasks.DELIVERY
    solution = solve(domain, problem)
    assert solution.plan is not None
    assert numbat.validate(domain, problem, solution.plan.steps).valid


@pytest.mark.parametrize(
    ("old", "new", "file"), [("(:goal", "(:gaol", "<problem>"), ("(:action", "(:actoin", "<domain>")]
)
def test_an_error_in_a_text_has_a_place(old: str, new: str, file: str) -> None:
    domain, problem = (text.replace(old, new) for text in small_tasks.DELIVERY)
    with pytest.raises(PlanningError) as caught:
        solve(domain, problem)
    error = caught.value
    assert error.span is not None and error.span.file == file and error.span.line > 0 and error.span.column > 0
    assert error.got is not None and new in str(error) and str(error).startswith(f"{file}:")


@pytest.mark.parametrize(
    ("number", "old", "new", "place", "code"),
    [
        (0, "(:action", "(:actoin", r"<domain>:\d+:\d+", ExitCode.TRANSLATE_INPUT_ERROR),
        (1, "(:goal", "(:gaol", r"<problem>:\d+:\d+", ExitCode.TRANSLATE_INPUT_ERROR),
        (0, "(:action", "(:derived (p) (p)) (:action", r"<domain>:\d+:\d+", ExitCode.SEARCH_UNSUPPORTED),
    ],
)
def test_the_validator_raises_as_the_planner_does(number: int, old: str, new: str, place: str, code: ExitCode) -> None:
    texts = list(small_tasks.DELIVERY)
    texts[number] = texts[number].replace(old, new, 1)
    with pytest.raises(PlanningError) as caught:
        numbat.validate(texts[0], texts[1], [])
    error = caught.value
    assert error.exit_code == code and re.fullmatch(place, str(error.span)) and str(error).startswith(str(error.span))


def test_plans_to_be_judged_are_files_texts_or_steps(tmp_path: Path) -> None:
    domain, problem = small_tasks.DELIVERY
    plan = solve(domain, problem).plan
    assert plan is not None
    (file := tmp_path / "plan").write_text(plan.text())
    for form in (plan, plan.steps, list(plan), plan.text(), file, str(file)):
        assert numbat.validate(domain, problem, form).valid
    assert not numbat.validate(domain, problem, plan.steps[-1]).valid
    with pytest.raises(PlanningError, match=r"^missing: cannot be read"):
        numbat.validate(domain, problem, "missing")
    with pytest.raises(PlanningError) as caught:
        numbat.validate(domain, problem, "(drive\n")
    assert caught.value.span is not None and caught.value.span.line == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: solve("(define (domain d)", small_tasks.DELIVERY[1]),
        lambda: numbat.inspect(small_tasks.DELIVERY[0], "(define (problem p) (:derived (p)))"),
        lambda: numbat.validate("missing", small_tasks.DELIVERY[1], []),
        lambda: solve(*small_tasks.DELIVERY, search="S(frobnicate)"),
    ],
)
def test_errors_come_back_from_other_processes_whole(call: Callable[[], object]) -> None:
    with pytest.raises(PlanningError) as caught:
        call()
    error, copy = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is PlanningError and str(copy) == str(error)
    for name in ("exit_code", "message", "span", "expected", "got"):
        assert getattr(copy, name) == getattr(error, name)


def test_a_time_of_zero_is_not_no_limit() -> None:
    for call in (solve, numbat.plans):
        with pytest.raises(PlanningError, match="--time"):
            call(*small_tasks.DELIVERY, time=0, timeout=60)
    assert asyncio.run(numbat.solve_async(*small_tasks.DELIVERY, time=None, timeout=60)).plan is not None


def test_texts_that_cannot_be_encoded() -> None:
    """Read with errors="surrogateescape", a comment in Latin-1 has them."""
    domain, problem = small_tasks.DELIVERY
    comment = "; caf\udce9\n"
    solution = solve(comment + domain, comment + problem)
    assert solution.plan is not None
    assert numbat.validate(comment + domain, comment + problem, comment + solution.plan.text()).valid
    assert numbat.inspect(comment + domain, problem).grounding.operators > 0
    for bad in ("\udce9", "\ud800"):
        with pytest.raises(PlanningError, match=r"^<domain>:1:1"):
            solve(bad + "\n" + domain, problem)
        with pytest.raises(PlanningError, match=r"^<domain>:1:1"):
            numbat.validate(bad + "\n" + domain, problem, [])


def test_an_error_in_a_plan_to_be_improved_has_a_place() -> None:
    with pytest.raises(PlanningError, match=r"^<plan>:2:1: expected a step") as caught:
        numbat.improve(*small_tasks.DELIVERY, "(drive a b)\n(drive b\n", timeout=60)
    assert caught.value.span is not None and caught.value.span.line == 2


def test_a_plan_knows_that_it_is_optimal() -> None:
    proved, first = solve(*small_tasks.DELIVERY, optimal=True), solve(*small_tasks.DELIVERY)
    assert proved.proved_optimal and proved.plan is not None and proved.plan.optimal
    assert "; optimal" in proved.plan.text()
    assert first.plan is not None and not first.plan.optimal


def test_nothing_is_a_text_without_anything_in_it() -> None:
    with pytest.raises(PlanningError, match=r"^<domain>:1:1: the file is empty"):
        solve("", small_tasks.DELIVERY[1])


def test_ever_better_plans(tmp_path: Path) -> None:
    found = numbat.plans(EXAMPLES / "orchard/domain.pddl", EXAMPLES / "orchard/problem.pddl", timeout=20)
    costs = [plan.cost for plan in found if plan.cost is not None]
    assert len(costs) >= 2 and costs == sorted(set(costs), reverse=True)
    assert found.solution is not None and found.solution.cost == costs[-1]


@pytest.fixture
def endless(tmp_path: Path) -> tuple[Path, Path]:
    """A task that no search of ours ever finishes."""
    return small_tasks.write(small_tasks.ENDLESS, tmp_path)


def test_who_stops_reading_stops_the_planner(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("domain.pddl", "problem.pddl")]
    for place, source in zip(places, ("domain", "problem"), strict=True):
        place.write_text((EXAMPLES / f"orchard/{source}.pddl").read_text())
    with numbat.plans(*places, timeout=600) as found:
        next(found)
        assert running_planners(str(tmp_path))
    assert gone(str(tmp_path))


def test_a_timeout_ends_everything(endless: tuple[Path, Path]) -> None:
    begin = time.monotonic()
    solution = solve(*endless, timeout=1)
    assert solution.status is Status.OUT_OF_TIME and solution.plan is None and not solution.unsolvable
    assert time.monotonic() - begin < 20
    assert gone(str(endless[0].parent))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_a_caller_that_is_killed(number: signal.Signals, endless: tuple[Path, Path]) -> None:
    script = "import sys, numbat; numbat.solve(*sys.argv[1:], timeout=600)"
    caller = subprocess.Popen([sys.executable, "-c", script, *endless])
    while len(running_planners(str(endless[0].parent))) < 3:  # the caller, the planner, and a member
        time.sleep(0.05)
        assert caller.poll() is None
    caller.send_signal(number)
    caller.wait()
    assert gone(str(endless[0].parent))


def test_cancelling_ends_everything(endless: tuple[Path, Path]) -> None:
    async def begin_and_cancel() -> None:
        task = asyncio.create_task(numbat.solve_async(*endless, timeout=600))
        while not running_planners(str(endless[0].parent)):
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(begin_and_cancel())
    assert gone(str(endless[0].parent))


def test_inside_a_running_event_loop(tmp_path: Path) -> None:
    files = small_tasks.write(small_tasks.DELIVERY, tmp_path)

    async def both() -> list[numbat.Solution]:
        return await asyncio.gather(*(numbat.solve_async(*files, search=name) for name in ("S(hadd)", "S(hmd)")))

    assert all(solution.plan for solution in asyncio.run(both()))


def test_from_several_threads(tmp_path: Path) -> None:
    files = small_tasks.write(small_tasks.DELIVERY, tmp_path)
    with ThreadPoolExecutor(3) as pool:
        assert all(solution.plan for solution in pool.map(lambda _: solve(*files), range(3)))


def test_inspect() -> None:
    inspection = numbat.inspect(*small_tasks.DELIVERY)
    told = json.loads(json.dumps(inspection.as_dict()))
    assert told["operators"] == inspection.grounding.operators > 0 and "operators" in inspection.text()
    assert inspection.grounding.fragment == "SNP" and inspection.steps["ground"]["peak_memory"] > 0


@pytest.mark.parametrize(
    ("old", "new", "file"), [("(:goal", "(:gaol", "<problem>"), ("(:action", "(:actoin", "<domain>")]
)
def test_inspect_names_the_place_of_an_error(old: str, new: str, file: str) -> None:
    domain, problem = (text.replace(old, new) for text in small_tasks.DELIVERY)
    with pytest.raises(PlanningError, match=re.escape(new)) as caught:
        numbat.inspect(domain, problem)
    assert caught.value.span is not None and caught.value.span.file == file and caught.value.span.line > 0


def modules_of(*words: str) -> set[str]:
    """The modules that a Python loads for this."""
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True)
    return {line.split("|")[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_importing_is_cheap() -> None:
    """0.1 s are some hundred modules of the standard library; what counts is that nothing heavy is among them."""
    more = modules_of("-c", "import numbat") - modules_of("-c", "")
    assert "numbat" in more and {name for name in more if name.startswith("numbat")} == {"numbat"}
    assert len(more) <= 40  # mostly what typing needs


def test_a_trivial_task_is_solved_without_waiting_for_sympy() -> None:
    files = [str(EXAMPLES / "jugs" / f"{name}.pddl") for name in ("domain", "problem")]
    loaded = modules_of("-m", "numbat", "solve", *files)
    assert "numpy" in loaded and not loaded & {"sympy", "asyncio", "ortools", "z3", "unified_planning"}


def test_solve_starts_at_once() -> None:
    """0.6 s on a machine that does nothing else: so CPU time is counted, the planner's and that of the caller."""
    script = (
        "import resource, sys, numbat; assert numbat.solve(*sys.argv[1:]).plan;"
        "print(sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))"
    )
    files = [EXAMPLES / "jugs" / f"{name}.pddl" for name in ("domain", "problem")]
    command = [sys.executable, "-c", script, *files]
    assert min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3)) <= 0.6
