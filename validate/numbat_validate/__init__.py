"""The referee: does this plan solve this task? Exact, independent of the planner, standard library only.

Language     PDDL 2.1 level 2: typing with `either`, constants, negation, `or`, `imply`, quantifiers, equality, numeric
             fluents, conditional and quantified effects, metric. Anything beyond is refused by name.
Numbers      Exact rationals, decimals read from their digits. Strict means strict; `=` means equal. A tolerance is
             used only if the caller asks for one, and the verdict repeats it.
A step       1. The action exists, has that many arguments, and each is an object of the parameter's type.
             2. Its precondition holds.
             3. Every effect is evaluated in the old state: simultaneous, whatever the order of the text.
             4. Deletions first, then additions: an atom both deleted and added is true afterwards.
             5. Increases and decreases of one fluent add up, scalings multiply, equal assignments agree; any other
                mixture on one fluent is a conflict and fails the step.
Undefined    A fluent without a value is undefined. A condition that reads one anywhere fails as a whole: `or`, `imply`
             and quantifiers are not cut short, and `not` does not turn the failure round. In a `when` the step fails.
             A right-hand side that reads one fails the step, and so does changing one other than by `assign`.
             Exception: a function that no condition, goal or right-hand side anywhere reads is a counter, 0 until it
             is changed. Division by zero fails like an undefined fluent.
Metric       Evaluated after the last step, never a reason to reject. `total-time`, if nobody declares it, is the
             number of steps.
Leniency     Requirements and the problem's `:domain` are not looked at. Predicates and functions may share names.
             An undeclared supertype is a child of `object`. Initial values of undeclared functions are skipped.

    check(domain, problem, plan) -> Verdict      judge one plan
    load(domain, problem) -> Task                read once, then
    judge(task, plan) -> Verdict                 judge as often as needed; a plan is a file or a sequence of steps

A file that cannot be read or has no meaning raises InputError, PDDL outside the language Unsupported.
"""

from numbat_validate.execute import Verdict, check, judge
from numbat_validate.reader import InputError, Unsupported
from numbat_validate.task import Task, load

__all__ = ["InputError", "Task", "Unsupported", "Verdict", "check", "judge", "load"]
