"""What holds for all tests.

In continuous integration nothing may be skipped. Tests of memory limits count this process, too, and come
first, while it is small.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from numbat.lab.integration import in_continuous_integration

_MEMORY_TESTS = ("portfolio", "run", "lab", "core/test_limits.py", "validate/test_limits.py")
_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    first = tuple(str(_HERE / place) for place in _MEMORY_TESTS)
    items.sort(key=lambda item: not str(item.path).startswith(first))


def _fail_if_skipped(report: Any) -> None:
    if report.skipped and not hasattr(report, "wasxfail") and in_continuous_integration():
        report.outcome = "failed"
        report.longrepr = f"skipped, which is a failure in continuous integration: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    _fail_if_skipped(report)
    return report
