"""Live progress: a bar that rewrites itself on a terminal, one plain line per run otherwise.

In, out      finished records -> standard error
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TextIO

from numbat.lab.outcome import SOLVED
from numbat.lab.results import Record

BAR_WIDTH = 16


class Progress:
    """What has been done of `total` runs, `finished` of which were done before."""

    def __init__(self, total: int, finished: Sequence[Record], stream: TextIO = sys.stderr) -> None:
        self._total = total
        self._before = len(finished)
        self._solved = sum(record.outcome == SOLVED for record in finished)
        self._unexplained = sum(bool(record.unexplained) for record in finished)
        self._done = len(finished)
        self._started = time.monotonic()
        self._stream = stream
        self._live = stream.isatty()
        if self._before:
            print(f"{self._before} of {total} runs were finished before", file=stream, flush=True)
        self._draw()

    def add(self, record: Record) -> None:
        self._done += 1
        self._solved += record.outcome == SOLVED
        self._unexplained += bool(record.unexplained)
        if not self._live or record.unexplained:
            self._clear()
            print(self._line(record), file=self._stream, flush=True)
        self._draw()

    def close(self) -> None:
        self._clear()
        seconds = timedelta(seconds=round(time.monotonic() - self._started))
        print(f"{self._counts()}; {seconds} for {self._done - self._before} runs", file=self._stream, flush=True)

    def _line(self, record: Record) -> str:
        width = len(str(self._total))
        plan = f", {record.length} steps" if record.outcome == SOLVED else ""
        wrong = f"  !! {record.unexplained}" if record.unexplained else ""
        return (
            f"[{self._done:{width}}/{self._total}] {record.domain} {record.problem} {record.planner}: "
            f"{record.outcome}, {record.cpu:.2f} s, {record.peak_memory / 2**20:.0f} MB{plan}{wrong}"
        )

    def _counts(self) -> str:
        failed = self._done - self._solved
        wrong = f", {self._unexplained} unexplained" if self._unexplained else ""
        return f"{self._solved} solved, {failed} not{wrong}, {self._total - self._done} left"

    def _draw(self) -> None:
        if not self._live:
            return
        full = BAR_WIDTH * self._done // max(self._total, 1)
        text = f"{'━' * full}{'╌' * (BAR_WIDTH - full)} {self._done}/{self._total}  {self._counts()}{self._end()}"
        self._stream.write("\r\x1b[K" + text[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()

    def _clear(self) -> None:
        if self._live:
            self._stream.write("\r\x1b[K")

    def _end(self) -> str:
        """When the last run will have ended if the rest is like what was done; the order of runs sees to that."""
        done = self._done - self._before
        if not done:
            return ""
        left = (time.monotonic() - self._started) / done * (self._total - self._done)
        end = datetime.now() + timedelta(seconds=left)
        return f", ends {end:%H:%M}" + (f" on {end:%d %b}" if left > 12 * 3600 else "")
