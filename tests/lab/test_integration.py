"""One rule for what continuous integration is: the gate and the tests themselves go by it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from numbat.lab.integration import in_continuous_integration
from tests import conftest

VALUES = {"true": True, "True": True, "1": True, "yes": True, "": False, "0": False, "false": False, "FALSE": False}


@pytest.mark.parametrize(("value", "answer"), VALUES.items())
def test_what_the_variable_means(value: str, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", value)
    assert in_continuous_integration() == answer


def test_without_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert not in_continuous_integration()


@pytest.mark.parametrize(("value", "answer"), VALUES.items())
def test_what_is_skipped_there_fails(value: str, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", value)
    report = SimpleNamespace(skipped=True, outcome="skipped", longrepr="no Java")
    conftest._fail_if_skipped(report)
    assert report.outcome == ("failed" if answer else "skipped")
