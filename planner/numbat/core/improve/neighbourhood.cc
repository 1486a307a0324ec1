#include "neighbourhood.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace numbat {

size_t Neighbourhood::bytes() const {
    // the path search adds a price, a parent and an operator for each state
    return states_->bytes() + edges_.capacity() * sizeof(Edge) + 40 * states_->size();
}

void Neighbourhood::expand(const State &state) {
    std::vector<int32_t> operators;
    State next;
    generator_.applicable(state, operators);
    for (int op : operators) {
        bool overflow = false;
        Price price;
        if (!prices_.pay(task_, op, state, price) || !task_.apply(task_.operators[op], state, next, overflow)) {
            whole_ &= !overflow;
            continue;
        }
        const StateId to = states_->insert(next).id;
        if (to == NO_STATE)
            whole_ = false;
        else
            edges_.push_back({to, op, price.cost});
    }
}

/* Breadth first from all states of the plan: states are expanded in the order of their numbers. */
void Neighbourhood::explore(Course &course, const Budget &budget) {
    states_ = std::make_unique<StateRegistry>(task_);
    edges_.clear();
    first_edge_.assign(1, 0);
    whole_ = true;
    for (int at = 0; at <= course.size(); ++at) states_->insert(course.state(at));
    State state = task_.initial;
    for (StateId id = 0; id < states_->size(); ++id) {
        if (id >= budget.expansions || bytes() > budget.bytes || expired_()) {
            whole_ = false;
            return;
        }
        states_->get(id, state);
        expand(state);
        first_edge_.push_back(edges_.size());
    }
}

std::optional<Operators> Neighbourhood::cheapest(const Price &bound) {
    struct Reached {
        Price price;
        StateId parent;
        int32_t op;
    };
    const Price never{std::numeric_limits<int64_t>::max(), 0};
    std::vector<Reached> reached(states_->size(), {never, NO_STATE, -1});
    using Entry = std::pair<Price, StateId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    reached[0].price = {};
    queue.push({{}, 0});
    State state = task_.initial;
    while (!queue.empty()) {
        const auto [price, id] = queue.top();
        queue.pop();
        if (price >= bound) return std::nullopt;
        if (price != reached[id].price) continue;
        states_->get(id, state);
        if (task_.is_goal(state)) {
            Operators plan;
            for (StateId at = id; at != 0; at = reached[at].parent) plan.push_back(reached[at].op);
            std::reverse(plan.begin(), plan.end());
            return plan;
        }
        if (id + 1 >= first_edge_.size()) continue;
        for (size_t e = first_edge_[id]; e < first_edge_[id + 1]; ++e) {
            Price next = price;
            if (!add_to(next, {edges_[e].cost, 1}) || next >= reached[edges_[e].to].price) continue;
            reached[edges_[e].to] = {next, id, edges_[e].op};
            queue.push({next, edges_[e].to});
        }
    }
    return std::nullopt;
}

std::optional<Operators> Neighbourhood::search(Course &course, const Budget &budget, bool &whole) {
    const auto bound = price_of(task_, prices_, course.plan());
    if (!bound) return std::nullopt;
    explore(course, budget);
    whole = whole_;
    std::optional<Operators> found = expired_() ? std::nullopt : cheapest(*bound);
    states_.reset();
    edges_ = {};
    return found;
}

}  // namespace numbat
