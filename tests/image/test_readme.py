"""The README tells the truth: its tables are the registry's, its commands work, its links lead somewhere.

Run as a program, this file writes the tables anew.
"""

from __future__ import annotations

import re
import subprocess
import sys
from textwrap import indent

import pytest

from numbat.errors import ExitCode
from tests.image.tree import ROOT

README = ROOT / "README.md"
BEGIN, END = "<!-- begin: numbat list --markdown -->\n", "<!-- end -->"


def generated() -> str:
    """The README with today's tables."""
    command = [sys.executable, "-I", "-m", "numbat", "list", "--markdown"]
    tables = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    before, rest = README.read_text().split(BEGIN)
    return f"{before}{BEGIN}{tables.strip()}\n{END}{rest.split(END, 1)[1]}"


def test_tables_are_current() -> None:
    assert README.read_text() == generated(), "run: python -m tests.image.test_readme"


def test_every_exit_code_is_explained() -> None:
    section = README.read_text().split("## Exit codes")[1].split("\n## ")[0]
    codes = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", section, re.M) for code in row.split(", ")}
    assert codes == set(ExitCode)


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "docs/image.md"])
def test_named_files_exist(file: str) -> None:
    text = (ROOT / file).read_text()
    links = re.findall(r"\]\(([\w./-]+)\)", text)
    paths = re.findall(r"(?:^|[`\s])((?:tests|examples|packaging|docs|planner)/[\w./-]*\w)", text)
    assert paths
    for path in links + paths:
        assert (ROOT / path).exists(), path


def test_example_of_the_readme(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The first command's options, through the planner of this tree."""
    directory = tmp_path_factory.mktemp("readme")
    command = re.search(r"^\$ ./plan.sh (.*) plan$", README.read_text(), re.M)
    assert command
    files = [ROOT / file for file in command[1].split()]
    plan = directory / "plan"
    subprocess.run([sys.executable, "-I", "-m", "numbat", "solve", *files, plan], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-I", "-m", "numbat_validate", *files, plan], cwd=ROOT, check=True)
    assert indent(plan.read_text(), "    ") in README.read_text()


if __name__ == "__main__":
    README.write_text(generated())
