"""Independent parts of a task: what no operator, condition or disjunction ties together can be planned for separately.

In, out      GroundedTask -> parts, each a Reformulation
Guarantee    plans of the parts, one after the other in any order, are a plan of the whole; if a part has no plan,
             neither has the whole
Cost         linear in the arrays, times the number of rounds in which components grow together
Not here     parts without an open goal: they need no plan and are left out
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from numbat.task.grounded import GroundedTask, Ints
from numbat.task.reformulation import Reformulation

Nodes = NDArray[np.int64] | Ints


@dataclass(frozen=True, slots=True)
class Entities:
    """One node per fact, variable, condition, conjunction, disjunction and operator, in this order."""

    first_variable: int
    first_condition: int
    first_conjunction: int
    first_disjunction: int
    first_operator: int
    count: int

    @staticmethod
    def of(task: GroundedTask) -> Entities:
        sizes = (
            len(task.init_facts),
            len(task.init_values),
            len(task.condition_constant),
            len(task.conjunction_start) - 1,
            len(task.disjunction_start) - 1,
            len(task.operator_precondition),
        )
        ends = [int(end) for end in np.cumsum(sizes)]
        return Entities(*ends)

    def of_atoms(self, atoms: Ints) -> NDArray[np.int64]:
        """The nodes of atom ids."""
        facts = self.first_variable
        conditions = self.first_conjunction - self.first_condition
        nodes = atoms.astype(np.int64) // 2
        for first, node in ((0, self.first_condition), (conditions, self.first_disjunction)):
            numbers = atoms >= 2 * facts + first
            nodes[numbers] = atoms[numbers] - (2 * facts + first) + np.int64(node)
        return nodes


def owners(start: Ints) -> NDArray[np.int64]:
    """For each entry of compressed rows, the row it stands in."""
    return np.repeat(np.arange(len(start) - 1, dtype=np.int64), np.diff(start))


def ties(task: GroundedTask, nodes: Entities) -> Iterator[tuple[Nodes, Nodes]]:
    """Pairs of nodes that belong together. The goal ties nothing: its conjuncts may be reached separately."""
    operator, condition, variable = nodes.first_operator, nodes.first_condition, nodes.first_variable
    conjunction, disjunction = nodes.first_conjunction, nodes.first_disjunction
    loose = [conjunction]  # all share the empty conjunction
    users = (task.operator_precondition, task.block_condition, task.disjunction_conjunction)
    if not any((conjunctions == task.goal).any() for conjunctions in users):
        loose.append(task.goal + conjunction)

    def tied(conjunctions: Nodes, others: Nodes) -> tuple[Nodes, Nodes]:
        kept = np.ones(len(conjunctions), dtype=bool)
        for everybody in loose:
            kept &= conjunctions != everybody
        return conjunctions[kept], others[kept]

    yield tied(owners(task.conjunction_start) + conjunction, nodes.of_atoms(task.conjunction_atom))
    yield tied(task.operator_precondition + np.int64(conjunction), np.arange(operator, nodes.count))
    yield owners(task.condition_start) + condition, task.condition_variable + np.int64(variable)
    yield tied(task.disjunction_conjunction + np.int64(conjunction), owners(task.disjunction_start) + disjunction)
    blocks = owners(task.operator_block_start) + operator
    yield tied(task.block_condition + np.int64(conjunction), blocks)
    yield blocks[owners(task.block_add_start)], task.block_add
    yield blocks[owners(task.block_delete_start)], task.block_delete
    effects = blocks[owners(task.block_numeric_start)]
    yield effects, task.numeric_variable + np.int64(variable)
    yield effects[owners(task.numeric_term_start)], task.numeric_term_variable + np.int64(variable)
    yield owners(task.cost_term_start) + operator, task.cost_term_variable + np.int64(variable)


def connected(pairs: Iterable[tuple[Nodes, Nodes]], count: int) -> NDArray[np.int64]:
    """Labels such that tied nodes have the same one: the smallest node of their component."""
    label = np.arange(count, dtype=np.int64)
    for left, right in pairs:
        while True:
            # the smallest nodes of what is known to be tied
            left, right = label[left], label[right]
            apart = left != right
            if not apart.any():
                break
            left, right = left[apart], right[apart]
            np.minimum.at(label, np.maximum(left, right), np.minimum(left, right))
            label = _followed(label)
    return label


def _followed(label: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels of labels, to the end."""
    while True:
        further = label[label]
        if np.array_equal(further, label):
            return label
        label = further


