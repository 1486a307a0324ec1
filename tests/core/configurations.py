"""The searches every search test runs over: single queues, novelty queues and the paper's multi-queues."""

from __future__ import annotations

import math
from itertools import product

from numbat import _core
from numbat.search.notation import Search
from numbat.search.options import SearchOptions
from numbat.search.registry import configuration, heuristics
from numbat.search.run import Limits, core_options
from numbat.task.grounded import Doubles, GroundedTask
from tests.core.bridge import core_task

MEMORY = 2**28
SECONDS = 20.0
DEFAULT = SearchOptions()

_NOVELTIES = product(("hmd", "hadd", "hmrp"), "AB", ("PN", "QB"), (1, 2))
_NAMES = [
    *(f"S({info['name']})" for info in heuristics()),
    *(f"S({base}<{feature},{measure},k={k}>)" for base, feature, measure, k in _NOVELTIES),
    "S(hmrp+h)",
    "S(hmrp+hj)",
    "S(hmrp<B,QB>+hj)",
    "S(hadd<G,PN>)",
    "S(hmrp<G,PN,k=1>+hj)",
    "M(3h)",
    "M(hmd<B,QB>, hadd<B,QB>, hmrp<B,QB>)",
    "M(3h, hmd<B,QB>, hadd<B,QB>, hmrp<B,QB>)",
    "M(hmd, hadd<G,PN>)",
    "M(hmrp+hj, hlm)",
    "S(hmrp<C>+hj)",
    "M(hmrp+hj, hflow)",
    "L(hflow<B,QB>, hmrp+hj)",
    "S(hgmrp+hj)",
    "M(hgmrp<B,QB>+hj, hmd)",
    "Y(hgmrp+hj, hlm)",
    "M(hmd, hroll<C>)",
    "L(hmd)",
    "L(hroll<C>)",
    "L(hmrp+hj)",
    "L(hadd, hmrp)",
    "L(hadd<B,QB>, hmd, hmrp+hj)",
    "L(hadd<G,PN>, hmrp+hj)",
    "L(hmrp+hj, hlm)",
    "L(hadd<G,PN>, hlm<B,QB>)",
    "Y(hmrp+hj)",
    "Y(hadd)",
    "Y(hmd, hmrp)",
    "Y(hadd<B,QB>, hlm)",
    "Y(hmrp<G,PN>+hj, hadd<B,PN>)",
]
CONFIGURATIONS: dict[str, Search] = {name: configuration(name).searches[0] for name in _NAMES}


def search(
    task: GroundedTask | _core.Task,
    name: str,
    options: SearchOptions = DEFAULT,
    *,
    time: float = SECONDS,
    memory: int = MEMORY,
    bound: float = math.inf,
    board: Doubles | None = None,
) -> _core.Result:
    """Run a configuration by its name."""
    core = core_task(task) if isinstance(task, GroundedTask) else task
    wanted = configuration(name).searches[0]
    return _core.search(core, core_options(wanted, options, Limits(time, memory, bound), board))
