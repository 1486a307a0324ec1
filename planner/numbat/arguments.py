"""The command line of numbat: which words there are, and what they mean.

In, out      words → Namespace, or ConfigurationError that names the option, what was expected and what came
Not here     what is done with them (numbat.cli, numbat.api)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from numbat import __version__
from numbat.errors import ConfigurationError
from numbat.quantities import seconds, shortened, size, whole
from numbat.search.options import DEFAULT_PRUNING, HEURISTIC_COSTS, PATIENCE, PRUNINGS, TIES, VARIANTS, VARIATIONS
from numbat.search.registry import DEFAULT, OPTIMAL


class Track(NamedTuple):
    """A competition's rules."""

    time: float
    anytime: bool = False
    optimal: bool = False


TRACKS = {"agile": Track(300.0), "satisficing": Track(1800.0, anytime=True), "optimal": Track(1800.0, optimal=True)}
SCHEDULES = ("interleaved", "sequential")
DEFAULT_TIME = 1800.0
DEFAULT_MEMORY = "8G"

MEMORY_POLICY = """\
memory of a portfolio:
   Paused members keep what they hold. While all processes together fit into --memory, anybody may take more. When
   they come near it, the member that holds most for its share is ended, or not started yet; it starts afresh when
   nobody else is left.
   Counted is the sum of the resident sizes of all processes, pages that they share once for each: as a batch system
   does that adds up processes, and never less than a control group counts (Slurm with cgroups, containers)."""

EXIT_CODES = """\
exit codes (the groups are Fast Downward's):
   0      a plan was found; with --optimal, one that is proved optimal
   1-3    --anytime: a plan was found, then the memory (1), the time (2) or both (3) were used up
   10     unsolvable, seen while grounding        11  unsolvable, every state was searched
   12     no plan found, but the search was not complete
   20,21  memory (20) or time (21) used up before the search
   22-24  memory (22), time (23) or both (24) used up in the search; a signal counts as time
   30-33  internal error, or wrong input (31)     34  not supported, or not by this search
   35     the operating system refused a request (disk full, no more processes)
   36     wrong options or an unusable path       37  not possible on this system"""


IMPROVE_CODES = """\
exit codes:
   0      nothing better is left to try           2  the time is over
   1, 3   the memory was used up on the way (1), the time, too (3)
   31     the plan is not valid, or a file has no meaning
   others as those of numbat solve"""


