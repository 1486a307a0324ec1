"""Patterns: in which order the actions are offered to the solver.

Complete     every action that is reachable from the initial state: layer by layer from the given state, then those
             that only the initial state reaches (without them a restart there would lose plans)
Helpful      those that a walk back from the goal meets: for every open condition at most `width` achievers, the
             earliest ones, whose preconditions are open in turn
Loops        a round trip is in the layer of the action that leaves, before it, if all its steps are reachable
Order        inside a layer. Whoever needs something comes before those that destroy it; whoever provides something
             comes before those that need it, where the first rule allows. Cycles are cut at the lowest number
Cost         linear in the size of the actions: needs, providers and destroyers meet in a node per fact and value of
             truth, or per variable and direction, never in pairs
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from numbat.engines.patterns.layers import NEVER, Relaxation
from numbat.engines.patterns.loops import LEAVE
from numbat.engines.patterns.reduce import Action, Model, State


@dataclass(frozen=True, slots=True)
class _Use:
    """What an action needs, provides and destroys, as keys: a literal, or a variable that should be high or low."""

    needs: frozenset[int]
    provides: frozenset[int]
    destroys: frozenset[int]


class PatternMaker:
    """Makes the patterns of one task."""

    def __init__(self, model: Model, from_initial: Relaxation) -> None:
        self._model = model
        self._uses = [self._use(action) for action in model.actions]
        self._loops = [number for number, action in enumerate(model.actions) if action.cycle]
        self._plain = range(len(model.actions) - len(self._loops))
        self._initial_order = self._layered(from_initial, self._plain)

    def complete(self, relaxation: Relaxation, *, loops: bool = False) -> list[int]:
        order = self._layered(relaxation, self._plain, self._loops if loops else ())
        return order + [action for action in self._initial_order if relaxation.layer[action] == NEVER]

    def helpful(self, relaxation: Relaxation, state: State, width: int) -> list[int]:
        model = self._model
        achievers = self._achievers(relaxation)
        chosen: set[int] = set()
        seen: set[int] = set()
        todo = [model.goal]
        while todo:
            for atom in model.atoms_below(todo.pop()) - seen:
                seen.add(atom)
                if model.atom_holds(atom, state):
                    continue
                for action in self._best(achievers, atom, width):
                    if action not in chosen:
                        chosen.add(action)
                        todo.append(model.actions[action].precondition)
                        todo += [block.condition for block in model.actions[action].blocks]
        return self._layered(relaxation, sorted(chosen))

    # --- what actions do ---

    def _use(self, action: Action) -> _Use:
        needs = frozenset(key for atom in self._model.atoms_below(action.precondition) for key in self._keys(atom))
        provides: set[int] = set()
        destroys: set[int] = set()
        for block in action.blocks:
            provides |= {2 * fact for fact in block.adds} | {2 * fact + 1 for fact in block.deletes}
            destroys |= {2 * fact + 1 for fact in block.adds} | {2 * fact for fact in block.deletes}
            for change in block.changes:
                high, low = self._wanted(change.variable, 1), self._wanted(change.variable, -1)
                if change.assign or change.form.terms:
                    provides |= {high, low}
                else:
                    provides.add(high if change.form.constant > 0 else low)
                    destroys.add(low if change.form.constant > 0 else high)
        return _Use(needs, frozenset(provides), frozenset(destroys))

    def _keys(self, atom: int) -> list[int]:
        form = self._model.condition(atom)
        return [atom] if form is None else [self._wanted(variable, sign) for variable, sign in form.terms]

    def _wanted(self, variable: int, direction: int) -> int:
        return self._model.first_condition + 2 * variable + (direction < 0)

    # --- choice ---

    def _achievers(self, relaxation: Relaxation) -> dict[int, list[int]]:
        """Per key the actions that provide it, earliest layer first."""
        achievers: dict[int, list[int]] = defaultdict(list)
        reached = [action for action, layer in enumerate(relaxation.layer) if layer != NEVER]
        for action in sorted(reached, key=relaxation.layer.__getitem__):
            for key in self._uses[action].provides:
                achievers[key].append(action)
        return achievers

    def _best(self, achievers: dict[int, list[int]], atom: int, width: int) -> list[int]:
        return [action for key in self._keys(atom) for action in achievers[key][:width]]

    # --- order ---

    def _layered(self, relaxation: Relaxation, actions: Iterable[int], loops: Iterable[int] = ()) -> list[int]:
        layers: list[list[int]] = [[] for _ in range(relaxation.layers)]
        for action in actions:
            if relaxation.layer[action] != NEVER:
                layers[relaxation.layer[action]].append(action)
        for action in loops:
            steps = [relaxation.layer[step] for step, _ in self._model.actions[action].cycle]
            if NEVER not in steps:
                layers[steps[LEAVE]].append(action)
        return [action for layer in layers for action in self._sorted(layer)]

    def _sorted(self, actions: Sequence[int]) -> list[int]:
        graph = _Precedence(len(actions))
        meeting: dict[tuple[int, bool], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for node, action in enumerate(actions):
            use = self._uses[action]
            for key in use.needs - use.destroys:
                meeting[key, True][0].append(node)
            for key in use.destroys:
                meeting[key, True][1].append(node)
            for key in use.provides - use.needs:
                meeting[key, False][0].append(node)
            for key in use.needs:
                meeting[key, False][1].append(node)
        for (_, strong), (before, after) in sorted(meeting.items()):
            if before and after:
                graph.put_before(before, after, strong)
        return [actions[node] for node in graph.order()]


@dataclass(slots=True)
class _Precedence:
    """A topological order with strong and weak edges; where there is none, weak edges are cut first.

    The first `nodes` nodes are ordered; the others are meeting points of two groups of them.
    """

    nodes: int
    successors: list[list[int]] = field(init=False)
    waiting: list[list[int]] = field(init=False)  # per node the number of predecessors, weak and strong
    strong: list[bool] = field(init=False)  # per node: its outgoing edges; used for meeting points only

    def __post_init__(self) -> None:
        self.successors = [[] for _ in range(self.nodes)]
        self.waiting = [[0, 0] for _ in range(self.nodes)]
        self.strong = [True] * self.nodes

    def put_before(self, before: Iterable[int], after: Sequence[int], strong: bool) -> None:
        """Every node of the first group before every one of the second."""
        meeting = len(self.successors)
        self.successors.append(list(after))
        self.waiting.append([0, 0])
        self.strong.append(strong)
        for node in before:
            self.successors[node].append(meeting)
            self.waiting[meeting][1] += 1
        for node in after:
            self.waiting[node][strong] += 1

    def order(self) -> list[int]:
        heaps: list[list[int]] = [[], [], list(range(self.nodes))]  # free, free but for weak edges, all
        for node in range(self.nodes):
            self._file(node, heaps)
        done: dict[int, None] = {}
        while len(done) < self.nodes:
            node = heappop(next(heap for heap in heaps if heap))
            if node in done:
                continue
            done[node] = None
            for meeting in self.successors[node]:
                self.waiting[meeting][1] -= 1
                if self.waiting[meeting][1] == 0:
                    self._release(meeting, heaps)
        return list(done)

    def _release(self, meeting: int, heaps: list[list[int]]) -> None:
        for node in self.successors[meeting]:
            self.waiting[node][self.strong[meeting]] -= 1
            self._file(node, heaps)

    def _file(self, node: int, heaps: list[list[int]]) -> None:
        weak, strong = self.waiting[node]
        if not strong:
            heappush(heaps[1 if weak else 0], node)
