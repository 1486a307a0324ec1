#include "roll.h"

#include <algorithm>

namespace numbat {

namespace {

constexpr size_t LONGEST_RUN = 32;
constexpr size_t MOST_APPLICATIONS = 1024;  // of all runs together
constexpr double APPLICATION = 1.0 / 1024;  // what one adds to the value

bool depends_on_the_state(const Operator &op) {
    return std::any_of(op.blocks.begin(), op.blocks.end(), [](const Block &block) {
        return std::any_of(block.numeric.begin(), block.numeric.end(),
                           [](const NumericEffect &effect) { return !effect.amount.is_constant(); });
    });
}

}  // namespace

Roll::Roll(const Task &task) : task_(task), distance_(task) {
    for (size_t o = 0; o < task.operators.size(); ++o)
        if (depends_on_the_state(task.operators[o])) rolled_.push_back(static_cast<int32_t>(o));
}

/* From a state in which the operator is applicable. */
void Roll::roll(const Operator &op, size_t most, const State &state, double &least) {
    here_ = state;
    for (size_t done = 1; done <= most; ++done) {
        bool overflow = false;
        if (!task_.apply(op, here_, next_, overflow)) return;
        std::swap(here_, next_);
        const auto distance = distance_.of(here_);
        if (distance) least = std::min(least, *distance + static_cast<double>(done) * APPLICATION);
        if (!task_.all_hold(op.precondition, here_)) return;
    }
}

Estimate Roll::evaluate(const State &state) {
    const auto distance = distance_.of(state);
    if (!distance) return Estimate::dead_end();
    double least = *distance;
    applicable_.clear();
    for (int op : rolled_)
        if (task_.all_hold(task_.operators[op].precondition, state)) applicable_.push_back(op);
    const size_t most = std::min(LONGEST_RUN, MOST_APPLICATIONS / std::max(applicable_.size(), size_t{1}));
    for (int op : applicable_) roll(task_.operators[op], most, state, least);
    return least;
}

}  // namespace numbat
