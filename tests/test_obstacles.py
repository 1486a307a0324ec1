"""The command numbat with everything in its way: it ends in time, with the documented exit code, and leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from numbat.errors import ExitCode
from tests.portfolio.fakes import children_of
from tests.search import small_tasks
from tests.test_cli import COMMAND, ENVIRONMENT, last_line, numbat, slowness

FAILED, REFUSED = ExitCode.DRIVER_CRITICAL_ERROR, ExitCode.DRIVER_INPUT_ERROR
SIGNALS = (signal.SIGALRM, signal.SIGPROF, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE)


@pytest.fixture
def counter(tmp_path: Path) -> tuple[Path, Path]:
    return small_tasks.write(small_tasks.COUNTER, tmp_path)


@pytest.fixture
def endless(tmp_path: Path) -> tuple[Path, Path]:
    return small_tasks.write(small_tasks.ENDLESS, tmp_path)


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    before = children_of(os.getpid())
    yield
    assert children_of(os.getpid()) == before
    assert not list(tmp_path.rglob("*.draft"))


def timed(*words: object, **options: object) -> tuple[subprocess.CompletedProcess[str], float]:
    """A run, and how many seconds after its start it ended, on a machine as fast as an idle one."""
    slow = slowness()
    start = time.monotonic()
    done = numbat(*words, **options)
    return done, (time.monotonic() - start) / slow


# --- the plan's place -------------------------------------------------------------------------------------------------


def test_a_pipe_that_nobody_reads(counter: tuple[Path, Path], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan")
    done, seconds = timed("solve", *counter, tmp_path / "plan", "--time", "1.5")
    assert done.returncode == FAILED and "nobody reads it" in done.stderr
    assert seconds < 2.5


def test_a_pipe_that_is_read_late(counter: tuple[Path, Path], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan")
    read: list[str] = []
    reader = threading.Timer(0.8, lambda: read.append((tmp_path / "plan").read_text()))
    reader.start()
    done = numbat("solve", *counter, tmp_path / "plan", "--time", "30")
    reader.join()
    assert done.returncode == 0 and read == ["(up)\n" * 5 + "; cost = 5\n"]


def test_a_signal_ends_the_wait_for_a_reader(counter: tuple[Path, Path], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan")
    process = subprocess.Popen([*COMMAND, "solve", *counter, tmp_path / "plan"], stderr=subprocess.PIPE)
    time.sleep(1.5 * slowness())
    process.terminate()
    _, said = process.communicate(timeout=20)
    assert process.returncode in (FAILED, ExitCode.TRANSLATE_OUT_OF_TIME) and b"Traceback" not in said


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("", REFUSED),
        ("missing/plan", REFUSED),
        ("domain.pddl", REFUSED),
        ("domain.pddl/plan", REFUSED),
        ("n" * 256, REFUSED),
        ("n" * 255, ExitCode.SUCCESS),
        ("n" * 250, ExitCode.SUCCESS),
        ("/dev/full", FAILED),
        ("/dev/null", ExitCode.SUCCESS),
        ("/dev/stdout", ExitCode.SUCCESS),
        ("/proc/plan", FAILED),
        ("/proc/sys/plan", REFUSED),
    ],
)
def test_places(place: str, code: ExitCode, counter: tuple[Path, Path], tmp_path: Path) -> None:
    done = numbat("solve", *counter, tmp_path / place)
    assert done.returncode == code and "Traceback" not in done.stderr


# --- signals ----------------------------------------------------------------------------------------------------------


def ignore() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def block() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


@pytest.mark.parametrize("before", [ignore, block])
def test_signals_that_the_caller_ignores_or_blocks(before: Callable[[], None], tmp_path: Path) -> None:
    done, seconds = timed("solve", *small_tasks.write(small_tasks.ENDLESS, tmp_path), "--time", "2", preexec_fn=before)
    assert done.returncode == ExitCode.SEARCH_OUT_OF_TIME and seconds < 3
    assert "crashed" not in done.stderr
    assert numbat("solve", *small_tasks.write(small_tasks.COUNTER, tmp_path), preexec_fn=before).returncode == 0


@pytest.fixture
def vast(tmp_path: Path) -> tuple[Path, Path]:
    """A task with five million ground actions."""
    objects = " ".join(f"o{i}" for i in range(48))
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(
        "(define (domain d) (:predicates (p ?a ?b) (g)) (:action a :parameters (?a ?b ?c ?d) :precondition"
        " (and (p ?a ?b) (p ?c ?d)) :effect (and (p ?a ?d) (not (p ?b ?c)) (g))))"
    )
    atoms = " ".join(f"(p o{i} o{j})" for i in range(48) for j in range(48))
    problem.write_text(f"(define (problem p) (:domain d) (:objects {objects}) (:init {atoms}) (:goal (g)))")
    return domain, problem


@pytest.mark.parametrize("before", [ignore, block])
def test_the_time_limit_holds_while_grounding(before: Callable[[], None], vast: tuple[Path, Path]) -> None:
    done, seconds = timed("solve", *vast, "--time", "1", preexec_fn=before)
    assert done.returncode == ExitCode.TRANSLATE_OUT_OF_TIME and seconds < 2


@pytest.mark.parametrize("before", [ignore, block])
def test_cpu_time_is_limited_while_grounding(before: Callable[[], None], vast: tuple[Path, Path]) -> None:
    done = numbat("solve", *vast, "--time", "1", "--wall", "100", "--json", preexec_fn=before)
    assert done.returncode == ExitCode.TRANSLATE_OUT_OF_TIME
    assert json.loads(done.stdout)["cpu"] < 2


@pytest.mark.parametrize("delay", [0.05, 0.1, 0.15, 0.2, 0.3])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_python_is_loading(number: signal.Signals, delay: float, endless: tuple[Path, Path]) -> None:
    process = subprocess.Popen([*COMMAND, "solve", *endless, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(delay * slowness())
    process.send_signal(number)
    answer, said = process.communicate(timeout=30)
    assert b"Traceback" not in said
    assert process.returncode in (ExitCode.TRANSLATE_OUT_OF_TIME, ExitCode.SEARCH_OUT_OF_TIME)
    assert json.loads(answer)["exit_code"] == process.returncode
    assert number.name in last_line(said.decode())


def test_ignored_signals_stay_ignored(endless: tuple[Path, Path]) -> None:
    process = subprocess.Popen([*COMMAND, "solve", *endless, "--time", "2"], stderr=subprocess.PIPE, preexec_fn=ignore)
    time.sleep(1)
    process.terminate()
    assert b"time limit reached" in process.communicate(timeout=20)[1]


# --- output -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"), [(["solve"], 0), (["solve", "--json"], 0), (["inspect"], 0), (["solve", "--ties", "best"], 36)]
)
def test_a_full_device_changes_no_exit_code(words: list[str], code: int, counter: tuple[Path, Path]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *words, *counter], stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == code and "Traceback" not in done.stderr
        assert subprocess.run([*COMMAND, *words, *counter], stdout=full, stderr=full).returncode == code


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["list"], ["solve", "--help"], ["validate", "--help"]])
def test_help_to_a_full_device(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- 2>&-"])
def test_closed_files(closed: str, counter: tuple[Path, Path], tmp_path: Path) -> None:
    line = " ".join(f"'{word}'" for word in [*COMMAND, "solve", *map(str, counter), str(tmp_path / "plan"), "--json"])
    done = subprocess.run(["sh", "-c", f"exec {line} {closed}"], env=ENVIRONMENT, capture_output=True)
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert (tmp_path / "plan").read_text().endswith("; cost = 5\n")


def test_output_that_nobody_reads_does_not_outlast_the_time(tmp_path: Path) -> None:
    domain, problem = small_tasks.COUNTER
    task = (domain.replace("(< (x) 9)", "(< (x) 99999)"), problem.replace("(= (x) 5)", "(= (x) 20000)"))
    read, write = os.pipe()
    slow = slowness()
    start = time.monotonic()
    command = [*COMMAND, "solve", *small_tasks.write(task, tmp_path), "--time", "4", "--search", "S(hmd)"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True)
    assert (time.monotonic() - start) / slow < 5
    os.close(write)
    os.close(read)
    assert done.returncode == 0 and "nobody reads it" in done.stderr


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value", "codes"),
    [
        ("--time", "1e10", {0}),
        ("--time", "1e300", {0}),
        ("--time", "1e-9", {21, 23}),
        *(("--time", value, {36}) for value in ("inf", "nan", "0", "-1", "", "soon", "1e999")),
        ("--memory", "1000000000000G", {36}),
        ("--memory", "9" * 400, {36}),
        ("--memory", "8000000T", {0}),
        ("--memory", "1", {20}),
        *(("--memory", value, {36}) for value in ("0", "-1", "1e5", "G", "")),
        ("--cores", "2147483648", {36}),
        ("--seed", "9" * 5000, {36}),
    ],
)
def test_limits(option: str, value: str, codes: set[int], counter: tuple[Path, Path], tmp_path: Path) -> None:
    done = numbat("solve", *counter, tmp_path / "plan", f"{option}={value}", "--json")
    assert done.returncode in codes, done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr) < 1000
    if done.returncode == REFUSED:
        assert f"argument {option}: expected" in done.stderr and "got '" in done.stderr and "_" not in done.stderr


HUGE = (
    """(define (domain huge) (:predicates (done)) (:functions (cost))
    (:action pay :parameters () :effect (and (done) (increase (cost) PRICE))))""",
    """(define (problem huge-1) (:domain huge) (:init (= (cost) NUMBER)) (:goal (done))
    (:metric minimize (+ REST (* NUMBER (cost)))))""",
)


@pytest.mark.parametrize(
    ("number", "price", "rest", "cost"),
    [
        ("1" + "0" * 200, "1", "1", 10**400 + 10**200 + 1),
        ("1" + "0" * 200, "0", "0.5", f"1{'0' * 400}.5"),
        ("2", "0", "0.5", 4.5),
        (f"0.{'0' * 199}1", "0", "0", f"0.{'0' * 399}1"),
    ],
    ids=["integer", "large", "usual", "small"],
)
def test_costs_that_no_double_holds(number: str, price: str, rest: str, cost: object, tmp_path: Path) -> None:
    domain, problem = HUGE
    task = (domain.replace("PRICE", price), problem.replace("NUMBER", number).replace("REST", rest))
    done = numbat("solve", *small_tasks.write(task, tmp_path), tmp_path / "plan", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout, parse_constant=pytest.fail)["cost"] == cost


# --- the draft --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o666])
def test_the_mode_of_the_file_stays(mode: int, counter: tuple[Path, Path], tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text("old")
    plan.chmod(mode)
    assert numbat("solve", *counter, plan).returncode == 0
    assert stat.S_IMODE(plan.stat().st_mode) == mode and "(up)" in plan.read_text()


def test_a_new_file_has_what_the_umask_leaves(counter: tuple[Path, Path], tmp_path: Path) -> None:
    numbat("solve", *counter, tmp_path / "plan", umask=0o027)
    assert stat.S_IMODE((tmp_path / "plan").stat().st_mode) == 0o640
