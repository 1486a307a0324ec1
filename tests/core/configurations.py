"""The searches every search test runs over: single queues, novelty queues and the paper's multi-queues."""

from __future__ import annotations

from planner import _core

Queues = list[_core.Queue]


def novelty(base: str, feature: str = "B", measure: str = "QB", k: int = 2) -> _core.Queue:
    return _core.Queue(base, feature=feature, measure=measure, k=k)


def jumping() -> _core.Queue:
    return _core.Queue("hmrp", helpful=True, jumps=True)


def three_heuristics() -> Queues:
    return [_core.Queue("hmd"), _core.Queue("hadd"), jumping()]


def three_novelties() -> Queues:
    return [novelty("hmd"), novelty("hadd"), novelty("hmrp")]


def configurations() -> dict[str, Queues]:
    plain = {f"S({info['name']})": [_core.Queue(info["name"])] for info in _core.heuristics()}
    novel = {
        f"S({base}<{feature},{measure},k={k}>)": [novelty(base, feature, measure, k)]
        for base in ("hmd", "hadd", "hmrp")
        for feature in "AB"
        for measure in ("PN", "QB")
        for k in (1, 2)
    }
    return {
        **plain,
        **novel,
        "S(hmrp+h)": [_core.Queue("hmrp", helpful=True)],
        "S(hmrp+hj)": [jumping()],
        "S(hmrp+hj<B,QB>)": [_core.Queue("hmrp", helpful=True, jumps=True, feature="B", measure="QB")],
        "M(3h)": three_heuristics(),
        "M(3n)": three_novelties(),
        "M(3h||3n)": three_heuristics() + three_novelties(),
    }
