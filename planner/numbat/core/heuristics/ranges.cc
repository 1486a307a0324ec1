#include "ranges.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

// Larger numbers are not worth the danger of overflow.
constexpr Whole LARGEST_BOUND = Whole{1} << 31;
constexpr Whole LARGEST_COEFFICIENT = Whole{1} << 60;

Whole divided_down(Whole a, Whole b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

void lower_to(std::optional<Whole> &bound, Whole value) { bound = bound ? std::min(*bound, value) : value; }
void raise_to(std::optional<Whole> &bound, Whole value) { bound = bound ? std::max(*bound, value) : value; }

}  // namespace

Ranges::Ranges(const Task &task, Of which) {
    if (!task.exact()) return;
    task_ = &task;
    ranges_.resize(task.variables);
    find(which);
}

void Ranges::find(Of which) {
    std::vector<uint8_t> wanted(task_->variables, which == Of::all);
    for (const Operator &op : task_->operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) {
                if (effect.assign) wanted[effect.variable] = 1;
                for (const LinearTerm &term : effect.amount.terms) wanted[term.variable] = 1;
            }
    for (int v = 0; v < task_->variables; ++v)
        if (wanted[v]) ranges_[v].lower = ranges_[v].upper = task_->whole_value(Linear::of_variable(v), task_->initial);
    for (const Operator &op : task_->operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) extend(op, block, effect);
    for (int v = 0; v < task_->variables; ++v) {
        auto &[lower, upper] = ranges_[v];
        if (lower && (*lower > LARGEST_BOUND || *lower < -LARGEST_BOUND)) lower.reset();
        if (upper && (*upper > LARGEST_BOUND || *upper < -LARGEST_BOUND)) upper.reset();
        if (lower || upper)
            bounded_.push_back({v, static_cast<int64_t>(lower.value_or(std::numeric_limits<int64_t>::min())),
                                static_cast<int64_t>(upper.value_or(std::numeric_limits<int64_t>::max()))});
    }
}

/* A range in which the conditions of a conjunction that look at the variable alone hold, within another one. */
Ranges::Range Ranges::required(int conjunction, int variable, Range range) const {
    for (int atom : task_->conjunctions[conjunction]) {
        if (!task_->is_condition(atom)) continue;
        const Condition &condition = task_->condition(atom);
        const auto &terms = condition.expression.terms;
        if (terms.size() != 1 || terms[0].variable != variable) continue;
        const auto coefficient = static_cast<Whole>(terms[0].coefficient);
        const Whole rest = Whole{condition.expression.whole} - condition.strict;  // coefficient * variable + rest >= 0
        if (coefficient < 0) lower_to(range.upper, divided_down(rest, -coefficient));
        if (coefficient > 0) raise_to(range.lower, -divided_down(rest, coefficient));
    }
    return range;
}

void Ranges::extend(const Operator &op, const Block &block, const NumericEffect &effect) {
    auto &[lower, upper] = ranges_[effect.variable];
    size_t changes = 0;
    for (const Block &other : op.blocks)
        for (const NumericEffect &another : other.numeric) changes += another.variable == effect.variable;
    if (changes > 1 || !effect.amount.is_constant()) {
        lower.reset();
        upper.reset();
        return;
    }
    const Whole amount = effect.amount.whole;
    if (effect.assign) {
        if (lower) lower_to(lower, amount);
        if (upper) raise_to(upper, amount);
        return;
    }
    const Range before = required(block.condition, effect.variable, required(op.precondition, effect.variable, {}));
    if (amount > 0 && upper) before.upper ? raise_to(upper, *before.upper + amount) : upper.reset();
    if (amount < 0 && lower) before.lower ? lower_to(lower, *before.lower + amount) : lower.reset();
}

bool Ranges::contain(const State &state) const {
    return std::all_of(bounded_.begin(), bounded_.end(), [&](const Bounded &bounded) {
        const int variable = bounded.variable;
        const int64_t number = task_->wide() ? state.whole[variable] : static_cast<int64_t>(state.values[variable]);
        return number >= bounded.lower && number <= bounded.upper;
    });
}

std::vector<Condition> Ranges::bounds() const {
    std::vector<Condition> conditions;
    auto add = [&](int variable, int sign, Whole constant) {
        const auto whole = static_cast<int64_t>(constant);
        conditions.push_back({{{{variable, static_cast<double>(sign)}}, static_cast<double>(whole), whole}});
    };
    for (const Bounded &bounded : bounded_) {
        const int variable = bounded.variable;
        const auto &[lower, upper] = ranges_[variable];
        if (lower) add(variable, 1, -*lower);
        if (upper) add(variable, -1, *upper);
    }
    return conditions;
}

std::optional<Whole> Ranges::most(const Block &block, const Linear &expression) const {
    Whole sum = 0;
    std::vector<std::pair<int32_t, Whole>> terms;
    auto add = [&](int variable, Whole coefficient) {
        for (auto &[known, total] : terms)
            if (known == variable) {
                total += coefficient;
                return;
            }
        terms.emplace_back(variable, coefficient);
    };
    for (const NumericEffect &effect : block.numeric)
        for (const LinearTerm &term : expression.terms) {
            if (term.variable != effect.variable) continue;
            const auto factor = static_cast<Whole>(term.coefficient);
            sum += factor * effect.amount.whole;
            for (const LinearTerm &read : effect.amount.terms)
                add(read.variable, factor * static_cast<Whole>(read.coefficient));
            if (effect.assign) add(effect.variable, -factor);
        }
    for (auto [variable, coefficient] : terms) {
        if (coefficient == 0) continue;
        const auto &bound = coefficient > 0 ? ranges_[variable].upper : ranges_[variable].lower;
        if (!bound || coefficient > LARGEST_COEFFICIENT || coefficient < -LARGEST_COEFFICIENT) return std::nullopt;
        sum += coefficient * *bound;
    }
    return sum;
}

}  // namespace numbat
