"""The command `numbat lab`: arguments -> an experiment, a report, the gate, or a comparison of speeds.

In, out      words after `lab` -> exit code; errors are raised for numbat.cli to show
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from numbat.errors import ConfigurationError
from numbat.lab import (
    best,
    cluster,
    compare,
    experiment,
    gate,
    planners,
    portfolio,
    quality,
    report,
    results,
    scores,
    speed,
    suites,
)
from numbat.lab.outcome import OUTCOMES
from numbat.quantities import seconds, size

DEFAULT_FOLDER = Path("lab")
INTERRUPTED = 130


def main(argv: list[str]) -> int:
    """Run one command of the lab."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on where it stopped")
        return INTERRUPTED


class _Parser(argparse.ArgumentParser):
    """Wrong arguments are errors like all others, with the planner's own exit code."""

    def error(self, message: str) -> NoReturn:
        raise ConfigurationError(f"{self.prog}: {message}\n{self.format_usage().rstrip()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="numbat lab", description="Experiments over many tasks.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_run(commands)
    _add_report(commands)
    _add_compare(commands)
    _add_portfolio(commands)
    _add_best(commands)
    _add_quality(commands)
    _add_gate(commands)
    _add_speed(commands)
    listing = commands.add_parser("list", help="suites, planners and outcomes")
    listing.set_defaults(command=_list)
    return parser


Commands = argparse._SubParsersAction


def _add_run(commands: Commands[_Parser]) -> None:
    run = commands.add_parser(
        "run", help="suites x planners under limits", description="Run planners on suites; repeat to resume."
    )
    suite_help = "ipc2023, development, ipc2023/sample, ipc2023:rover:5, a folder"
    run.add_argument("suites", nargs="+", metavar="SUITE", help=suite_help)
    run.add_argument(
        "-p",
        "--planner",
        action="append",
        default=[],
        metavar="NAME",
        help="planner, or configuration with options, such as 'S(hadd) --seed 2'; may be repeated",
    )
    run.add_argument("--time", type=seconds, default=10.0, metavar="S", help="CPU seconds per run (10)")
    run.add_argument("--memory", type=size, default=2 << 30, metavar="M", help="resident memory per run (2G)")
    run.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N", help="workers")
    run.add_argument("-o", "--output", type=Path, default=DEFAULT_FOLDER, metavar="FOLDER", help="results (lab)")
    run.add_argument("--slurm", metavar="PARTITION", help="on a Slurm cluster, through Downward Lab")
    _add_planners(run)
    run.set_defaults(command=_run)


def _add_report(commands: Commands[_Parser]) -> None:
    show = commands.add_parser("report", help="coverage, scores and plots as text, CSV and one HTML page")
    show.add_argument(
        "results", nargs="*", type=Path, default=[DEFAULT_FOLDER], metavar="RESULTS", help="folders or files"
    )
    show.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="where to write it (the first results' folder)"
    )
    show.add_argument("--reference", type=Path, metavar="FILE", help="known costs: lines domain,problem,cost")
    show.set_defaults(command=_report)


def _add_compare(commands: Commands[_Parser]) -> None:
    versus = commands.add_parser("compare", help="two results task by task: won, lost, faster, slower")
    versus.add_argument("before", type=Path, metavar="BEFORE", help="folder or file of results")
    versus.add_argument("after", type=Path, metavar="AFTER", help="folder or file of results")
    versus.set_defaults(command=_compare)


def _add_portfolio(commands: Commands[_Parser]) -> None:
    make = commands.add_parser("portfolio", help="members and slices computed from results of single configurations")
    make.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="folders or files")
    make.add_argument("--time", type=seconds, default=300.0, metavar="S", help="CPU seconds of the portfolio (300)")
    make.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it here as JSON")
    make.set_defaults(command=_portfolio)


def _add_best(commands: Commands[_Parser]) -> None:
    known = commands.add_parser("best", help="results beside the best known costs, which they can only improve")
    known.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="folders or files, with their plans")
    known.add_argument("--known", type=Path, default=best.DEFAULT, metavar="FILE", help="the best known costs")
    known.add_argument("--update", action="store_true", help="write what is better into the file")
    known.add_argument("--suite", action="append", metavar="SUITE", help="where the tasks are (ipc2023)")
    known.set_defaults(command=_best)


def _add_quality(commands: Commands[_Parser]) -> None:
    good = commands.add_parser("quality", help="plans over time beside the shortest published ones and the best known")
    good.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="folders or files")
    good.add_argument("--shortest", type=Path, required=True, metavar="FILE", help="lines domain,problem,steps")
    good.add_argument("--known", type=Path, default=best.DEFAULT, metavar="FILE", help="the best known costs")
    good.add_argument("--at", type=seconds, nargs="+", default=[], metavar="S", help="also after so many seconds")
    good.set_defaults(command=_quality)


