"""The command numbat: words → request, report → output and exit code. The only place that catches our errors.

Output       plans (and --json objects) on standard output, everything else on standard error; the last line there is
             one true sentence about how the run ended. Output that cannot be written does not change the exit code.
Start-up     modules are imported by the command that needs them
Not here     which words there are (arguments), what the commands do (numbat.portfolio, numbat.search, numbat.lab)
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from numbat import arguments, output, signals
from numbat.errors import ConfigurationError, ExitCode, PlannerError
from numbat.portfolio.stopwatch import Origin
from numbat.search.options import SearchOptions
from numbat.search.registry import DEFAULT, OPTIMAL
from numbat.task.plan import decimal

if TYPE_CHECKING:
    from numbat.explain.run_report import Recorder
    from numbat.portfolio.runner import Snapshot
    from numbat.run.solve import Report, Request
    from numbat.task.plan import Plan

T = TypeVar("T")

# How long writing a sentence may block (seconds).
READING_TIME = 0.3
INVALID_PLAN = 1  # of numbat show, as of numbat validate
# CPU seconds for reasons, at the end of a run that has shown that there is no plan: as many as that took, at least
# and at most so many.
WHY_SECONDS = 1.0, 5.0


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Without words: those of this process."""
    origin = Origin.of_process() if words is None else Origin.now()
    output.prepare_standard_files()
    # numpy's linear algebra is not used; its threads would cost time and memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if hasattr(sys, "set_int_max_str_digits"):  # costs may have any number of digits
        sys.set_int_max_str_digits(0)
    code = _guarded(list(sys.argv[1:] if words is None else words), origin)
    if words is None:
        # The system frees our memory faster than the interpreter would, object by object.
        output.discard_rest()
        os._exit(code)
    return code


def _guarded(words: list[str], origin: Origin) -> int:
    """Run a command; every error becomes a message and an exit code."""
    json = "--json" in words or "--stream" in words
    try:
        return _dispatch(words, origin)
    except SystemExit as done:  # argparse has shown help or the version
        return done.code if isinstance(done.code, int) else ExitCode.SUCCESS
    except PlannerError as error:
        return _fail(error.exit_code, str(error), json, error)
    except KeyboardInterrupt:
        return _fail(ExitCode.SEARCH_OUT_OF_TIME, "interrupted", json)
    except MemoryError:
        return _fail(ExitCode.TRANSLATE_OUT_OF_MEMORY, "out of memory", json)
    except OSError as error:
        return _fail(ExitCode.DRIVER_CRITICAL_ERROR, f"the operating system refused a request: {error}", json)
    except Exception as error:
        if os.environ.get("NUMBAT_DEBUG"):
            raise
        text = f"internal error: {type(error).__name__}: {error} (set NUMBAT_DEBUG=1 to see where)"
        return _fail(ExitCode.DRIVER_CRITICAL_ERROR, text, json)


def _dispatch(words: list[str], origin: Origin) -> int:
    # These two parse their own arguments and handle signals themselves.
    if words[:1] == ["lab"]:
        from numbat.lab.cli import main as lab

        signals.restore()
        return lab(words[1:])
    if words[:1] == ["validate"]:
        from numbat_validate.__main__ import main as referee

        signals.restore()
        return referee(words[1:])
    options = arguments.parse(words)
    if options.command is None:
        return ExitCode.DRIVER_INPUT_ERROR
    if options.command == "solve":
        return _solve(options, origin)
    if options.command == "improve":
        return _improve(options, origin)
    return COMMANDS[options.command](options)


# --- commands ---------------------------------------------------------------------------------------------------------


def _solve(options: argparse.Namespace, origin: Origin) -> int:
    if options.until_eof:
        signals.end_with_standard_input()
    from numbat.run.progress import ProgressLine
    from numbat.run.solve import Callbacks, solve

    if options.plan is None and sys.stdout is None:
        raise ConfigurationError("standard output is closed and no plan file is given")
    request = _request(options)
    _check_page(options.report, options)
    progress = ProgressLine() if _on_terminal() else None
    watchers: list[Callable[[Snapshot], None]] = [progress] if progress else []
    recorder = None
    if options.report is not None:
        from numbat.explain.run_report import Recorder

        recorder = Recorder()
        watchers.append(recorder.watch)
    report = solve(request, Callbacks(_say, _all_of(watchers), _print_plan if options.stream else None), origin)
    signals.settle()
    if progress:
        progress.clear()
    unsolvable = report.exit_code in (ExitCode.TRANSLATE_UNSOLVABLE, ExitCode.SEARCH_UNSOLVABLE)
    reasons = []
    if unsolvable and not options.stream:  # who reads a stream asks numbat.why, and does not wait for it here
        left = min(request.time - report.cpu, (request.wall or request.time) - report.wall)
        reasons = _reasons(report, options.memory, left)
    for reason in reasons:
        _say(reason)
    _print_report(report, options, max(READING_TIME, (request.wall or request.time) - report.wall))
    if recorder is not None:
        _write_report(recorder, report, options, reasons)
    _say(report.summary)
    return report.exit_code


def _improve(options: argparse.Namespace, origin: Origin) -> int:
    if options.until_eof:
        signals.end_with_standard_input()
    from numbat.run.progress import ProgressLine
    from numbat.run.solve import Callbacks, Request, solve

    request = Request(
        domain=options.domain,
        problem=options.problem,
        plan=options.output,
        search=options.search,
        options=SearchOptions(seed=options.seed),
        time=options.time,
        memory=options.memory,
        cores=options.cores,
        anytime=True,
        wall=options.wall,
        given=options.given,
    )
    progress = ProgressLine() if _on_terminal() else None
    report = solve(request, Callbacks(_say, progress, _print_plan if options.stream else None), origin)
    signals.settle()
    if progress:
        progress.clear()
    options.plan = options.output
    _print_report(report, options, max(READING_TIME, (request.wall or request.time) - report.wall))
    _say(report.summary)
    return report.exit_code


