"""python -m tests.adversary: as many tasks as one likes; 1 if there was a mistake."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.adversary import campaign


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.adversary", description="Look for mistakes.")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--tasks", type=int, help="stop after so many; without it and --minutes: never")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first task")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, default=campaign.FOUND, help="where shrunk tasks go")
    parser.add_argument("--shrink", type=int, default=3, help="how many of each kind")
    options = parser.parse_args()
    seeds = campaign.seeds_from(options.seed, options.tasks)
    summary = campaign.run(seeds, options.jobs, 60 * options.minutes)
    print(summary, flush=True)
    for kind, found in summary.disagreements.items():
        for seed, disagreement in list({seed: (seed, d) for seed, d in found}.values())[: options.shrink]:
            task = campaign.shrunk(seed, disagreement)
            name = f"{kind.split(',')[0].replace(' ', '-')}-{seed}"
            print(f"shrunk: {campaign.keep(task, name, disagreement, options.keep)}", flush=True)
    return 1 if summary.mistakes() else 0


if __name__ == "__main__":
    sys.exit(main())
