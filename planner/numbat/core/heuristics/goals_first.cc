#include "goals_first.h"

#include <bit>
#include <cmath>

namespace numbat {

namespace {

/* Below half a unit as it is, beyond that ever closer to a unit, in the same order. */
double squeezed(double distance, double unit) {
    const double half = unit / 2;
    return distance < half ? distance : unit - half * (half / distance);
}

}  // namespace

GoalsFirst::GoalsFirst(const Task &task, std::unique_ptr<Heuristic> relaxed_plan)
    : goal_count_(task), relaxed_plan_(std::move(relaxed_plan)) {
    constexpr int MOST_BITS = 16, BITS_OF_A_FLOAT = 24;
    const int bits = static_cast<int>(std::bit_width(task.conjunctions[task.goal].size()));
    unit_ = std::ldexp(1.0, std::min(MOST_BITS, BITS_OF_A_FLOAT - bits));
}

Estimate GoalsFirst::evaluate(const State &state) {
    const Estimate distance = relaxed_plan_->evaluate(state);
    if (distance.is_dead_end()) return distance;
    return goal_count_.evaluate(state).distance() * unit_ + squeezed(distance.distance(), unit_);
}

}  // namespace numbat
