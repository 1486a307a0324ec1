"""Times, sizes and numbers on a command line: text → value, or an error that tells what was expected and what came.

In, out      what argparse takes as the `type` of an argument; it adds the argument's name to the error
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}

# What the system's calls for waiting take, in milliseconds: 24 days.
LONGEST_WAIT = (1 << 31) - 1


def shortened(text: str) -> str:
    """For a message: it may be as long as a command line can be."""
    return text if len(text) <= 100 else f"{text[:97]}..."


def _refuse(expected: str, text: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"expected {expected}, got '{shortened(text)}'")


def seconds(text: str) -> float:
    """60, 0.5 or 1e3."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        _refuse("a positive number of seconds such as 60 or 0.5", text)
    return number


def whole(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` to what the core counts with."""
    most = (1 << 31) - 1

    def read(text: str) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else -1
        if not least <= number <= most:
            _refuse(f"a whole number, at least {least} and at most {most}", text)
        return number

    return read


def size(text: str) -> int:
    """8G, 500M, 1.5g, 8GB, 4GiB or plain bytes."""
    match = re.fullmatch(r"([0-9]{1,30}(?:\.[0-9]{1,30})?)\s*([KMGT]?)(?:I?B)?", text.strip().upper())
    number = int(Fraction(match[1]) * (1 << _UNITS[match[2]])) if match else 0
    if not 0 < number <= sys.maxsize:
        _refuse("a size such as 8G, 500M or 1000000, at most what 64 bits address", text)
    return number
