"""Domain, problem and plan as callers from Python give them: paths, or what would stand in the files.

In, out      a path or a text → a file for another process, or what the readers of this process take
Not here     what is done with them (numbat.api)
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from numbat.task.plan import Plan

if TYPE_CHECKING:
    from numbat.pddl import FileOrPath

Text = str | Path
PlanText = str | Path | Plan | Sequence[str]


def is_text(given: Text) -> bool:
    """Several lines, a beginning of PDDL, or nothing at all, which no file is called."""
    return isinstance(given, str) and ("\n" in given or given.lstrip()[:1] in ("(", ";", ""))


def encoded(text: object) -> bytes:
    """What cannot be encoded becomes bytes that are no text: harmless in comments, an error elsewhere."""
    return str(text).encode("utf-8", "surrogatepass")


def not_standard_input(path: Text) -> str:
    """A file of that name: the planner's standard input is not the caller's."""
    return str(Path(path).absolute() if str(path) == "-" else path)


@contextlib.contextmanager
def files(domain: Text, problem: Text) -> Iterator[tuple[str, str]]:
    """Both as files; texts are written to a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="numbat-") as folder:
        paths = []
        for name, given in (("domain", domain), ("problem", problem)):
            if is_text(given):
                place = Path(folder, f"{name}.pddl")
                place.write_bytes(encoded(given))
                given = place
            paths.append(not_standard_input(given))
        yield paths[0], paths[1]


def in_memory(domain: Text, problem: Text) -> tuple[FileOrPath, FileOrPath]:
    """Both for functions of this process, which take texts as they are."""
    from numbat.pddl import File

    given = {"<domain>": domain, "<problem>": problem}
    readable = (File(name, encoded(text)) if is_text(text) else text for name, text in given.items())
    return next(readable), next(readable)


def plan_file(plan: PlanText, folder: str) -> str:
    if isinstance(plan, Path) or (isinstance(plan, str) and not is_text(plan)):
        return str(plan)
    place = Path(folder, "plan")
    place.write_bytes(encoded(plan if isinstance(plan, str) else "".join(f"{step}\n" for step in plan)))
    return str(place)
