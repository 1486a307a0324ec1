"""Coverage-guided fuzzing of the reader and the normaliser, with atheris (not among our dependencies).

    python tests/fuzz/front_end.py -max_total_time=600 -timeout=5 -rss_limit_mb=1024 CORPUS

CORPUS is a folder that libFuzzer fills; it starts from tests/bad_inputs. Anything but success or a PlannerError is a
finding: keep the input as a new case in tests/bad_inputs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["numbat", "lark"]):
    from numbat.errors import PlannerError
    from numbat.normalise import lift, quantifiers

from tests.bad_inputs.cases import CASES, DOMAIN, PROBLEM, TOO_LARGE  # noqa: E402  (after the instrumented imports)

WORDS = Path(__file__).with_name("words.txt").read_text(encoding="ascii").split()
LISTS = Path(__file__).with_name("lists.txt").read_text(encoding="ascii").splitlines()


def one_input(data: bytes) -> None:
    """The first byte chooses which of the two files the rest stands for."""
    if not data:
        return
    file = Path(folder.name) / "input.pddl"
    file.write_bytes(data[1:])
    try:
        if data[0] % 2:
            lift(file, PROBLEM)
        else:
            lift(DOMAIN, file)
    except PlannerError as error:
        str(error)


def main() -> None:
    dictionary = Path(folder.name) / "words.dict"
    dictionary.write_text("".join(f'"{word} "\n' for word in WORDS + LISTS))
    seeds = Path(folder.name) / "seeds"
    seeds.mkdir()
    (seeds / "good-domain").write_bytes(b"\1" + DOMAIN.read_bytes())
    (seeds / "good-problem").write_bytes(b"\0" + PROBLEM.read_bytes())
    for case in CASES:
        if case.code != TOO_LARGE and case.file.stat().st_size < 4000:
            (seeds / case.name).write_bytes((b"\1" if case.role == "domain" else b"\0") + case.file.read_bytes())
    quantifiers.MAXIMUM_CONDITIONS = 2000  # many small inputs find more than few that take a second each
    atheris.Setup([*sys.argv, str(seeds), f"-dict={dictionary}", "-max_len=4000"], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    folder = tempfile.TemporaryDirectory()
    main()
