"""From lists of pairs to the arrays of GroundedTask: the one place that knows their layout.

In, out      Operators, Relevance, Costs -> GroundedTask
Numbering    facts and variables by symbol and arguments in the order of the files, operators by schema and arguments
Numbers      scaled here to integers where that is exact (scale), else the nearest doubles
Unreachable  a goal that no state can reach is a conjunction of one disjunction without parts
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from numbat import _core
from numbat.errors import Span, TooLarge
from numbat.ground.atoms import AtomTable
from numbat.ground.columns import Index, distinct, ranked
from numbat.ground.costs import Costs, WholeCosts, in_one_unit
from numbat.ground.fold import Linear, required
from numbat.ground.operators import Operators
from numbat.ground.pairs import NONE, Pairs
from numbat.ground.pools import Conjunction, Pools
from numbat.ground.relevance import Relevance
from numbat.ground.scale import ConditionForm, Scaling, scale
from numbat.ground.statics import Number, double
from numbat.task.grounded import Doubles, GroundedTask, Ints, Numbers
from numbat.task.names import Group, Names


class Forms(NamedTuple):
    """Linear forms, row by row."""

    start: Ints
    variable: Ints
    coefficient: Numbers
    constant: Numbers


class CostForms(NamedTuple):
    """Forms in doubles, which costs are in any case, and the same as integers where there is a unit for them."""

    start: Ints
    variable: Ints
    coefficient: Doubles
    constant: Doubles
    whole: WholeCosts


class KeptBlocks(NamedTuple):
    """Which operator and condition each block has, and the relevant effects by new block number."""

    start: Ints
    condition: Index  # a conjunction of the operators' pool
    adds: Pairs
    deletes: Pairs
    numeric: Pairs


class Conjunctions(NamedTuple):
    """Rows of atoms, and who has which."""

    start: Ints
    atom: Ints
    precondition: Ints
    goal: int
    block_condition: Ints


def flatten(operators: Operators, relevance: Relevance, costs: Costs) -> tuple[GroundedTask, Scaling]:
    work = _Flattening(operators, relevance, costs)
    return work.task(), work.scaling


class _Flattening:
    def __init__(self, operators: Operators, relevance: Relevance, costs: Costs) -> None:
        self.operators = operators
        self.relevance = relevance
        self.costs = costs
        self.facts = self._ordered_facts()
        self.fluents = operators.instances.fluents.by_name(np.flatnonzero(relevance.fluents))
        self.variable = _inverse(self.fluents, len(relevance.fluents))
        self.kept = np.flatnonzero(relevance.kept())
        used, self.cost_value_of = np.unique(costs.value_of[self.kept], return_inverse=True)
        self.cost_values = [costs.values[value] for value in used.tolist()]
        self.conditions = np.flatnonzero(relevance.conditions)
        self.forms = distinct(relevance.numeric().item)
        self.initial = {f: operators.initial_value(f) for f in self.fluents.tolist()}
        conditions = [operators.fold.conditions[c] for c in self.conditions.tolist()]
        self.place = operators.instances.task.goal_span
        self.condition_spans = [condition.span or self.place for condition in conditions]
        self.strict = np.array([condition.strict for condition in conditions], dtype=np.uint8)
        self.scaling = scale(
            self.initial,
            [operators.forms[f] for f in self.forms.tolist()],
            [ConditionForm(required(condition.form, condition.span), condition.strict) for condition in conditions],
        )
        self.pools = Pools()
        self._number_atoms()

    def task(self) -> GroundedTask:
        instances, scaling = self.operators.instances, self.scaling
        scales = np.array([scaling.scales[f] for f in self.fluents.tolist()], dtype=np.float64)
        conditions = self._forms(scaling.conditions, self.condition_spans)
        blocks = self._blocks()
        conjunctions = self._conjunctions(blocks.condition)
        numeric = self._numeric_forms(blocks.numeric)
        cost = self._cost_forms()
        add_start, adds = _rows(blocks.adds, len(blocks.condition))
        delete_start, deletes = _rows(blocks.deletes, len(blocks.condition))
        numeric_start, numeric_form = _rows(blocks.numeric, len(blocks.condition))
        disjunction_start, disjunction_conjunction = _ragged(self.pools.disjunctions)
        return GroundedTask(
            operator_names=self._operator_names(),
            fact_names=self._fact_names(),
            variable_names=Names(_groups(self.fluents, instances.fluents), instances.task.objects),
            exact=scaling.exact,
            has_metric=instances.task.metric is not None and self.costs.linear,
            init_facts=self.operators.conditions.initially_true[self.facts].astype(np.uint8),
            init_values=self._numbers([value * scaling.scales[f] for f, value in self.initial.items()]),
            variable_unit=1 / scales,
            condition_start=conditions.start,
            condition_variable=conditions.variable,
            condition_coefficient=conditions.coefficient,
            condition_constant=conditions.constant,
            condition_strict=self.strict,
            condition_unit=_doubles(scaling.units, self.place),
            conjunction_start=conjunctions.start,
            conjunction_atom=conjunctions.atom,
            disjunction_start=disjunction_start,
            disjunction_conjunction=disjunction_conjunction,
            goal=conjunctions.goal,
            operator_precondition=conjunctions.precondition,
            operator_block_start=blocks.start,
            block_condition=conjunctions.block_condition,
            block_add_start=add_start,
            block_add=adds,
            block_delete_start=delete_start,
            block_delete=deletes,
            block_numeric_start=numeric_start,
            numeric_variable=self.variable[self.operators.fluent_of_form()[numeric_form]].astype(np.int32),
            numeric_assign=np.array([form.assign for form in self.operators.forms], dtype=np.uint8)[numeric_form],
            numeric_constant=numeric.constant,
            numeric_term_start=numeric.start,
            numeric_term_variable=numeric.variable,
            numeric_term_coefficient=numeric.coefficient,
            cost_constant=cost.constant,
            cost_whole=cost.whole.constants,
            cost_unit=cost.whole.unit,
            cost_start=Fraction(self.costs.start),
            cost_term_start=cost.start,
            cost_term_variable=cost.variable,
            cost_term_coefficient=cost.coefficient,
            cost_term_whole=cost.whole.coefficients,
        )

    # --- names ---

    def _ordered_facts(self) -> Index:
        """Facts of the table by name, then those about definedness."""
        relevant, table = np.flatnonzero(self.relevance.facts), self.operators.instances.facts
        named = relevant < len(table)
        return np.concatenate([table.by_name(relevant[named]), relevant[~named]])

    def _fact_names(self) -> Names:
        facts, fluents = self.operators.instances.facts, self.operators.instances.fluents
        named, defined = np.split(self.facts, [np.searchsorted(self.facts >= len(facts), True)])
        undefined = np.array(self.operators.conditions.undefined, dtype=np.int64)
        about = undefined[defined - len(facts)]
        single = [group for f in about for group in _groups(np.array([f]), fluents)]
        groups = [Group(f"(defined {group.before}", group.arguments, "))") for group in single]
        return Names([*_groups(named, facts), *groups], facts.objects)

    def _operator_names(self) -> Names:
        groups, action = [], self.operators.action[self.kept]
        for number, instances in enumerate(self.operators.instances.actions):
            rows = instances.rows[self.operators.row[self.kept[action == number]]]
            groups.append(Group(f"({instances.action.name}", rows.astype(np.int32)))
        return Names(groups, self.operators.instances.task.objects)

    # --- atoms ---

    def _number_atoms(self) -> None:
        """New atom by old; disjunctions are numbered inner ones first, which is their order."""
        old = self.operators.pools
        size = old.first + 2 * max(len(self.relevance.conditions), len(old.disjunctions))
        self.atom = atom = np.full(size, NONE, dtype=np.int64)
        atom[2 * self.facts] = 2 * np.arange(len(self.facts))
        atom[2 * self.facts + 1] = 2 * np.arange(len(self.facts)) + 1
        atom[old.first + 2 * self.conditions] = 2 * len(self.facts) + np.arange(len(self.conditions))
        for number in np.flatnonzero(self.relevance.disjunctions).tolist():
            parts = {self.pools.number(self._renamed(old.conjunctions[part])) for part in old.disjunctions[number]}
            atom[old.of_disjunction(number)] = self._disjunction_atom(tuple(sorted(parts)))

    def _disjunction_atom(self, parts: tuple[int, ...]) -> int:
        return 2 * len(self.facts) + len(self.conditions) + self.pools.disjunction(parts)

    def _renamed(self, old: Sequence[int]) -> Conjunction:
        return tuple(sorted(self.atom[list(old)].tolist()))

    def _conjunctions(self, block_condition: Index) -> Conjunctions:
        """Each distinct one once: parts of disjunctions, preconditions, the goal, conditions of effects."""
        old, parts = self.operators.pools, len(self.pools.conjunctions)
        conditions, condition_of_block = np.unique(block_condition, return_inverse=True)
        rest = [self._goal(), *(self._renamed(old.conjunctions[c]) for c in conditions.tolist())]
        sizes, atoms = self._preconditions()
        few = [*self.pools.conjunctions, *rest]
        few_sizes = np.array([len(row) for row in few], dtype=np.int64)
        few_atoms = np.array([atom for row in few for atom in row], dtype=np.int64)
        end, kept = int(few_sizes[:parts].sum()), len(self.kept)
        sizes = np.concatenate([few_sizes[:parts], sizes, few_sizes[parts:]])
        atoms = np.concatenate([few_atoms[:end], atoms, few_atoms[end:]])
        first = _core.first_of_equal_rows(sizes, atoms)
        is_first = first == np.arange(len(first))
        number = (np.cumsum(is_first) - 1)[first].astype(np.int32)
        return Conjunctions(
            _starts(sizes[is_first]),
            atoms[np.repeat(is_first, sizes)].astype(np.int32),
            number[parts : parts + kept],
            int(number[parts + kept]),
            number[parts + kept + 1 :][condition_of_block],
        )

    def _preconditions(self) -> tuple[Index, Index]:
        """How many atoms each kept operator's precondition has, and all of these."""
        position = _inverse(self.kept, self.operators.size)
        pairs = self.operators.precondition
        pairs = pairs.where(position[pairs.owner] != NONE)
        pairs = Pairs(position[pairs.owner], self.atom[pairs.item]).sorted()
        return np.bincount(pairs.owner, minlength=len(self.kept)), pairs.item

    def _goal(self) -> Conjunction:
        goal, atoms = self.operators.goal, self.operators.precondition
        if goal == NONE:
            return (self._disjunction_atom(()),)
        return self._renamed(atoms.item[atoms.owner == goal].tolist())

    # --- numbers ---

    def _forms(self, forms: Sequence[Linear], spans: Sequence[Span]) -> Forms:
        start, fluents = _ragged([[f for f, _ in form.terms] for form in forms])
        places = [span for form, span in zip(forms, spans, strict=True) for _ in form.terms]
        coefficients = self._numbers([c for form in forms for _, c in form.terms], places)
        constants = self._numbers([form.constant for form in forms], spans)
        return Forms(start, self.variable[fluents].astype(np.int32), coefficients, constants)

    def _numbers(self, numbers: Sequence[Number], places: Sequence[Span] = ()) -> Numbers:
        """Integers if the task is exact, else the nearest doubles; `places` are where the numbers stand."""
        if self.scaling.exact:
            return np.array([int(number) for number in numbers], dtype=np.int64)
        spans = places or [self.place] * len(numbers)
        return np.array([double(number, span) for number, span in zip(numbers, spans, strict=True)], dtype=np.float64)

    def _numeric_forms(self, numeric: Pairs) -> Forms:
        """One row per numeric effect of a block: the row of its form, repeated."""
        position = _inverse(self.forms, len(self.operators.forms))
        spans = [self.operators.forms[f].span or self.place for f in self.forms.tolist()]
        forms = self._forms(self.scaling.effects, spans)
        rows = position[numeric.item]
        sizes = np.diff(forms.start)[rows]
        start = _starts(sizes)
        places = np.arange(int(sizes.sum())) + np.repeat(forms.start[rows] - start[:-1], sizes)
        return Forms(start, forms.variable[places], forms.coefficient[places], forms.constant[rows])

    def _cost_forms(self) -> CostForms:
        position = _inverse(self.kept, self.operators.size)
        terms = self.costs.terms
        mask = position[terms.owner] != NONE
        fluents = terms.item[mask]
        exact = [
            Fraction(self.costs.coefficients[number]) / self.scaling.scales[fluent]
            for number, fluent in zip(np.flatnonzero(mask).tolist(), fluents.tolist(), strict=True)
        ]
        sizes = np.bincount(position[terms.owner[mask]], minlength=len(self.kept))
        constant = _doubles(self.cost_values, self._metric_place)[self.cost_value_of]
        whole = in_one_unit(self.cost_values, exact)
        if len(whole.constants):
            whole = whole._replace(constants=whole.constants[self.cost_value_of])
        coefficients = _doubles(exact, self._metric_place)
        return CostForms(_starts(sizes), self.variable[fluents].astype(np.int32), coefficients, constant, whole)

    @property
    def _metric_place(self) -> Span:
        metric = self.operators.instances.task.metric
        return metric.expression.span if metric else self.place

    # --- effects ---

    def _blocks(self) -> KeptBlocks:
        blocks, relevance = self.operators.blocks, self.relevance
        lists = [relevance.adds(), relevance.deletes(), relevance.numeric()]
        position = _inverse(self.kept, self.operators.size)
        lists = [pairs.where(position[blocks.operator[pairs.owner]] != NONE) for pairs in lists]
        used, owners = ranked([pairs.owner for pairs in lists], len(blocks.operator))
        facts = _inverse(self.facts, self.operators.facts)
        return KeptBlocks(
            start=_starts(np.bincount(position[blocks.operator[used]], minlength=len(self.kept))),
            condition=blocks.condition[used],
            adds=Pairs(owners[0], facts[lists[0].item]).sorted(),
            deletes=Pairs(owners[1], facts[lists[1].item]).sorted(),
            numeric=Pairs(owners[2], lists[2].item),
        )


