"""The command numbat from the outside: exit codes, files, signals, limits, and what is said on which stream."""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import numbat_validate as validate
from numbat import __version__, arguments, cli, quantities
from numbat.errors import ConfigurationError, ExitCode
from numbat.lab import cli as lab
from tests.portfolio.fakes import children_of, resident_sum
from tests.search import small_tasks

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-I", "-m", "numbat"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def numbat(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=90, **options)  # type: ignore[call-overload, no-any-return]


def slowness() -> float:
    """How much longer than its CPU time a small command takes: 1 on an idle machine, more on a busy one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    numbat("list")
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return max(1.0, wall / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def last_line(text: str) -> str:
    return text.rstrip("\n").rpartition("\n")[2]


@pytest.fixture
def counter(tmp_path: Path) -> tuple[Path, Path]:
    return small_tasks.write(small_tasks.COUNTER, tmp_path)


@pytest.fixture
def endless(tmp_path: Path) -> tuple[Path, Path]:
    return small_tasks.write(small_tasks.ENDLESS, tmp_path)


def test_version() -> None:
    assert numbat("--version").stdout == f"numbat {__version__}\n"


def commands(parser: argparse.ArgumentParser) -> list[str]:
    """The names of a parser's commands."""
    return [
        name for action in parser._actions if isinstance(action, argparse._SubParsersAction) for name in action.choices
    ]


COMMANDS = [*commands(arguments._commands()), *(f"lab {name}" for name in commands(lab._parser()))]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_argument_and_needs_nothing_else(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = numbat(*command.split(), "--help")
    assert done.returncode == 0 and done.stderr == ""
    asked: list[argparse.ArgumentParser] = []
    monkeypatch.setattr(argparse.ArgumentParser, "print_help", lambda parser: asked.append(parser))
    assert cli.main([*command.split(), "--help"]) == 0
    for action in asked[0]._actions:
        words = action.option_strings or [*commands(asked[0]), str(action.metavar or action.dest)]
        assert all(re.search(rf"(?<![\w-]){word}(?![\w-])", done.stdout) for word in words), words
        assert action.help or not action.option_strings, words


def test_the_list_of_commands_is_whole() -> None:
    assert {"solve", "improve", "inspect", "why", "show", "list", "validate", "lab", "lab run"} <= set(COMMANDS)


def test_help_documents_the_exit_codes() -> None:
    text = numbat("solve", "--help").stdout
    assert "exit codes" in text and "memory of a portfolio" in text


def test_without_a_command_it_says_what_there_is() -> None:
    done = numbat()
    assert done.returncode == ExitCode.DRIVER_INPUT_ERROR and "solve" in done.stdout


def test_plan_to_a_file(counter: tuple[Path, Path], tmp_path: Path) -> None:
    done = numbat("solve", *counter, tmp_path / "plan")
    assert done.returncode == 0 and done.stdout == ""
    assert (tmp_path / "plan").read_text() == "(up)\n" * 5 + "; cost = 5\n"
    assert last_line(done.stderr).startswith("numbat: plan with 5 steps, cost 5, found by S(hmd)")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["domain.pddl", "plan", "problem.pddl"]


def test_plan_to_standard_output(counter: tuple[Path, Path]) -> None:
    done = numbat("solve", *counter, "--search", "S(hadd)")
    assert done.returncode == 0 and done.stdout == "(up)\n" * 5 + "; cost = 5\n"


def test_relative_paths_with_blanks_and_metacharacters(tmp_path: Path) -> None:
    folder = tmp_path / "a b;$(c)*'"
    folder.mkdir()
    small_tasks.write(small_tasks.COUNTER, folder)
    done = numbat("solve", "domain.pddl", "problem.pddl", "my plan", cwd=folder)
    assert done.returncode == 0 and (folder / "my plan").exists()


def test_json_has_everything(counter: tuple[Path, Path], tmp_path: Path) -> None:
    done = numbat("solve", *counter, tmp_path / "plan", "--json")
    report = json.loads(done.stdout)
    assert report["plan"] == ["(up)"] * 5 and report["cost"] == 5 and report["exit_code"] == 0
    assert report["found_by"] == "S(hmd)" and len(report["members"]) == 6
    assert report["members"][0]["statistics"]["evaluated"] > 0
    assert report["front_end"]["grounding"]["operators"] == 2
    assert (tmp_path / "plan").exists()


def test_inspect(counter: tuple[Path, Path]) -> None:
    assert "operators" in numbat("inspect", *counter).stdout
    report = json.loads(numbat("inspect", *counter, "--json").stdout)
    assert report["operators"] == 2 and report["fragment"] == "SNP" and "ground" in report["steps"]


def test_list() -> None:
    assert "S(hmrp<B,QB>+hj)" in numbat("list").stdout
    assert json.loads(numbat("list", "--json").stdout)["default"] == "P(3h||3n)"
    tables = numbat("list", "--markdown").stdout.splitlines()
    assert {"| heuristic |", "| algorithm |"} <= {line[:13] for line in tables}


def test_validate(counter: tuple[Path, Path], tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text("(up)\n" * 5)
    done = numbat("validate", *counter, plan)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.splitlines() == [
        f"Checking plan: {plan}",
        "Plan executed successfully - checking goal",
        "Plan valid",
        "Final value: 5",
        "",
        "Successful plans:",
        f" {plan} 5",
    ]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("(up)\n" * 4, ["Plan executed successfully - checking goal", "Goal not satisfied"]),
        ("(up)\n(down)\n(down)\n(up)\n", ["Plan failed to execute: step 3 of 4"]),
    ],
)
def test_validate_says_why_a_plan_fails(
    steps: str, said: list[str], counter: tuple[Path, Path], tmp_path: Path
) -> None:
    plan = tmp_path / "plan"
    plan.write_text(steps)
    done = numbat("validate", *counter, plan)
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout.splitlines() == [f"Checking plan: {plan}", *said, "", "Failed plans:", f" {plan}"]


