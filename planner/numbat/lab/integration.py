"""Whether this is continuous integration, where what would be skipped elsewhere is a failure.

In, out      the environment variable CI -> yes or no; unset, empty, 0 and false (in any case) are no, all else is yes
Used by      the gate, and the tests' conftest
"""

from __future__ import annotations

import os

_NO = ("", "0", "false")


def in_continuous_integration() -> bool:
    return os.environ.get("CI", "").strip().lower() not in _NO
