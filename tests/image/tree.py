"""Where things are, for the tests of plan.sh and of the image."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").iterdir())
