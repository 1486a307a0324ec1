"""What holds for all tests: in continuous integration (CI=true) nothing may be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest


def _fail_if_skipped(report: Any) -> None:
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
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
