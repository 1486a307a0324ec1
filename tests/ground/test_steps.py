"""What each step of grounding does, on the smallest tasks that show it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from numbat.errors import UnsupportedFeature
from numbat.ground import ground, ground_with_report
from numbat.ground.columns import Index, Rows
from numbat.ground.joins import Join, Question, Relation
from numbat.task.grounded import GroundedTask
from numbat.task.lifted import parameter
from tests.ground.arrays import check_arrays
from tests.ground.lockstep import Lockstep
from tests.ground.pddl import action, task
from tests.oracles.states import Model, State

FINISH = action("finish", effect="(done)")


def names(grounded: GroundedTask) -> list[str]:
    return list(grounded.operator_names)


def checked(actions: str, **rest: str) -> GroundedTask:
    """Grounded, well formed, and doing what the reference does."""
    lifted = task(actions, **rest)
    grounded, report = ground_with_report(lifted)
    check_arrays(grounded)
    Lockstep(lifted, grounded, costs=report.costs_exact).run(depth=3)
    return grounded


# --- joins ---


def question(parameters: int, *relations: Relation, unequal: tuple[tuple[int, int], ...] = ()) -> Question:
    return Question((0,) * parameters, relations, (), unequal)


def joined(
    asked: Question, types: Sequence[Sequence[int]], objects: int, start: Rows | None = None
) -> tuple[Rows, Index]:
    return Join(asked, types, objects, start, most=100_000).run()


def test_join_of_two_relations_equals_the_filtered_product() -> None:
    x, y, z = (parameter(i) for i in range(3))
    edges = np.array([(0, 1), (1, 2), (2, 0), (2, 2), (3, 1)])
    found, _ = joined(question(3, Relation((x, y), edges), Relation((y, z), edges), unequal=((x, z),)), [range(4)], 4)
    pairs = {tuple(edge) for edge in edges.tolist()}
    expected = [(a, b, c) for a in range(4) for b in range(4) for c in range(4) if {(a, b), (b, c)} <= pairs and a != c]
    assert [tuple(row) for row in found.tolist()] == expected


def test_join_respects_constants_repetitions_and_types() -> None:
    x, y = parameter(0), parameter(1)
    triples = np.array([(0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 2, 1), (2, 2, 0)])
    found, _ = joined(question(2, Relation((x, x, 1), triples)), [[0, 2]], 3)
    assert found.tolist() == [[0, 0], [0, 2], [2, 0], [2, 2]]
    extended, origin = joined(question(2, Relation((x, y, 1), triples)), [range(3)], 3, start=np.array([[2], [0]]))
    assert extended.tolist() == [[2, 2], [0, 0], [0, 1]] and origin.tolist() == [0, 1, 1]


def test_join_over_many_wide_columns_does_not_overflow() -> None:
    size = 10_000
    columns = tuple(parameter(i) for i in range(6))
    rows = np.arange(size).repeat(6).reshape(size, 6)
    found, _ = joined(question(6, Relation(columns, rows), Relation(columns, rows[::2])), [range(size)], size)
    assert (found == rows[::2]).all()


def test_static_relations_make_a_huge_product_small() -> None:
    objects = " ".join(f"o{i}" for i in range(300))
    pick = action("pick", "?x ?y ?z", "(and (link ?x ?y) (link ?y ?z))", "(p ?z)")
    _, report = ground_with_report(task(pick, "(link o1 o2) (link o2 o3) (link o2 o4)", "(p o3)", objects=objects))
    assert report.actions_instantiated == 2 and report.operators == 1


# --- reachability ---


def test_unreachable_actions_go_and_constant_facts_are_folded() -> None:
    never = action("never", precondition="(and (flag) (p a))", effect="(done)")
    grounded = checked(never + action("finish", precondition="(and (p b) (not (p c)))", effect="(done)"), init="(p b)")
    assert names(grounded) == ["(finish)"] and grounded.fact_names == ("(done)",)


def test_an_interval_bound_makes_an_action_unreachable() -> None:
    tank = action("fill", precondition="(>= (n) 1)", effect="(assign (n) 10)") + action(
        "burn", precondition="(>= (n) 3)", effect="(decrease (n) 3)"
    )
    fly = action("fly", precondition="(>= (n) 11)", effect="(done)")
    _, report = ground_with_report(task(tank + fly, "(= (n) 5)"))
    assert not report.goal_reachable and report.actions_reachable == 2


def test_an_unreachable_goal_is_an_empty_disjunction() -> None:
    grounded, report = ground_with_report(task(FINISH, goal="(flag)"))
    assert not report.goal_reachable
    model = Model(grounded)
    assert len(model.goal) == 1 and model.parts_of(model.goal[0]) == []
    assert not model.is_goal(model.initial)


def test_repeated_assignments_that_grow_come_to_an_end() -> None:
    swap = action("swap", effect="(and (assign (n) (+ (m) 1)) (assign (m) (n)))")
    grounded = checked(swap, init="(= (n) 0) (= (m) 0)", goal="(>= (n) 100)")
    assert names(grounded) == ["(swap)"]


def test_a_fluent_that_is_only_ever_given_its_own_value_is_constant() -> None:
    reset = action("reset", effect="(and (assign (n) 5) (flag))")
    finish = action("finish", precondition="(and (flag) (>= (n) 5))", effect="(done)")
    assert checked(reset + finish, init="(= (n) 5)").variable_names == ()


# --- numbers ---


def test_static_is_decided_for_ground_fluents() -> None:
    move = action("move", "?x", "(and (p ?x) (>= (- (f ?x) (f b)) 0))", "(and (decrease (f ?x) 1))")
    grounded = checked(move, init="(p a) (= (f a) 7) (= (f b) 3) (= (f c) 2)", goal="(<= (f a) 3)")
    assert grounded.variable_names == ("(f a)",)
    assert np.diff(grounded.condition_start).max() == 1


def test_two_lifted_fluents_that_become_one_are_merged() -> None:
    compare = action("compare", "?x ?y", "(> (- (f ?x) (f ?y)) 0)", "(p ?x)")
    change = action("change", "?x", effect="(increase (f ?x) 1)")
    grounded = checked(compare + change, init="(= (f a) 0) (= (f b) 0) (= (f c) 0)", goal="(and (p a) (p b))")
    assert "(compare a a)" not in names(grounded) and "(compare a b)" in names(grounded)


def test_several_increases_add_up_and_cancelling_ones_vanish() -> None:
    give = action("give", "?x ?y", effect="(and (increase (f ?x) 1) (decrease (f ?y) 1))")
    twice = action("twice", effect="(and (increase (n) 2) (increase (n) 2))")
    grounded = checked(
        give + twice, init="(= (n) 0) (= (f a) 0) (= (f b) 0) (= (f c) 0)", goal="(and (= (f a) 1) (= (n) 4))"
    )
    assert "(give a a)" not in names(grounded) and "(give a b)" in names(grounded)
    assert grounded.numeric_constant.tolist().count(4) == 1


def test_an_assign_relative_to_itself_is_an_increase() -> None:
    grounded = checked(action("step", effect="(assign (n) (+ (n) 2))"), init="(= (n) 0)", goal="(>= (n) 4)")
    assert grounded.numeric_assign.tolist() == [0] and grounded.numeric_constant.tolist() == [2]


def test_products_and_quotients_with_constants_are_linear() -> None:
    move = action(
        "move", "?x", "(>= (m) (* (weight ?x) (weight ?x)))", "(increase (n) (/ (* (m) (weight ?x)) (weight b)))"
    )
    more = action("more", effect="(increase (m) 1)")
    init = "(= (n) 0) (= (m) 1) (= (weight a) 3) (= (weight b) 2)"
    assert names(checked(move + more, init=init, goal="(>= (n) 9)")) == ["(move a)", "(move b)", "(more)"]


def test_division_by_a_constant_zero_forbids_the_action() -> None:
    split = action("split", "?x", effect="(increase (n) (/ 1 (weight ?x)))")
    grounded = checked(split, init="(= (n) 0) (= (weight a) 0) (= (weight b) 2)", goal="(>= (n) 1)")
    assert names(grounded) == ["(split b)"]


NON_LINEAR = action("square", effect="(increase (n) (* (m) (m)))") + action("more", effect="(increase (m) 1)")


def test_a_product_of_two_changing_fluents_is_refused_with_its_place() -> None:
    with pytest.raises(UnsupportedFeature, match=r"domain.pddl:1:\d+: .*not linear"):
        ground(task(NON_LINEAR, "(= (n) 0) (= (m) 0)", "(>= (n) 5)"))


def test_a_product_that_does_not_matter_is_no_obstacle() -> None:
    assert names(ground(task(NON_LINEAR + FINISH, "(= (n) 0) (= (m) 0)", "(done)"))) == ["(finish)"]


def test_a_non_constant_divisor_is_refused_with_its_place() -> None:
    halve = action("halve", effect="(increase (n) (/ 1 (m)))") + action("more", effect="(increase (m) 1)")
    with pytest.raises(UnsupportedFeature, match="not linear"):
        ground(task(halve, "(= (n) 0) (= (m) 1)", "(>= (n) 5)"))


# --- undefined fluents ---

BUILD = action("build", "?x", effect="(and (assign (f ?x) 3) (assign (g ?x ?x) 0))")


def test_a_fluent_without_value_must_be_assigned_before_it_is_read() -> None:
    use = action("use", "?x", "(>= (f ?x) 1)", "(and (decrease (f ?x) 1) (increase (g ?x ?x) 1))")
    grounded = checked(BUILD + use, goal="(>= (g a a) 2)")
    assert names(grounded) == ["(build a)", "(use a)"]
    # both fluents get their values together, so one fact tells about both
    assert grounded.fact_names == ("(defined (f a))",)
    assert dict(zip(grounded.variable_names, grounded.init_values.tolist(), strict=True)) == {"(f a)": 3, "(g a a)": 0}


def test_an_undefined_fluent_in_one_branch_of_an_or_forbids_the_action() -> None:
    finish = action("finish", precondition="(or (flag) (>= (n) 0))", effect="(done)")
    _, report = ground_with_report(task(finish, "(flag)"))
    assert not report.goal_reachable
    assert names(checked(finish + action("set", effect="(assign (n) 1)"), init="(flag)")) == ["(finish)", "(set)"]


def test_a_cancelled_fluent_is_still_read() -> None:
    finish = action("finish", precondition="(>= (- (n) (n)) 0)", effect="(done)")
    assert not ground_with_report(task(finish))[1].goal_reachable
    assert ground_with_report(task(finish, "(= (n) 1)"))[1].goal_reachable


def test_a_counter_that_nobody_reads_starts_at_zero() -> None:
    grounded = checked(action("work", effect="(and (done) (increase (total-cost) 4))"), metric="minimize (total-cost)")
    assert grounded.variable_names == () and grounded.cost_constant.tolist() == [4]


def test_an_effect_that_static_facts_rule_out_reads_nothing() -> None:
    work = action("work", "?x", effect="(and (p ?x) (when (static ?x) (increase (n) (weight ?x))))")
    grounded = checked(work, init="(static a) (static b) (= (n) 0) (= (weight a) 1)", goal="(and (>= (n) 1) (p c))")
    assert names(grounded) == ["(work a)", "(work c)"]


def test_a_goal_needs_its_fluents_defined() -> None:
    assert names(checked(action("set", effect="(assign (n) 1)"), goal="(or (flag) (<= (n) 5))")) == ["(set)"]


# --- facts and effects ---


def test_deleted_and_added_means_added_and_self_loops_go() -> None:
    move = action("move", "?x ?y", "(p ?x)", "(and (not (p ?x)) (p ?y))")
    grounded = checked(move, init="(p a)", goal="(p c)")
    assert len(names(grounded)) == 6 and "(move a a)" not in names(grounded)


def test_a_fact_that_is_always_added_back_is_constant() -> None:
    work = action("work", "?x", "(p ?x)", "(and (not (p ?x)) (p ?x) (q ?x ?x))")
    assert checked(work, init="(p a)", goal="(q a a)").fact_names == ("(q a a)",)


def test_contradictory_preconditions_go() -> None:
    move = action("move", "?x ?y", "(and (p ?x) (not (p ?y)))", "(and (p ?y) (not (p ?x)))")
    assert len(names(checked(move, init="(p a)", goal="(p c)"))) == 6


def test_blocks_with_one_condition_are_merged_and_the_unconditional_one_is_first() -> None:
    effect = "(and (when (flag) (p a)) (done) (when (flag) (increase (n) 1)) (when (p a) (not (flag))))"
    work = action("work", effect=effect)
    grounded = checked(work, init="(flag) (= (n) 0)", goal="(and (done) (p a) (= (n) 2) (not (flag)))")
    assert np.diff(grounded.operator_block_start).tolist() == [3] and grounded.block_condition[0] == 0


def test_universal_effects_are_instantiated() -> None:
    spread = action(
        "spread", "?x", effect="(forall (?y) (when (and (link ?x ?y) (p ?x)) (and (p ?y) (increase (n) (weight ?y)))))"
    )
    init = "(p a) (link a b) (link b c) (= (n) 0) (= (weight b) 2) (= (weight c) 3)"
    grounded = checked(spread, init=init, goal="(and (p c) (>= (n) 5))")
    assert names(grounded) == ["(spread a)", "(spread b)"]


def test_disjunctions_fold_and_share() -> None:
    first = action("first", "?x", "(or (static ?x) (p a) (and (p b) (flag)))", "(q ?x ?x)")
    change = action("change", "?x", effect="(and (p ?x) (flag))")
    grounded = checked(first + change, init="(static a)", goal="(and (q a a) (q b b) (q c c))")
    assert len(grounded.disjunction_start) == 2


def test_not_equal_is_a_disjunction_of_two_strict_conditions() -> None:
    step = action("step", effect="(increase (n) 1)")
    grounded = checked(step, init="(= (n) 0)", goal="(not (= (n) 0))")
    # below 0 can never be reached, so one side is left
    assert grounded.condition_strict.tolist() == [1] and len(grounded.disjunction_start) == 1


@pytest.mark.parametrize("second", ["(increase (f ?y) 1)", "(assign (f ?y) 2)"])
def test_an_assign_and_another_change_of_one_fluent_exclude_each_other(second: str) -> None:
    change = action("change", "?x ?y", effect=f"(and (assign (f ?x) 5) {second})")
    grounded = checked(change, init="(= (f a) 0) (= (f b) 0) (= (f c) 0)", goal="(and (>= (f a) 1) (>= (f b) 1))")
    assert "(change a a)" not in names(grounded) and "(change a b)" in names(grounded)


def test_conditional_conflicts_forbid_the_action_just_where_both_fire() -> None:
    change = action("change", effect="(and (when (flag) (assign (n) 5)) (when (p a) (increase (n) 1)) (not (flag)))")
    grounded = checked(change + action("mark", effect="(and (flag) (p a))"), init="(= (n) 0)", goal="(= (n) 7)")
    assert len(grounded.disjunction_start) == 2


@pytest.mark.parametrize("amount", ["0", "(- (n) 1)", "(m)"])
def test_equal_assigns_under_a_quantifier_agree(amount: str) -> None:
    change = action("change", effect=f"(forall (?x) (assign (n) {amount}))")
    assert names(checked(change, init="(= (n) 4) (= (m) 0)", goal="(= (n) 0)")) == ["(change)"]


# --- relevance and costs ---


def test_what_the_goal_does_not_need_is_dropped() -> None:
    noise = action("noise", "?x", effect="(and (p ?x) (increase (m) 1))")
    work = action("work", precondition="(flag)", effect="(and (increase (n) 1) (increase (m) 1) (p a))")
    grounded = checked(noise + work, init="(flag) (= (n) 0) (= (m) 0)", goal="(>= (n) 2)")
    assert names(grounded) == ["(work)"] and grounded.variable_names == ("(n)",) and grounded.fact_names == ()


def test_without_a_metric_every_operator_costs_one() -> None:
    grounded = checked(FINISH)
    assert not grounded.has_metric and grounded.cost_constant.tolist() == [1]


def test_costs_that_depend_on_the_state() -> None:
    buy = action("buy", "?x", "(> (f ?x) 0)", "(and (increase (total-cost) (* (f ?x) (weight ?x))) (assign (f ?x) 0))")
    init = "(= (f a) 3) (= (f b) 2) (= (weight a) 1.5) (= (weight b) 4)"
    grounded = checked(buy, init=init, goal="(and (<= (f a) 0) (<= (f b) 0))", metric="minimize (total-cost)")
    assert grounded.cost_term_coefficient.tolist() == [1.5, 4]
    assert "(total-cost)" not in grounded.variable_names


def test_an_assigned_cost_stays_in_the_state() -> None:
    reset = action("reset", effect="(and (assign (total-cost) 1) (done))")
    work = action("work", effect="(and (increase (total-cost) 2) (flag))")
    grounded = checked(reset + work, goal="(and (done) (flag))", metric="minimize (* 3 (total-cost))")
    assert grounded.variable_names == ("(total-cost)",)


def test_maximize_turns_the_sign_and_keeps_what_pays() -> None:
    collect = action("collect", "?x", "(not (p ?x))", "(and (p ?x) (increase (total-cost) 7))")
    grounded = checked(collect + FINISH, metric="maximize (total-cost)")
    assert grounded.cost_constant.tolist() == [-7, -7, -7, 0]


def test_conditional_costs_split_the_action() -> None:
    work = action("work", effect="(and (done) (flag) (when (flag) (increase (total-cost) 5)))")
    lifted = task(work, "(= (n) 0)", "(and (done) (flag))", "minimize (total-cost)")
    grounded, report = ground_with_report(lifted)
    assert report.costs_exact
    Lockstep(lifted, grounded).run(depth=3)


@pytest.mark.parametrize(
    ("metric", "linear"),
    [
        ("minimize (* (n) (total-cost))", False),
        ("maximize (/ (n) (+ 1 (total-cost)))", False),
        ("minimize (* (n) (total-time))", False),
        ("minimize (* (n) (m))", True),
        ("minimize (/ (n) (m))", True),
    ],
)
def test_a_metric_that_is_not_linear_counts_steps(metric: str, linear: bool) -> None:
    work = action("work", effect="(and (done) (increase (n) 3) (increase (total-cost) 2))")
    lifted = task(work, "(= (n) 0) (= (m) 2)", "(done)", metric)
    grounded, report = ground_with_report(lifted)
    check_arrays(grounded)
    assert report.metric_linear == report.costs_exact == grounded.has_metric == linear
    assert ("non-linear metric" in report.features) != linear
    if not linear:
        assert not report.costs_can_fall and grounded.cost_constant.tolist() == [1] and names(grounded) == ["(work)"]


def test_a_metric_without_value_is_an_error_with_its_place() -> None:
    finish = action("finish", "?x", "(>= (f ?x) 0)", "(done)")
    with pytest.raises(UnsupportedFeature, match=r"problem.pddl:1:\d+: a metric that reads"):
        ground(task(finish, "(= (f a) 1)", metric="minimize (f b)"))


# --- scaling ---


def test_decimals_become_integers() -> None:
    pay = action("pay", precondition="(>= (n) 1.05)", effect="(and (decrease (n) 1.05) (increase (m) 0.1))")
    grounded = checked(pay, init="(= (n) 10) (= (m) 0)", goal="(>= (m) 0.3)")
    assert grounded.exact and grounded.variable_unit.tolist() == [0.05, 0.1]
    assert grounded.init_values.tolist() == [200, 0]
    raw = grounded.condition_constant * grounded.condition_unit
    assert sorted(raw.tolist()) == pytest.approx([-1.05, -0.3])


def test_scales_follow_linear_effects() -> None:
    move = action("move", effect="(increase (n) (* 1.5 (m)))") + action("faster", effect="(increase (m) 0.2)")
    grounded = checked(move, init="(= (n) 0) (= (m) 1)", goal="(>= (n) 4.5)")
    assert grounded.exact and grounded.variable_unit.tolist() == pytest.approx([0.1, 0.2])


def test_repeated_halving_is_not_exact_but_keeps_tenths_whole() -> None:
    halve = action("halve", effect="(assign (m) (/ (m) 2))") + action("drip", effect="(increase (n) (m))")
    grounded = ground(task(halve, "(= (n) 0) (= (m) 0.1)", "(= (n) 0.3)"))
    assert not grounded.exact
    assert [Fraction(unit).limit_denominator(1000) for unit in grounded.variable_unit] == [
        Fraction(1, 5),
        Fraction(1, 10),
    ]
    model, drip = Model(grounded), names(grounded).index("(drip)")
    end = model.replay([drip] * 3)
    assert end is not None and model.is_goal(end)


def test_thirds_of_thirds_fall_back_to_doubles() -> None:
    shrink = action("shrink", effect="(assign (m) (/ (m) 3))")
    grounded = ground(task(shrink, "(= (m) 1)", "(<= (m) 0.1)"))
    assert not grounded.exact and grounded.variable_unit.tolist() == [1]


@pytest.mark.parametrize(
    ("goal", "exact"),
    [
        ("(>= (n) 10000000000000001)", True),
        (f"(>= (n) {2**62})", True),
        (f"(>= (n) {2**62 + 1})", False),
        (f"(>= (+ (* {2**53 - 2} (n)) (m)) 0)", True),
        (f"(>= (+ (* {2**53 - 1} (n)) (m)) 0)", False),
        ("(>= (n) 0.000000000000000001)", True),
        ("(> (n) 0.000000000000000001)", True),
    ],
)
def test_64_bits_are_exact(goal: str, exact: bool) -> None:
    steps = action("step", effect="(increase (n) 1)") + action("other", effect="(increase (m) 1)")
    assert ground(task(steps, "(= (n) 0) (= (m) -1)", goal)).exact == exact


def test_tiny_thresholds_keep_their_meaning() -> None:
    """Over integers n >= 1e-18 is n >= 1, and n > 1e-18 is n > 0."""
    steps = action("step", effect="(increase (n) 1)") + action("back", effect="(decrease (n) 1)")
    for relation, holds in ((">=", (False, True)), (">", (False, True)), ("<", (True, False)), ("<=", (True, False))):
        model = Model(ground(task(steps, "(= (n) 0)", f"({relation} (n) 0.000000000000000001)")))
        assert tuple(model.conditions[0].holds(State((), (Fraction(n),))) for n in (0, 1)) == holds
