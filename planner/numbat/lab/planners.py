"""Planners: how each is called, where its plan is found, and how its words are understood.

Ours         a name that is not in the table is a search configuration of ours, `S(hadd)` or `P(3h||3n)`, and
             `numbat` is our default
Foreign      the table FOREIGN, and tables of the same form in JSON files: `{"NAME": {"command": [...], ...}}` with
             the fields of Planner
Templates    {domain} {problem} {plan} are files, {time} CPU seconds, {wall} wall seconds,
             {memory} megabytes, {heap} nine tenths of them
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path

from numbat import isolated
from numbat.errors import ConfigurationError, ExitCode, InputError, Span
from numbat.lab.suites import natural_key

DEFAULT_NAME = "numbat"
MEGABYTE = 1 << 20
WALL_FACTOR = 3.0  # wall time that a run may take, in its CPU time: the machine may be busy
SUMMED_STATISTICS = ("expanded", "evaluated", "generated", "dead_ends", "duplicates", "seconds")


@dataclass(frozen=True)
class Planner:
    """One way to call one planner.

    command        the words of the command line, as templates
    plan           file name, or pattern for file names, in the run's folder; of several the naturally last counts
    limits_itself  it is told its limits and must keep them: being stopped by the lab is then its fault
    exit_codes     its exit codes are Fast Downward's
    says           pattern in its output -> outcome, for planners whose exit code says nothing
    statistics     name -> patterns with one number each; the last match of the last pattern that has one counts, and
                   a group called `milliseconds` is turned into seconds
    environment    variables to set
    """

    name: str
    command: tuple[str, ...]
    plan: str = "plan"
    limits_itself: bool = False
    exit_codes: bool = False
    says: Mapping[str, str] = field(default_factory=dict)
    statistics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    def command_line(self, domain: Path, problem: Path, plan: Path, *, time: float, memory: int) -> list[str]:
        """The words to execute; `memory` in bytes."""
        words = {
            "domain": str(domain),
            "problem": str(problem),
            "plan": str(plan),
            "time": f"{time:g}",
            "wall": f"{WALL_FACTOR * time:g}",
            "memory": str(memory // MEGABYTE),
            "heap": str(memory * 9 // 10 // MEGABYTE),
        }
        return [word.format_map(words) for word in self.command]

    def find_plan(self, folder: Path) -> Path | None:
        """The plan file in the folder of a finished run, if there is one."""
        found = sorted(folder.glob(self.plan), key=lambda path: natural_key(path.name))
        return found[-1] if found else None

    def read_statistics(self, output: str) -> dict[str, object]:
        """The numbers in its output: a JSON object if it prints one, else what the patterns find."""
        if not self.statistics:
            return _digest(_last_object(output))
        numbers: dict[str, object] = {}
        for name, patterns in self.statistics.items():
            for pattern in patterns:
                for match in re.finditer(pattern, output):
                    scale = 1000 if match.lastgroup == "milliseconds" else 1
                    numbers[name] = float(match.group(1)) / scale
        return numbers


def _last_object(output: str) -> dict[str, object]:
    """The JSON object that ends the output; empty if there is none."""
    start = 0 if output.startswith("{") else output.rfind("\n{") + 1
    try:
        value = json.loads(output[start:])
    except json.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _digest(report: dict[str, object]) -> dict[str, object]:
    """What tables and plots need of a report: its plain values, seconds and sums.

    The seconds are those of set-up and those until a member had evaluated a state; the sums are over all members. Plans
    are told with the seconds after which they were there, their steps, their costs, and who found them.
    """
    digest: dict[str, object] = {
        name: value for name, value in report.items() if isinstance(value, (bool, int, float, str))
    }
    front_end = report.get("front_end")
    if isinstance(front_end, dict):
        digest["set_up"] = round(sum(step["seconds"] for step in front_end["steps"].values()), 4)
    plans = report.get("plans")
    if isinstance(plans, list):
        digest["plans"] = [[plan["after"], plan["steps"], plan["cost"], plan["found_by"]] for plan in plans]
    members = report.get("members")
    for member in members if isinstance(members, list) else []:
        first_state = member.get("statistics", {}).get("first_state")
        if first_state and "set_up" in digest:
            digest.setdefault("first_state", round(digest["set_up"] + first_state, 4))
        # A member that was stopped may not have told its seconds; what its process used is then the best there is.
        numbers = {"seconds": member.get("cpu"), **member.get("statistics", {})}
        for name in SUMMED_STATISTICS:
            digest[name] = _plus(digest.get(name, 0), numbers.get(name))
    return digest


def _plus(total: object, value: object) -> float:
    return sum(number for number in (total, value) if isinstance(number, (int, float)))


def ours(name: str) -> Planner:
    """Our planner with the search configuration `name`, which options may follow: `S(hadd) --seed 2`."""
    configuration, *words = re.split(r"\s+(?=--)", name.replace("{", "{{").replace("}", "}}"))
    search = () if configuration == DEFAULT_NAME else ("--search", configuration)
    options = [part for word in words for part in word.split(None, 1)]
    limits = ("--time", "{time}", "--wall", "{wall}", "--memory", "{memory}M")
    return Planner(
        name,
        (*isolated.command("numbat"), "solve", "{domain}", "{problem}", "{plan}", *search, *options, *limits, "--json"),
        limits_itself=True,
        exit_codes=True,
    )


def _checked(planner: Planner) -> Planner:
    """One of ours, after it has accepted its configuration, which it reads before any file."""
    nowhere = Path(os.devnull)
    plan = Path(tempfile.gettempdir(), "plan")  # never written: the input is empty
    command = planner.command_line(nowhere, nowhere, plan, time=1.0, memory=1 << 30)
    answer = subprocess.run(
        command, env={**os.environ, **planner.environment}, capture_output=True, text=True, check=False
    )
    if answer.returncode == ExitCode.DRIVER_INPUT_ERROR:
        raise ConfigurationError(f"{planner.name!r} is not a configuration: {answer.stderr.strip()}")
    return planner


def _enhsp(variant: str) -> Planner:
    """ENHSP as PyPI's up-enhsp carries it; its plan file appears when it has one, and better ones replace it."""
    java = ("java", "-Xmx{heap}m", "-jar", str(_enhsp_jar()))
    search = variant.removesuffix(ENHSP_ANYTIME)
    anytime = () if search == variant else ("-anytime",)
    return Planner(
        f"enhsp:{variant}",
        (*java, "-o", "{domain}", "-f", "{problem}", "-planner", search, *anytime, "-sp", "{plan}"),
        says={r"(?i)\bunsolvable\b": "unsolvable", r"OutOfMemoryError": "out-of-memory"},
        statistics={
            "expanded": (r"Expanded Nodes: *(\d+)",),
            "evaluated": (r"(?:States Evaluated|Evaluated States): *(\d+)",),
            "dead_ends": (r"Dead-Ends detected: *(\d+)",),
            "duplicates": (r"Duplicates detected: *(\d+)",),
            # Every ten seconds of search it tells where it is; the end tells the search time exactly.
            "seconds": (r"-Time: (\d+)s ;", r"Search Time \(msec\): *(?P<milliseconds>\d+)"),
        },
    )


