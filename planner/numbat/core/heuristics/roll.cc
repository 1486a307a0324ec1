#include "roll.h"

#include <algorithm>

namespace numbat {

namespace {

constexpr int MOST_APPLICATIONS = 32;
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

void Roll::roll(const Operator &op, const State &state, double &least) {
    here_ = state;
    for (int done = 1; done <= MOST_APPLICATIONS; ++done) {
        bool overflow = false;
        if (!task_.all_hold(op.precondition, here_) || !task_.apply(op, here_, next_, overflow)) return;
        std::swap(here_, next_);
        if (const auto distance = distance_.of(here_)) least = std::min(least, *distance + done * APPLICATION);
    }
}

Estimate Roll::evaluate(const State &state) {
    const auto distance = distance_.of(state);
    if (!distance) return Estimate::dead_end();
    double least = *distance;
    for (int op : rolled_) roll(task_.operators[op], state, least);
    return least;
}

}  // namespace numbat