class _Parser(argparse.ArgumentParser):
    """argparse with our errors: wrong options end like every other wrong input."""

    def error(self, message: str) -> NoReturn:
        raise ConfigurationError(f"{message} ({self.prog} --help tells what is possible)")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The command and its options; `command` is None if none is named."""
    parser = _commands()
    if words[:1] == ["solve"]:
        return parse_solve(words[1:])
    if words[:1] == ["improve"]:
        return parse_improve(words[1:])
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
    return options


def parse_solve(words: Sequence[str], *, help_wanted: bool = True) -> argparse.Namespace:
    """The words after `solve`: files and options in any order, after `--` only files."""
    parser = _Parser(
        prog="numbat solve",
        usage="%(prog)s [options] DOMAIN PROBLEM [PLAN]",
        description="Find a plan for a PDDL 2.1 task and write it to PLAN, or to standard output.",
        epilog=f"{MEMORY_POLICY}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=help_wanted,
    )
    _add_solve(parser)
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_intermixed_args(words[:end])
    files = [*options.files, *words[end + 1 :]]
    if not 2 <= len(files) <= 3:
        parser.error(f"expected two files and perhaps a third, DOMAIN PROBLEM [PLAN], got {_quoted(files)}")
    options.command = "solve"
    options.domain, options.problem = map(Path, files[:2])
    options.plan = Path(files[2]) if len(files) == 3 else options.default_plan
    return options


def parse_improve(words: Sequence[str], *, help_wanted: bool = True) -> argparse.Namespace:
    """The words after `improve`: three files and options in any order, after `--` only files."""
    parser = _Parser(
        prog="numbat improve",
        usage="%(prog)s [options] DOMAIN PROBLEM PLAN",
        description="Make a plan better, until the time is over or nothing better is left to try.",
        epilog=IMPROVE_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=help_wanted,
    )
    _add_improve(parser)
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_intermixed_args(words[:end])
    files = [*options.files, *words[end + 1 :]]
    if len(files) != 3:
        parser.error(f"expected three files, DOMAIN PROBLEM PLAN, got {_quoted(files)}")
    options.command = "improve"
    options.domain, options.problem, options.given = map(Path, files)
    return options


def _quoted(files: Sequence[str]) -> str:
    return ", ".join(f"'{shortened(file)}'" for file in files) or "none"


def _commands() -> argparse.ArgumentParser:
    parser = _Parser(prog="numbat", description="A numeric planner: PDDL 2.1 in, a valid plan out.")
    parser.add_argument("--version", action="version", version=f"numbat {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("solve", help="find a plan: numbat solve DOMAIN PROBLEM [PLAN]", add_help=False)
    text = "make a plan better: numbat improve DOMAIN PROBLEM PLAN [-o BETTER]"
    commands.add_parser("improve", help=text, add_help=False)
    inspect = commands.add_parser("inspect", help="what a task consists of, before and after grounding")
    _add_task(inspect)
    inspect.add_argument("--json", action="store_true", help="as one JSON object")
    text = "instead, every numeric expression beside its normal form, by sympy"
    inspect.add_argument("--expressions", action="store_true", help=text)
    why = commands.add_parser("why", help="why a task has no plan: which goals, which conditions, where")
    _add_task(why)
    why.add_argument("--time", type=seconds, default=60.0, metavar="SECONDS", help="CPU time to look for; default 60")
    why.add_argument("--json", action="store_true", help="as one JSON object")
    show = commands.add_parser("show", help="the course of a plan as one HTML page: every number, every step")
    _add_task(show)
    show.add_argument("plan", type=Path, metavar="PLAN", help="plan file")
    show.add_argument("-o", "--output", type=Path, metavar="PAGE", help="the page; default standard output")
    listing = commands.add_parser("list", help="heuristics and configurations")
    form = listing.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as one JSON object")
    form.add_argument("--markdown", action="store_true", help="as the tables of the README")
    commands.add_parser("validate", help="judge a plan: numbat validate DOMAIN PROBLEM PLAN", add_help=False)
    commands.add_parser("lab", help="experiments over many tasks", add_help=False)
    return parser


def _some_of(known: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """The type of an option that takes names, separated by commas, or none."""

    def names(text: str) -> tuple[str, ...]:
        given = () if text == "none" else tuple(text.split(","))
        if not set(given) <= set(known):
            raise argparse.ArgumentTypeError(f"expected none or some of {', '.join(known)}, got '{shortened(text)}'")
        return given

    return names


def _add_task(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("domain", type=Path, metavar="DOMAIN", help="PDDL domain file; - is standard input")
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="PDDL problem file; likewise")


def _add_improve(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="two PDDL files and a plan file")
    better = "where the best plan so far is, at any moment; default: standard output, at the end"
    add("-o", "--output", type=Path, metavar="BETTER", help=better)
    search = f"the configuration that runs beside the improver; default {DEFAULT}"
    add("--search", default=DEFAULT, metavar="NAME", help=search)
    add("--time", type=seconds, default=300.0, metavar="SECONDS", help="CPU and wall time in all; default 300")
    add("--wall", type=seconds, metavar="SECONDS", help="wall time, if it may differ from the CPU time")
    add("--memory", type=size, default=DEFAULT_MEMORY, help="of all processes, in bytes, K, M, G or T; default 8G")
    add("--cores", type=whole(1), default=1, metavar="N", help="run N members at once")
    add("--seed", type=whole(0), default=0, metavar="N", help="of what is tried first")
    add("--json", action="store_true", help="statistics and the plan as one JSON object on standard output")
    add("--stream", action="store_true", help="--json by lines: every better plan when it is found, the rest last")
    add("--until-eof", action="store_true", help="end as on SIGTERM when standard input, a pipe, is closed")


def _add_solve(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="two PDDL files (- is standard input) and the plan file")
    default = f"default {DEFAULT}, with --optimal {OPTIMAL}"
    add("--search", metavar="NAME", help=f"a configuration, see numbat list; {default}")
    rules = "agile 300 s, first plan; satisficing 1800 s, --anytime; optimal 1800 s, --optimal"
    add("--track", choices=TRACKS, help=f"a competition's rules: {rules}")
    add("--time", type=seconds, metavar="SECONDS", help="CPU and wall time of all processes together; default 1800")
    add("--wall", type=seconds, metavar="SECONDS", help="wall time, if it may differ from the CPU time: busy machines")
    add("--memory", type=size, default=DEFAULT_MEMORY, help="of all processes, in bytes, K, M, G or T; default 8G")
    add("--anytime", action="store_true", help="go on after the first plan until the time is over, for better ones")
    add("--optimal", action="store_true", help="a cheapest plan, written only if it is proved that none is cheaper")
    prunings = f"some of {', '.join(PRUNINGS)}, separated by commas, or none"
    pruning = f"what A(...) prunes by, {prunings}; default {','.join(DEFAULT_PRUNING)}"
    add("--pruning", type=_some_of(PRUNINGS), default=DEFAULT_PRUNING, metavar="NAMES", help=pruning)
    add("--schedule", choices=SCHEDULES, default=SCHEDULES[0], help="how the members of a portfolio take turns")
    cores = "run N members at once; they may use N times the CPU time"
    add("--cores", type=whole(1), default=1, metavar="N", help=cores)
    add("--ties", choices=TIES, default=TIES[0], help="which of equally good states comes first")
    add("--seed", type=whole(0), default=0, metavar="N", help="0: operators in the order of the task; else shuffled")
    patience = f"evaluations without progress until variations share the time; default {PATIENCE}, 0: never"
    add("--patience", type=whole(0), default=PATIENCE, metavar="N", help=patience)
    variations = f"which of them, some of {', '.join(VARIATIONS)}, separated by commas, or none; default all"
    add("--variations", type=_some_of(VARIATIONS), default=VARIATIONS, metavar="NAMES", help=variations)
    add("--pure", action="store_true", help="a configuration exactly as the paper defines it: --patience 0 --whole")
    add("--heuristic-cost", choices=HEURISTIC_COSTS, default=HEURISTIC_COSTS[0], help="of an action inside heuristics")
    add("--variant", choices=VARIANTS, default=VARIANTS[0], help="compat: heuristics as the paper's code has them")
    add("--whole", action="store_true", help="plan for the whole task even if it falls into independent parts")
    add("--json", action="store_true", help="statistics and the plan as one JSON object on standard output")
    add("--report", type=Path, metavar="PAGE", help="write the course of the search as one HTML page")
    add("--stream", action="store_true", help="--json by lines: every plan when it is found, the rest last")
    add("--until-eof", action="store_true", help="end as on SIGTERM when standard input, a pipe, is closed")
    add("--default-plan", type=Path, metavar="PLAN", help="where the plan goes if only two files are named")
