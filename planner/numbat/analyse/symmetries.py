"""Interchangeable objects: pairs whose exchange maps the grounded task onto itself.

In, out      GroundedTask -> Swaps, each of two objects
Verified     on the arrays: operators with preconditions, effects and costs, and the goal, are the same after the
             exchange. The initial state need not be: states are compared, not histories
Idea         names tell which facts and variables an exchange of two objects exchanges; whether that is a symmetry only
             the arrays tell. Interchangeable is an equivalence, so an object is compared with one of each class.
Cost         for each comparison what mentions the two objects; comparing ends after `seconds`, with what is known then,
             and making the swaps after as many again
Not here     how a search uses them (core/search/pruning/symmetries.h)
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from numbat.task.grounded import GroundedTask, Ints
from numbat.task.symmetry import Swap

# Classes up to this size exchange every two objects, larger ones neighbours only.
ALL_PAIRS = 6
SECONDS = 2.0
# Reading more of them takes too long.
MOST_OPERATORS = 30_000

Exchange = Mapping[int, int]


def interchangeable(task: GroundedTask, seconds: float = SECONDS) -> tuple[Swap, ...]:
    """See the module's docstring."""
    if not 0 < len(task.cost_whole) <= MOST_OPERATORS:
        return ()
    deadline = time.process_time() + seconds
    view = _View(task)
    classes: dict[Hashable, list[list[str]]] = defaultdict(list)
    for name in view.objects:
        similar = classes[view.profile(name)]
        for members in similar:
            if time.process_time() > deadline:
                break
            if view.swap(members[0], name) is not None:
                members.append(name)
                break
        else:
            similar.append([name])
    pairs = (pair for similar in classes.values() for members in similar for pair in _pairs(members))
    swaps = (view.swap(*pair) for pair in pairs if time.process_time() < deadline + seconds)
    return tuple(swap for swap in swaps if swap is not None)


def _pairs(members: Sequence[str]) -> Iterable[tuple[str, str]]:
    return combinations(members, 2) if len(members) <= ALL_PAIRS else pairwise(members)


def _rows(start: Ints, *columns: np.ndarray) -> list[list[tuple[int, ...]]]:
    entries = list(zip(*(column.tolist() for column in columns), strict=True))
    return [entries[begin:end] for begin, end in pairwise(start.tolist())]


