"""Why a goal is out of reach in the relaxed task: the conditions without which it would be within reach.

Method       drop one key (rules.Key) at a time and look at the fixpoint; where that helps, derive the goal in the
             variant and keep the conditions of single instances that had to be granted, as few as possible. If no key
             is enough on its own, drop all and take back what is not needed.
Guarantee    a Cause is checked: with its granted conditions removed from these instances, and only these, the goal is
             reachable in the relaxed task; without them it is not
Order        what nothing can ever change first, then numbers that depend on something else, then types, then facts that
             other actions would have to bring about; then by the number of conditions and the length of the chain
Cost         a grounding per key; stops when the clock says so
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import prod

from numbat.errors import TooLarge
from numbat.explain.budget import Budget
from numbat.explain.derivation import MOST_RULE_STEPS, Derivation, Link, RuleStep
from numbat.explain.relaxed import Relaxed
from numbat.explain.rules import Key, Kind, Need, Rule, RuleModel, mentions, terms_of
from numbat.explain.support import self_supporting
from numbat.task.conditions import bind, bind_fluent
from numbat.task.lifted import And, Compare, Condition, Literal, Or, parameter

MOST_CONDITIONS = 12  # granted for one goal; beyond that nobody would call it an explanation

MOST_FACTS = 60  # tried as additions to the initial state
MOST_SWAPPED = 4  # arguments looked at in every order
MOST_COMBINATIONS = 5000  # of objects, looked at to see whether a condition is ever in the way


@dataclass(frozen=True, slots=True)
class Reason:
    """A ground condition that can never hold, and the instances that ask for it; the first is the chain's last."""

    need: Need
    steps: tuple[RuleStep, ...]

    @property
    def step(self) -> RuleStep:
        return self.steps[0]


@dataclass(frozen=True, slots=True)
class Cause:
    """Reasons that together keep a goal out of reach; `chain` leads from the goal to the first of them."""

    reasons: tuple[Reason, ...]
    chain: tuple[Link, ...]
    rank: int


