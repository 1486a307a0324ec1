"""README and documentation: what claims to run runs, the notebook too, and the site builds without a warning."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from inspect import CO_COROUTINE
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tests.docs.blocks import blocks
from tests.docs.conftest import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
RUNNING = [page for page in PAGES if any(block.claims_to_run for block in blocks(page.read_text(encoding="utf-8")))]
# Indented text that looks as if one could type it.
_COMMAND = re.compile(r"^    (?:\$ |\./|\.numbat/|numbat |pip |python |apptainer |from \w+ import|import )", re.M)


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.stem)
def test_what_claims_to_run_runs(page: Path, place: Path) -> None:
    command = [sys.executable, ROOT / "tests/docs/blocks.py", page, place]
    done = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_enough_of_them_run() -> None:
    run = {page.stem for page in RUNNING}
    assert {"README", "tutorial", "modelling", "configurations", "python", "unified-planning", "editor"} <= run


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_are_in_blocks_that_are_run_or_say_why_not(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert all(block.comments.get("not run", "why").strip() for block in blocks(text))
    if page.stem != "results":
        assert not _COMMAND.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def test_the_notebook_runs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = json.loads((ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8"))
    session: dict[str, Any] = {"__name__": "__main__"}
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(sources) >= 5 and not any(cell.get("outputs") for cell in notebook["cells"])
    loop = asyncio.new_event_loop()
    try:
        for source in sources:
            code = compile(source, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = FunctionType(code, session)()
            if code.co_flags & CO_COROUTINE:
                loop.run_until_complete(result)
    finally:
        loop.close()
    assert "cost" in capsys.readouterr().out


# --- the site ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-I", "-m", "mkdocs", "build", "--strict", "--site-dir", output]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return output


class _Addresses(HTMLParser):
    """Everything that a page makes a browser load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = {"link": "href", "script": "src", "img": "src"}
        values = dict(attributes)
        if tag in names and (value := values.get(names[tag])) and values.get("rel") != "canonical":
            self.loaded.append(value)


def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in (ROOT / "docs").glob("*.md"):
        folder = site if page.stem == "index" else site / page.stem
        text = (folder / "index.html").read_text(encoding="utf-8")
        assert r"\|" not in text
        for address in _Addresses(text).loaded:
            assert not address.startswith(("http:", "https:", "//")), f"{page.name}: {address}"
            assert (folder / address.split("?")[0]).exists(), f"{page.name}: {address}"
    assert (site / "notebook.ipynb").exists()