@pytest.mark.parametrize("name", small_tasks.SOLVABLE)
@pytest.mark.parametrize(
    "options",
    [(), ("--whole", "--patience", "0"), ("--schedule", "sequential"), ("--cores", "2", "--search", "P(M(3h), M(3n))")],
)
def test_every_small_task_gets_a_valid_plan(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.SOLVABLE[name], tmp_path)
    assert cli.main(["solve", str(domain), str(problem), str(tmp_path / "plan"), "--time", "20", *options]) == 0
    assert validate.check(domain, problem, tmp_path / "plan").valid


@pytest.mark.parametrize(
    ("task", "code"), [(small_tasks.UNREACHABLE, 10), (small_tasks.UNSOLVABLE, 11), (small_tasks.ENDLESS, 23)]
)
def test_no_plan(task: tuple[str, str], code: int, tmp_path: Path) -> None:
    domain, problem = small_tasks.write(task, tmp_path)
    done = numbat("solve", domain, problem, tmp_path / "plan", "--time", "1.5")
    assert done.returncode == code, done.stderr
    assert not (tmp_path / "plan").exists()


# --- errors -----------------------------------------------------------------------------------------------------------


def test_errors_in_the_input_name_the_place(counter: tuple[Path, Path]) -> None:
    domain, problem = counter
    problem.write_text("(define (problem p) (:domain counter) (:init (= (y) 0)) (:goal (= (y) 5)))")
    done = numbat("solve", domain, problem)
    assert done.returncode == ExitCode.TRANSLATE_INPUT_ERROR
    assert "problem.pddl:1:" in done.stderr and "Traceback" not in done.stderr


def test_missing_files(tmp_path: Path) -> None:
    done = numbat("solve", tmp_path / "no", tmp_path / "nothing")
    assert done.returncode == ExitCode.TRANSLATE_INPUT_ERROR and "no" in done.stderr


def test_unsupported_features_are_named(counter: tuple[Path, Path]) -> None:
    domain, problem = counter
    text = domain.read_text().replace(":action up", ":durative-action up :duration (= ?duration 1)", 1)
    domain.write_text(text)
    done = numbat("solve", domain, problem)
    assert done.returncode == ExitCode.SEARCH_UNSUPPORTED and "durative" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--search", "S(hff)"], "'hff' at position 3"),
        (["--time", "0"], "positive"),
        (["--time", "soon"], "soon"),
        (["--memory", "much"], "much"),
        (["--cores", "0"], "at least 1"),
        (["--seed", "-1"], "--seed"),
        (["--ties", "best"], "heap"),
        (["--speed", "5"], "--speed"),
    ],
)
def test_wrong_options(options: list[str], said: str, counter: tuple[Path, Path]) -> None:
    done = numbat("solve", *counter, *options)
    assert done.returncode == ExitCode.DRIVER_INPUT_ERROR
    assert said in done.stderr and "Traceback" not in done.stderr


