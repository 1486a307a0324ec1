"""This working tree, copied as git would clone it, and its plan.sh."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").iterdir())
PARTS = ["plan.sh", "pyproject.toml", "README.md", "LICENSE", "packaging", "planner", "validate"]


def copy_tree(destination: Path) -> Path:
    """A clone as git would make it: without what building leaves behind."""
    destination.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, destination / part, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(ROOT / part, destination)
    return destination


def start(clone: Path, *arguments: object, **options: object) -> subprocess.Popen[str]:
    words = [str(clone / "plan.sh"), *map(str, arguments)]
    return subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
