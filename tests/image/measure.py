"""Run a command from outside, as a user does, and see what it costs."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path


def run(command: list[object], here: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=here, text=True, capture_output=True, **options)


def cpu_seconds(command: list[object], here: Path) -> float:
    """The least of five runs: what it takes when nobody disturbs."""
    figures = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run(command, here)
        assert done.returncode == 0, done.stderr
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(figures)


def processes_naming(word: str) -> dict[int, int]:
    """Process id → resident bytes, of every process whose command line has this word."""
    found = {}
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            if word in (directory / "cmdline").read_text().split("\0"):
                pages = int((directory / "statm").read_text().split()[1])
                found[int(directory.name)] = pages * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            continue  # ended meanwhile
    return found
