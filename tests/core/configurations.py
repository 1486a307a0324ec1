"""The searches every search test runs over: single queues, novelty queues and the paper's multi-queues."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from numbat import _core

Queues = list[_core.Queue]


def plain(*heuristics: str) -> Queues:
    return [_core.Queue(name) for name in heuristics]


def novelty(*heuristics: str, feature: str = "B", measure: str = "QB", k: int = 2) -> Queues:
    return [_core.Queue(name, feature=feature, measure=measure, k=k) for name in heuristics]


def jumping() -> Queues:
    return [_core.Queue("hmrp", helpful=True, jumps=True)]


def three_heuristics() -> Queues:
    return plain("hmd", "hadd") + jumping()


def three_novelties() -> Queues:
    return novelty("hmd", "hadd", "hmrp")


def all_novelties() -> dict[str, Callable[[], Queues]]:
    return {
        f"S({base}<{feature},{measure},k={k}>)": partial(novelty, base, feature=feature, measure=measure, k=k)
        for base in ("hmd", "hadd", "hmrp")
        for feature in "AB"
        for measure in ("PN", "QB")
        for k in (1, 2)
    }


# queues are made when asked for: the core objects should not outlive the interpreter's modules
CONFIGURATIONS: dict[str, Callable[[], Queues]] = {
    **{f"S({info['name']})": partial(plain, info["name"]) for info in _core.heuristics()},
    **all_novelties(),
    "S(hmrp+h)": lambda: [_core.Queue("hmrp", helpful=True)],
    "S(hmrp+hj)": jumping,
    "S(hmrp+hj<B,QB>)": lambda: [_core.Queue("hmrp", helpful=True, jumps=True, feature="B", measure="QB")],
    "M(3h)": three_heuristics,
    "M(3n)": three_novelties,
    "M(3h||3n)": lambda: three_heuristics() + three_novelties(),
}