def _doubles(numbers: Sequence[Number], place: Span) -> Doubles:
    return np.array([double(number, place) for number in numbers], dtype=np.float64)


def _starts(sizes: Sequence[int] | Index) -> Ints:
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])
    if starts[-1] > np.iinfo(np.int32).max:
        raise TooLarge(f"the grounded task has a list of {starts[-1]:,} entries")
    return starts.astype(np.int32)


def _ragged(rows: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    return _starts([len(row) for row in rows]), np.array([item for row in rows for item in row], dtype=np.int32)


def _rows(pairs: Pairs, size: int) -> tuple[Ints, Ints]:
    """Pairs sorted by owner as rows."""
    return _starts(np.bincount(pairs.owner, minlength=size)), pairs.item.astype(np.int32)


def _inverse(chosen: Index, size: int) -> Index:
    """The place of each number in `chosen`, NONE for the others."""
    place = np.full(size, NONE, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    return place


def _groups(numbers: Index, table: AtomTable) -> list[Group]:
    """For names: atoms in a row that have the same symbol."""
    if not len(numbers):
        return []
    symbols = table.symbol_of[numbers]
    parts = np.split(numbers, np.flatnonzero(np.diff(symbols)) + 1)
    return [Group(f"({table.symbols[table.symbol(part[0])].name}", table.argument_rows(part)) for part in parts]
