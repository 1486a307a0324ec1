"""What `numbat why` found out, as data, as text and as the two lines at the end of a run without a plan.

Not here     how it is found out (why)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from numbat.errors import ExitCode

MOST_SHOWN_STEPS = 20  # of a plan that are shown


class WhyStatus(Enum):
    """What is known about the task as a whole."""

    OUT_OF_REACH = "some goals are out of reach"
    EXHAUSTED = "every reachable state was searched"
    SOLVABLE = "there is a plan"
    UNKNOWN = "not known"


class Reach(Enum):
    """What is known about a goal on its own."""

    OUT_OF_REACH = "out of reach"
    REACHED = "can be reached"
    EXHAUSTED = "cannot be reached"  # known only after every state was searched
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class ToldReason:
    """A condition that can never hold, of one ground action."""

    action: str
    sentence: str
    place: str

    def __str__(self) -> str:
        return f"{self.action}: {self.sentence}  [{self.place}]"


@dataclass(frozen=True, slots=True)
class ToldCause:
    """Reasons of which all would have to go; `chain` leads from the goal to the first of them."""

    reasons: tuple[ToldReason, ...]
    chain: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldGoal:
    """A conjunct of the goal. Each cause is enough to keep it out of reach, the likeliest comes first."""

    goal: str
    place: str
    reach: Reach
    steps: int = 0  # of a plan for this goal alone, if it was reached
    causes: tuple[ToldCause, ...] = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """Without this condition there is a plan; as the task is, `executable` of its steps work, and the next fails."""

    condition: str
    places: tuple[str, ...]
    plan: tuple[str, ...]
    executable: int
    lacks: str
    details: tuple[str, ...]
    shortfall: Fraction | None = None  # of a numeric condition: by how much it fails there

    @property
    def missing(self) -> int:
        """Steps of the plan that cannot be executed."""
        return len(self.plan) - self.executable


@dataclass(frozen=True, slots=True)
class Nearest:
    """A state that lacks one goal only: the plan that leads there, and what is there instead."""

    plan: tuple[str, ...]
    lacks: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    status: WhyStatus
    goals: tuple[ToldGoal, ...]
    conflict: tuple[str, ...] = ()  # goals that cannot be reached together, each of them needed for that
    repairs: tuple[Repair, ...] = ()
    complete: bool = True  # False: time or size kept something from being looked at
    plan: tuple[str, ...] = ()
    nearest: Nearest | None = None  # of an exhausted task, if one was found

    @property
    def exit_code(self) -> ExitCode:
        """The code that numbat solve would have ended with."""
        return _EXIT_CODES[self.status]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self, dict_factory=lambda items: {key: _plain(value) for key, value in items})

    def summary(self) -> tuple[str, ...]:
        """The two lines that a run without a plan ends with; fewer if less is known."""
        lost = [goal for goal in self.goals if goal.reach is Reach.OUT_OF_REACH]
        if lost:
            return f"out of reach: {_listed([goal.goal for goal in lost])}", str(lost[0].causes[0].reasons[0])
        lines = [f"not to be reached together: {_listed(list(self.conflict))}"] if self.conflict else []
        lines += [_without(repair) for repair in self.repairs[:1]]
        if len(lines) < 2 and self.nearest is not None:
            lines.append(f"{_lacking(self.nearest)}{''.join(f'; {detail}' for detail in self.nearest.details[:2])}")
        return tuple(lines)

    def text(self) -> str:
        """All of it, for people."""
        lines = [_headline(self)]
        for goal in self.goals:
            lines += ["", *_goal_lines(goal)]
        if self.conflict:
            lines += ["", "These goals cannot be reached together, although any of them can be left out for the rest:"]
            lines += [f"  {goal}" for goal in self.conflict]
        if self.nearest is not None:
            sentence = _lacking(self.nearest)
            lines += ["", f"{sentence[0].upper()}{sentence[1:]}:", *(f"    {d}" for d in self.nearest.details)]
            lines += _listed_steps(self.nearest.plan)
        for repair in self.repairs:
            lines += ["", *_repair_lines(repair)]
        if not self.complete:
            lines += ["", "The time or the size of the task kept some of the possible reasons from being looked at."]
        return "\n".join(lines)


_EXIT_CODES = {
    WhyStatus.OUT_OF_REACH: ExitCode.TRANSLATE_UNSOLVABLE,
    WhyStatus.EXHAUSTED: ExitCode.SEARCH_UNSOLVABLE,
    WhyStatus.SOLVABLE: ExitCode.SUCCESS,
    WhyStatus.UNKNOWN: ExitCode.SEARCH_UNSOLVED_INCOMPLETE,
}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Fraction) else value


def _listed(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _headline(explanation: Explanation) -> str:
    lost = sum(goal.reach is Reach.OUT_OF_REACH for goal in explanation.goals)
    match explanation.status:
        case WhyStatus.OUT_OF_REACH:
            return f"There is no plan: {lost} of {len(explanation.goals)} goals can never be reached, whatever is done."
        case WhyStatus.EXHAUSTED:
            return "There is no plan: every reachable state was searched."
        case WhyStatus.SOLVABLE:
            return f"There is a plan, with {_steps(len(explanation.plan))}: numbat solve finds one."
        case WhyStatus.UNKNOWN:
            return (
                "It is not known whether there is a plan: no goal is ruled out, and the searches did not end in time."
            )


def _goal_lines(goal: ToldGoal) -> list[str]:
    how = f" ({_steps(goal.steps)})" if goal.reach is Reach.REACHED else ""
    lines = [f"{goal.goal} {_REACH[goal.reach]}{how}  [{goal.place}]"]
    for number, cause in enumerate(goal.causes):
        first, *others = cause.reasons
        lines.append(f"  {'or: ' if number else ''}{first}")
        lines += [f"    and {other}" for other in others]
        if cause.chain:
            lines += ["    on the way to the goal:", *(f"      {link}" for link in cause.chain)]
    return lines


_REACH = {
    Reach.OUT_OF_REACH: "can never be reached:",
    Reach.REACHED: "can be reached on its own",
    Reach.EXHAUSTED: "cannot be reached, every state was searched",
    Reach.UNKNOWN: "is not ruled out; whether it can be reached is not known",
}


def _repair_lines(repair: Repair) -> list[str]:
    first = "step" if repair.executable == 1 else _steps(repair.executable)
    done = f"The first {first} of it can be executed" if repair.executable else "Its first step fails"
    lines = [
        f"{_without(repair)}.",
        f"  {done}; then {repair.lacks}" if repair.executable else f"  {done}: {repair.lacks}",
    ]
    lines += [f"    {detail}" for detail in repair.details]
    return lines + _listed_steps(repair.plan, repair.executable)


def _listed_steps(plan: tuple[str, ...], marked: int | None = None) -> list[str]:
    lines = [f"  {'>' if number == marked else ' '} {step}" for number, step in enumerate(plan[:MOST_SHOWN_STEPS])]
    return lines + ([f"    ... {len(plan) - MOST_SHOWN_STEPS} more"] if len(plan) > MOST_SHOWN_STEPS else [])


def _lacking(nearest: Nearest) -> str:
    when = f"after {_steps(len(nearest.plan))}" if nearest.plan else "at the start"
    return f"{when} only {nearest.lacks} is lacking"


def _without(repair: Repair) -> str:
    places = ", ".join(repair.places)
    return f"without {repair.condition} there would be a plan with {_steps(len(repair.plan))}  [{places}]"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
