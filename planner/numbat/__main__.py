"""python -m numbat is the command numbat."""

import signal
import sys

if __name__ == "__main__":
    # Until the planner listens to signals itself, Ctrl-C ends it without a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from numbat.cli import main

    sys.exit(main())
