"""The command numbat, also as python -m numbat."""

import fcntl
import os
import sys

from numbat import signals


def main() -> int:
    """Run the command line of this process, and end it."""
    signals.listen()
    _keep_environment()
    from numbat.cli import main as run

    return run()


def _keep_environment() -> None:
    """Hold the lock that keeps plan.sh, when it builds anew, from removing the environment that we run in."""
    try:
        descriptor = os.open(os.path.join(sys.prefix, "in-use"), os.O_RDONLY)  # noqa: PTH118 (pathlib is not loaded yet)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        pass  # an environment that plan.sh does not know of


if __name__ == "__main__":
    sys.exit(main())
