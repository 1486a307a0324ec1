"""Start Python so that it imports our own modules and nobody else's.

A child with `-I` looks neither at the current directory nor at PYTHONPATH, so that a stray `sympy.py` beside the
user's files changes nothing. It would not find packages of a user's own site directory or of a source tree either:
the folders that this process has them from are handed over, last in the search order.

Not here     what is started (numbat.api, numbat.lab)
"""

from __future__ import annotations

import site
import sys
from pathlib import Path

_BOOTSTRAP = (
    "import runpy, sys; module, folders = sys.argv[1:3]; sys.argv[:3] = [module]; "
    "sys.path += folders.split('\\n'); runpy.run_module(module, run_name='__main__', alter_sys=True)"
)


def command(module: str) -> list[str]:
    """The beginning of a command line that runs a module of ours; its arguments follow."""
    import numbat_validate

    folders = [str(Path(file).resolve().parents[1]) for file in (__file__, numbat_validate.__file__)]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return [sys.executable, "-I", "-c", _BOOTSTRAP, module, "\n".join(folders)]
