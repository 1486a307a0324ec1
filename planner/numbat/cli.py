"""The command numbat: arguments → request, report → output and exit code. The only place that catches our errors.

Output       plans (and --json objects) on standard output, everything else on standard error; the last line there is
             one true sentence about how the run ended
Start-up     modules are imported by the command that needs them
Not here     what the commands do (numbat.portfolio, numbat.search, validate, numbat.lab)
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from numbat import __version__
from numbat.errors import ConfigurationError, ExitCode, PlannerError
from numbat.portfolio.stopwatch import Origin
from numbat.search.options import HEURISTIC_COSTS, PATIENCE, TIES, VARIANTS, SearchOptions
from numbat.search.registry import DEFAULT

if TYPE_CHECKING:
    from numbat.portfolio.solve import Report

TRACKS = {"agile": (300.0, False), "satisficing": (1800.0, True)}
SCHEDULES = ("interleaved", "sequential")
DEFAULT_TIME = 1800.0
DEFAULT_MEMORY = "8G"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

MEMORY_POLICY = """\
memory of a portfolio:
   Paused members keep what they hold. While all processes together fit into --memory, anybody may take more. When
   they come near it, the member that holds most is ended; it starts once more, afresh, when nobody else is left."""

EXIT_CODES = """\
exit codes (the groups are Fast Downward's):
   0      a plan was found
   1-3    --anytime: a plan was found, then the memory (1), the time (2) or both (3) were used up
   10     unsolvable, seen while grounding        11  unsolvable, every state was searched
   12     no plan found, but the search was not complete
   20,21  memory (20) or time (21) used up before the search
   22-24  memory (22), time (23) or both (24) used up in the search; a signal counts as time
   30-33  internal error, or wrong input (31)     34  the PDDL uses something that is not supported
   35     the system failed us (disk full, no process to be had)
   36     wrong options or an unusable path       37  not possible on this system"""


class _Parser(argparse.ArgumentParser):
    """argparse with our errors: wrong options end like every other wrong input."""

    def error(self, message: str) -> NoReturn:
        raise ConfigurationError(f"{message} ({self.prog} --help tells what is possible)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Without arguments: those of this process, which we then are."""
    origin = Origin.of_process() if arguments is None else Origin.now()
    _occupy_standard_files()
    # numpy's linear algebra is not used; its threads would cost time and memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    command_line = list(sys.argv[1:] if arguments is None else arguments)
    code = _guarded(command_line, origin)
    if arguments is None:
        # The system frees our memory faster than the interpreter would, object by object.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    return code


def _guarded(command_line: list[str], origin: Origin) -> int:
    """Run a command; every error becomes a message and an exit code."""
    json = "--json" in command_line
    try:
        return _dispatch(command_line, origin)
    except PlannerError as error:
        return _fail(error.exit_code, str(error), json)
    except KeyboardInterrupt:
        return _fail(ExitCode.SEARCH_OUT_OF_TIME, "interrupted", json)
    except MemoryError:
        return _fail(ExitCode.TRANSLATE_OUT_OF_MEMORY, "out of memory", json)
    except BrokenPipeError:
        # Nobody reads any more; keep the interpreter from flushing into the closed pipe at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.DRIVER_CRITICAL_ERROR
    except OSError as error:
        return _fail(ExitCode.DRIVER_CRITICAL_ERROR, f"the system failed us: {error}", json)
    except Exception as error:
        if os.environ.get("NUMBAT_DEBUG"):
            raise
        text = f"internal error: {type(error).__name__}: {error} (set NUMBAT_DEBUG=1 to see where)"
        return _fail(ExitCode.DRIVER_CRITICAL_ERROR, text, json)


def _dispatch(command_line: list[str], origin: Origin) -> int:
    # These two read their own arguments.
    if command_line[:1] == ["lab"]:
        from numbat.lab.cli import main as lab

        return lab(command_line[1:])
    if command_line[:1] == ["validate"]:
        from numbat_validate.__main__ import main as referee

        return referee(command_line[1:])
    parser = _parser()
    options = parser.parse_args(command_line)
    if options.command is None:
        parser.print_help()
        return ExitCode.DRIVER_INPUT_ERROR
    run: Callable[..., int] = options.run
    return run(options, origin) if options.command == "solve" else run(options)


# --- arguments --------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="numbat", description="A satisficing numeric planner: PDDL 2.1 in, a valid plan out.")
    parser.add_argument("--version", action="version", version=f"numbat {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    solve = commands.add_parser(
        "solve",
        help="find a plan",
        description="Find a plan for a PDDL 2.1 task and write it to PLAN, or to standard output.",
        epilog=f"{MEMORY_POLICY}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_solve(solve)
    inspect = commands.add_parser("inspect", help="what a task consists of, before and after grounding")
    _add_task(inspect)
    inspect.add_argument("--json", action="store_true", help="as one JSON object")
    inspect.set_defaults(run=_inspect)
    listing = commands.add_parser("list", help="heuristics and configurations")
    form = listing.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as one JSON object")
    form.add_argument("--markdown", action="store_true", help="as the tables of the README")
    listing.set_defaults(run=_list)
    commands.add_parser("validate", help="judge a plan: numbat validate DOMAIN PROBLEM PLAN", add_help=False)
    commands.add_parser("lab", help="experiments over many tasks", add_help=False)
    return parser


def _add_task(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("domain", type=Path, metavar="DOMAIN", help="PDDL domain file")
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="PDDL problem file")


def _add_solve(parser: argparse.ArgumentParser) -> None:
    _add_task(parser)
    parser.add_argument("plan", type=Path, nargs="?", metavar="PLAN", help="plan file, replaced only by a valid plan")
    add = parser.add_argument
    add("--search", default=DEFAULT, metavar="NAME", help=f"a configuration, see numbat list; default {DEFAULT}")
    add("--track", choices=TRACKS, help="a competition's rules: agile 300 s, first plan; satisficing 1800 s, --anytime")
    add("--time", type=_seconds, metavar="SECONDS", help="CPU and wall time of all processes together; default 1800")
    add("--wall", type=_seconds, metavar="SECONDS", help="wall time, if it may differ from the CPU time: busy machines")
    add("--memory", type=_bytes, default=DEFAULT_MEMORY, help="of all processes, in bytes, K, M or G; default 8G")
    add("--anytime", action="store_true", help="go on after the first plan until the time is over, for better ones")
    add("--schedule", choices=SCHEDULES, default=SCHEDULES[0], help="how the members of a portfolio take turns")
    add("--cores", type=_count, default=1, metavar="N", help="run N members at once; they may use N times the CPU time")
    add("--ties", choices=TIES, default=TIES[0], help="which of equally good states comes first")
    add("--seed", type=_natural, default=0, metavar="N", help="0: operators in the order of the task; else shuffled")
    patience = f"evaluations without progress until variations share the time; default {PATIENCE}, 0: never"
    add("--patience", type=_natural, default=PATIENCE, metavar="N", help=patience)
    add("--pure", action="store_true", help="a configuration exactly as the paper defines it: --patience 0 --whole")
    add("--heuristic-cost", choices=HEURISTIC_COSTS, default=HEURISTIC_COSTS[0], help="of an action inside heuristics")
    add("--variant", choices=VARIANTS, default=VARIANTS[0], help="compat: heuristics as the paper's code has them")
    add("--whole", action="store_true", help="plan for the whole task even if it falls into independent parts")
    add("--json", action="store_true", help="statistics and the plan as one JSON object on standard output")
    parser.set_defaults(run=_solve)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a positive number of seconds")
    return seconds


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return count


def _natural(text: str) -> int:
    number = int(text)
    if not 0 <= number < 1 << 31:
        raise argparse.ArgumentTypeError("must be from 0 to 2147483647")
    return number


def _bytes(text: str) -> int:
    """8G, 500M, 1.5g, 8GB, 4GiB or plain bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:I?B)?", text.strip().upper())
    if not match or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 8G, 500M or 1000000")
    return int(float(match[1]) * _UNITS[match[2]])


# --- commands ---------------------------------------------------------------------------------------------------------


def _solve(options: argparse.Namespace, origin: Origin) -> int:
    from numbat.portfolio.progress import Progress
    from numbat.portfolio.solve import Request, Voices, solve

    if options.plan is None and sys.stdout is None:
        raise ConfigurationError("standard output is closed and no plan file is given")
    time, anytime = TRACKS.get(options.track, (DEFAULT_TIME, options.anytime))
    patience = 0 if options.pure else options.patience
    request = Request(
        domain=options.domain,
        problem=options.problem,
        plan=options.plan,
        search=options.search,
        options=SearchOptions(options.ties, options.seed, options.heuristic_cost, options.variant, patience),
        time=options.time or time,
        memory=options.memory,
        schedule=options.schedule,
        cores=options.cores,
        anytime=anytime or options.anytime,
        wall=options.wall,
        whole=options.whole or options.pure,
    )
    progress = Progress() if _on_terminal() else None
    report = solve(request, Voices(_say, progress), origin)
    if progress:
        progress.clear()
    _print_report(report, options)
    _say(report.summary)
    return report.exit_code


def _print_report(report: Report, options: argparse.Namespace) -> None:
    if options.json:
        import json

        print(json.dumps(report.as_dict(), indent=2), flush=True)
    elif report.plan is not None and options.plan is None:
        print(report.plan.text(), end="", flush=True)


def _inspect(options: argparse.Namespace) -> int:
    from numbat.portfolio.inspection import inspect

    text, warnings = inspect(options.domain, options.problem, json=options.json)
    for warning in warnings:
        _say(f"warning: {warning}")
    print(text, flush=True)
    return ExitCode.SUCCESS


def _list(options: argparse.Namespace) -> int:
    from numbat.search import listing

    text = listing.as_json() if options.json else listing.as_markdown() if options.markdown else listing.as_text()
    print(text, flush=True)
    return ExitCode.SUCCESS


# --- output -----------------------------------------------------------------------------------------------------------


def _occupy_standard_files() -> None:
    """If one of the three standard files is closed, our pipes must not take its number."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor <= 2:
        descriptor = os.dup(descriptor)
    os.close(descriptor)


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(f"numbat: {text}", file=sys.stderr, flush=True)


def _fail(code: ExitCode, text: str, json: bool) -> int:
    if json:
        import json as encoder

        print(encoder.dumps({"exit_code": code, "error": text}, indent=2), flush=True)
    _say(text)
    return code
