"""Plan every example with the commands beside this Python, and judge each plan: is this wheel, or image, whole?

python -I smoke_test.py EXAMPLES
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main(examples: Path) -> None:
    commands = Path(sys.executable).parent
    folders = sorted(path.parent for path in examples.glob("*/domain.pddl"))
    assert folders, f"no example in {examples}"
    with tempfile.TemporaryDirectory() as place:
        for folder in folders:
            files = [folder / "domain.pddl", folder / "problem.pddl", Path(place) / f"{folder.name}.plan"]
            subprocess.run([commands / "numbat", "solve", *files, "--time", "60"], check=True, cwd=place)
            subprocess.run([commands / "numbat-validate", *files], check=True, cwd=place)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
