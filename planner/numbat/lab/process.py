"""One command under limits: run it, measure everything below it, leave nothing of it behind.

Time         CPU seconds of the whole process tree, exited children included. What this process reaps is known exactly
             (wait4); what lives is read from /proc, own time and that of reaped children. Descendants that detach
             (double fork, setsid) are not lost: this process is a subreaper, so they become its own children.
             A tree's time never falls; if two readings in a row are lower than one before, a parent ignored the end
             of its children, so nobody counts their time, and the fall is added from then on.
Memory       resident bytes over the tree. Forked processes share pages, so a tree of several is measured by its
             proportional set size; that reading is costly and is taken only where the cheap upper bound has grown.
Ending       the run ends with its first process. Over a time limit it is asked to end (SIGTERM) and killed
             ASKING_SECONDS later; over its memory it is killed at once. Whatever then remains below this process is
             killed and reaped. When the process that started this one is gone, the run is ended as well.
Precondition nothing else of the caller's runs below this process: call it from a process of its own (experiment.py).
Not here     what the numbers mean (outcome.py)
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

FIRST_INTERVAL, LONGEST_INTERVAL = 0.002, 0.1
ASKING_SECONDS = 1.0
PARTING_SECONDS = 0.1
UNKILLABLE_SECONDS = 60.0
LARGEST_FILE = 1 << 30
PROPORTIONAL_STEP = 1.02

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LIBRARY = ctypes.CDLL(None, use_errno=True)
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """What a process tree may use: CPU seconds, wall-clock seconds, resident bytes."""

    cpu: float
    wall: float
    memory: int


@dataclass(frozen=True, slots=True)
class Measured:
    """How a command ended and what it used.

    exit_code   of the first process, negative for a signal, as subprocess has it
    stopped     "" if it ended by itself, else the limit it broke: cpu, wall or memory
    appeared    CPU seconds the tree had used when `awaited` first was true, None if it was not while it ran
    left_behind how many processes outlived the first one, though nobody stopped it
    """

    exit_code: int
    stopped: str
    cpu: float
    wall: float
    memory: int
    appeared: float | None
    left_behind: int


class Abandoned(Exception):
    """The process that started this one is gone, so nobody waits for the measurement."""


def run(
    command: Sequence[str],
    limits: TreeLimits,
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    awaited: Callable[[], bool] = lambda: False,
) -> Measured:
    """Run `command` in `folder`, its output in the files out.txt and err.txt there."""
    _become_subreaper()
    caller = os.getppid()
    started = time.monotonic()
    tree = _Tree(_start(command, folder, environment), inherited=_resident_bytes(os.getpid()))
    watch = _Watch(started, caller, limits, awaited)
    try:
        interval = FIRST_INTERVAL
        while tree.exit_code is None:
            time.sleep(interval)
            interval = min(LONGEST_INTERVAL, interval * 1.5)
            tree.sample()
            tree.reap()
            if tree.exit_code is None:
                watch.look(tree)
        wall = time.monotonic() - started
    finally:
        left_behind = tree.end()
    return Measured(
        exit_code=tree.exit_code,
        stopped=watch.stopped,
        cpu=tree.cpu,
        wall=wall,
        memory=tree.peak_memory,
        appeared=watch.appeared,
        left_behind=0 if watch.stopped else left_behind,
    )


@dataclass(slots=True)
class _Watch:
    """Whether the tree keeps its limits, and what is done when it does not."""

    started: float
    caller: int
    limits: TreeLimits
    awaited: Callable[[], bool]
    appeared: float | None = None
    stopped: str = ""
    kill_at: float = 0.0

    def look(self, tree: _Tree) -> None:
        if self.appeared is None and self.awaited():
            self.appeared = tree.cpu
        now = time.monotonic()
        if not self.stopped:
            self.stopped = self._broken(tree, now)
            if self.stopped in ("cpu", "wall"):
                self.kill_at = now + ASKING_SECONDS
                _signal_all(tree.living, signal.SIGTERM)
        if self.stopped and now >= self.kill_at:
            _signal_all(tree.living, signal.SIGKILL)

    def _broken(self, tree: _Tree, now: float) -> str:
        """The limit that is broken, if one is."""
        if os.getppid() != self.caller:
            raise Abandoned
        if tree.peak_memory > self.limits.memory:
            return "memory"
        if tree.cpu > self.limits.cpu:
            return "cpu"
        return "wall" if now - self.started > self.limits.wall else ""


def _start(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None) -> int:
    """The process id of the started command."""
    with (folder / "out.txt").open("wb") as out, (folder / "err.txt").open("wb") as err:
        leader = subprocess.Popen(
            command,
            cwd=folder,
            env=None if environment is None else dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            preexec_fn=_restrain,
        )
    leader.returncode = 0  # we reap it ourselves, for its resource usage; Popen must not try
    return leader.pid


def _restrain() -> None:
    """In the child before it starts: no core files, no log that fills the disk, killed with this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    _LIBRARY.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _become_subreaper() -> None:
    """Orphans below this process become its children, not those of process 1."""
    if _LIBRARY.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER) failed")


