#include "lookahead.h"

#include <algorithm>

namespace numbat {

Lookahead::Lookahead(SearchContext &context)
    : context_(context), task_(context.task), needed_(2 * context.task.facts), purpose_(context.task.facts, -1) {}

void Lookahead::need(int op, int change) {
    for (int atom : task_.conjunctions[task_.operators[op].precondition])
        if (task_.is_fact(atom)) needed_[atom] += change;
}

/* The operator's own precondition is not counted in `needed_` now. */
bool Lookahead::destroys_what_is_needed(int op) const {
    for (const Block &block : task_.operators[op].blocks) {
        if (block.condition != 0) continue;
        for (int fact : block.deletes)
            if (needed_[2 * fact] > 0) return true;
        for (int fact : block.adds)
            if (needed_[2 * fact + 1] > 0) return true;
    }
    return false;
}

/* True if it was taken at least once; what could not be repeated as often as planned is left. */
bool Lookahead::take(PlannedStep &step) {
    const bool bounded = context_.options.bound < UNBOUNDED;
    const int done = context_.repetition.apply(step.jump.op, step.jump.repetitions, state_, next_, overflow_,
                                               bounded ? &cost_ : nullptr);
    if (done == 0) return false;
    context_.saturation.apply(next_);
    std::swap(state_, next_);
    steps_.push_back({step.jump.op, done});
    step.jump.repetitions -= done;
    return true;
}

/* Goes once through what is left. Without `harmless_only`: up to the first step that can be taken. */
bool Lookahead::take_all(bool harmless_only) {
    bool some = false;
    size_t kept = 0;
    for (size_t i = 0; i < left_.size(); ++i) {
        PlannedStep step = left_[i];
        if ((harmless_only || !some) && !task_.is_goal(state_) &&
            task_.all_hold(task_.operators[step.jump.op].precondition, state_)) {
            need(step.jump.op, -1);
            if (!(harmless_only && destroys_what_is_needed(step.jump.op)) && take(step)) {
                some = true;
                if (step.jump.repetitions == 0) continue;
            }
            need(step.jump.op, 1);
        }
        left_[kept++] = step;
    }
    left_.resize(kept);
    return some;
}

bool Lookahead::replace() {
    for (size_t i = left_.size(); i-- > 0;)
        if (const int atom = left_[i].atom; atom >= 0 && task_.is_fact(atom) && atom % 2 == 0 && !state_.fact(atom / 2))
            purpose_[atom / 2] = static_cast<int32_t>(i);
    applicable_.clear();
    context_.generator.applicable(state_, applicable_);
    int best = static_cast<int>(left_.size()), by = -1;
    for (int op : applicable_)
        for (const Block &block : task_.operators[op].blocks)
            if (block.condition == 0)
                for (int fact : block.adds)
                    if (const int i = purpose_[fact]; i >= 0 && i < best) {
                        best = i;
                        by = op;
                    }
    for (const PlannedStep &step : left_)
        if (step.atom >= 0 && task_.is_fact(step.atom)) purpose_[step.atom / 2] = -1;
    if (by < 0) return false;
    PlannedStep step{{by, 1}, left_[best].atom};
    need(left_[best].jump.op, -1);
    left_.erase(left_.begin() + best);
    return take(step);
}

bool Lookahead::carry_out(std::span<const PlannedStep> plan, const State &from, double cost) {
    left_.assign(plan.begin(), plan.end());
    state_ = from;
    cost_ = cost;
    steps_.clear();
    overflow_ = false;
    for (const PlannedStep &step : left_) need(step.jump.op, 1);
    while (!left_.empty() && !overflow_ && !task_.is_goal(state_))
        if (!take_all(true) && !take_all(false) && !replace()) break;
    for (const PlannedStep &step : left_) need(step.jump.op, -1);
    return steps_.size() > 1 && !overflow_;
}

}  // namespace numbat
