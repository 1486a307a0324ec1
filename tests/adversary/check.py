"""Planner, referee and oracle on one task: where do they disagree?

Mistakes     a false proof, a plan that is not one, a referee who differs from the oracle on a plan or on a variation of
             one, legal input that is refused, an exception
Weaknesses   no plan for a task whose plan is short; a plan that rounding spoilt and the referee stopped. Counted only
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.adversary import planner as p
from tests.adversary import syntax as s
from tests.adversary.oracle import Answer, Model
from tests.adversary.text import domain_text, problem_text

FALSE_PROOF = "unsolvable, but there is a plan"
NO_PLAN_AT_ALL = "the plan is not one"
REFUSED_PLAN = "the referee refuses the plan"
REFEREE = "referee and oracle differ"
REFUSED_INPUT = "legal input is refused"
BROKEN = "an exception"
MISSED = "no plan found, though there is a short one"
ROUNDED = "a rounded plan was refused"
WEAKNESSES = (MISSED, ROUNDED)

STATES = 400  # the oracle's horizon
MORE_STATES = 2000  # when the planner claims a proof where the oracle saw no end
SECONDS = 0.05  # of CPU time for one search
_UNSUPPORTED = "exit 34"


@dataclass(frozen=True, slots=True)
class Disagreement:
    kind: str
    who: str
    detail: str


@dataclass(slots=True)
class Checked:
    """One task: the oracle's answer, the verdict of every configuration, what is wrong."""

    answer: Answer
    verdicts: dict[str, str] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)

    def note(self, kind: str, who: str, detail: str) -> None:
        self.disagreements.append(Disagreement(kind, who, detail))


def check(task: s.Task, configurations: Sequence[str] = p.CONFIGURATIONS, seed: int = 0) -> Checked:
    """Write the task to files of its own and compare what everybody says of it."""
    with tempfile.TemporaryDirectory(prefix="adversary-", dir="/dev/shm") as folder:
        return Check(task, Path(folder)).run(configurations, Random(seed))


class Check:
    def __init__(self, task: s.Task, folder: Path) -> None:
        self._domain, self._problem = folder / "domain.pddl", folder / "problem.pddl"
        self._domain.write_text(domain_text(task))
        self._problem.write_text(problem_text(task))
        self._model = Model(task)
        self._checked = Checked(self._model.search(STATES))
        self._replies: dict[str, p.Reply] = {}

    def run(self, configurations: Sequence[str], random: Random) -> Checked:
        referee = self._referee()
        self._ask(configurations)
        plans = {reply.plan for reply in self._replies.values() if reply.verdict == p.PLAN}
        if self._checked.answer.plan is not None:
            plans.add(self._checked.answer.plan)
        if referee is not None:
            self._compare_with_referee(referee, plans, random)
        self._judge_replies(referee)
        self._conclude()
        return self._checked

    def _referee(self) -> p.Referee | None:
        try:
            return p.Referee(self._domain, self._problem)
        except p.RefereeError as error:
            self._checked.note(REFUSED_INPUT, "referee", str(error))
        except Exception as error:
            self._checked.note(BROKEN, "referee", repr(error))
        return None

    def _ask(self, configurations: Sequence[str]) -> None:
        """Everybody's reply; where the space is large, nobody gets much time."""
        try:
            planner = p.Planner(self._domain, self._problem)
            seconds = SECONDS
            for name in configurations:
                self._replies[name] = reply = planner.ask(name, seconds)
                if reply.verdict == p.OUT_OF_LIMITS:
                    seconds = SECONDS / 5
        except p.Refusal as error:
            self._replies["front end"] = p.refusal(error)
        except Exception as error:
            self._checked.note(BROKEN, "planner", repr(error))

    def _compare_with_referee(self, referee: p.Referee, plans: set[tuple[str, ...]], random: Random) -> None:
        for plan in sorted(plans):
            for varied in (plan, *_variations(plan, [action.name for action in self._model.actions], random)):
                judgement = self._model.judge(varied)
                expected = judgement.valid, judgement.step, judgement.cost
                try:
                    found = referee.judge(varied)
                except p.RefereeError:
                    continue  # it computes with up to 3000 digits, the oracle with any number of them
                except Exception as error:
                    self._checked.note(BROKEN, "referee", f"{error!r} on {' '.join(varied)}")
                    return
                if found != expected:
                    self._checked.note(REFEREE, "referee", f"{found}, not {expected}, of {' '.join(varied)}")
                    return

    def _judge_replies(self, referee: p.Referee | None) -> None:
        answer = self._checked.answer
        claims = any(reply.verdict == p.UNSOLVABLE for reply in self._replies.values())
        if claims and answer.plan is None and not answer.exhausted:
            answer = self._checked.answer = self._model.search(MORE_STATES)
        for name, reply in self._replies.items():
            verdict = reply.verdict
            if verdict == p.UNSOLVABLE and answer.plan is not None:
                self._checked.note(FALSE_PROOF, name, f"{reply.reason}; plan: {' '.join(answer.plan)}")
            elif verdict == p.REFUSED and _UNSUPPORTED not in reply.reason:
                self._checked.note(REFUSED_INPUT, name, reply.reason)
            elif verdict == p.PLAN and not self._model.judge(reply.plan).valid:
                verdict = self._wrong_plan(name, reply, referee)
            self._checked.verdicts[name] = verdict

    def _wrong_plan(self, name: str, reply: p.Reply, referee: p.Referee | None) -> str:
        accepted = referee is not None and referee.accepts(reply.plan)
        kind = NO_PLAN_AT_ALL if accepted else REFUSED_PLAN if reply.exact else ROUNDED
        self._checked.note(kind, name, " ".join(reply.plan))
        return "wrong plan"

    def _conclude(self) -> None:
        """The default entry, and whether it should have found a plan."""
        verdicts = [self._checked.verdicts[name] for name in p.MEMBERS if name in self._checked.verdicts]
        if not verdicts:
            return
        proved = (verdict for verdict in verdicts if verdict in (p.PLAN, p.UNSOLVABLE))
        default = next(proved, p.OUT_OF_LIMITS if p.OUT_OF_LIMITS in verdicts else p.NO_PLAN)
        self._checked.verdicts[p.DEFAULT] = default
        plan = self._checked.answer.plan
        if default == p.NO_PLAN and plan is not None:
            self._checked.note(MISSED, p.DEFAULT, " ".join(plan))


def _variations(plan: Sequence[str], steps: Sequence[str], random: Random) -> Iterator[tuple[str, ...]]:
    """Drop, repeat, swap, replace, insert; and a plan of random steps."""
    for _ in range(2):
        if plan:
            i, j = random.randrange(len(plan)), random.randrange(len(plan))
            yield (*plan[:i], *plan[i + 1 :])
            yield (*plan[: i + 1], *plan[i:])
            swapped = list(plan)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield tuple(swapped)
        if steps:
            i, step = random.randrange(len(plan) + 1), random.choice(steps)
            yield (*plan[:i], step, *plan[i + 1 :])
            yield (*plan[:i], step, *plan[i:])
            yield tuple(random.choice(steps) for _ in range(random.randint(1, 5)))
