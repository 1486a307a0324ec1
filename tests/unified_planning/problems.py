"""Problems of unified-planning that its own examples do not have."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from unified_planning import shortcuts as up


def counter(name: str, kind: Any, amount: Any, goal: Any) -> up.Problem:
    """x goes up and down by an amount; the goal is what `goal` makes of x."""
    problem = up.Problem(name)
    x = problem.add_fluent("x", kind, default_initial_value=0)
    increase, decrease = up.InstantaneousAction("increase"), up.InstantaneousAction("decrease")
    increase.add_increase_effect(x, amount)
    decrease.add_decrease_effect(x, amount)
    problem.add_actions([increase, decrease])
    problem.add_goal(goal(x))
    return problem


def endless() -> up.Problem:
    """An odd number by steps of two: no search of ours ever finishes."""
    return counter("odd", up.IntType(), 2, lambda x: up.Equals(x, 7))


def many_counters() -> up.Problem:
    """Easy if one follows a heuristic, endless if one looks at every state."""
    problem = up.Problem("sum")
    counters = [problem.add_fluent(f"x{number}", up.IntType(), default_initial_value=0) for number in range(7)]
    for counter in counters:
        for name, amount in (("up", 1), ("down", -1)):
            action = up.InstantaneousAction(f"{name}_{counter.name}")
            action.add_increase_effect(counter, amount)
            problem.add_action(action)
    problem.add_goal(up.GE(up.Plus(*counters), 40))
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    return problem


def hopeless() -> up.Problem:
    """The same within bounds: unsolvable, and that can be proved."""
    return counter("odd within bounds", up.IntType(0, 20), 2, lambda x: up.Equals(x, 7))


def non_linear() -> up.Problem:
    return counter("square", up.IntType(), 1, lambda x: up.Equals(up.Times(x, x), 9))


def thirds() -> up.Problem:
    """Nothing here is a decimal: from 1/3, in steps of 1/7, past 22/21 but not past 1.05."""
    problem = up.Problem("thirds")
    x = problem.add_fluent("x", up.RealType(), default_initial_value=Fraction(1, 3))
    step = up.InstantaneousAction("step")
    step.add_precondition(up.LT(x, Fraction(22, 21)))
    step.add_increase_effect(x, Fraction(1, 7))
    problem.add_action(step)
    problem.add_goal(up.Equals(x, Fraction(1, 3) + 5 * Fraction(1, 7)))
    problem.add_quality_metric(up.MinimizeExpressionOnFinalState(x))
    return problem


def tiny() -> up.Problem:
    """Numbers that are easily written as 1e-05: thirty steps of 0.00001."""
    problem = counter("tiny", up.RealType(), Fraction(1, 100000), lambda x: up.Equals(x, Fraction(30, 100000)))
    problem.add_quality_metric(up.MinimizeExpressionOnFinalState(up.Times(problem.fluent("x"), Fraction(1, 3))))
    return problem


def names() -> up.Problem:
    """Names that PDDL cannot spell, reserves, or cannot tell apart."""
    problem = up.Problem("a problem, (with) names")
    kind = up.UserType("object ")
    place, other = up.UserType("Ort (é)", kind), up.UserType("and", kind)
    at = problem.add_fluent("at", up.BoolType(), default_initial_value=False, where=place, who=other)
    At = problem.add_fluent("At", up.IntType(), default_initial_value=0, _1=other)
    move = up.InstantaneousAction("move to", ziel=place, **{"?x": other})
    move.add_effect(at(move.parameter("ziel"), move.parameter("?x")), True)
    move.add_increase_effect(At(move.parameter("?x")), 1)
    again = up.InstantaneousAction("Move-To", x=other)
    again.add_precondition(up.GE(At(again.parameter("x")), 1))
    again.add_increase_effect(At(again.parameter("x")), 1)
    problem.add_actions([move, again])
    here, there = problem.add_object("1st", place), problem.add_object("1ST", place)
    me = problem.add_object("not", other)
    for where in (here, there):
        problem.add_goal(at(where, me))
    problem.add_goal(up.GE(At(me), 3))
    return problem


def toll(costs: dict[str, Any], default: Any = None) -> up.Problem:
    """Two ways to the goal, `short` and twice `long`, and what they cost."""
    problem = up.Problem("toll")
    x = problem.add_fluent("x", up.IntType(0, 2), default_initial_value=0)
    short, long = up.InstantaneousAction("short"), up.InstantaneousAction("long")
    short.add_effect(x, 2)
    long.add_increase_effect(x, 1)
    problem.add_actions([short, long])
    problem.add_goal(up.Equals(x, 2))
    metric = up.MinimizeActionCosts({problem.action(name): cost for name, cost in costs.items()}, default=default)
    problem.add_quality_metric(metric)
    return problem


def switches() -> up.Problem:
    """Values that are computed: of facts and numbers, from such that change and such that do not. So is the cost."""
    problem = up.Problem("switches")
    add = problem.add_fluent
    wired = add("wired", up.BoolType(), default_initial_value=True)
    left = add("left", up.BoolType(), default_initial_value=False)
    lit = add("lit", up.BoolType(), default_initial_value=False)
    power = add("power", up.RealType(), default_initial_value=Fraction(7, 3))
    used = add("used", up.RealType(), default_initial_value=0)
    flip, light = up.InstantaneousAction("flip"), up.InstantaneousAction("light")
    flip.add_effect(left, up.Not(left))
    light.add_effect(lit, up.And(wired, left))
    light.add_effect(used, up.Plus(used, power))
    problem.add_actions([flip, light])
    problem.add_goal(up.And(lit, up.Not(left), up.GE(used, Fraction(14, 3))))
    problem.add_quality_metric(up.MinimizeActionCosts({flip: 1, light: up.Plus(used, power)}))
    return problem


def shopping(shops: int, parity: int) -> up.Problem:
    """Buy five things; the shops differ in price and in distance, and the nearest are the costliest."""
    problem = up.Problem("shopping")
    shop = up.UserType("shop")
    at = problem.add_fluent("at", up.BoolType(), default_initial_value=False, s=shop)
    road = problem.add_fluent("road", up.BoolType(), default_initial_value=False, a=shop, b=shop)
    price = problem.add_fluent("price", up.IntType(), default_initial_value=0, s=shop)
    owned = problem.add_fluent("owned", up.IntType(), default_initial_value=0)
    go, buy = up.InstantaneousAction("go", a=shop, b=shop), up.InstantaneousAction("buy", s=shop)
    go.add_precondition(up.And(at(go.a), road(go.a, go.b)))
    go.add_effect(at(go.a), False)
    go.add_effect(at(go.b), True)
    buy.add_precondition(at(buy.s))
    buy.add_increase_effect(owned, 1)
    problem.add_actions([go, buy])
    places = [problem.add_object(f"s{number}", shop) for number in range(shops)]
    for number, place in enumerate(places):
        problem.set_initial_value(price(place), 20 - 3 * number - (number + parity) % 2)
        if number:
            problem.set_initial_value(road(places[number - 1], place), True)
    problem.set_initial_value(at(places[0]), True)
    problem.add_goal(up.GE(owned, 5))
    problem.add_quality_metric(up.MinimizeActionCosts({go: 2, buy: price(buy.s)}))
    return problem
