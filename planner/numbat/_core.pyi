"""The compiled search core, as Python sees it. Private: use numbat.search."""

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64 | np.float64]  # integers in exact tasks

class HeuristicInfo(TypedDict):
    name: str
    summary: str
    safe: bool  # says "dead end" only of true ones
    helpful: bool  # knows helpful actions and jumps
    admissible: bool  # never above the cost of the cheapest plan
    plans: bool  # has relaxed plans

class AlgorithmInfo(TypedDict):
    name: str  # as the notation spells it
    summary: str
    several: bool  # takes more than one queue
    complete: bool  # exhaustion proves that there is no plan
    admissible: bool  # needs an admissible heuristic
    weighted: bool  # takes a weight
    plans: bool  # needs a heuristic with relaxed plans

def keep_freed_memory(keep: bool) -> None:
    """Whether large blocks that are freed stay with the process, for others; False gives back all that are free."""

RuleAtom = tuple[int, tuple[int, ...]]  # a relation and its terms: objects, or variable -1 - term

class Relation(TypedDict):
    """Tuples of objects, one after the other."""

    arity: int
    size: int
    tuples: Ints
    grows: bool  # may stand in a head, must not be asked to be absent

class Rule(TypedDict):
    """Whenever the body holds, and what is absent does not, the heads hold."""

    domains: list[int]  # of the variables
    body: list[RuleAtom]
    absent: list[RuleAtom]
    heads: list[RuleAtom]
    equal: list[tuple[int, int]]
    unequal: list[tuple[int, int]]

def reachable(
    objects: int, domains: list[list[int]], relations: list[Relation], rules: list[Rule], most: int
) -> list[tuple[int, Ints]] | int:
    """For every rule the number of instances that can become true, and their objects in lexical order.

    If there are more than `most` instances of all rules: the number of the rule at which that was noticed.
    """

Longs = NDArray[np.int64]

def sorted_pairs(owner: Longs, item: Longs) -> tuple[Longs, Longs]:
    """By owner, then item, each pair once."""

def pairs_contained(owner: Longs, item: Longs, other_owner: Longs, other_item: Longs) -> Bytes:
    """For each pair whether it is among the others."""

def first_of_equal_rows(sizes: Longs, items: Longs) -> Longs:
    """Rows of the given sizes stand one after the other in `items`: for each the first row that is equal to it."""

def heuristics() -> list[HeuristicInfo]: ...
def algorithms() -> list[AlgorithmInfo]: ...

class Task:
    """The arrays of numbat.task.grounded.GroundedTask, checked once; every keyword has the name it has there.

    An array that the core does not read is an error.
    """

    def __init__(
        self,
        *,
        exact: bool,
        init_facts: Bytes,
        init_values: Numbers,
        condition_start: Ints,
        condition_variable: Ints,
        condition_coefficient: Numbers,
        condition_constant: Numbers,
        condition_strict: Bytes,
        condition_unit: Doubles,
        conjunction_start: Ints,
        conjunction_atom: Ints,
        disjunction_start: Ints,
        disjunction_conjunction: Ints,
        goal: int,
        operator_precondition: Ints,
        operator_block_start: Ints,
        block_condition: Ints,
        block_add_start: Ints,
        block_add: Ints,
        block_delete_start: Ints,
        block_delete: Ints,
        block_numeric_start: Ints,
        numeric_variable: Ints,
        numeric_assign: Bytes,
        numeric_constant: Numbers,
        numeric_term_start: Ints,
        numeric_term_variable: Ints,
        numeric_term_coefficient: Numbers,
        cost_constant: Doubles,
        cost_term_start: Ints,
        cost_term_variable: Ints,
        cost_term_coefficient: Doubles,
        integer_costs: NDArray[np.int64],  # per operator, see numbat.search.costs; empty if there are none
        last_value_variable: Ints,  # see numbat.analyse.saturation
        last_value_rises: Bytes,
        last_value: NDArray[np.int64],
    ) -> None: ...

class Queue(TypedDict):
    """One open list: a heuristic, optionally with novelty over it, optionally with pruned expansions."""

    heuristic: str
    helpful: bool
    jumps: bool
    feature: str  # "" (no novelty), "A", "B", "C" or "G"
    measure: str  # "" (no novelty, and for C), "PN" or, not for G, "QB"
    k: int

