"""The referee on the command line, in the manner of VAL: `validate [-v] [-t N] [--json] DOMAIN PROBLEM PLAN...`."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TextIO

from validate import InputError, Unsupported, Verdict, judge, load
from validate.reader import render_number

VALID, INVALID, INPUT_ERROR, UNSUPPORTED, INTERRUPTED = 0, 1, 2, 3, 130
_EXIT_CODES = """exit codes:
  0  every plan is valid
  1  some plan is invalid
  2  input error: usage, or a domain, problem or plan that cannot be read or has no meaning
  3  PDDL that is not supported"""


def main(arguments: Sequence[str] | None = None) -> int:
    request = _parser().parse_args(arguments)
    try:
        code, outcomes = _judge_all(request)
        complaints = "".join(f"validate: {outcome}\n" for _, outcome in outcomes if isinstance(outcome, str))
        report = _as_json(code, outcomes) if request.json else _as_text(outcomes, request.verbose)
        _write(sys.stderr, complaints)
        _write(sys.stdout, report)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError:
        # Nobody reads our output any more; the verdict is still the exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _write(stream: TextIO | None, text: str) -> None:
    """Names and paths may hold what the terminal cannot show; a closed stream is None."""
    if stream is not None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="validate",
        description="Judge plans exactly: PDDL 2.1 with numbers, no tolerance unless asked for.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="explain a failure with exact values")
    parser.add_argument("-t", "--tolerance", type=_tolerance, default=0, metavar="N", help="slack of comparisons")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    parser.add_argument("domain", metavar="DOMAIN")
    parser.add_argument("problem", metavar="PROBLEM")
    parser.add_argument("plans", metavar="PLAN", nargs="+")
    return parser


def _tolerance(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,20}(\.[0-9]{1,20})?(e-[0-9]{1,2})?", text):
        raise ValueError(text)
    return Fraction(text)


def _judge_all(request: argparse.Namespace) -> tuple[int, list[tuple[str, Verdict | str]]]:
    """The exit code, and per plan the verdict or why there is none; the first entry may stand for the task."""
    code = VALID
    outcomes: list[tuple[str, Verdict | str]] = []
    task = None
    for plan in request.plans:
        try:
            task = task or load(request.domain, request.problem)
            verdict = judge(task, plan, request.tolerance)
            code = max(code, VALID if verdict.valid else INVALID)
            outcomes.append((plan, verdict))
        except (InputError, Unsupported) as refusal:
            code = max(code, UNSUPPORTED if isinstance(refusal, Unsupported) else INPUT_ERROR)
            outcomes.append((plan, str(refusal)))
            if task is None:
                break
    return code, outcomes


def _as_json(code: int, outcomes: list[tuple[str, Verdict | str]]) -> str:
    plans = [
        {"plan": plan, **({"valid": False, "error": outcome} if isinstance(outcome, str) else asdict(outcome))}
        for plan, outcome in outcomes
    ]
    return json.dumps({"exit_code": code, "plans": plans}, indent=2, default=render_number) + "\n"


def _as_text(outcomes: list[tuple[str, Verdict | str]], verbose: bool) -> str:
    """VAL's words: one paragraph per plan, then the lists of successful and failed plans."""
    lines: list[str] = []
    successful, failed = ["Successful plans:"], ["Failed plans:"]
    for plan, outcome in outcomes:
        lines += [f"Checking plan: {plan}", *_paragraph(outcome, verbose), ""]
        if isinstance(outcome, Verdict) and outcome.valid:
            successful.append(f" {plan} {render_number(outcome.cost)}")
        else:
            failed.append(f" {plan}")
    for group in (successful, failed):
        lines += group if len(group) > 1 else []
    return "\n".join(lines) + "\n"


def _paragraph(outcome: Verdict | str, verbose: bool) -> list[str]:
    if isinstance(outcome, str):
        return ["Bad input, no verdict"]
    lines = [f"Tolerance: {render_number(outcome.tolerance)}"] if outcome.tolerance else []
    if outcome.step is not None:
        lines.append(f"Plan failed to execute: step {outcome.step} of {outcome.length}")
    else:
        lines.append("Plan executed successfully - checking goal")
        value = f"Final value: {render_number(outcome.cost)}"
        lines += ["Plan valid", value] if outcome.valid else ["Goal not satisfied"]
    if verbose:
        lines += [f"Reason: {outcome.reason}", *(f"  {detail}" for detail in outcome.details)]
    return lines


if __name__ == "__main__":
    sys.exit(main())