def test_with_json_an_error_is_an_object_too(counter: tuple[Path, Path]) -> None:
    done = numbat("solve", *counter, "--json", "--search", "S(hff)")
    assert json.loads(done.stdout)["exit_code"] == done.returncode == ExitCode.DRIVER_INPUT_ERROR


def test_an_unusable_plan_path_is_refused_before_searching(endless: tuple[Path, Path], tmp_path: Path) -> None:
    done = numbat("solve", *endless, tmp_path / "no" / "plan")  # it would take half an hour
    assert done.returncode == ExitCode.DRIVER_INPUT_ERROR and "not a directory" in done.stderr


def test_a_full_disk_is_said(counter: tuple[Path, Path]) -> None:
    done = numbat("solve", *counter, "/dev/full")
    assert done.returncode == ExitCode.DRIVER_CRITICAL_ERROR and "No space left" in done.stderr


def test_a_reader_that_goes_away(counter: tuple[Path, Path]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "solve", *map(str, counter)], stdout=write, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    os.close(write)
    assert b"Traceback" not in done.stderr


def test_closed_standard_files(counter: tuple[Path, Path], tmp_path: Path) -> None:
    words = [*COMMAND, "solve", *map(str, counter), str(tmp_path / "plan")]
    line = " ".join(f"'{word}'" for word in words)
    done = subprocess.run(["sh", "-c", f"exec {line} <&- >&- 2>&-"], env=ENVIRONMENT)
    assert done.returncode == 0
    assert (tmp_path / "plan").read_text().endswith("; cost = 5\n")


