#include "maximum.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();

}  // namespace

Maximum::Maximum(std::shared_ptr<const Achievers> achievers)
    : achievers_(std::move(achievers)),
      t_(*achievers_),
      cost_(t_.task.atoms()),
      value_(t_.task.conditions.size()),
      queue_(false) {
    for (int action = 0; action <= t_.goal; ++action) {
        open_at_first_.push_back(static_cast<int32_t>(t_.preconditions[action].size()));
        if (t_.preconditions[action].empty()) without_precondition_.push_back(action);
    }
}

/* Whatever holds costs nothing and is settled first; disjunctions follow from their parts. */
void Maximum::read_state(const State &state) {
    const Task &task = t_.task;
    open_ = open_at_first_;
    std::fill(cost_.begin(), cost_.end(), NEVER);
    for (size_t c = 0; c < value_.size(); ++c) value_[c] = task.value(task.conditions[c].expression, state);
    queue_.clear();
    for (int atom = 0; atom < task.first_disjunction(); ++atom) {
        if (t_.uses[atom].empty()) continue;
        const bool holds = task.is_fact(atom) ? task.holds(atom, state)
                                              : task.condition(atom).holds_for(value_[atom - task.first_condition()]);
        if (holds) offer(atom, 0);
    }
}

void Maximum::offer(int atom, double cost) {
    if (cost >= cost_[atom]) return;
    cost_[atom] = cost;
    queue_.push(cost, atom);
}

/* The whole precondition of an action is settled; the cost of its last part is the costliest of all. */
void Maximum::settle(int action, double entry_cost) {
    if (action == t_.goal) {
        goal_settled_ = true;
        return;
    }
    for (int atom : t_.facts[action]) offer(atom, added(entry_cost, t_.cost[action]));
    for (int atom : t_.raised[action]) {
        if (cost_[atom] < NEVER) continue;  // the first achiever to be settled has the cheapest precondition
        const int condition = atom - t_.task.first_condition();
        const double raise = t_.cheapest_raise(condition, t_.need(condition, value_[condition]));
        offer(atom, added(entry_cost, saturated(raise)));
    }
}

Estimate Maximum::evaluate(const State &state) {
    if (!t_.ranges.contain(state)) return 0;
    goal_settled_ = false;
    read_state(state);
    for (int action : without_precondition_) settle(action, 0);
    double costliest = 0;
    while (!goal_settled_ && queue_.advance()) {
        const CostQueue::Entry next = queue_.pop();
        if (next.cost > cost_[next.atom]) continue;
        costliest = next.cost;
        for (int action : t_.uses[next.atom])
            if (--open_[action] == 0) settle(action, next.cost);
    }
    return goal_settled_ ? Estimate(costliest) : Estimate::dead_end();
}

}  // namespace numbat
