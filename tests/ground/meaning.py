"""A grounded task without its numbering: two tasks with equal meanings differ at most in the order of their parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from numbat.task.grounded import GroundedTask, Ints


def meaning(task: GroundedTask) -> dict[str, Any]:
    """What the task says by the names of facts and variables; operators in their order."""
    return _Meaning(task).task()


class _Meaning:
    def __init__(self, task: GroundedTask) -> None:
        self._task = task
        self._conditions = [
            (self._form("condition", row), bool(strict)) for row, strict in enumerate(task.condition_strict)
        ]

    def task(self) -> dict[str, Any]:
        task = self._task
        operators = enumerate(zip(task.operator_names, task.operator_precondition.tolist(), strict=True))
        return {
            "facts": dict(zip(task.fact_names, task.init_facts.tolist(), strict=True)),
            "variables": dict(
                zip(task.variable_names, zip(task.init_values, task.variable_unit, strict=True), strict=True)
            ),
            "goal": self._conjunction(task.goal),
            "kind": (task.exact, task.has_metric),
            "operators": [
                (name, self._conjunction(precondition), self._blocks(number), self._form("cost", number))
                for number, (name, precondition) in operators
            ],
        }

    def _row(self, start: Ints, items: Ints, row: int) -> list[int]:
        found: list[int] = items[start[row] : start[row + 1]].tolist()
        return found

    def _form(self, kind: str, row: int) -> tuple[Any, ...]:
        """Terms and constant of a linear form."""
        task, terms = self._task, kind if kind == "condition" else f"{kind}_term"
        start = getattr(task, f"{terms}_start")
        variables = self._row(start, getattr(task, f"{terms}_variable"), row)
        coefficients = self._row(start, getattr(task, f"{terms}_coefficient"), row)
        named = {task.variable_names[v]: c for v, c in zip(variables, coefficients, strict=True)}
        return frozenset(named.items()), getattr(task, f"{kind}_constant")[row]

    def _atom(self, atom: int) -> tuple[Any, ...]:
        task, facts = self._task, 2 * len(self._task.fact_names)
        if atom < facts:
            return task.fact_names[atom // 2], atom % 2
        if atom < facts + len(self._conditions):
            return self._conditions[atom - facts]
        row = atom - facts - len(self._conditions)
        parts = self._row(task.disjunction_start, task.disjunction_conjunction, row)
        return "or", frozenset(self._conjunction(part) for part in parts)

    def _conjunction(self, number: int) -> frozenset[Any]:
        atoms = self._row(self._task.conjunction_start, self._task.conjunction_atom, number)
        return frozenset(map(self._atom, atoms))

    def _blocks(self, operator: int) -> frozenset[Any]:
        begin, end = list(pairwise(self._task.operator_block_start.tolist()))[operator]
        return frozenset(self._block(block) for block in range(begin, end))

    def _block(self, block: int) -> tuple[Any, ...]:
        task = self._task
        adds, deletes = (
            frozenset(task.fact_names[fact] for fact in self._row(start, facts, block))
            for start, facts in ((task.block_add_start, task.block_add), (task.block_delete_start, task.block_delete))
        )
        effects = range(task.block_numeric_start[block], task.block_numeric_start[block + 1])
        numeric = frozenset(
            (task.variable_names[task.numeric_variable[e]], bool(task.numeric_assign[e]), self._form("numeric", e))
            for e in effects
        )
        return self._conjunction(task.block_condition[block]), adds, deletes, numeric