class Inquiry:
    """One task and its fixpoint, asked about its goals."""

    def __init__(self, model: RuleModel, budget: Budget) -> None:
        self.model = model
        self._budget = budget
        self.original = self._relaxed()
        self.cut_short = False
        self._circles: list[bool] | None = None
        self._initial: dict[int, set[tuple[int, ...]]] | None = None
        self._variants: dict[frozenset[Key], Relaxed | None] = {}

    def _relaxed(
        self,
        dropped: frozenset[Key] = frozenset(),
        granted: Iterable[tuple[RuleStep, frozenset[Need]]] = (),
        start: Literal | None = None,
    ) -> Relaxed:
        freed = [(step.rule, step.binding, needs) for step, needs in granted]
        task = self.model.variant(dropped, freed)
        if start is not None:
            others = tuple(atom for atom in task.init_atoms if atom != replace(start, negated=False))
            task = replace(task, init_atoms=others if start.negated else (*others, start))
        return Relaxed(task, len(self.model.rules), len(self.model.goals))

    def _variant(self, dropped: frozenset[Key]) -> Relaxed | None:
        """The fixpoint without these keys, None if it is too large or time is over."""
        if dropped not in self._variants:
            if self._budget.spent:
                self.cut_short = True
                return None
            try:
                self._variants[dropped] = self._relaxed(dropped)
            except TooLarge:
                self.cut_short = True
                self._variants[dropped] = None
        return self._variants[dropped]

    def unreachable(self) -> list[int]:
        """The goals that no reachable state satisfies, by number."""
        return [number for number, reached in enumerate(self.original.goals) if not reached]

    def causes(self, goal: int, *, brief: bool = False) -> list[Cause]:
        """Each is enough to explain the goal; the likeliest first, `brief` that one alone. Empty if none was found."""
        keys = self._keys(goal)
        found: list[Cause] = []
        for rank in self._ranks(goal):
            if not found:
                found = self._single(goal, [key for key in keys if self.key_rank(key) == rank], brief)
        if not found and (several := self._several(goal, keys)):
            found = [cause] if (cause := self._cause(goal, several)) else []
        return sorted(found, key=_likelihood)[: 1 if brief else None]

    def _single(self, goal: int, keys: list[Key], brief: bool) -> list[Cause]:
        """Causes of one key each; the keys come in the order of likelihood, and so does what is found."""
        found: list[Cause] = []
        for key in keys:
            if not (brief and found and len(found[-1].reasons) == 1):
                cause = self._cause(goal, frozenset((key,)))
                found += [cause] if cause else []
        return found

    def _ranks(self, goal: int) -> tuple[int, ...]:
        """In which order kinds of conditions are tried: where actions only wait for each other, the types are right."""
        return (0, 1, 3, 2) if self._waits_for_itself()[goal] else (0, 2, 1, 3)

    def _waits_for_itself(self) -> list[bool]:
        if self._circles is None:
            changeable = frozenset(key for key in self._every_key() if self.key_rank(key) in (1, 3))
            variant = self._variant(changeable)
            known = variant is not None and sum(map(len, variant.rows)) <= MOST_RULE_STEPS
            none = [False] * len(self.model.goals)
            self._circles = self_supporting(self.model, self.original, variant.rows) if variant and known else none
        return self._circles

    def _every_key(self) -> set[Key]:
        return {need.key for rule in self.model.rules for need in rule.needs}

    # --- which conditions ---

    def _keys(self, goal: int) -> list[Key]:
        """What the rules ask for, can be in the way, and could have to do with the goal."""
        relevant = _asked(self.model.goals[goal])
        rules: dict[int, Rule] = {}
        grown = True
        while grown:
            fresh = [n for n, r in enumerate(self.model.rules) if n not in rules and relevant & self._brought(r)]
            grown = bool(fresh)
            rules.update((number, self.model.rules[number]) for number in fresh)
            relevant = relevant.union(*(_asked(self.model.rules[number]) for number in fresh))
        keys = {need.key for rule in rules.values() for need in rule.needs if self._in_the_way(rule, need)}
        return sorted(keys, key=lambda key: (key.kind, key.names))

    def _in_the_way(self, rule: Rule, need: Need) -> bool:
        """May there be objects for which this need is out of reach?"""
        if need.key.kind is Kind.TYPE:
            return True
        used = [n for n in range(len(rule.variables)) if mentions(need, {parameter(n)})]
        domains = [self.model.members(rule.variables[n].types) for n in used]
        if prod(map(len, domains)) > MOST_COMBINATIONS:
            return True
        bindings = (dict(zip(map(parameter, used), objects, strict=True)) for objects in product(*domains))
        return not all(self._holds(need, terms) for terms in bindings)

    def _holds(self, need: Need, terms: dict[int, int]) -> bool:
        values = (self.original.interval(bind_fluent(fluent, terms)) for fluent in need.reads)
        return all(value is not None for value in values) and self.original.possible(bind(need.condition, terms))

    def _brought(self, rule: Rule) -> set[str]:
        task, effect = self.model.lifted, rule.effect
        found = {task.predicates[literal.predicate].name for literal in effect.adds}
        found |= {f"not {task.predicates[literal.predicate].name}" for literal in effect.deletes}
        return found | {task.functions[change.fluent.function].name for change in effect.numeric}

    def key_rank(self, key: Key) -> int:
        """0: no action changes it. 1: a number that actions change. 2: a type. 3: facts that actions change.

        A predicate of one argument that no action changes is a type, too.
        """
        if key.kind is Kind.TYPE:
            return 2 if self.model.members(key.names) else 0
        changed = {name for rule in self.model.rules for name in self._brought(rule)}
        if key.kind is Kind.NUMBER:
            return 0 if changed.isdisjoint(key.names) else 1
        if key.kind is Kind.VALUE:
            return 0
        unary = {symbol.name for symbol in self.model.lifted.predicates if symbol.arity == 1}
        return 3 if changed >= set(key.names) else 2 if key.kind is Kind.FACT and unary >= set(key.names) else 0

    def _several(self, goal: int, keys: list[Key]) -> frozenset[Key] | None:
        """Keys that together are enough, none of which can be left out; the least likely ones are left out first."""
        for worst in (0, 2, 3):
            dropped = [key for key in keys if self.key_rank(key) <= worst]
            variant = self._variant(frozenset(dropped))
            if variant is not None and variant.goals[goal]:
                for key in sorted(dropped, key=lambda key: (-self.key_rank(key), -key.kind, key.names)):
                    fewer = [other for other in dropped if other != key]
                    variant = self._variant(frozenset(fewer))
                    if variant is not None and variant.goals[goal]:
                        dropped = fewer
                return frozenset(dropped)
        return None

    # --- the conditions granted ---

    def _cause(self, goal: int, dropped: frozenset[Key]) -> Cause | None:
        variant = self._variant(dropped)
        if variant is None or not variant.goals[goal]:
            return None
        derivation = Derivation(self.model, self.original, variant, dropped)
        if not derivation.complete:
            return None
        rule = self.model.goals[goal]
        reasons = self._reasons(derivation.granted(rule))
        if reasons and all(key.kind is Kind.FACT for key in dropped):
            fact = self._missing_fact(goal, self._likely_facts(derivation, reasons))
            if fact is not None:
                derivation = Derivation(self.model, self.original, variant, dropped, fact)
                reasons = self._reasons(derivation.granted(rule))
        return self._checked(goal, derivation, reasons)

    def _likely_facts(self, derivation: Derivation, reasons: list[Reason]) -> list[Condition]:
        """What may have been forgotten: facts stated with their arguments swapped, or those that would be granted."""
        asked = derivation.asked()
        if self._rank(reasons[0]) == 3:
            return asked
        swapped = [fact for fact in asked if isinstance(fact, Literal) and self.stated_otherwise(fact)]
        granted = [bind(reason.need.condition, terms_of(reason.step.binding)) for reason in reasons]
        return [*swapped, *(granted if len(granted) > 1 else ())]

    def _checked(self, goal: int, derivation: Derivation, granted: list[Reason]) -> Cause | None:
        reasons = self._minimal(goal, granted)
        if not reasons:
            return None
        rule = self.model.goals[goal]
        reasons.sort(key=lambda reason: (self._rank(reason), -len(derivation.chain(rule, reason.step, reason.need))))
        chain = derivation.chain(rule, reasons[0].step, reasons[0].need)
        return Cause(tuple(reasons), chain, max(self._rank(reason) for reason in reasons))

    def _missing_fact(self, goal: int, asked: list[Condition]) -> Condition | None:
        """The fact that, true at the start, would bring the goal within reach, and with it as much else as possible."""
        best: tuple[int, int] = (0, 0)
        found = None
        for fact in asked[:MOST_FACTS]:
            if isinstance(fact, Literal) and not self._budget.spent:
                relaxed = self._relaxed(start=fact)
                score = (int(self.stated_otherwise(fact) is not None), sum(map(len, relaxed.rows)))
                if relaxed.goals[goal] and score > best:
                    best, found = score, fact
        return found

    def stated_otherwise(self, literal: Literal) -> Literal | None:
        """The same fact with its arguments in another order, if that is what the initial state says."""
        if literal.negated or len(literal.arguments) > MOST_SWAPPED:
            return None
        stated = self._stated()[literal.predicate]
        others = (arguments for arguments in permutations(literal.arguments) if arguments != literal.arguments)
        return next((Literal(literal.predicate, arguments) for arguments in others if arguments in stated), None)

    def _stated(self) -> Mapping[int, set[tuple[int, ...]]]:
        """The arguments of the facts of the initial state, by predicate."""
        if self._initial is None:
            self._initial = defaultdict(set)
            for atom in self.model.lifted.init_atoms:
                self._initial[atom.predicate].add(atom.arguments)
        return self._initial

    def _reasons(self, granted: dict[RuleStep, list[Need]]) -> list[Reason]:
        """Instances that ask for the same thing together."""
        groups: dict[object, list[tuple[Need, RuleStep]]] = {}
        for step, needs in granted.items():
            for need in needs:
                groups.setdefault(self._same(step, need), []).append((need, step))
        return [Reason(group[0][0], tuple(step for _, step in group)) for group in groups.values()]

    def asks_the_same(self, step: RuleStep, need: Need, reason: Reason) -> bool:
        """Is this need of a step what the reason is about?"""
        return self._same(step, need) == self._same(reason.step, reason.need)

    def _same(self, step: RuleStep, need: Need) -> object:
        if need.key.kind is Kind.TYPE:
            empty = self.model.is_empty(need)
            return (need.key, None if empty else step.binding[need.parameter])
        terms = terms_of(step.binding)
        if need.key.kind is Kind.VALUE:
            return tuple(bind_fluent(fluent, terms) for fluent in need.reads)
        return bind(need.condition, terms)

    def _minimal(self, goal: int, reasons: list[Reason]) -> list[Reason] | None:
        """None if these reasons do not suffice; otherwise as many of them as are needed."""
        if not reasons or len(reasons) > MOST_CONDITIONS or not self._suffice(goal, reasons):
            return None
        for reason in list(reasons):
            fewer = [other for other in reasons if other is not reason]
            if fewer and self._suffice(goal, fewer):
                reasons = fewer
        return reasons

    def _suffice(self, goal: int, reasons: list[Reason]) -> bool:
        freed: dict[RuleStep, set[Need]] = {}
        for reason in reasons:
            for step in reason.steps:
                needs = {need for need in step.rule.needs if self.asks_the_same(step, need, reason)}
                meaningful = self.model.meaningful(step.rule, frozenset(need.key for need in needs))
                freed.setdefault(step, set()).update(needs, set(step.rule.needs).difference(meaningful))
        return self._relaxed(granted=[(step, frozenset(needs)) for step, needs in freed.items()]).goals[goal]

    def _rank(self, reason: Reason) -> int:
        """As key_rank, for the ground condition."""
        need, step = reason.need, reason.step
        if need.key.kind in (Kind.TYPE, Kind.VALUE):
            return self.key_rank(need.key)
        if not self.changeable(bind(need.condition, terms_of(step.binding))):
            return 0
        return 1 if need.key.kind is Kind.NUMBER else 3

    def changeable(self, condition: Condition) -> bool:
        """Is there an action, in reach or not, with an effect on what this ground condition speaks of?"""
        match condition:
            case Literal():
                return any(self._adds(rule, condition) for rule in self.model.rules)
            case Compare():
                return any(
                    self._unifies(rule, change.fluent.arguments, fluent.arguments)
                    for fluent in condition.expression.reads
                    for rule in self.model.rules
                    for change in rule.effect.numeric
                    if change.fluent.function == fluent.function
                )
            case And(parts=parts) | Or(parts=parts):
                return any(self.changeable(part) for part in parts)
        return False

    def _adds(self, rule: Rule, wanted: Literal) -> bool:
        effects = rule.effect.deletes if wanted.negated else rule.effect.adds
        return any(
            e.predicate == wanted.predicate and self._unifies(rule, e.arguments, wanted.arguments) for e in effects
        )

    def _unifies(self, rule: Rule, terms: tuple[int, ...], objects: tuple[int, ...]) -> bool:
        bound: dict[int, int] = {}
        for term, value in zip(terms, objects, strict=True):
            if term >= 0 and term != value:
                return False
            if term < 0 and (
                bound.setdefault(term, value) != value
                or value not in self.model.members(rule.variables[-1 - term].types)
            ):
                return False
        return True


def _likelihood(cause: Cause) -> tuple[int, int, Kind, int]:
    """Immutable things are told by the shortest way to them, others by the longest, whose end is the cause."""
    length = len(cause.chain) if cause.rank in (0, 2) else -len(cause.chain)
    return cause.rank, len(cause.reasons), cause.reasons[0].need.key.kind, length


def _asked(rule: Rule) -> set[str]:
    return {name for need in rule.needs if need.key.kind is not Kind.TYPE for name in need.key.names}