@dataclass(slots=True)
class _Tree:
    """Everything below this process, as far as it is known.

    leader      process id of the command
    inherited   resident bytes it started with, copied from this process and counted by the kernel as its own
    cpu         seconds used by the tree so far; never falls
    """

    leader: int
    inherited: int
    exit_code: int | None = None
    cpu: float = 0.0
    peak_memory: int = 0
    living: list[int] = field(default_factory=list)
    reaped: float = 0.0
    lost: float = 0.0
    doubtful: float | None = None
    upper_bound: int = 0

    def sample(self) -> None:
        """Read the living processes; parents before children, so that a time can be missed but not counted twice."""
        self.living = descendants()
        self.observe(self.reaped + sum(_cpu_seconds(pid) for pid in self.living))
        self._sample_memory()

    def observe(self, reading: float) -> None:
        """Take in a reading of the tree's CPU time."""
        value = reading + self.lost
        if value >= self.cpu:
            self.cpu, self.doubtful = value, None
        elif self.doubtful is None:
            self.doubtful = value  # a process may have been caught between two readings
        else:
            self.lost += self.cpu - max(value, self.doubtful)
            self.doubtful = None

    def _sample_memory(self) -> None:
        memory = sum(_resident_bytes(pid) for pid in self.living)
        if len(self.living) > 1:
            if memory <= max(self.peak_memory, self.upper_bound * PROPORTIONAL_STEP):
                return
            self.upper_bound = memory
            memory = sum(_proportional_bytes(pid) for pid in self.living)
        self.peak_memory = max(self.peak_memory, memory)

    def reap(self) -> None:
        """Collect every child of this process that has ended."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.reaped += usage.ru_utime + usage.ru_stime
            if usage.ru_maxrss * 1024 > self.inherited * PROPORTIONAL_STEP:
                self.peak_memory = max(self.peak_memory, usage.ru_maxrss * 1024)
            if pid == self.leader:
                self.exit_code = os.waitstatus_to_exitcode(status)

    def end(self) -> int:
        """Kill and reap what is left, after a moment to end by itself; how many processes had to be killed."""
        killed: set[int] = set()
        started = time.monotonic()
        while living := descendants():
            self.sample()
            if time.monotonic() > started + UNKILLABLE_SECONDS:
                raise OSError(f"processes {living} cannot be killed")
            if time.monotonic() > started + PARTING_SECONDS:
                killed.update(living)
                _signal_all(living, signal.SIGKILL)
            self.reap()
            time.sleep(FIRST_INTERVAL)
        self.cpu = max(self.cpu, self.reaped + self.lost)
        return len(killed)


def descendants() -> list[int]:
    """All processes below this one, parents before children, zombies included."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 (done ten times a second)
        if entry.isdigit() and (fields := _stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = list(children.get(os.getpid(), []))
    for pid in found:  # grows while it is walked: breadth first
        found.extend(children.get(pid, []))
    return found


def _signal_all(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent, ...; empty if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 (for every process, ten times a second)
            return file.read().rpartition(b")")[2].decode("ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process and of its reaped children."""
    fields = _stat(pid)
    return sum(int(ticks) for ticks in fields[11:15]) / _TICKS if fields else 0.0


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return 0


def _proportional_bytes(pid: int) -> int:
    """Resident bytes, each shared page divided by the number of its users; plain resident bytes if not to be had."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except ProcessLookupError:
        return 0
    except OSError:
        pass
    return _resident_bytes(pid)