def test_internal_errors_are_one_line(
    counter: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("whoops")

    monkeypatch.setattr("numbat.run.solve.prepare", broken)
    assert cli.main(["solve", *map(str, counter)]) == ExitCode.DRIVER_CRITICAL_ERROR
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "internal error" in said and "NUMBAT_DEBUG" in said


def test_a_refused_plan_is_never_written(
    counter: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = validate.check(*counter, ["(down)"])
    monkeypatch.setattr("numbat_validate.judge", lambda task, steps: refusal)
    code = cli.main(["solve", *map(str, counter), str(tmp_path / "plan"), "--time", "20"])
    said = capsys.readouterr().err
    assert code == ExitCode.SEARCH_CRITICAL_ERROR
    assert not (tmp_path / "plan").exists()
    assert said.count("internal error: a plan of") == 6 and "6 refused by the referee" in last_line(said)


def judging_slowly(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = validate.judge

    def slow(*arguments: object) -> validate.Verdict:
        time.sleep(seconds)
        return judge(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("numbat_validate.judge", slow)


def test_a_plan_that_cannot_be_judged_in_time_is_not_called_refused(
    counter: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judging_slowly(30, monkeypatch)
    start = time.monotonic()
    code = cli.main(["solve", *map(str, counter), str(tmp_path / "plan"), "--time", "1.5"])
    assert time.monotonic() - start < 2.5
    said = capsys.readouterr().err
    assert code == ExitCode.SEARCH_OUT_OF_TIME and not (tmp_path / "plan").exists()
    assert "refused" not in said and "1 out-of-time" in last_line(said)


def test_a_plan_that_is_being_judged_when_a_signal_comes_is_published(
    counter: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = validate.judge

    def interrupted(*arguments: object) -> validate.Verdict:
        os.kill(os.getpid(), signal.SIGTERM)
        return judge(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("numbat_validate.judge", interrupted)
    assert cli.main(["solve", *map(str, counter), str(tmp_path / "plan"), "--time", "20"]) == ExitCode.SUCCESS
    assert (tmp_path / "plan").read_text().endswith("; cost = 5\n")


# --- limits and signals -----------------------------------------------------------------------------------------------


def test_the_time_limit_holds(endless: tuple[Path, Path]) -> None:
    start = time.monotonic()
    numbat("inspect", *endless)
    starting = time.monotonic() - start  # on a busy machine it takes long until our clock runs
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = numbat("solve", *endless, "--time", "3", "--json")
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == ExitCode.SEARCH_OUT_OF_TIME
    assert 2.5 < wall < 3.5 + 2 * starting and cpu < 3.5
    assert json.loads(done.stdout)["wall"] < 3.5
    assert "time limit reached" in last_line(done.stderr)


def test_the_memory_limit_holds(endless: tuple[Path, Path]) -> None:
    options = ["--memory", "150M", "--time", "12", "--json", "--search", "P(hmd, hgc, hadd)"]
    process = subprocess.Popen(
        [*COMMAND, "solve", *map(str, endless), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, resident_sum(process.pid))
        time.sleep(0.01)
    report = json.loads(process.communicate()[0])
    assert process.returncode in (ExitCode.SEARCH_OUT_OF_MEMORY, ExitCode.SEARCH_OUT_OF_MEMORY_AND_TIME)
    assert 50 << 20 < peak <= 150 << 20
    assert any(member["evictions"] for member in report["members"])


def started(*words: object) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A search under way, in a session of its own, and its first children."""
    command = [*COMMAND, "solve", *map(str, words)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT, start_new_session=True)
    deadline = time.monotonic() + 30
    while len(children := children_of(process.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    return process, children


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGXCPU])
@pytest.mark.parametrize("send", [os.kill, os.killpg])
def test_signals_end_it_at_once(
    send: Callable[[int, int], None], number: signal.Signals, endless: tuple[Path, Path]
) -> None:
    process, children = started(*endless)
    allowed = 0.5 * slowness()
    start = time.monotonic()
    send(process.pid, number)
    try:
        _, said = process.communicate(timeout=10)
    finally:
        process.kill()
    assert time.monotonic() - start < allowed
    assert children and not any(Path(f"/proc/{child}").exists() for child in children)
    assert process.returncode == ExitCode.SEARCH_OUT_OF_TIME
    # One sentence, and no member is named for a signal to all of them.
    assert said.count(b"\n") == 1 and number.name in said.decode()


def test_a_signal_leaves_the_last_plan_in_place(tmp_path: Path) -> None:
    domain, problem = small_tasks.write(small_tasks.LINEAR, tmp_path)
    text = domain.read_text().replace("(<= (+ (position) (speed)) 4)", "(<= (+ (position) (speed)) 4000)")
    domain.write_text(text)
    problem.write_text(problem.read_text().replace("(:goal", "(:metric maximize (position)) (:goal"))
    plan = tmp_path / "plan"
    process = subprocess.Popen(
        [*COMMAND, "solve", domain, problem, plan, "--anytime"], stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    deadline = time.monotonic() + 20
    while not plan.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.terminate()
    _, said = process.communicate(timeout=10)
    assert process.returncode in (ExitCode.SUCCESS, ExitCode.PLAN_FOUND_OUT_OF_TIME)
    assert validate.check(domain, problem, plan).valid
    assert sorted(path.name for path in tmp_path.iterdir()) == ["domain.pddl", "plan", "problem.pddl"]
    assert last_line(said.decode()).startswith("numbat: plan with")


def test_a_trivial_task_costs_well_under_a_second(counter: tuple[Path, Path], tmp_path: Path) -> None:
    numbat("solve", *counter)  # bytecode and file cache
    report = json.loads(numbat("solve", *counter, tmp_path / "plan", "--json").stdout)
    assert report["cpu"] < 0.8


# --- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("8G", 8 << 30), ("500M", 500 << 20), ("1.5g", 3 << 29), ("4GiB", 4 << 30), ("64kb", 64 << 10), ("12345", 12345)],
)
def test_sizes(text: str, value: int) -> None:
    assert quantities.size(text) == value


@pytest.mark.parametrize(
    ("words", "time_limit", "anytime"),
    [
        ([], 1800, False),
        (["--track", "agile"], 300, False),
        (["--track", "satisficing"], 1800, True),
        (["--track", "satisficing", "--time", "60"], 60, True),
        (["--anytime", "--time", "5"], 5, True),
        (["--track", "optimal"], 1800, False),
    ],
)
def test_tracks(
    words: list[str], time_limit: float, anytime: bool, counter: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def note(request: object, *_: object, **__: object) -> None:
        seen.append(request)
        raise ConfigurationError("enough")

    monkeypatch.setattr("numbat.run.solve.solve", note)
    cli.main(["solve", *map(str, counter), *words])
    request = seen[0]
    assert (request.time, request.anytime, request.memory) == (time_limit, anytime, 8 << 30)  # type: ignore[attr-defined]
    assert request.optimal == ("optimal" in words)  # type: ignore[attr-defined]


def test_progress_is_for_terminals_only(endless: tuple[Path, Path]) -> None:
    ours, theirs = os.openpty()
    done = subprocess.Popen([*COMMAND, "solve", *map(str, endless), "--time", "2.5"], stderr=theirs, env=ENVIRONMENT)
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # the terminal is closed
            break
    os.close(ours)
    assert done.wait() == ExitCode.SEARCH_OUT_OF_TIME
    assert b"evaluated" in shown and b"\r" in shown
    assert b"evaluated" not in numbat("solve", *endless, "--time", "1.5").stderr.encode()
