#include "interval.h"

#include <algorithm>
#include <cmath>

namespace numbat {

namespace {

constexpr int MOST_SWEEPS = 10000;
constexpr double INFINITE = std::numeric_limits<double>::infinity();

}  // namespace

void IntervalRelaxation::start(const State &state) {
    possible_.assign(2 * task_.facts, 0);
    for (int fact = 0; fact < task_.facts; ++fact) possible_[2 * fact + !state.fact(fact)] = 1;
    range_.clear();
    for (double value : state.values) range_.push_back({value, value});
}

IntervalRelaxation::Interval IntervalRelaxation::range(const Linear &expression) const {
    Interval sum{expression.constant, expression.constant};
    for (const LinearTerm &term : expression.terms) {
        const Interval &of = range_[term.variable];
        sum.low += term.coefficient * (term.coefficient > 0 ? of.low : of.high);
        sum.high += term.coefficient * (term.coefficient > 0 ? of.high : of.low);
    }
    return task_.wide() ? rounded_outwards(sum, expression) : sum;
}

/* In a wide task sums of doubles may round; what might hold must not be lost, or a dead end would be claimed. */
IntervalRelaxation::Interval IntervalRelaxation::rounded_outwards(Interval sum, const Linear &expression) const {
    Interval size{std::abs(expression.constant), std::abs(expression.constant)};
    for (const LinearTerm &term : expression.terms) {
        const Interval &of = range_[term.variable];
        size.low += std::abs(term.coefficient * (term.coefficient > 0 ? of.low : of.high));
        size.high += std::abs(term.coefficient * (term.coefficient > 0 ? of.high : of.low));
    }
    const double error = std::numeric_limits<double>::epsilon() * static_cast<double>(expression.terms.size() + 2);
    return {sum.low - error * size.low, sum.high + error * size.high};
}

bool IntervalRelaxation::holds(int atom) const {
    if (task_.is_fact(atom)) return possible_[atom];
    if (task_.is_condition(atom)) {
        const Condition &c = task_.condition(atom);
        return c.holds_for(range(c.expression).high);
    }
    auto parts = task_.disjunction(atom);
    return std::any_of(parts.begin(), parts.end(), [&](int part) { return all_hold(part); });
}

bool IntervalRelaxation::all_hold(int conjunction) const {
    auto atoms = task_.conjunctions[conjunction];
    return std::all_of(atoms.begin(), atoms.end(), [&](int atom) { return holds(atom); });
}

bool IntervalRelaxation::widen(int variable, Interval by) {
    Interval &old = range_[variable];
    const Interval grown{std::min(old.low, by.low), std::max(old.high, by.high)};
    const bool grew = grown.low < old.low || grown.high > old.high;
    old = grown;
    return grew;
}

bool IntervalRelaxation::apply_facts(const Block &block) {
    bool grew = false;
    auto make_possible = [&](int atom) {
        grew |= !possible_[atom];
        possible_[atom] = 1;
    };
    for (int fact : block.adds) make_possible(2 * fact);
    for (int fact : block.deletes)
        if (std::find(block.adds.begin(), block.adds.end(), fact) == block.adds.end()) make_possible(2 * fact + 1);
    return grew;
}

namespace {

/* How an effect changes its variable, as something to add to it. */
Linear change_of(const NumericEffect &effect) {
    Linear change = effect.amount;
    if (effect.assign) change.add(-1, Linear::of_variable(effect.variable));
    return change;
}

}  // namespace

bool IntervalRelaxation::apply_to_the_limit(const Operator &op) {
    bool grew = false;
    for (const Block &block : op.blocks) {
        if (!all_hold(block.condition)) continue;
        grew |= apply_facts(block);
        for (const NumericEffect &effect : block.numeric) {
            const double constant = effect.amount.constant;
            if (effect.assign && effect.amount.is_constant()) {
                grew |= widen(effect.variable, {constant, constant});
                continue;
            }
            const Interval change = range(change_of(effect));
            if (change.high > 0) grew |= widen(effect.variable, {INFINITE, INFINITE});
            if (change.low < 0) grew |= widen(effect.variable, {-INFINITE, -INFINITE});
        }
    }
    return grew;
}

bool IntervalRelaxation::apply_once(const Operator &op) {
    pending_.clear();
    firing_.clear();
    for (const Block &block : op.blocks) {
        if (!all_hold(block.condition)) continue;
        firing_.push_back(&block);
        for (const NumericEffect &effect : block.numeric) {
            if (effect.assign && effect.amount.is_constant()) {
                pending_.push_back({effect.variable, {effect.amount.constant, effect.amount.constant}});
                continue;
            }
            const Interval change = range(change_of(effect)), old = range_[effect.variable];
            pending_.push_back({effect.variable, {old.low + change.low, old.high + change.high}});
        }
    }
    bool grew = false;
    for (const Block *block : firing_) grew |= apply_facts(*block);
    for (const auto &[variable, interval] : pending_) grew |= widen(variable, interval);
    return grew;
}

bool IntervalRelaxation::reachable() {
    for (bool grew = true; grew;) {
        grew = false;
        for (const Operator &op : task_.operators)
            if (all_hold(op.precondition)) grew |= apply_to_the_limit(op);
    }
    return all_hold(task_.goal);
}

Estimate IntervalRelaxation::evaluate(const State &state) {
    start(state);
    if (all_hold(task_.goal)) return 0;
    if (!reachable()) return Estimate::dead_end();
    start(state);
    double count = 0;
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep)
        for (const Operator &op : task_.operators) {
            if (!all_hold(op.precondition)) continue;
            ++count;
            if (apply_once(op) && all_hold(task_.goal)) return count;
        }
    return count;
}

}  // namespace numbat