def _all_of(listeners: Sequence[Callable[[T], None]]) -> Callable[[T], None] | None:
    """One that tells all; None if there are none."""

    def tell(news: T) -> None:
        for listener in listeners:
            listener(news)

    return tell if listeners else None


def _write_report(recorder: Recorder, report: Report, options: argparse.Namespace, reasons: list[str]) -> None:
    from numbat.explain.run_report import render

    try:
        _write(options.report, render(recorder, report, options.problem.name, reasons))
    except ConfigurationError as error:  # the answer stands all the same
        _say(str(error))


def _request(options: argparse.Namespace) -> Request:
    from numbat.run.solve import Request

    track = arguments.TRACKS.get(options.track, arguments.Track(arguments.DEFAULT_TIME))
    optimal = track.optimal or options.optimal
    patience = 0 if options.pure else options.patience
    return Request(
        domain=options.domain,
        problem=options.problem,
        plan=options.plan,
        search=options.search or (OPTIMAL if optimal else DEFAULT),
        options=SearchOptions(
            ties=options.ties,
            seed=options.seed,
            heuristic_cost=options.heuristic_cost,
            variant=options.variant,
            patience=patience,
            pruning=options.pruning,
            variations=options.variations,
        ),
        time=options.time or track.time,
        memory=options.memory,
        schedule=options.schedule,
        cores=options.cores,
        anytime=track.anytime or options.anytime,
        optimal=optimal,
        wall=options.wall,
        whole=options.whole or options.pure,
    )


def _print_plan(plan: Plan) -> None:
    import json

    cost = None if plan.cost is None else decimal(plan.cost)
    _print(json.dumps({"plan": plan.steps, "exact_cost": cost}))


def _print_report(report: Report, options: argparse.Namespace, wait: float) -> None:
    if options.json or options.stream:
        import json

        _print(json.dumps(report.as_dict(), indent=None if options.stream else 2), wait)
    elif report.plan is not None and options.plan is None:
        _print(report.plan.text().rstrip("\n"), wait)


def _inspect(options: argparse.Namespace) -> int:
    from numbat.run.inspection import expressions, inspect

    if options.expressions:
        text, warnings = expressions(options.domain, options.problem, json=options.json)
    else:
        inspection = inspect(options.domain, options.problem)
        text, warnings = _as_json(inspection.as_dict()) if options.json else inspection.text(), inspection.warnings
    for warning in warnings:
        _say(f"warning: {warning}")
    _print(text)
    return ExitCode.SUCCESS


def _why(options: argparse.Namespace) -> int:
    from numbat.explain.why import why

    explanation = why(options.domain, options.problem, options.time)
    _print(_as_json(explanation.as_dict()) if options.json else explanation.text())
    return explanation.exit_code


def _show(options: argparse.Namespace) -> int:
    from numbat.explain.show import show

    _check_page(options.output, options)
    page = show(options.domain, options.problem, options.plan)
    if options.output is None:
        _print(page.html)
    else:
        _write(options.output, page.html)
    _say("the plan is valid" if page.verdict.valid else f"the plan is not valid: {page.verdict.reason}")
    return ExitCode.SUCCESS if page.verdict.valid else INVALID_PLAN


def _reasons(report: Report, memory: int, seconds: float) -> list[str]:
    """Two lines about an unsolvable task: what is out of reach, and why."""
    from numbat.explain.why import why
    from numbat.run.frontend import data_limit

    # the answer stands, whatever becomes of its reasons
    with contextlib.suppress(Exception), data_limit(memory):
        assert report.front_end is not None
        least, most = WHY_SECONDS
        wanted = min(most, max(least, report.cpu))
        return list(why(*report.front_end.files, min(seconds, wanted), brief=True).summary())
    return []


def _list(options: argparse.Namespace) -> int:
    from numbat.engines.table import ENGINES
    from numbat.search import listing

    write = listing.as_json if options.json else listing.as_markdown if options.markdown else listing.as_text
    _print(write({name: engine.summary for name, engine in ENGINES.items()}))
    return ExitCode.SUCCESS


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "inspect": _inspect,
    "list": _list,
    "show": _show,
    "why": _why,
}


# --- output -----------------------------------------------------------------------------------------------------------


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _print(text: str, wait: float = arguments.DEFAULT_TIME) -> None:
    if reason := output.write(sys.stdout, f"{text}\n", wait):
        _say(f"cannot write to standard output: {reason}")


def _as_json(entries: dict[str, Any]) -> str:
    import json

    return json.dumps(entries, indent=2)


def _check_page(path: Path | None, options: argparse.Namespace) -> None:
    """Refuse a page that cannot be written, or would replace what the user gave us, before any work is done."""
    from numbat.run.plan_file import PlanFile

    inputs = [options.domain, options.problem, *([] if options.plan is None else [options.plan])]
    PlanFile(path).check(*inputs, what="the page")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # file names need not be text
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from None


def _say(text: str) -> None:
    output.write(sys.stderr, f"numbat: {text}\n", READING_TIME)


def _fail(code: ExitCode, text: str, json: bool, error: PlannerError | None = None) -> int:
    if json:
        import json as encoder

        details = {} if error is None else error.as_dict()
        _print(encoder.dumps({"exit_code": code, "error": text, **details}), READING_TIME)
    _say(text)
    return code