def _add_gate(commands: Commands[_Parser]) -> None:
    check = commands.add_parser("gate", help="fail on a wrong plan, a crash, or coverage below the floor")
    check.add_argument("--floor", type=Path, default=gate.DEFAULT_FLOOR, metavar="FILE", help="what is demanded")
    check.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="keep the results here")
    _add_planners(check)
    check.set_defaults(command=_gate)


def _add_speed(commands: Commands[_Parser]) -> None:
    compare = commands.add_parser("speed", help="evaluations per second beside ENHSP's")
    compare.add_argument("suites", nargs="*", metavar="SUITE", help="tasks (a middle-sized one of eight domains)")
    compare.add_argument("--seconds", type=seconds, default=20.0, metavar="S", help="of search (20)")
    compare.add_argument("-o", "--output", type=Path, default=Path("speed"), metavar="FOLDER", help="results (speed)")
    compare.set_defaults(command=_speed)


def _add_planners(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--planners", type=Path, metavar="FILE", help="further planners, declared in JSON")


def _extra(arguments: argparse.Namespace) -> dict[str, planners.Planner]:
    return planners.read_table(arguments.planners) if arguments.planners else {}


def _run(arguments: argparse.Namespace) -> int:
    extra = _extra(arguments)
    names = dict.fromkeys(arguments.planner or [planners.DEFAULT_NAME])
    plan = experiment.Experiment(
        tasks=suites.select(arguments.suites),
        planners=[planners.find(name, extra) for name in names],
        time=arguments.time,
        memory=arguments.memory,
        folder=arguments.output,
    )
    if arguments.jobs < 1:
        raise ConfigurationError("at least one worker is needed", got=str(arguments.jobs))
    if arguments.slurm:
        lost = cluster.run(plan, arguments.slurm)
        if lost:
            print(f"{lost} runs were lost by the cluster; the same command submits them again", file=sys.stderr)
        return 1 if lost else 0
    experiment.run(plan, arguments.jobs)
    return 0


def _report(arguments: argparse.Namespace) -> int:
    records = [record for source in arguments.results for record in results.read(source)]
    if not records:
        raise ConfigurationError("no finished run to report on", got=", ".join(map(str, arguments.results)))
    first: Path = arguments.results[0]
    reference = scores.read_reference(arguments.reference) if arguments.reference else {}
    table = scores.Table(records, reference)
    written = report.write(table, arguments.output or (first if first.is_dir() else first.parent))
    print(report.summary(table))
    print("\n".join(map(str, written)))
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    print(compare.render(compare.compare(results.read(arguments.before), results.read(arguments.after))))
    return 0


def _portfolio(arguments: argparse.Namespace) -> int:
    records = [record for source in arguments.results for record in results.read(source)]
    chosen = portfolio.choose(portfolio.times_of(records, arguments.time), arguments.time)
    print(portfolio.render(chosen))
    if arguments.output:
        arguments.output.write_text(chosen.as_json(), encoding="utf-8")
    return 0


def _best(arguments: argparse.Namespace) -> int:
    known = best.read(arguments.known)
    found = best.claims(arguments.results)
    better, complaints = best.improvements(found, known, suites.select(arguments.suite or ["ipc2023"]))
    entries = best.merged(known, better)
    if arguments.update and better:
        best.write(arguments.known, entries)
    reference = {name: float(entry.cost) for name, entry in entries.items()}
    table = scores.Table([claim.record for claim in found], reference)
    print(best.render(table, known, better))
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def _quality(arguments: argparse.Namespace) -> int:
    records = [record for source in arguments.results for record in results.read(source)]
    known = quality.Known(scores.read_reference(arguments.shortest), best.read(arguments.known))
    print(quality.render(scores.Table(records), known, sorted(arguments.at)))
    return 0


def _gate(arguments: argparse.Namespace) -> int:
    return gate.gate(gate.read_floor(arguments.floor), _extra(arguments), arguments.output)


def _speed(arguments: argparse.Namespace) -> int:
    print(speed.render(speed.measure(arguments.seconds, arguments.output, arguments.suites)))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    print("suites\n  NAME[/sample][:DOMAIN[:NUMBER]], or a folder with domain.pddl and its problems")
    for name, suite in suites.SUITES.items():
        missing = "" if suite.folder.is_dir() else " (missing)"
        print(f"  {name:13}  {suite.summary}: {suite.folder}{missing}; {suite.variable} names another folder")
    print("planners\n  numbat, our default; any search configuration such as S(hadd) or P(3h||3n), also with options")
    for name in planners.FOREIGN:
        try:
            planners.find(name, {})
            print(f"  {name}")
        except ConfigurationError as error:
            print(f"  {name} (not here: {error})")
    print("outcomes")
    for name, meaning in OUTCOMES.items():
        print(f"  {name:13}  {meaning}")
    return 0
