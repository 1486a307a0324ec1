"""A* changes packed states where it can; other searches apply operators to unpacked ones. Both meet the same states."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from numbat.search.options import SearchOptions
from numbat.task.grounded import GroundedTask
from tests.core import configurations
from tests.oracles.builder import Description, Op, When

FACTS = [f"p{i}" for i in range(70)]  # more than two words, of either kind
TOUCHED = [*FACTS[:2], *FACTS[30:34], *FACTS[62:66], *FACTS[68:]]
# Numbers of one, two, four and eight bytes, and the first ones that need more.
SIZES = [1, 100, 127, 128, 30000, 32767, 32768, 2**31 - 1, 2**31, 2**40]


@st.composite
def tasks(draw: st.DrawFn) -> GroundedTask:
    """Few states; numbers become wider and narrower again; only a search can tell that the goal is out of reach."""
    names = st.sampled_from("xyz")
    size = st.sampled_from(SIZES)
    fact_change = st.builds(lambda name, sign: sign + name, st.sampled_from(TOUCHED), st.sampled_from(["", "not "]))

    def effects() -> list[str]:
        changed = draw(st.lists(names, max_size=2, unique=True))
        kinds = st.sampled_from(["{} += {}", "{} -= {}", "{} := {}", "{} := 0", "{} += x - {}"])
        numbers = [draw(kinds).format(name, draw(size)) for name in changed]
        facts = draw(st.lists(fact_change, min_size=1, max_size=3, unique_by=lambda change: change.split()[-1]))
        far = [f"far += {draw(size)}"] if draw(st.booleans()) else []  # only rises, and soon no longer matters
        return [*facts, *numbers, *far]

    steps = []
    for i in range(draw(st.integers(1, 6))):
        within = [f"{name} <= {draw(size)}" for name in "xyz"] + [f"{name} >= -{draw(size)}" for name in "xyz"]
        when = [When([draw(st.sampled_from(TOUCHED))], effects())] if draw(st.integers(0, 9)) == 0 else []
        once = f"once{i}"  # each operator runs a few times at most: no space is large
        limit = Op(f"o{i}", [*within, f"{once} <= 1"], [f"{once} += 1", *(when or effects())])
        steps.append(limit)
    never = Op("never", ["never >= 1", "far >= 3"], ["goal"])
    counters = {f"once{i}": 0 for i in range(len(steps))}
    values = {"x": 0, "y": draw(size), "z": -draw(size), "far": 0, "never": 0, **counters}
    return Description({**dict.fromkeys(FACTS, False), "goal": False}, values, [*steps, never], ["goal"]).task()


@given(tasks())
def test_the_same_states_are_met(task: GroundedTask) -> None:
    packed, unpacked = (
        configurations.search(task, name, SearchOptions(patience=0, pruning=())) for name in ("A(blind)", "S(hgc)")
    )
    assert packed.status == unpacked.status
    for count in ("evaluated", "expanded", "generated", "duplicates"):
        assert packed.statistics[count] == unpacked.statistics[count], count