def _enhsp_jar() -> Path:
    package = find_spec("up_enhsp")  # not imported: it would need unified-planning
    places = package.submodule_search_locations if package else None
    return Path(places[0]) / "ENHSP" / "enhsp.jar" if places else Path("enhsp.jar")


ENHSP_ANYTIME = "-anytime"
ENHSP_VARIANTS = (
    *("sat-hadd", "sat-hradd", "sat-hmrp", "sat-hmrph", "sat-hmrphj", "sat-aibr"),
    *(f"sat-{heuristic}{ENHSP_ANYTIME}" for heuristic in ("hadd", "hmrp")),
    *("opt-blind", "opt-hmax", "opt-hrmax"),
)
FOREIGN: Mapping[str, Planner] = {planner.name: planner for planner in map(_enhsp, ENHSP_VARIANTS)}


def find(name: str, extra: Mapping[str, Planner]) -> Planner:
    """The planner called `name`; an error if it cannot run on this machine."""
    planner = extra.get(name) or FOREIGN.get(name)
    if planner is None:
        if ":" in name:
            raise ConfigurationError(f"no planner {name!r}", expected=", ".join([*FOREIGN, *extra]), got=name)
        return _checked(ours(name))
    if shutil.which(planner.command[0]) is None:
        raise ConfigurationError(f"planner {name} needs the program {planner.command[0]}, which is not installed")
    if name in FOREIGN and not _enhsp_jar().is_file():
        raise ConfigurationError(f"planner {name} needs enhsp.jar: pip install up-enhsp")
    return planner


def read_table(file: Path) -> dict[str, Planner]:
    """The planners declared in a JSON file."""
    try:
        table = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(str(file))) from error
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", Span(str(file), error.lineno, error.colno)) from error
    if not isinstance(table, dict):
        raise InputError("not a table of planners", Span(str(file)), expected="an object name -> planner")
    return {name: _declared(name, entry, file) for name, entry in table.items()}


def _declared(name: str, entry: object, file: Path) -> Planner:
    known = {field.name for field in fields(Planner)} - {"name"}
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), list) or not set(entry) <= known:
        raise InputError(
            f"planner {name!r} is not declared properly",
            Span(str(file)),
            expected=f"an object with a list `command` and, as needed, {', '.join(sorted(known - {'command'}))}",
            got=json.dumps(entry)[:200],
        )
    values = {**entry, "command": tuple(entry["command"])}
    if "statistics" in values:
        values["statistics"] = {key: tuple(patterns) for key, patterns in values["statistics"].items()}
    return Planner(name, **values)
