"""Run a command from outside, as a user does, and see what it costs."""

from __future__ import annotations

import os
import re
import resource
import subprocess
from pathlib import Path


def run(command: list[object], here: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=here, text=True, capture_output=True, **options)


def cpu_seconds(command: list[object], here: Path, runs: int = 5) -> float:
    """The least of several runs: what it takes when nobody disturbs."""
    figures = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run(command, here)
        assert done.returncode == 0, done.stderr
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(figures)


def processes_naming(word: str) -> dict[int, int]:
    """Process id → bytes (a page of n processes counts 1/n), of all whose command line has this word."""
    found = {}
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(word) in (directory / "cmdline").read_bytes().split(b"\0"):
                share = re.search(r"^Pss: +(\d+) kB", (directory / "smaps_rollup").read_text(), re.M)
                found[int(directory.name)] = 1024 * int(share[1]) if share else 0
        except OSError:
            continue  # ended meanwhile
    return found
