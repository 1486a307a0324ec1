"""What grounding did, for people: sizes before and after its steps, features met, scaling, time."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """`actions_reachable` counts before useless ones are dropped."""

    goal_reachable: bool
    actions_instantiated: int
    actions_reachable: int
    operators: int
    facts_mentioned: int
    facts_varying: int
    facts: int
    fluents_mentioned: int
    fluents_varying: int
    variables: int
    conditions: int
    fragment: str  # SNP: numbers change by constants only; LNP: by linear forms or assignment
    features: tuple[str, ...]
    exact: bool
    metric_linear: bool  # false if the metric is not, so that operators cost 1
    costs_exact: bool  # false if changes of the metric under too many conditions are not counted, or it is not linear
    costs_can_fall: bool  # some operator may cost less than nothing
    largest_scale: int
    seconds: dict[str, float]  # CPU time per step

    def as_dict(self) -> dict[str, object]:
        return asdict(self)
