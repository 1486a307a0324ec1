"""The hand-worked examples E1 to E16 of docs/heuristics.md 9, with operator orders that give its h_aibr values.

Values       `compat` are the published planner's, `tuned` ours; tuned repeats compat where nothing differs.
By hand      what the document leaves out was derived from its definitions, each with its reason in a comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from numbat.task.grounded import GroundedTask
from tests.oracles.builder import Description, Either, Op, When

INFINITY = float("inf")
Values = Mapping[str, float]


@dataclass(frozen=True)
class Example:
    """helpful and jumps are h_mrp's, by operator name, in tuned mode and (if not None) in compat mode."""

    name: str
    description: Description
    tuned: Values
    compat: Values
    helpful: frozenset[str]
    jumps: Mapping[str, int] = field(default_factory=dict)
    compat_helpful: frozenset[str] | None = None
    compat_jumps: Mapping[str, int] | None = None

    @cached_property
    def task(self) -> GroundedTask:
        return self.description.task()

    def operator_set(self, names: frozenset[str]) -> set[int]:
        return {self.task.operator_names.index(f"({name})") for name in names}

    def jump_set(self, jumps: Mapping[str, int]) -> set[tuple[int, int]]:
        return {(self.task.operator_names.index(f"({name})"), count) for name, count in jumps.items()}


def values(gc: float, md: float, add: float, radd: float, mrp: float, aibr: float) -> Values:
    return {"hgc": gc, "hmd": md, "hadd": add, "hradd": radd, "hmrp": mrp, "haibr": aibr}


def same(name: str, task: Description, expected: Values, helpful: set[str], jumps: Mapping[str, int]) -> Example:
    """An example in which tuned and compat agree."""
    return Example(name, task, expected, expected, frozenset(helpful), jumps, frozenset(helpful), jumps)


def counters() -> list[Example]:
    """E1 to E3: one counter."""
    by_one, by_two = [Op("inc", effects=["x += 1"])], [Op("inc", effects=["x += 2"])]
    boundary = Example(
        "E3",
        Description({}, {"x": 5}, by_one, ["x > 5"]),
        tuned=values(1, 1, 1, 1, 1, 1),
        compat=values(1, 0, 0, 0, 0, 1),
        helpful=frozenset({"inc"}),
        compat_helpful=frozenset({"inc"}),  # compat's jump of 2^31 - 1 is a bug we do not repeat
    )
    return [
        same("E1", Description({}, {"x": 0}, by_one, ["x >= 5"]), values(1, 5, 5, 5, 5, 5), {"inc"}, {"inc": 5}),
        same("E2", Description({}, {"x": 0}, by_two, ["x >= 5"]), values(1, 5, 2.5, 2.5, 3, 3), {"inc"}, {"inc": 3}),
        boundary,
    ]


def conjunctions() -> list[Example]:
    """E4 to E7: sums, redundant sums, disjunction."""
    e4 = Description(
        {"p": False, "q": False},
        {"x": 0, "y": 0},
        [
            Op("incx", effects=["x += 1"]),
            Op("incy", effects=["y += 1"]),
            Op("b", ["y >= 2"], ["q"]),
            Op("a", ["x >= 3"], ["p"]),
        ],
        ["p", "q"],
    )
    e5 = Description(
        {"p": False},
        {"x": 0},
        [Op("incx", effects=["x += 1"]), Op("a", ["x >= 4"], ["p"])],
        ["x >= 3", "x >= 5", "p"],
    )
    e6 = Description(
        {"p": False},
        {"x": 0, "y": 0},
        [Op("inc", effects=["x += 1"]), Op("incy", effects=["y += 1"]), Op("a", ["y >= 2"], ["p"])],
        [Either(["x >= 5"], ["p"])],
    )
    e7 = Description(
        {},
        {"x": 0, "y": 0},
        [Op("a", effects=["x += 1", "y -= 1"]), Op("b", effects=["y += 1"])],
        ["x >= 1", "y >= 1"],
    )
    return [
        same("E4", e4, values(2, 2, 7, 7, 7, 9), {"incx", "incy"}, {"incx": 3, "incy": 2}),
        # Hlp: a's precondition is false, incx achieves all three numeric atoms
        same("E5", e5, values(3, 9, 13, 17, 6, 6), {"incx"}, {"incx": 3}),
        # aibr: inc, incy | inc, incy, a
        same("E6", e6, values(1, 1, 3, 3, 3, 5), {"incy"}, {"incy": 2}),
        same("E7", e7, values(2, 2, 2, 4, 2, 2), {"a", "b"}, {}),
    ]


def rates() -> list[Example]:
    """E8: an effect by the value of a variable; in both operator orders, and standing still."""
    accelerate, go = Op("acc", effects=["v += 1"]), Op("go", effects=["x += v"])

    def example(name: str, ops: list[Op], speed: int, tuned: Values, compat: Values) -> Example:
        task = Description({}, {"x": 0, "v": speed}, ops, ["x >= 10"])
        moving = speed > 0
        # tuned: r = 10 makes a jump, also standing: the subgoal v > 0 costs one acc, from then on v is at least 1
        helpful = frozenset({"go"}) if moving else frozenset({"acc"})
        return Example(name, task, tuned, compat, helpful, {"go": 10}, frozenset({"go"}), {})

    return [
        example("E8", [accelerate, go], 1, values(1, 10, 10, 10, 10, 8), values(1, 10, 1, 1, 1, 8)),
        example("E8 go first", [go, accelerate], 1, values(1, 10, 10, 10, 10, 7), values(1, 10, 1, 1, 1, 7)),
        # aibr: v.hi 1, 2, 3, 4 and x.hi 1, 3, 6, 10 with acc before go
        example("E8 standing", [accelerate, go], 0, values(1, 10, 11, 11, 11, 8), values(1, 10, 1, 1, 1, 8)),
    ]