class _View:
    """The task with everything that an exchange of objects may touch."""

    def __init__(self, task: GroundedTask) -> None:
        self.task = task
        self.facts = [_words(name) for name in task.fact_names]
        self.variables = [_words(name) for name in task.variable_names]
        self.fact_number = {words: number for number, words in enumerate(self.facts)}
        self.variable_number = {words: number for number, words in enumerate(self.variables)}
        self._conditions = _rows(task.condition_start, task.condition_variable, task.condition_coefficient)
        self._conjunctions = [[a for (a,) in row] for row in _rows(task.conjunction_start, task.conjunction_atom)]
        self._disjunctions = [
            [c for (c,) in row] for row in _rows(task.disjunction_start, task.disjunction_conjunction)
        ]
        self._adds = _rows(task.block_add_start, task.block_add)
        self._deletes = _rows(task.block_delete_start, task.block_delete)
        effects = (task.numeric_variable, task.numeric_assign, task.numeric_constant)
        numbers = np.arange(len(task.numeric_variable))
        self._numeric = _rows(task.block_numeric_start, numbers, *effects)
        self._terms = _rows(task.numeric_term_start, task.numeric_term_variable, task.numeric_term_coefficient)
        self._first_condition = 2 * len(self.facts)
        self._first_disjunction = self._first_condition + len(self._conditions)
        self._mentions: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place, table in enumerate((self.facts, self.variables)):
            for number, words in enumerate(table):
                for word in set(words[1:]):
                    self._mentions[word][place].append(number)
        self.objects = sorted(self._mentions)
        self._users_of_facts, self._users_of_variables = self._users()
        self._signatures = [self._operator(operator, {}, {}) for operator in range(len(task.operator_precondition))]
        self._goal = self._conjunction(task.goal, {}, {})

    def profile(self, name: str) -> Hashable:
        """Equal for interchangeable objects."""
        facts, variables = self._mentions[name]
        places = Counter(
            (kind, words[0], tuple(i for i, word in enumerate(words) if word == name))
            for kind, numbers, table in (("f", facts, self.facts), ("v", variables, self.variables))
            for words in (table[number] for number in numbers)
        )
        return frozenset(places.items()), len(self._touched(facts, variables))

    def swap(self, one: str, other: str) -> Swap | None:
        """The exchange of two objects, if it is a symmetry."""
        facts = self._exchange(one, other, 0, self.facts, self.fact_number)
        variables = self._exchange(one, other, 1, self.variables, self.variable_number)
        if facts is None or variables is None or self._conjunction(self.task.goal, facts, variables) != self._goal:
            return None
        places: dict[Hashable, list[int]] = defaultdict(list)
        images: dict[Hashable, list[int]] = defaultdict(list)
        for operator in sorted(self._touched(facts, variables)):
            places[self._signatures[operator]].append(operator)
            images[self._operator(operator, facts, variables)].append(operator)
        if any(len(images.get(key, ())) != len(own) for key, own in places.items()) or len(images) != len(places):
            return None
        operators = {image: place for key, own in places.items() for place, image in zip(own, images[key], strict=True)}
        return Swap(_flat(facts), _flat(variables), _flat(operators))

    def _exchange(
        self, one: str, other: str, place: int, table: list[tuple[str, ...]], number: dict[tuple[str, ...], int]
    ) -> Exchange | None:
        found = {}
        exchanged = {one: other, other: one}
        for old in {*self._mentions[one][place], *self._mentions[other][place]}:
            head, *arguments = table[old]
            new = number.get((head, *(exchanged.get(word, word) for word in arguments)))
            if new is None:
                return None
            found[old] = new
        return found

    def _touched(self, facts: Iterable[int], variables: Iterable[int]) -> set[int]:
        found: set[int] = set()
        for fact in facts:
            found |= self._users_of_facts[fact]
        for variable in variables:
            found |= self._users_of_variables[variable]
        return found

    def _users(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """Operators by the facts and variables that they read or change."""
        facts: dict[int, set[int]] = defaultdict(set)
        variables: dict[int, set[int]] = defaultdict(set)
        task = self.task
        for operator, precondition in enumerate(task.operator_precondition.tolist()):
            blocks = range(task.operator_block_start[operator], task.operator_block_start[operator + 1])
            for conjunction in (precondition, *(int(task.block_condition[block]) for block in blocks)):
                self._note(conjunction, operator, facts, variables)
            for block in blocks:
                for (fact,) in (*self._adds[block], *self._deletes[block]):
                    facts[fact].add(operator)
                for number, variable, _, _ in self._numeric[block]:
                    for read in (variable, *(v for v, _ in self._terms[number])):
                        variables[read].add(operator)
        return facts, variables

    def _note(
        self, conjunction: int, operator: int, facts: dict[int, set[int]], variables: dict[int, set[int]]
    ) -> None:
        for atom in self._conjunctions[conjunction]:
            if atom < self._first_condition:
                facts[atom // 2].add(operator)
            elif atom < self._first_disjunction:
                for variable, _ in self._conditions[atom - self._first_condition]:
                    variables[variable].add(operator)
            else:
                for part in self._disjunctions[atom - self._first_disjunction]:
                    self._note(part, operator, facts, variables)

    # --- what is the same after an exchange has an equal signature ---

    def _operator(self, operator: int, facts: Exchange, variables: Exchange) -> Hashable:
        task = self.task
        blocks = range(task.operator_block_start[operator], task.operator_block_start[operator + 1])
        effects = Counter(self._block(block, facts, variables) for block in blocks)
        precondition = self._conjunction(int(task.operator_precondition[operator]), facts, variables)
        costs = slice(task.cost_term_start[operator], task.cost_term_start[operator + 1])
        terms = zip(task.cost_term_variable[costs].tolist(), task.cost_term_coefficient[costs].tolist(), strict=True)
        price = int(task.cost_whole[operator]), _form(terms, variables)
        return price, precondition, frozenset(effects.items())

    def _block(self, block: int, facts: Exchange, variables: Exchange) -> Hashable:
        numeric = frozenset(
            (variables.get(variable, variable), assign, constant, _form(self._terms[number], variables))
            for number, variable, assign, constant in self._numeric[block]
        )
        adds = frozenset(facts.get(fact, fact) for (fact,) in self._adds[block])
        deletes = frozenset(facts.get(fact, fact) for (fact,) in self._deletes[block])
        return self._conjunction(int(self.task.block_condition[block]), facts, variables), adds, deletes, numeric

    def _conjunction(self, conjunction: int, facts: Exchange, variables: Exchange) -> Hashable:
        return frozenset(self._atom(atom, facts, variables) for atom in self._conjunctions[conjunction])

    def _atom(self, atom: int, facts: Exchange, variables: Exchange) -> Hashable:
        if atom < self._first_condition:
            return facts.get(atom // 2, atom // 2), atom % 2
        if atom >= self._first_disjunction:
            parts = self._disjunctions[atom - self._first_disjunction]
            return frozenset(self._conjunction(part, facts, variables) for part in parts)
        number = atom - self._first_condition
        constant, strict = self.task.condition_constant[number].item(), bool(self.task.condition_strict[number])
        return _form(self._conditions[number], variables), constant, strict


def _words(name: str) -> tuple[str, ...]:
    return tuple(name.replace("(", " ").replace(")", " ").split())


def _form(terms: Iterable[tuple[int, ...]], variables: Exchange) -> Hashable:
    return frozenset((variables.get(variable, variable), coefficient) for variable, coefficient in terms)


def _flat(exchange: Exchange) -> Ints:
    pairs = sorted((old, new) for old, new in exchange.items() if old < new)
    return np.array([number for pair in pairs for number in pair], dtype=np.int32)
