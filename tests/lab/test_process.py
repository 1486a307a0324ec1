"""Accounting: processes that fork, sleep, spin, allocate, detach and refuse to die are measured and ended."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from pathlib import Path

import pytest

from numbat.lab.process import LONGEST_INTERVAL, PROPORTIONAL_STEP, _Tree
from tests.lab.conftest import Measure

MEGABYTE = 1 << 20
SPIN = "import time\nwhile time.process_time() < {seconds}: pass\n"


def python(body: str) -> list[str]:
    return [sys.executable, "-c", body]


def alive(marker: str) -> list[str]:
    """Command lines of living processes that contain a marker."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = file.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if marker in text and file.parent.name != str(os.getpid()):
            found.append(text)
    return found


def test_a_spinning_process_is_measured_exactly(measure: Measure) -> None:
    measured = measure(python(SPIN.format(seconds=0.5)))
    assert measured.exit_code == 0 and measured.stopped == ""
    assert 0.5 <= measured.cpu < 0.75


def test_sleep_costs_wall_clock_time_only(measure: Measure) -> None:
    measured = measure(["sleep", "0.5"])
    assert measured.cpu < 0.1 <= 0.5 <= measured.wall


def test_exit_codes_and_signals(measure: Measure) -> None:
    assert measure(python("raise SystemExit(12)")).exit_code == 12
    assert measure(python("import os; os.kill(os.getpid(), 11)")).exit_code == -signal.SIGSEGV


def test_over_its_cpu_time(measure: Measure) -> None:
    measured = measure(python("while True: pass"), cpu=0.5)
    assert measured.stopped == "cpu" and measured.exit_code == -signal.SIGTERM
    assert 0.5 <= measured.cpu < 0.5 + 10 * LONGEST_INTERVAL


def test_over_its_wall_clock_time(measure: Measure) -> None:
    measured = measure(["sleep", "100"], wall=0.5)
    assert measured.stopped == "wall"
    assert measured.wall < 50


def test_ignoring_the_request_to_end(measure: Measure) -> None:
    body = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass"
    measured = measure(python(body), cpu=0.3)
    assert measured.stopped == "cpu" and measured.exit_code == -signal.SIGKILL


# Three children spin, then stay for a reading; the pipe's other end closes when all of them are through.
CHILDREN = f"""
import os, signal, time
{{before}}
reading, writing = os.pipe()
for _ in range(3):
    if {{fork}} == 0:
        exec({SPIN.format(seconds=0.3)!r})
        time.sleep({{stay}})
        os._exit(0)
os.close(writing)
os.read(reading, 1)
{{after}}
"""
DETACH = (
    "def detach():\n    if os.fork(): os.wait(); return 1\n    os.setsid()\n    if os.fork(): os._exit(0)\n    return 0"
)


@pytest.mark.parametrize(
    ("before", "fork", "stay", "after", "least"),
    [
        pytest.param("", "os.fork()", 0, "for _ in range(3): os.wait()", 0.9, id="children that were waited for"),
        pytest.param("", "os.fork()", 0, "time.sleep(0.2)", 0.9, id="children that nobody waits for"),
        pytest.param(DETACH, "detach()", 0, "time.sleep(0.2)", 0.9, id="children that detached themselves"),
        # Nobody counts these, so they are known only as well as the last reading knew them.
        pytest.param(
            "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
            "os.fork()",
            1.0,
            "time.sleep(0.5)",
            0.85,  # /proc counts in ticks
            id="children whose end is ignored",
        ),
    ],
)
def test_time_of_descendants_counts(
    measure: Measure, before: str, fork: str, stay: float, after: str, least: float
) -> None:
    measured = measure(python(CHILDREN.format(before=before, fork=fork, stay=stay, after=after)))
    assert measured.exit_code == 0
    assert least <= measured.cpu < 1.5


def test_time_of_descendants_counts_against_the_limit(measure: Measure) -> None:
    body = "import os\nos.fork(); os.fork()\nwhile True: pass"
    measured = measure(python(body), cpu=1.0)
    assert measured.stopped == "cpu"
    assert measured.cpu < 2.5


def test_nothing_outlives_a_run(measure: Measure) -> None:
    marker = f"marker-{os.getpid()}-{time.monotonic_ns()}"
    body = f"""
import os, signal, sys, time
{marker!r}
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        time.sleep(60)
    time.sleep(60)
time.sleep(0.3)
"""
    measured = measure(python(body))
    assert measured.exit_code == 0 and measured.left_behind == 2
    assert measured.wall < 50
    assert alive(marker) == []


def test_memory_of_one_process(measure: Measure) -> None:
    measured = measure(python("block = bytearray(200 << 20); import time; time.sleep(0.3)"))
    assert 200 * MEGABYTE <= measured.memory < 260 * MEGABYTE


def test_memory_is_seen_even_if_short(measure: Measure) -> None:
    # what the system reports at its end counts only beyond what it was forked from, which is these tests
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + 300 * MEGABYTE
    measured = measure(python(f"block = bytearray({size}); del block"))
    assert measured.memory >= size


def test_shared_memory_counts_once(measure: Measure) -> None:
    body = """
import os, time
block = bytearray(200 << 20)
for _ in range(3):
    if os.fork() == 0:
        time.sleep(0.8); os._exit(0)
for _ in range(3): os.wait()
"""
    assert measure(python(body)).memory < 300 * MEGABYTE


def test_memory_adds_up_over_the_tree(measure: Measure) -> None:
    body = """
import os, time
reading, writing = os.pipe()
for _ in range(3):
    if os.fork() == 0:
        block = bytearray(100 << 20)
        os.write(writing, b"!")
        time.sleep(60)
for _ in range(3): os.read(reading, 1)
time.sleep(1)
os.killpg(0, 9)
"""
    # A growth of less than PROPORTIONAL_STEP may go unmeasured.
    assert measure(python(body)).memory * PROPORTIONAL_STEP >= 300 * MEGABYTE


def test_over_its_memory(measure: Measure) -> None:
    body = "import time\nblocks = []\nwhile True: blocks.append(bytearray(20 << 20)); time.sleep(0.02)"
    measured = measure(python(body), memory=200 * MEGABYTE)
    assert measured.stopped == "memory" and measured.exit_code == -signal.SIGKILL
    assert measured.memory < 500 * MEGABYTE


def test_one_low_reading_is_doubtful_two_are_a_loss() -> None:
    tree = _Tree(leader=0, inherited=0)
    for reading in (1.0, 5.0, 2.0, 6.0):
        tree.observe(reading)
    assert tree.cpu == 6.0 and tree.lost == 0
    for reading in (2.0, 2.5, 3.0):
        tree.observe(reading)
    assert tree.lost == pytest.approx(3.5)
    assert tree.cpu == pytest.approx(6.5)
