"""python -m planner is the command numbat."""

import sys

from planner.cli import main

if __name__ == "__main__":
    sys.exit(main())