def holds_initially(task: GroundedTask, atom: int) -> bool:
    facts, conditions = len(task.init_facts), len(task.condition_constant)
    if atom < 2 * facts:
        return bool(task.init_facts[atom // 2]) != bool(atom % 2)
    if atom < 2 * facts + conditions:
        row = slice(task.condition_start[atom - 2 * facts], task.condition_start[atom - 2 * facts + 1])
        # not by numpy, whose integers overflow
        values = task.init_values[task.condition_variable[row]].tolist()
        products = [a * b for a, b in zip(task.condition_coefficient[row].tolist(), values, strict=True)]
        value = sum(products) + task.condition_constant[atom - 2 * facts].item()
        return value > 0 or (value == 0 and not task.condition_strict[atom - 2 * facts])
    row = slice(*task.disjunction_start[atom - 2 * facts - conditions :][:2])
    return any(
        all(holds_initially(task, a) for a in task.conjunction_atom[slice(*task.conjunction_start[part:][:2])])
        for part in task.disjunction_conjunction[row]
    )


def split(task: GroundedTask) -> tuple[Reformulation, ...]:
    """The independent parts with an open goal; the task itself if it is one piece."""
    nodes = Entities.of(task)
    label = connected(ties(task, nodes), nodes.count)
    goal = task.conjunction_atom[slice(*task.conjunction_start[task.goal :][:2])]
    open_goal = np.array([atom for atom in goal if not holds_initially(task, int(atom))], dtype=np.int32)
    labels = label[nodes.of_atoms(open_goal)]
    if len(set(labels.tolist())) < 2:
        return (Reformulation(task, tuple),)
    goal_labels = label[nodes.of_atoms(goal)]
    parts = sorted(set(labels.tolist()))
    return tuple(restrict(task, nodes, label == part, goal[goal_labels == part]) for part in parts)


class Renumbering:
    """The kept entries of one kind, and their new numbers."""

    def __init__(self, kept: NDArray[np.bool_]) -> None:
        self.kept = kept
        self.numbers = np.cumsum(kept) - 1

    def __call__(self, old: Ints) -> Ints:
        return self.numbers[old].astype(np.int32)

    def rows(self, start: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Offsets of the kept rows, and which entries stand in them."""
        lengths = np.diff(start)[self.kept]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        return offsets, np.repeat(self.kept, np.diff(start))


class Renumberings:
    """Those of all kinds of entries, for a part that consists of the kept nodes."""

    def __init__(self, nodes: Entities, kept: NDArray[np.bool_]) -> None:
        self._nodes = nodes
        self.fact = Renumbering(kept[: nodes.first_variable])
        self.variable = Renumbering(kept[nodes.first_variable : nodes.first_condition])
        self.condition = Renumbering(kept[nodes.first_condition : nodes.first_conjunction])
        conjunctions = kept[nodes.first_conjunction : nodes.first_disjunction].copy()
        conjunctions[0] = True
        self.conjunction = Renumbering(conjunctions)
        self.disjunction = Renumbering(kept[nodes.first_disjunction : nodes.first_operator])
        self.operator = Renumbering(kept[nodes.first_operator :])

    def atoms(self, old: Ints) -> Ints:
        nodes, node = self._nodes, self._nodes.of_atoms(old).astype(np.int32)
        first_condition = 2 * int(self.fact.kept.sum())
        first_disjunction = first_condition + int(self.condition.kept.sum())
        new = np.empty(len(old), dtype=np.int32)
        is_fact = node < nodes.first_variable
        is_condition = (node >= nodes.first_condition) & (node < nodes.first_conjunction)
        rest = ~is_fact & ~is_condition
        new[is_fact] = 2 * self.fact(old[is_fact] // 2) + old[is_fact] % 2
        new[is_condition] = first_condition + self.condition(node[is_condition] - nodes.first_condition)
        new[rest] = first_disjunction + self.disjunction(node[rest] - nodes.first_disjunction)
        return new


def restrict(task: GroundedTask, nodes: Entities, kept: NDArray[np.bool_], goal: Ints) -> Reformulation:
    """The part of the task that consists of the kept nodes, with the given atoms as its goal."""
    new = Renumberings(nodes, kept)
    numbers = np.flatnonzero(new.operator.kept)
    part = restrict_operators(restrict_conditions(task, new, goal), new)
    return Reformulation(part, lambda plan: tuple(numbers[list(plan)].tolist()))


def restrict_conditions(task: GroundedTask, new: Renumberings, goal: Ints) -> GroundedTask:
    """The task with only the kept facts and variables, what is said of them, and this goal."""
    condition_start, condition_entries = new.condition.rows(task.condition_start)
    conjunction_start, conjunction_entries = new.conjunction.rows(task.conjunction_start)
    disjunction_start, disjunction_entries = new.disjunction.rows(task.disjunction_start)
    goal_atoms = np.sort(new.atoms(goal))
    return replace(
        task,
        fact_names=tuple(np.array(task.fact_names, dtype=object)[new.fact.kept]),
        variable_names=tuple(np.array(task.variable_names, dtype=object)[new.variable.kept]),
        init_facts=np.ascontiguousarray(task.init_facts[new.fact.kept]),
        init_values=np.ascontiguousarray(task.init_values[new.variable.kept]),
        variable_unit=np.ascontiguousarray(task.variable_unit[new.variable.kept]),
        condition_start=condition_start,
        condition_variable=new.variable(task.condition_variable[condition_entries]),
        condition_coefficient=task.condition_coefficient[condition_entries],
        condition_constant=task.condition_constant[new.condition.kept],
        condition_strict=task.condition_strict[new.condition.kept],
        condition_unit=task.condition_unit[new.condition.kept],
        conjunction_start=np.append(conjunction_start, conjunction_start[-1] + len(goal_atoms)).astype(np.int32),
        conjunction_atom=np.concatenate([new.atoms(task.conjunction_atom[conjunction_entries]), goal_atoms]),
        disjunction_start=disjunction_start,
        disjunction_conjunction=new.conjunction(task.disjunction_conjunction[disjunction_entries]),
        goal=int(new.conjunction.kept.sum()),
    )


def restrict_operators(task: GroundedTask, new: Renumberings) -> GroundedTask:
    """The task with only the kept operators and their effects."""
    block_start, kept_blocks = new.operator.rows(task.operator_block_start)
    block = Renumbering(kept_blocks)
    add_start, adds = block.rows(task.block_add_start)
    delete_start, deletes = block.rows(task.block_delete_start)
    numeric_start, kept_effects = block.rows(task.block_numeric_start)
    term_start, terms = Renumbering(kept_effects).rows(task.numeric_term_start)
    cost_start, cost_terms = new.operator.rows(task.cost_term_start)
    return replace(
        task,
        operator_names=tuple(np.array(task.operator_names, dtype=object)[new.operator.kept]),
        operator_precondition=new.conjunction(task.operator_precondition[new.operator.kept]),
        operator_block_start=block_start,
        block_condition=new.conjunction(task.block_condition[kept_blocks]),
        block_add_start=add_start,
        block_add=new.fact(task.block_add[adds]),
        block_delete_start=delete_start,
        block_delete=new.fact(task.block_delete[deletes]),
        block_numeric_start=numeric_start,
        numeric_variable=new.variable(task.numeric_variable[kept_effects]),
        numeric_assign=task.numeric_assign[kept_effects],
        numeric_constant=task.numeric_constant[kept_effects],
        numeric_term_start=term_start,
        numeric_term_variable=new.variable(task.numeric_term_variable[terms]),
        numeric_term_coefficient=task.numeric_term_coefficient[terms],
        cost_constant=task.cost_constant[new.operator.kept],
        cost_whole=task.cost_whole[new.operator.kept] if len(task.cost_whole) else task.cost_whole,
        cost_term_start=cost_start,
        cost_term_variable=new.variable(task.cost_term_variable[cost_terms]),
        cost_term_coefficient=task.cost_term_coefficient[cost_terms],
        cost_term_whole=task.cost_term_whole[cost_terms] if len(task.cost_term_whole) else task.cost_term_whole,
    )
