#include "task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace numbat {

bool Task::holds(int atom, const State &state) const {
    if (is_fact(atom)) return state.fact(atom >> 1) != (atom & 1);
    if (is_condition(atom)) {
        const Condition &c = condition(atom);
        return c.holds_for(value(c.expression, state));
    }
    auto parts = disjunction(atom);
    return std::any_of(parts.begin(), parts.end(), [&](int part) { return all_hold(part, state); });
}

bool Task::all_hold(int conjunction, const State &state) const {
    for (int atom : conjunctions[conjunction])
        if (!holds(atom, state)) return false;
    return true;
}

namespace {

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(std::string("grounded task: ") + what);
}

}  // namespace

void Task::check() const {
    auto ids_below = [](std::span<const int32_t> ids, int end, const char *what) {
        for (int id : ids) require(id >= 0 && id < end, what);
    };
    auto variables_known = [&](const Linear &linear) {
        for (const LinearTerm &term : linear.terms)
            require(term.variable >= 0 && term.variable < variables, "variable out of range");
    };
    for (const Condition &c : conditions) variables_known(c.expression);
    require(conjunctions.size() > 0 && conjunctions[0].empty(), "conjunction 0 must be the empty one");
    require(goal >= 0 && goal < conjunctions.size(), "goal out of range");
    for (int i = 0; i < conjunctions.size(); ++i) ids_below(conjunctions[i], atoms(), "atom out of range");
    for (int i = 0; i < disjunctions.size(); ++i)
        ids_below(disjunctions[i], conjunctions.size(), "conjunction out of range");
    for (const Operator &op : operators) {
        ids_below({&op.precondition, 1}, conjunctions.size(), "precondition out of range");
        variables_known(op.cost);
        for (const Block &block : op.blocks) {
            ids_below({&block.condition, 1}, conjunctions.size(), "effect condition out of range");
            ids_below(block.adds, facts, "fact out of range");
            ids_below(block.deletes, facts, "fact out of range");
            for (const NumericEffect &effect : block.numeric) {
                ids_below({&effect.variable, 1}, variables, "variable out of range");
                variables_known(effect.amount);
            }
        }
    }
    for (const LastValue &last : last_values) ids_below({&last.variable, 1}, variables, "variable out of range");
    require(exact() || last_values.empty(), "only an exact task has last values");
}

/* What an exact task promises: integers, with coefficients whose sums doubles count. */
void Task::check_exactness() const {
    auto counted = [](const Linear &linear) {
        for (const LinearTerm &term : linear.terms)
            require(term.coefficient == std::floor(term.coefficient), "coefficients of an exact task must be integers");
        require(linear.weight() < LAST_COUNTED, "coefficients of an exact task must stay below 2^53");
    };
    for (const Condition &c : conditions) counted(c.expression);
    for (const Operator &op : operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) counted(effect.amount);
}

/* The largest bound on values under which every sum of a condition or of one effect stays below 2^53. */
double Task::narrow_range() const {
    double range = LAST_COUNTED / 2;
    auto cover = [&](const Linear &linear, double own) {
        const double weight = own + linear.weight();
        if (weight > 0) range = std::min(range, std::floor((LAST_COUNTED - std::abs(linear.constant)) / weight));
    };
    for (const Condition &c : conditions) cover(c.expression, 0);
    for (const Operator &op : operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) cover(effect.amount, 1);
    return range;
}

/* The largest number that the task speaks of: initial values, changes, thresholds. */
double Task::largest_mentioned() const {
    double largest = 1;
    for (double value : initial.values) largest = std::max(largest, std::abs(value));
    for (const Condition &c : conditions)
        for (const LinearTerm &term : c.expression.terms)
            largest = std::max(largest, std::abs(c.expression.constant / term.coefficient));
    for (const Operator &op : operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric)
                largest = std::max(largest, std::abs(effect.amount.constant));
    return largest;
}

bool Task::sums_fit(const Linear &linear) const {
    return numbers != Numbers::narrow || linear.weight() * largest_ + std::abs(linear.constant) <= LAST_COUNTED;
}

