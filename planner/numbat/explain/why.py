"""Why is there no plan? `numbat why DOMAIN PROBLEM`.

In, out      two files → Explanation: what became of every goal, and the reasons; text() for people, as_dict() for JSON
Steps        1. the relaxed task: goals that are out of reach whatever one does, and what keeps them there (causes)
             2. searches: which goals can be reached singly, which only not together (attempts)
             3. searches without one condition: a plan that would work, how far it goes, and what it lacks there
Truth        every sentence rests on a fixpoint, a plan the referee executed or an exhausted search; where the time was
             too short for one of these, that is what is said
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from numbat.explain.attempts import Attempts, Solvable
from numbat.explain.budget import Budget
from numbat.explain.causes import Cause, Inquiry, Reason
from numbat.explain.course import follow, referee_errors
from numbat.explain.derivation import RuleStep
from numbat.explain.explanation import Explanation, Nearest, Reach, Repair, ToldCause, ToldGoal, ToldReason, WhyStatus
from numbat.explain.rules import Kind, Need, RuleModel
from numbat.explain.words import Words, condition_text
from numbat.normalise import normalise
from numbat.pddl import FileOrPath, load, read_once
from numbat_validate import Task as RefereeTask
from numbat_validate import load as load_for_referee

MOST_CAUSES = 3  # told per goal


def why(domain: FileOrPath, problem: FileOrPath, seconds: float = 60.0, *, brief: bool = False) -> Explanation:
    """See the module's docstring; stops looking for more after about so many CPU seconds.

    With `brief`, of goals that are out of reach only the first is explained, by the likeliest cause.
    """
    budget = Budget(seconds)
    files = read_once(domain), read_once(problem)
    read_domain, read_problem, _ = load(*files)
    model = RuleModel(read_domain, read_problem, normalise(read_domain, read_problem))
    with referee_errors():
        referee = load_for_referee(*files)
        return _Explainer(model, referee, budget).explain(brief)


class _Explainer:
    def __init__(self, model: RuleModel, referee: RefereeTask, budget: Budget) -> None:
        self._model = model
        self._referee = referee
        self._inquiry = Inquiry(model, budget)
        self._words = Words(self._inquiry)
        self._attempts = Attempts(model, budget)

    def explain(self, brief: bool) -> Explanation:
        lost = self._inquiry.unreachable()
        if brief and lost:
            first, *others = lost
            goals = (self._lost(first, brief=True), *(self._told_goal(n, Reach.OUT_OF_REACH) for n in others))
            return Explanation(WhyStatus.OUT_OF_REACH, goals, complete=not self._inquiry.cut_short)
        if lost:
            goals = tuple(self._lost(n) if n in lost else self._single(n) for n in range(len(self._model.goals)))
            return Explanation(WhyStatus.OUT_OF_REACH, goals, complete=not self._inquiry.cut_short)
        everything = range(len(self._model.goals))
        attempt = self._attempts(everything)
        if attempt.answer is Solvable.YES:
            return Explanation(WhyStatus.SOLVABLE, (), plan=attempt.plan)
        if attempt.answer is Solvable.UNKNOWN:
            return Explanation(WhyStatus.UNKNOWN, tuple(map(self._single, everything)), complete=False)
        goals = tuple(map(self._single, everything))
        conflict = self._attempts.smallest_conflict(everything)
        repairs = self._repairs(conflict)
        told = tuple(self._goal_text(number) for number in conflict) if len(conflict) > 1 else ()
        return Explanation(WhyStatus.EXHAUSTED, goals, told, repairs, nearest=self._nearest(everything, conflict))

    # --- goals ---

    def _goal_text(self, number: int) -> str:
        return _text(self._model.goals[number].needs[0])

    def _told_goal(self, number: int, reach: Reach) -> ToldGoal:
        return ToldGoal(self._goal_text(number), str(self._model.goals[number].span), reach)

    def _lost(self, number: int, *, brief: bool = False) -> ToldGoal:
        causes = tuple(map(self._told, self._inquiry.causes(number, brief=brief)[:MOST_CAUSES]))
        return replace(self._told_goal(number, Reach.OUT_OF_REACH), causes=causes or (self._own(number),))

    def _own(self, number: int) -> ToldCause:
        """The goal itself is what can never hold."""
        goal = self._model.goals[number]
        sentence = self._words.reason(Reason(goal.needs[0], (RuleStep(goal, ()),)))
        return ToldCause((ToldReason("the goal", sentence, str(goal.span)),), ())

    def _single(self, number: int) -> ToldGoal:
        attempt = self._attempts((number,))
        reached = {Solvable.YES: Reach.REACHED, Solvable.NO: Reach.EXHAUSTED, Solvable.UNKNOWN: Reach.UNKNOWN}
        return replace(self._told_goal(number, reached[attempt.answer]), steps=len(attempt.plan))

    def _told(self, cause: Cause) -> ToldCause:
        reasons = tuple(
            ToldReason(self._words.action(r.step), self._words.reason(r), str(r.need.span)) for r in cause.reasons
        )
        chain = tuple(
            f"{self._words.action(link.step)} needs {self._words.needs(link.step, link.need)}"
            for link in cause.chain[1:-1]
        )
        return ToldCause(reasons, chain)

    # --- what a search for less tells ---

    def _nearest(self, goals: Sequence[int], conflict: list[int]) -> Nearest | None:
        """The end of a plan for all goals but one, or but half of one; the shortest that was found."""
        fewer = [[goal for goal in goals if goal != left_out] for left_out in conflict[:MOST_CAUSES]]
        attempts = [self._attempts(some) for some in fewer if some]
        if not attempts:
            attempts = [self._attempts.meet((half,)) for half in self._model.halves(conflict[0])]
        plans = [attempt.plan for attempt in attempts if attempt.answer is Solvable.YES]
        if not plans:
            return None
        # of halves one holds at the start, and nothing is learnt from that
        plan = max(plans, key=len) if len(goals) == 1 else min(plans, key=len)
        course = follow(self._model, self._referee, list(plan))
        lacks = [text for text, met in course.goals if not met]
        if course.verdict.step is not None or len(lacks) != 1:
            return None
        return Nearest(plan, lacks[0], course.verdict.details)

    # --- what a search without some condition tells ---

    def _repairs(self, goals: list[int]) -> tuple[Repair, ...]:
        """Conditions without which the goals can be reached; those that lack least as things are first."""
        groups = [ns for key, ns in self._model.preconditions_by_key().items() if self._inquiry.key_rank(key) < 3]
        found = [repair for needs in groups for repair in self._repairs_among(goals, needs)]
        return tuple(sorted(found, key=lambda r: (r.shortfall is None, r.shortfall, r.missing))[:MOST_CAUSES])

    def _repairs_among(self, goals: list[int], needs: list[Need]) -> list[Repair]:
        """One condition, wherever it is written, is better than all that speak of the same things."""
        everything = self._repair(goals, needs)
        alike: dict[str, list[Need]] = {}
        for need in needs:
            alike.setdefault(_text(need), []).append(need)
        if everything is None or len(alike) == 1:
            return [] if everything is None else [everything]
        return [repair for some in alike.values() if (repair := self._repair(goals, some))] or [everything]

    def _repair(self, goals: list[int], needs: list[Need]) -> Repair | None:
        attempt = self._attempts(goals, frozenset(need.span for need in needs))
        if attempt.answer is not Solvable.YES:
            return None
        course = follow(self._model, self._referee, list(attempt.plan))
        if course.verdict.step is None:
            return None
        here = [demand.slack for demand in course.demands if demand.step == course.executed]
        short = [-Fraction(slack) for slack in here if slack is not None]
        return Repair(
            condition=" and ".join(dict.fromkeys(map(_text, needs))),
            places=tuple(str(need.span) for need in needs),
            plan=attempt.plan,
            executable=course.executed,
            lacks=course.verdict.reason,
            details=course.verdict.details,
            shortfall=max(short, default=None) if needs[0].key.kind is Kind.NUMBER else None,
        )


def _text(need: Need) -> str:
    assert need.text is not None
    return condition_text(need.text, {})