class Variation(TypedDict):
    """One way to search; see numbat.search.variations."""

    algorithm: str
    queues: list[Queue]
    ties: list[str]  # heap, fifo, lifo: of its runs in turn
    seed: int  # 0: operators in task order; else its n-th run shuffles them with seed + n
    kept: bool  # one run that goes on; else runs are thrown away when they make no progress
    share: int  # of the evaluations, in proportion to the others
    joins_at: int  # evaluations of the first after which it joins, stalled or not; 0: once stalled
    weight: int  # of the heuristic, for algorithms that take one

class Swap(TypedDict):
    """Two interchangeable objects: what is exchanged, as pairs in a row (a0, b0, a1, b1, ...), a < b, sorted by a."""

    facts: Ints
    variables: Ints
    operators: Ints

class SearchOptions(TypedDict):
    """What is asked of a search. A field that is missing, or that the core does not know, is an error."""

    variations: list[Variation]  # the first is the search itself
    patience: int  # evaluations without progress until the others share the time; 0: never
    time: float  # CPU seconds of this process from the call on
    memory: int  # bytes the search may allocate
    metric_cost: bool  # metric costs inside heuristics instead of unit costs
    plus_one: bool  # likewise the task's integer costs, plus one
    compat: bool  # the published code's repetitions and star effects
    bound: float  # only plans of smaller total operator cost count
    integer_bound: int  # the same in integer costs, for algorithms that go by them; 0: none
    bounds: NDArray[np.int64] | None  # shared with other processes, see BOUNDS_* below; for the same algorithms
    cost_elsewhere: int  # what those bounds contain beside the costs of this task
    stubborn: bool  # for the same algorithms: prune by strong stubborn sets
    dominance: bool  # likewise: leave out states that others dominate
    swaps: list[Swap]  # for the same algorithms, which then search one state of each orbit
    board: Doubles | None  # shared with other processes, see BOARD_* below

class Result:
    status: str  # solved, exhausted-complete, exhausted-pruned, out-of-time, out-of-memory, stopped
    plan: list[int]  # operator ids; meaningful with status solved
    statistics: dict[str, float]  # expanded, evaluated, generated, dead_ends, duplicates, memory, seconds, best_h ...
    proved_optimal: bool  # the plan is as cheap as the lower bound; only said by algorithms that keep one
    cost: int | None  # of the plan, in the task's integer costs
    lower_bound: int  # no plan costs less, in the task's integer costs
    evaluated_by: list[int]  # states evaluated by each variation
    history: list[tuple[float, int, float]]  # (seconds, evaluated, best h) at each improvement of the first queue's h

def search(task: Task, options: SearchOptions) -> Result: ...

# Places in `bounds`, in the task's integer costs: searches prune by the upper bound and raise the lower one.
BOUNDS_UPPER: int  # the cost of the best plan known, 2**63 - 1 if there is none
BOUNDS_LOWER: int  # no plan costs less
BOUNDS_SIZE: int

# Slots of `board`: the search writes the first four every few milliseconds and reads the last two.
BOARD_EVALUATED: int
BOARD_EXPANDED: int
BOARD_BEST_H: int
BOARD_MEMORY: int
BOARD_FIRST_STATE: int  # CPU seconds of the process when it had evaluated a state
BOARD_MEMORY_LIMIT: int  # if > 0 it replaces `memory`
BOARD_STOP: int  # non-zero: end with status stopped
BOARD_SIZE: int

# --- one state at a time ----------------------------------------------------------------------------------------------

def applicable(task: Task, facts: Bytes, values: Numbers) -> list[int]: ...
def is_goal(task: Task, facts: Bytes, values: Numbers) -> bool: ...

# The state after an operator and what the operator costs; None where it is not applicable.
def apply(task: Task, operator: int, facts: Bytes, values: Numbers) -> tuple[Bytes, Numbers, float] | None: ...

class Evaluation:
    value: float  # inf for a proved dead end, and for nothing else
    rank: float  # the value as queues and novelty order it: finite, too, unless it is a dead end
    helpful: list[int]  # operator ids, ascending
    jumps: list[tuple[int, int]]  # (operator, repetitions), ascending

