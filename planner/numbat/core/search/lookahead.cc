#include "lookahead.h"

#include <algorithm>

namespace numbat {

Lookahead::Lookahead(SearchContext &context)
    : context_(context), task_(context.task), needed_(2 * context.task.facts), adders_(context.task.facts, -1) {}

bool Lookahead::carry_out(std::span<const PlannedStep> plan, PlanOrder order, const State &from, double cost) {
    left_.assign(plan.begin(), plan.end());
    steps_.clear();
    state_ = from;
    cost_ = cost;
    overflow_ = adders_known_ = false;
    over_ = task_.is_goal(state_);
    for (const PlannedStep &step : left_) need(step.jump.op, 1);
    while (!over_ && (order == PlanOrder::by_cost ? take_what_is_possible() : take_in_turn())) {
    }
    for (const PlannedStep &step : left_) need(step.jump.op, -1);
    return steps_.size() > 1 && !overflow_;
}

bool Lookahead::take_what_is_possible() {
    auto harmless = [&](PlannedStep &step) {
        return applicable(step) && !destroys_what_is_needed(step.jump.op) && take(step);
    };
    auto any = [&](PlannedStep &step) { return take(step); };
    auto another = [&](PlannedStep &step) { return take_another(step); };
    return go_through(harmless, SIZE_MAX) || go_through(any, 1) || go_through(another, 1);
}

bool Lookahead::take_in_turn() {
    return go_through([&](PlannedStep &step) { return applicable(step) ? take(step) : take_another(step); }, SIZE_MAX);
}

/*
  Offers what is left to `taken`, one step after the other, until it has taken so many. What was taken as often as planned
  is left no more.
*/
template <class Taken>
bool Lookahead::go_through(const Taken &taken, size_t most) {
    size_t some = 0, kept = 0;
    for (size_t i = 0; i < left_.size(); ++i) {
        PlannedStep step = left_[i];
        if (some < most && !over_ && taken(step)) ++some;
        if (step.jump.repetitions > 0)
            left_[kept++] = step;
        else
            need(step.jump.op, -1);
    }
    left_.resize(kept);
    return some > 0;
}

void Lookahead::need(int op, int change) {
    for (int atom : task_.conjunctions[task_.operators[op].precondition])
        if (task_.is_fact(atom)) needed_[atom] += change;
}

/* By another step than this one, which is left, too. */
bool Lookahead::destroys_what_is_needed(int op) const {
    const auto own = task_.conjunctions[task_.operators[op].precondition];
    auto needed = [&](int atom) { return needed_[atom] > std::count(own.begin(), own.end(), atom); };
    for (const Block &block : task_.operators[op].blocks) {
        if (block.condition != 0) continue;
        for (int fact : block.deletes)
            if (needed(2 * fact)) return true;
        for (int fact : block.adds)
            if (needed(2 * fact + 1)) return true;
    }
    return false;
}

bool Lookahead::applicable(const PlannedStep &step) const {
    return task_.all_hold(task_.operators[step.jump.op].precondition, state_);
}

/* True if it was taken at least once; what could not be repeated as often as planned is left. */
bool Lookahead::take(PlannedStep &step) {
    if (!applicable(step)) return false;
    const bool bounded = context_.options.bound < UNBOUNDED;
    const int done = context_.repetition.apply(step.jump.op, step.jump.repetitions, state_, next_, overflow_,
                                               bounded ? &cost_ : nullptr);
    if (done == 0) return false;
    task_.saturate(next_);
    std::swap(state_, next_);
    adders_known_ = false;
    over_ = overflow_ || task_.is_goal(state_);
    steps_.push_back({step.jump.op, done});
    step.jump.repetitions -= done;
    return true;
}

/* Takes, once and in its place, an applicable operator that makes true what the step is there for. */
bool Lookahead::take_another(PlannedStep &step) {
    if (step.atom < 0 || !task_.is_fact(step.atom) || step.atom % 2 || state_.fact(step.atom / 2)) return false;
    if (!adders_known_) find_adders();
    PlannedStep other{{adders_[step.atom / 2], 1}, step.atom};
    if (other.jump.op < 0 || !take(other)) return false;
    step.jump.repetitions = 0;
    return true;
}

void Lookahead::find_adders() {
    for (int fact : added_) adders_[fact] = -1;
    added_.clear();
    applicable_.clear();
    context_.generator.applicable(state_, applicable_);
    for (int op : applicable_)
        for (const Block &block : task_.operators[op].blocks)
            if (block.condition == 0)
                for (int fact : block.adds)
                    if (adders_[fact] < 0) {
                        adders_[fact] = op;
                        added_.push_back(fact);
                    }
    adders_known_ = true;
}

}  // namespace numbat
