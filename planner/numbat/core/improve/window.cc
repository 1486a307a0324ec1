#include "window.h"

#include <algorithm>
#include <cmath>

namespace numbat {

WindowSearch::WindowSearch(const Task &task, const Prices &prices, uint64_t seed, std::function<bool()> expired)
    : task_(task),
      prices_(prices),
      generator_(task),
      guide_(task, prices),
      relaxed_(task),
      chance_(static_cast<uint32_t>(seed)),
      expired_(std::move(expired)) {}

/* Operators that stand several times in a row, and how often. */
void WindowSearch::note_repetitions(int begin, int end) {
    repeated_.clear();
    const Operators &plan = course_->plan();
    for (int at = begin; at < end;) {
        int next = at + 1;
        while (next < end && plan[next] == plan[at]) ++next;
        if (next - at > 1) repeated_[plan[at]].push_back(next - at);
        at = next;
    }
}

bool WindowSearch::prepare(Course &course, int begin, int end) {
    course_ = &course;
    end_ = end;
    current_ = course.state(begin);
    const State after = course.state(end);
    const auto whole = course.rest(begin, current_), rest = course.rest(end, after);
    if (!whole || !rest) return false;
    bound_ = *whole;
    rest_ = *rest;
    asked_ = course.requirement(end);
    guide_.look_at(asked_);
    if (options_.heuristic && !relaxed_.look_at(asked_, options_.heuristic)) options_.heuristic = nullptr;
    note_repetitions(begin, end);
    const double steps = static_cast<double>(bound_.steps - rest_.steps);
    step_worth_ = std::max(1e-6, std::abs(static_cast<double>(bound_.cost) - static_cast<double>(rest_.cost)) / steps);
    states_ = std::make_unique<StateRegistry>(task_);
    nodes_.clear();
    queue_.clear();
    lost_ = false;
    goal_ = NO_STATE;
    return true;
}

/* May a state lead to a cheaper stretch? Only asked where costs are constants that are not negative. */
bool WindowSearch::can_be_cheaper(const Price &paid, const Distance &distance) const {
    if (distance.dead) return false;
    if (!prices_.nonnegative || !prices_.constant) return true;
    constexpr double SLACK = 1e-6;
    const auto cost = static_cast<int64_t>(std::ceil(distance.least_cost * (1 - SLACK) - SLACK));
    const auto steps = static_cast<int64_t>(std::ceil(distance.least_steps * (1 - SLACK) - SLACK));
    return Price{paid.cost + cost + rest_.cost, paid.steps + steps + rest_.steps} < bound_;
}

/* Of the state in reached_. */
Distance WindowSearch::estimate(const Price &paid) {
    Distance distance = guide_.distance(reached_);
    if (!options_.heuristic || distance.fulfilled || !can_be_cheaper(paid, distance)) return distance;
    const Estimate seen = relaxed_.evaluate(reached_);
    distance.dead = seen.is_dead_end();
    distance.steps = seen.distance();
    distance.cost = step_worth_ * seen.distance();
    return distance;
}

void WindowSearch::push(StateId id) {
    const Node &node = nodes_[id];
    const double steps = static_cast<double>(node.paid.steps) + options_.weight * node.distance.steps;
    const double cost = static_cast<double>(node.paid.cost) + options_.weight * node.distance.cost;
    queue_.push_back({cost + step_worth_ * steps, static_cast<uint32_t>(chance_()), id, node.paid});
    std::push_heap(queue_.begin(), queue_.end());
}

/* The state fulfils what is known of the requirement. */
void WindowSearch::try_to_finish(StateId id) {
    std::optional<Price> total = course_->rest(end_, reached_);
    if (!total || !add_to(*total, nodes_[id].paid) || *total >= bound_) return;
    goal_ = id;
    total_ = *total;
}

/* reached_ was reached at this price: it is new, or cheaper than before, or of no interest. */
void WindowSearch::enter(StateId parent, int op, int repetitions, const Price &paid) {
    const auto [id, is_new] = states_->insert(reached_);
    if (id == NO_STATE) {
        lost_ = true;
        return;
    }
    if (is_new)
        nodes_.push_back({parent, op, repetitions, paid, estimate(paid), false});
    else if (prices_.nonnegative && paid < nodes_[id].paid)  // costs that fall could lead in a circle
        nodes_[id] = {parent, op, repetitions, paid, nodes_[id].distance, false};
    else
        return;
    if (!can_be_cheaper(paid, nodes_[id].distance)) return;
    if (nodes_[id].distance.fulfilled) try_to_finish(id);
    push(id);
}

/* Applies an operator several times to the current state; the last state is in reached_. */
bool WindowSearch::repeat(int op, int times, Price &paid) {
    const Operator &action = task_.operators[op];
    for (int i = 0; i < times; ++i) {
        bool overflow = false;
        if (i > 0) std::swap(next_, reached_);
        const State &before = i > 0 ? next_ : current_;
        if (i > 0 && !task_.all_hold(action.precondition, before)) return false;
        if (!prices_.pay(task_, op, before, paid) || !task_.apply(action, before, reached_, overflow)) {
            lost_ |= overflow;
            return false;
        }
    }
    return true;
}

void WindowSearch::expand(StateId id) {
    const Price paid = nodes_[id].paid;
    operators_.clear();
    generator_.applicable(current_, operators_);
    for (int op : operators_) {
        jumps_.assign(1, 1);
        if (!repeated_.empty()) {
            const auto runs = repeated_.find(op);
            if (runs != repeated_.end()) jumps_.insert(jumps_.end(), runs->second.begin(), runs->second.end());
            guide_.jumps(op, current_, jumps_);
            std::sort(jumps_.begin(), jumps_.end());
            jumps_.erase(std::unique(jumps_.begin(), jumps_.end()), jumps_.end());
        }
        for (int times : jumps_) {
            if (prices_.constant && prices_.nonnegative && paid.steps + times > bound_.steps - rest_.steps &&
                paid.cost + prices_.forms[op].constant * times >= bound_.cost - rest_.cost)
                break;
            Price price = paid;
            if (!repeat(op, times, price)) break;
            enter(id, op, times, price);
            if (goal_ != NO_STATE) return;
        }
    }
}

size_t WindowSearch::bytes() const {
    return states_->bytes() + nodes_.capacity() * sizeof(Node) + queue_.capacity() * sizeof(Entry);
}

Operators WindowSearch::steps_to(StateId id) const {
    Operators steps;
    for (; nodes_[id].parent != NO_STATE; id = nodes_[id].parent)
        steps.insert(steps.end(), nodes_[id].repetitions, nodes_[id].op);
    std::reverse(steps.begin(), steps.end());
    return steps;
}

WindowResult WindowSearch::run(Course &course, int begin, int end, const WindowOptions &options) {
    WindowResult result;
    options_ = options;
    if (!prepare(course, begin, end)) return result;
    reached_ = current_;
    enter(NO_STATE, -1, 0, {});
    while (goal_ == NO_STATE && !queue_.empty()) {
        if (result.expanded >= options.most_expansions || expired_() || bytes() > options.most_bytes) {
            lost_ = true;
            break;
        }
        std::pop_heap(queue_.begin(), queue_.end());
        const Entry best = queue_.back();
        queue_.pop_back();
        if (nodes_[best.state].closed || nodes_[best.state].paid != best.paid) continue;
        nodes_[best.state].closed = true;
        ++result.expanded;
        states_->get(best.state, current_);
        expand(best.state);
    }
    result.found = goal_ != NO_STATE;
    result.exhausted = !result.found && !lost_;
    if (result.found) {
        result.steps = steps_to(goal_);
        result.saved = {bound_.cost - total_.cost, bound_.steps - total_.steps};
    }
    return result;
}

}  // namespace numbat
