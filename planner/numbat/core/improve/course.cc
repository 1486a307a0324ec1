#include "course.h"

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
    states_[0].push_back(task().initial);
    requirements_[0].push_back(regression.goal());
}

/* Before one more block is filled in: those that are go, if there are many; their first entries stay. */
template <class T>
void Course::make_room(std::map<int, std::vector<T>> &blocks) {
    constexpr int MOST_FILLED = 24, MOST_ENTRIES = 6000;
    if (++filled_ <= std::max(MOST_FILLED, MOST_ENTRIES / spacing_)) return;
    filled_ = 1;
    for (auto &[number, block] : blocks) block.resize(1, block[0]);
}

/* Entries beyond the last one are not true any more. */
template <class T>
void Course::cut(std::map<int, std::vector<T>> &blocks, int last) {
    blocks.erase(blocks.upper_bound(last / spacing_), blocks.end());
    const auto block = blocks.find(last / spacing_);
    const size_t kept = last % spacing_ + 1;
    if (block != blocks.end() && block->second.size() > kept) block->second.resize(kept, block->second[0]);
}

const State &Course::state(int position) {
    auto block = std::prev(states_.upper_bound(position / spacing_));
    bool overflow = false;
    for (int at = block->first * spacing_ + static_cast<int>(block->second.size()) - 1; at < position; ++at) {
        if (block->second.size() == 1) make_room(states_);
        State next;
        task().apply(task().operators[plan_[at]], block->second.back(), next, overflow);
        if ((at + 1) % spacing_ == 0) block = states_.try_emplace((at + 1) / spacing_).first;
        block->second.push_back(std::move(next));
    }
    return block->second[position % spacing_];
}

const Requirement &Course::requirement(int position) {
    const int distance = size() - position;
    auto block = std::prev(requirements_.upper_bound(distance / spacing_));
    for (int at = block->first * spacing_ + static_cast<int>(block->second.size()) - 1; at < distance; ++at) {
        if (block->second.size() == 1) make_room(requirements_);
        Requirement next = block->second.back();
        regression_.step_back(plan_[size() - 1 - at], next);
        if ((at + 1) % spacing_ == 0) block = requirements_.try_emplace((at + 1) / spacing_).first;
        block->second.push_back(std::move(next));
    }
    return block->second[distance % spacing_];
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
    cut(states_, begin);
    cut(requirements_, size() - end);
    plan_.erase(plan_.begin() + begin, plan_.begin() + end);
    plan_.insert(plan_.begin() + begin, steps.begin(), steps.end());
}

}  // namespace numbat
