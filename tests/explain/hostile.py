"""A course whose every name tries to break out of a page: markup, quotes, ends of elements, length, unusual letters.

Its numbers are beyond what a double holds.
"""

from __future__ import annotations

from fractions import Fraction

from numbat.explain.course import Course, StepChanges
from numbat_validate import Verdict

LONG = "n" * 5000
HUGE = Fraction(-(10**400), 3)
NAMES = (
    "<script>document.title='broken'</script>",
    "</script><script>document.title='broken'</script>",
    "\"onload='document.title=`broken`'",
    "</title></style><img/src=x/onerror=document.title='broken'>",
    "]]>--><!--",
    "&lt;&amp;\\u003c${1}",
    "日本語-ünï-\U0001f648-\u202eright-to-left\u2028line",
    LONG,
)


def course() -> Course:
    """Two steps per name, the last of which cannot be executed."""
    steps = [(f"do{name}", name, name) for name in NAMES for _ in range(2)]
    verdict = Verdict(False, len(steps), f"{NAMES[0]} fails: {LONG}", Fraction(2), 2, False, Fraction(0), NAMES)
    initial = {(name, name): Fraction(1, 3) for name in NAMES}
    changes = [
        StepChanges((((name, name), Fraction(1, 3), HUGE),), ((name, name),), ((name,),)) for _, name, _ in steps[:-1]
    ]
    return Course(steps, verdict, initial, changes, goals=[(name, False) for name in NAMES])  # type: ignore[arg-type]
