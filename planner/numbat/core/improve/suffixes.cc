#include "suffixes.h"

#include <algorithm>
#include <cmath>

namespace numbat {

namespace {

/* Executes steps from a state, which becomes the last one; false if one is not applicable. */
bool run(const Task &task, const Prices &prices, const int32_t *begin, const int32_t *end, State &state, Price &price) {
    State next;
    bool overflow = false;
    for (const int32_t *op = begin; op != end; ++op) {
        const Operator &action = task.operators[*op];
        if (!task.all_hold(action.precondition, state) || !prices.pay(task, *op, state, price) ||
            !task.apply(action, state, next, overflow))
            return false;
        std::swap(state, next);
    }
    return true;
}

}  // namespace

std::optional<Price> price_of(const Task &task, const Prices &prices, const Operators &plan) {
    State state = task.initial;
    Price price;
    if (!run(task, prices, plan.data(), plan.data() + plan.size(), state, price) || !task.is_goal(state))
        return std::nullopt;
    return price;
}

Course::Course(const Regression &regression, Operators plan)
    : regression_(regression),
      plan_(std::move(plan)),
      spacing_(std::max(16, static_cast<int>(std::sqrt(static_cast<double>(plan_.size()))))) {
    states_.emplace(0, task().initial);
    requirements_.emplace(0, regression.goal());
}

const State &Course::state(int position) {
    const int last = first_state_ + static_cast<int>(near_states_.size());
    if (position >= first_state_ && position < last) return near_states_[position - first_state_];
    auto known = std::prev(states_.upper_bound(position));
    near_states_.assign(1, known->second);
    first_state_ = known->first;
    bool overflow = false;
    State next;
    for (int at = known->first; at < position || (at + 1) % spacing_ != 0; ++at) {
        if (at >= size()) break;
        task().apply(task().operators[plan_[at]], near_states_.back(), next, overflow);
        if ((at + 1) % spacing_ == 0) {
            states_.emplace(at + 1, next);
            near_states_.clear();
            first_state_ = at + 1;
        }
        near_states_.push_back(next);
    }
    return near_states_[position - first_state_];
}

const Requirement &Course::requirement(int position) {
    const int distance = size() - position;
    const int last = first_distance_ + static_cast<int>(near_requirements_.size());
    if (distance >= first_distance_ && distance < last) return near_requirements_[distance - first_distance_];
    auto known = std::prev(requirements_.upper_bound(distance));
    near_requirements_.assign(1, known->second);
    first_distance_ = known->first;
    for (int at = known->first; at < distance || (at + 1) % spacing_ != 0; ++at) {
        if (at >= size()) break;
        Requirement next = near_requirements_.back();
        regression_.step_back(plan_[size() - 1 - at], next);
        if ((at + 1) % spacing_ == 0) {
            requirements_.emplace(at + 1, next);
            near_requirements_.clear();
            first_distance_ = at + 1;
        }
        near_requirements_.push_back(std::move(next));
    }
    return near_requirements_[distance - first_distance_];
}

std::optional<Price> Course::execute(int position, const State &state) const {
    State at = state;
    Price price;
    const int32_t *end = plan_.data() + plan_.size();
    if (!run(task(), prices(), plan_.data() + position, end, at, price) || !task().is_goal(at)) return std::nullopt;
    return price;
}

std::optional<Price> Course::rest(int position, const State &state) {
    const Requirement &asked = requirement(position);
    if (!asked.holds_in(task(), state)) return std::nullopt;
    if (!asked.exact) return execute(position, state);
    const Whole cost = asked.cost.constant + value(task(), asked.cost.terms, state);
    if (!fits_64_bits(cost)) return std::nullopt;
    return Price{static_cast<int64_t>(cost), asked.steps};
}

void Course::replace(int begin, int end, const Operators &steps) {
    const int distance = size() - end;
    states_.erase(states_.upper_bound(begin), states_.end());
    requirements_.erase(requirements_.upper_bound(distance), requirements_.end());
    if (first_state_ > begin)
        near_states_.clear();
    else if (first_state_ + static_cast<int>(near_states_.size()) > begin + 1)
        near_states_.resize(begin + 1 - first_state_);
    if (first_distance_ > distance)
        near_requirements_.clear();
    else if (first_distance_ + static_cast<int>(near_requirements_.size()) > distance + 1)
        near_requirements_.resize(distance + 1 - first_distance_);
    plan_.erase(plan_.begin() + begin, plan_.begin() + end);
    plan_.insert(plan_.begin() + begin, steps.begin(), steps.end());
}

}  // namespace numbat