def evaluate(
    task: Task,
    heuristic: str,
    facts: Bytes,
    values: Numbers,
    *,
    metric_cost: bool = False,
    compat: bool = False,
    advice: bool = False,  # also of h_add, as L(...) asks for it
    plus_one: bool = False,
) -> Evaluation: ...
def look_ahead(
    task: Task, heuristic: str, facts: Bytes, values: Numbers, *, by_subgoal: bool = False
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]], tuple[Bytes, Numbers]] | None:
    """A relaxed plan, as (operator, repetitions, atom or -1), the steps taken of it, and where they lead."""

class Landmarks:
    """The landmarks of a task, and h_lm with its advice along ways through states, numbered as they come."""

    def __init__(self, task: Task, most_work: int = ...) -> None: ...
    atoms: list[int]
    orders: list[tuple[int, int]]  # (a, b): every achiever of b needs a
    reasonable_orders: list[tuple[int, int]]  # (a, b), of the goal: a had better come before b
    groups: list[list[int]]  # of facts of which at most one holds at a time
    def begin(self, facts: Bytes, values: Numbers) -> Evaluation: ...
    def reach(self, parent: int, operator: int, repetitions: int, facts: Bytes, values: Numbers) -> Evaluation: ...
    def reach_again(self, state: int, parent: int, operator: int, repetitions: int) -> None: ...

class Evaluations:
    """Evaluations of a sequence of states by one heuristic, as a search asks for them.

    keep_costs   from one state to the next wherever that is possible, whether it pays or not; the results are the same
    """

    def __init__(
        self,
        task: Task,
        heuristic: str,
        *,
        metric_cost: bool = False,
        advice: bool = False,
        keep_costs: bool = False,
    ) -> None: ...
    def evaluate(self, facts: Bytes, values: Numbers) -> Evaluation: ...

class Novelty:
    """Novelty values of a sequence of states, the initial state of the task being the centre of feature B."""

    def __init__(self, task: Task, feature: str, measure: str, k: int) -> None: ...
    def value(self, facts: Bytes, values: Numbers, h: float) -> float: ...
    def value_from_parent(
        self,
        facts: Bytes,
        values: Numbers,
        h: float,
        parent_facts: Bytes,
        parent_values: Numbers,
        parent_h: float,
    ) -> float: ...

# --- improving plans --------------------------------------------------------------------------------------------------

class Prices(TypedDict):
    """What operators cost, in integers: constant + sum(coefficient * value), rows as in GroundedTask."""

    constant: NDArray[np.int64]
    start: Ints
    variable: Ints
    coefficient: NDArray[np.int64]
    nonnegative: bool  # no operator can cost less than 0

class Requirement(TypedDict):
    """What the rest of a sequence of operators asks of a state."""

    impossible: bool  # no state will do
    exact: bool  # the rest of the record is not only necessary, but sufficient
    must: list[int]  # facts
    must_not: list[int]
    constraints: list[tuple[list[tuple[int, int]], int]]  # (variable, coefficient) ..., their sum at least

class Suffix:
    """A sequence of operators of an exact task, seen from its end; it need not be a plan."""

    def __init__(self, task: Task, prices: Prices, steps: list[int]) -> None: ...
    def requirement(self, position: int) -> Requirement: ...
    # (cost, steps) of the operators from the position on; None where they fail in the state, or miss the goal
    def rest(self, position: int, facts: Bytes, values: Numbers) -> tuple[int, int] | None: ...

class ImproverOptions(TypedDict):
    """How long a plan is improved. A field that is missing, or that the core does not know, is an error."""

    time: float  # CPU seconds of this process from the call on
    memory: int  # bytes
    seed: int
    pause: float  # end with a better plan after so many CPU seconds
    fresh: bool  # the plan has nothing to do with the one that the notes are of
    board: Doubles | None  # shared with other processes, see BOARD_* above
    incumbent: Doubles | None  # one number that changes when there is another plan to improve
    notes: bytes  # of an earlier call, or empty

class Improvement(TypedDict):
    """What came of it."""

    ending: str  # better, nothing-left, out-of-time, out-of-memory, outdated
    plan: list[int]  # a cheaper plan, if the ending is "better"
    statistics: dict[str, float]
    notes: bytes  # what need not be tried again, and what has paid

def improve(task: Task, prices: Prices, plan: list[int], options: ImproverOptions) -> Improvement: ...

# The plan without redundant actions, as far as there is time (CPU seconds); itself if it is no plan.
def eliminate(task: Task, prices: Prices, plan: list[int], time: float) -> list[int]: ...
