"""The referee on the command line, in the manner of VAL: `validate [-v] [-t N] [--json] DOMAIN PROBLEM PLAN...`."""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from io import TextIOWrapper

from numbat_validate import InputError, Unsupported, Verdict, judge, load
from numbat_validate.reader import render_number, shorten

Outcome = tuple[str, int, Verdict | str]  # a plan, its exit code, and the verdict or why there is none
VALID, INVALID, INPUT_ERROR, UNSUPPORTED, INTERRUPTED = 0, 1, 2, 3, 130
_EXIT_CODES = """exit codes:
  0  every plan is valid
  1  some plan is invalid
  2  input error: usage, or a domain, problem or plan that cannot be read or has no meaning
  3  PDDL that is not supported"""


def main(arguments: Sequence[str] | None = None) -> int:
    request = _parser().parse_args(arguments)
    try:
        outcomes = _judge_all(request)
        worst = max(code for _, code, _ in outcomes)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # names may hold what the terminal cannot show
        if sys.stderr is not None:
            sys.stderr.write("".join(f"validate: {why}\n" for _, _, why in outcomes if isinstance(why, str)))
        print(_as_json(outcomes, worst) if request.json else _as_text(outcomes, request.verbose), flush=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError:
        # Nobody reads our output any more; the verdict is still the exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return worst


def _parser() -> argparse.ArgumentParser:
    description = "Judge plans exactly: PDDL 2.1 with numbers, no tolerance unless asked for."
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("validate", description=description, epilog=_EXIT_CODES, formatter_class=layout)
    parser.add_argument("-v", "--verbose", action="store_true", help="explain a failure with exact values")
    parser.add_argument("-t", "--tolerance", type=_tolerance, default=0, metavar="N", help="slack of comparisons")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    parser.add_argument("domain", metavar="DOMAIN")
    parser.add_argument("problem", metavar="PROBLEM")
    parser.add_argument("plans", metavar="PLAN", nargs="+")
    return parser


def _tolerance(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,20}(\.[0-9]{1,20})?(e-[0-9]{1,2})?", text):
        raise argparse.ArgumentTypeError(f"expected a number such as 0.001 or 1e-6, got '{shorten(text)}'")
    return Fraction(text)


def _judge_all(request: argparse.Namespace) -> list[Outcome]:
    """One outcome per plan, or a single one if the task itself is refused."""
    outcomes: list[Outcome] = []
    task = None
    for plan in request.plans:
        try:
            task = task or load(request.domain, request.problem)
            verdict = judge(task, plan, request.tolerance)
            outcomes.append((plan, VALID if verdict.valid else INVALID, verdict))
        except (InputError, Unsupported) as refusal:
            outcomes.append((plan, UNSUPPORTED if isinstance(refusal, Unsupported) else INPUT_ERROR, str(refusal)))
            if task is None:
                break
    return outcomes


def _as_json(outcomes: list[Outcome], worst: int) -> str:
    plans = [
        {"plan": plan, **(asdict(outcome) if isinstance(outcome, Verdict) else {"valid": False, "error": outcome})}
        for plan, _, outcome in outcomes
    ]
    return json.dumps({"exit_code": worst, "plans": plans}, indent=2, default=render_number)


def _as_text(outcomes: list[Outcome], verbose: bool) -> str:
    """VAL's words: one paragraph per plan, then the lists of successful and failed plans."""
    lines: list[str] = []
    successful, failed = ["Successful plans:"], ["Failed plans:"]
    for plan, _, outcome in outcomes:
        lines += [f"Checking plan: {plan}", *_paragraph(outcome, verbose), ""]
        if isinstance(outcome, Verdict) and outcome.valid:
            successful.append(f" {plan} {render_number(outcome.cost)}")
        else:
            failed.append(f" {plan}")
    return "\n".join(lines + (successful if successful[1:] else []) + (failed if failed[1:] else []))


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
    return [*lines, f"Reason: {outcome.reason}", *(f"  {detail}" for detail in outcome.details)] if verbose else lines


if __name__ == "__main__":
    sys.exit(main())
