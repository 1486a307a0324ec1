"""The referee: does this plan solve this task? Exact, independent of the planner, standard library only.

Language     PDDL 2.1 level 2: typing with `either`, constants, negation, `or`, `imply`, quantifiers, equality, numeric
             fluents, conditional and quantified effects, metric. Anything beyond is refused by name.
Numbers      Exact rationals, decimals read from their digits. Strict means strict; `=` means equal. A tolerance is
             used only if the caller asks for one, and the verdict repeats it.
Meaning      docs/semantics.md: when a step can be executed, what it does, the metric, names, what is not looked at.

    check(domain, problem, plan) -> Verdict      judge one plan
    load(domain, problem) -> Task                read once (a file is its path, or its name and bytes), then
    judge(task, plan) -> Verdict                 judge as often as needed; a plan is a file or a sequence of steps

A file that cannot be read or has no meaning raises InputError, PDDL outside the language Unsupported; both say where.
"""

from numbat_validate.execute import Verdict, check, judge
from numbat_validate.reader import InputError, Unsupported
from numbat_validate.task import Task, load

__all__ = ["InputError", "Task", "Unsupported", "Verdict", "check", "judge", "load"]
