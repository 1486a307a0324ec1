"""Five plans of about ten thousand steps, each valid and wasteful in its own way.

ferry      one thing at a time is fetched from stops along a line, though four fit; no single step is superfluous
counters   forty counters are put into order by steps in a random order, some of which go too far
line       ten thousand small steps where large ones cost less apiece
smelting   one piece at a time is mined, melted and cast, though five at once cost little more
tank       a little is filled up before each move, though filling up to the brim costs no more than three times that
"""

from __future__ import annotations

import random

from tests.oracles.builder import Description, Op

STEPS = 10_000
STOPS = 8
CAPACITY = 4
COUNTERS = 40

Case = tuple[Description, list[str]]


def ferry() -> Case:
    ops = [Op("drop", ["at0", "load >= 1"], ["load -= 1", "done += 1"])]
    for stop in range(STOPS):
        room = f"load <= {CAPACITY - 1}"
        ops.append(Op(f"pick{stop}", [f"at{stop}", f"left{stop} >= 1", room], [f"left{stop} -= 1", "load += 1"]))
        for other in (stop - 1, stop + 1):
            if 0 <= other < STOPS:
                ops.append(Op(f"go{stop}-{other}", [f"at{stop}"], [f"not at{stop}", f"at{other}"]))
    plan: list[str] = []
    left, stop = dict.fromkeys(range(STOPS), 0), 1
    while True:
        there = [f"go{at}-{at + 1}" for at in range(stop)]
        back = [f"go{at}-{at - 1}" for at in range(stop, 0, -1)]
        if len(plan) + len(there) + len(back) + 2 > STEPS:
            break
        plan += [*there, f"pick{stop}", *back, "drop"]
        left[stop] += 1
        stop = 1 + stop % (STOPS - 1)
    facts = {f"at{stop}": stop == 0 for stop in range(STOPS)}
    values = {"load": 0, "done": 0, **{f"left{stop}": number for stop, number in left.items()}}
    return Description(facts, values, ops, [f"done >= {plan.count('drop')}"]), plan


def counters() -> Case:
    ways = (("up", "+"), ("down", "-"))
    ops = [Op(f"{name}{i}", [], [f"x{i} {sign}= 1"]) for i in range(COUNTERS) for name, sign in ways]
    apart = 2 * STEPS // (COUNTERS * (COUNTERS - 1))
    plan = [f"up{i}" for i in range(COUNTERS) for _ in range(apart * i)]
    random.Random(1).shuffle(plan)
    goal = [f"x{i} + {apart // 2} <= x{i + 1}" for i in range(COUNTERS - 1)]
    return Description({}, {f"x{i}": 0 for i in range(COUNTERS)}, ops, goal), plan


def line() -> Case:
    ops = [Op("one", [], ["x += 1"], 1), Op("ten", ["x >= 0"], ["x += 10"], 3)]
    return Description({}, {"x": 0}, ops, [f"x >= {STEPS}"]), ["one"] * STEPS


def smelting() -> Case:
    ops = [
        Op("mine", [], ["ore += 1"], 1),
        Op("melt", ["ore >= 1"], ["ore -= 1", "metal += 1"], 5),
        Op("melt5", ["ore >= 5"], ["ore -= 5", "metal += 5"], 7),
        Op("cast", ["metal >= 1"], ["metal -= 1", "tools += 1"], 2),
    ]
    rounds = STEPS // 3
    values = {"ore": 0, "metal": 0, "tools": 0}
    return Description({}, values, ops, [f"tools >= {rounds}"]), ["mine", "melt", "cast"] * rounds


def tank() -> Case:
    ops = [
        Op("sip", ["fuel <= 9"], ["fuel += 1"], 2),
        Op("fill", [], ["fuel := 10"], 6),
        Op("move", ["fuel >= 1"], ["fuel -= 1", "way += 1"], 1),
    ]
    return Description({}, {"fuel": 0, "way": 0}, ops, [f"way >= {STEPS // 2}"]), ["sip", "move"] * (STEPS // 2)


LARGE_PLANS = {"ferry": ferry, "counters": counters, "line": line, "smelting": smelting, "tank": tank}