def supporters() -> list[Example]:
    """E9 and E10: the max in h_mrp's propagation, and a jump that is not applicable in full."""
    e9 = Description(
        {"g": False},
        {"x1": 0, "x2": 0, "x3": 0, "y": 0},
        [
            *(Op(f"i{k}", effects=[f"x{k} += 1"]) for k in (1, 2, 3)),
            Op("iy", effects=["y += 1"]),
            Op("a1", ["x1 >= 2", "x2 >= 2", "x3 >= 2"], ["g"]),
            Op("a2", ["y >= 3"], ["g"]),
        ],
        ["g"],
    )
    e10 = Description(
        {},
        {"fuel": 1, "y": 0, "z": 0},
        [
            Op("burn", ["fuel >= 1"], ["fuel -= 1", "y += 1"]),
            Op("refuel", ["fuel <= 5"], ["fuel += 1"]),
            Op("setz", effects=["z += 1"]),
        ],
        ["y >= 2", "z >= 1"],
    )
    return [
        # radd: the sums only make a1 costlier; aibr: four counters, four counters, a1
        same("E9", e9, values(1, 1, 4, 4, 7, 9), {"i1", "i2", "i3"}, {"i1": 2, "i2": 2, "i3": 2}),
        # aibr: burn, refuel, setz | burn
        same("E10", e10, values(2, 3, 3, 6, 3, 4), {"burn", "setz"}, {"burn": 2}),
    ]


def assignments() -> list[Example]:
    """E11: a constant assignment within and out of reach; E12: a condition over two variables."""
    refuel = [Op("refuel", effects=["f := 10"])]
    unreachable = Example(
        "E11 out of reach",
        Description({}, {"f": 0}, refuel, ["f >= 20"]),
        tuned=values(1, 20, INFINITY, INFINITY, INFINITY, INFINITY),
        compat=values(1, 20, 1, 1, 1, INFINITY),
        helpful=frozenset(),
        compat_helpful=frozenset({"refuel"}),
        compat_jumps={},
    )
    e12 = Description(
        {},
        {"x": 1, "y": 1},
        [Op("incx", effects=["x += 1"]), Op("incy", effects=["y += 2"])],
        ["x + 2*y >= 10"],
    )
    return [
        same("E11", Description({}, {"f": 0}, refuel, ["f >= 4"]), values(1, 4, 1, 1, 1, 1), {"refuel"}, {}),
        unreachable,
        same("E12", e12, values(1, 7, 1.75, 1.75, 2, 4), {"incx", "incy"}, {"incy": 2}),
    ]


def logic() -> list[Example]:
    """E13 to E16: a negative literal, a conditional effect, unit costs, an equality."""
    e13 = Description(
        {"p": True, "g": False},
        {"x": 0},
        [Op("b", effects=["not p", "x += 1"]), Op("a", ["not p", "x >= 0"], ["g"])],
        ["g"],
    )
    e14 = Description(
        {"q": False, "g": False},
        {"x": 0},
        [Op("a", effects=["x += 1", When(["q"], ["g"])]), Op("b", ["x >= 2"], ["q"])],
        ["g"],
    )
    e16 = Description({}, {"x": 2}, [Op("inc", effects=["x += 1"]), Op("dec", effects=["x -= 1"])], ["x = 7"])
    return [
        same("E13", e13, values(1, 1, 2, 2, 2, 2), {"b"}, {}),
        same("E14", e14, values(1, 1, 4, 4, 3, 4), {"a"}, {}),
        same("E15", METRIC, values(1, 1, 2, 2, 2, 2), {"a"}, {}),
        same("E16", e16, values(1, 5, 5, 5, 5, 9), {"inc"}, {"inc": 5}),
    ]


# E15: with metric costs a costs 0 and b costs 7; the fluent c itself is not part of the state
METRIC = Description(
    {"p": False, "q": False},
    {},
    [Op("a", effects=["q"], cost=0), Op("b", ["q"], ["p"], cost=7)],
    ["p"],
)


@dataclass(frozen=True)
class Rescaled:
    """A task of an example in other numbers, and its tuned values."""

    task: GroundedTask
    tuned: Values


def rescaled(example: Example) -> list[Rescaled]:
    """Quarters as units, then doubles. Values differ only where a definition speaks of the least positive number."""
    quarters = example.description.task(units=dict.fromkeys(example.description.variables, Fraction(1, 4)))
    doubles = example.description.task(exact=False)
    with_quarters, with_doubles = dict(example.tuned), dict(example.tuned)
    if example.name == "E3":
        with_quarters["hmd"] = 0.25  # at the boundary the error is one unit
    if example.name == "E8 standing":
        for heuristic in ("hadd", "hradd", "hmrp"):
            with_quarters[heuristic] = 41  # the least positive speed is one unit
            with_doubles[heuristic] = 2  # there is no least positive speed
    return [Rescaled(quarters, with_quarters), Rescaled(doubles, with_doubles)]


EXAMPLES = [*counters(), *conjunctions(), *rates(), *supporters(), *assignments(), *logic()]
