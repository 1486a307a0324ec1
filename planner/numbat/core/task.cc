#include "task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace numbat {

void Linear::add(double factor, const Linear &other) {
    constant += factor * other.constant;
    for (const LinearTerm &term : other.terms) {
        auto place = std::lower_bound(terms.begin(), terms.end(), term.variable,
                                      [](const LinearTerm &t, int v) { return t.variable < v; });
        if (place != terms.end() && place->variable == term.variable)
            place->coefficient += factor * term.coefficient;
        else
            terms.insert(place, {term.variable, factor * term.coefficient});
    }
    std::erase_if(terms, [](const LinearTerm &term) { return term.coefficient == 0; });
}

bool Task::holds(int atom, const State &state) const {
    if (is_fact(atom)) return state.fact(atom >> 1) != (atom & 1);
    if (is_condition(atom)) {
        const Condition &c = condition(atom);
        return c.holds_for(c.expression.value(state.values));
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

double weight(const Linear &linear) {
    double sum = std::abs(linear.constant);
    for (const LinearTerm &term : linear.terms) sum += std::abs(term.coefficient);
    return sum;
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
}

void Task::finish() {
    check();
    if (!exact) {
        largest_ = std::numeric_limits<double>::max();
        return;
    }
    // Every expression over values up to `largest_` must stay below 2^53, the last integer doubles count exactly.
    double heaviest = 1;
    for (const Condition &c : conditions) heaviest = std::max(heaviest, weight(c.expression));
    for (const Operator &op : operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric)
                heaviest = std::max(heaviest, 1 + weight(effect.amount));
    largest_ = std::floor(9007199254740992.0 / heaviest);
}

bool Task::apply(const Operator &op, const State &before, State &after, bool &overflow) const {
    after = before;
    const bool conditional = op.blocks.size() > 1;
    auto fires = [&](const Block &block) { return block.condition == 0 || all_hold(block.condition, before); };
    for (const Block &block : op.blocks)
        if (fires(block))
            for (int f : block.deletes) after.clear(f);
    for (const Block &block : op.blocks) {
        if (!fires(block)) continue;
        for (int f : block.adds) after.set(f);
        for (const NumericEffect &effect : block.numeric) {
            double amount = effect.amount.value(before.values);
            double &value = after.values[effect.variable];
            value = effect.assign ? amount : value + amount;
            if (!representable(value)) {
                overflow = true;
                return false;
            }
        }
    }
    if (!conditional) return true;
    // Assigning a variable that another firing block changes too has no meaning.
    for (size_t i = 0; i < op.blocks.size(); ++i)
        for (const NumericEffect &assign : op.blocks[i].numeric)
            if (assign.assign)
                for (size_t j = 0; j < op.blocks.size(); ++j)
                    for (const NumericEffect &other : op.blocks[j].numeric)
                        if (i != j && other.variable == assign.variable && fires(op.blocks[i]) && fires(op.blocks[j]))
                            return false;
    return true;
}

}  // namespace numbat