void Task::finish() {
    constexpr double ROOM = 1024;  // between what a narrow task mentions and its range
    check();
    for (Operator &op : operators) {
        std::vector<int32_t> changed;
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) changed.push_back(effect.variable);
        std::sort(changed.begin(), changed.end());
        op.simultaneous = std::adjacent_find(changed.begin(), changed.end()) != changed.end();
    }
    if (!exact()) {
        largest_ = std::numeric_limits<double>::max();
        return;
    }
    check_exactness();
    largest_ = narrow_range();
    const bool narrow = largest_ >= ROOM * largest_mentioned();
    numbers = narrow ? Numbers::narrow : Numbers::wide;
    if (narrow) initial.whole.clear();
}

Task Task::kept_as(Numbers kind) const {
    Task task = *this;
    if (kind == Numbers::wide) task.initial.whole.assign(initial.values.begin(), initial.values.end());
    if (kind == Numbers::rounded) {
        task.initial.whole.clear();
        task.last_values.clear();
        task.largest_ = std::numeric_limits<double>::max();
    }
    task.numbers = kind;
    return task;
}

bool Task::put(int variable, double value, State &state) const {
    state.values[variable] = value;
    return in_range(value);
}

bool Task::put(int variable, Whole value, State &state) const {
    if (!wide()) return put(variable, nearest(value), state);
    if (!fits_64_bits(value)) return false;
    state.whole[variable] = static_cast<int64_t>(value);
    state.values[variable] = static_cast<double>(state.whole[variable]);
    return true;
}

/* The only effect on its variable. */
inline bool Task::change(const NumericEffect &effect, const State &before, State &after) const {
    const int variable = effect.variable;
    if (wide()) {
        const Whole amount = effect.amount.whole_value(before.whole);
        return put(variable, effect.assign ? amount : amount + before.whole[variable], after);
    }
    const double amount = effect.amount.value(before.values);
    return put(variable, effect.assign ? amount : before.values[variable] + amount, after);
}

namespace {

bool sum_overflows(Whole a, Whole b, Whole &sum) { return __builtin_add_overflow(a, b, &sum); }

bool sum_overflows(double a, double b, double &sum) {
    sum = a + b;
    return false;
}

}  // namespace

/* Several effects on one variable: only what they come to together must be in range. */
template <class Number>
bool Task::change_together(const Operator &op, const State &before, State &after, bool &overflow) const {
    auto value = [&](const Linear &linear) {
        if constexpr (std::is_same_v<Number, Whole>)
            return whole_value(linear, before);
        else
            return linear.value(before.values);
    };
    struct Total {
        Number number = 0;
        bool assigned = false, increased = false;
    };
    std::map<int32_t, Total> totals;
    bool in_range = true;
    for (const Block &block : op.blocks) {
        if (!fires(block, before)) continue;
        for (const auto &[variable, assign, amount] : block.numeric) {
            auto &[number, assigned, increased] = totals[variable];
            const Number given = value(amount);
            if (assign ? increased || (assigned && number != given) : assigned) return false;
            if (assign || !increased) number = assign ? given : value(Linear::of_variable(variable));
            if (!assign) in_range &= !sum_overflows(number, given, number);
            (assign ? assigned : increased) = true;
        }
    }
    for (const auto &[variable, total] : totals) in_range &= put(variable, total.number, after);
    overflow |= !in_range;
    return in_range;
}

bool Task::apply(const Operator &op, const State &before, State &after, bool &overflow) const {
    after = before;
    for (const Block &block : op.blocks)
        if (fires(block, before))
            for (int f : block.deletes) after.clear(f);
    for (const Block &block : op.blocks) {
        if (!fires(block, before)) continue;
        for (int f : block.adds) after.set(f);
        if (op.simultaneous) continue;
        for (const NumericEffect &effect : block.numeric)
            if (!change(effect, before, after)) {
                overflow = true;
                return false;
            }
    }
    if (!op.simultaneous) return true;
    return exact() ? change_together<Whole>(op, before, after, overflow)
                   : change_together<double>(op, before, after, overflow);
}

}  // namespace numbat
