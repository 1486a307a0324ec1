#include "lmcut.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr int32_t NOTHING = -1;
// Costs within this factor are the same but for rounding.
constexpr double ROUNDING = 1e-9;

}  // namespace

LandmarkCut::LandmarkCut(std::shared_ptr<const Achievers> achievers)
    : achievers_(std::move(achievers)),
      t_(*achievers_),
      maximum_(achievers_),
      need_(t_.task.conditions.size()),
      label_(t_.task.atoms()),
      entry_(t_.goal + 1),
      supporter_(t_.goal + 1),
      in_zone_(t_.task.atoms()),
      reached_(t_.task.atoms()),
      queue_(false) {
    std::vector<std::vector<int32_t>> achieving(t_.task.atoms()), actions(t_.task.operators.size());
    operator_cost_.assign(actions.size(), 0);
    for (int action = 0; action <= t_.goal; ++action) {
        open_at_first_.push_back(static_cast<int32_t>(t_.preconditions[action].size()));
        for (int atom : t_.facts[action]) achieving[atom].push_back(action);
        for (int atom : t_.raised[action]) achieving[atom].push_back(action);
        if (t_.preconditions[action].empty()) without_precondition_.push_back(action);
        if (t_.op[action] < 0) continue;
        actions[t_.op[action]].push_back(action);
        operator_cost_[t_.op[action]] = t_.cost[action];
    }
    achievers_of_ = Rows<int32_t>::from(achieving);
    actions_of_ = Rows<int32_t>::from(actions);
    zone_m_.assign(actions.size(), NEVER);
    is_cut_.assign(actions.size(), 0);
}

/* How many times an action's operator is needed for the condition that the action raises at this place of its row. */
double LandmarkCut::repetitions(int action, int place) const {
    const int condition = t_.raised[action][place] - t_.task.first_condition();
    return std::max(1.0, need_[condition] / t_.gains[action][place]);
}

void LandmarkCut::offer(int atom, double cost) {
    if (cost >= label_[atom]) return;
    label_[atom] = cost;
    queue_.push(cost, atom);
}

void LandmarkCut::offer_effects(int action) {
    if (action == t_.goal) return;
    const double cost = cost_of(action);
    for (int atom : t_.facts[action]) offer(atom, added(entry_[action], cost));
    const auto raised = t_.raised[action];
    for (size_t i = 0; i < raised.size(); ++i)
        offer(raised[i], added(entry_[action], saturated(repetitions(action, static_cast<int>(i)) * cost)));
}

void LandmarkCut::set_supporter(int action) {
    const auto precondition = t_.preconditions[action];
    double costliest = 0;
    for (int atom : precondition) costliest = std::max(costliest, label_[atom]);
    entry_[action] = costliest;
    for (int atom : precondition)
        if (label_[atom] >= costliest * (1 - ROUNDING)) {
            supporter_[action] = atom;
            return;
        }
}

/* `first`: every action is looked at when its whole precondition is settled. Later, when its supporter gets cheaper. */
void LandmarkCut::propagate(bool first) {
    while (queue_.advance()) {
        const CostQueue::Entry next = queue_.pop();
        if (next.cost > label_[next.atom]) continue;
        for (int action : t_.uses[next.atom]) {
            if (first ? --open_[action] > 0 : supporter_[action] != next.atom) continue;
            const double before = first ? NEVER : entry_[action];
            set_supporter(action);
            if (entry_[action] < before) offer_effects(action);
        }
    }
}

void LandmarkCut::explore(const State &state) {
    const Task &task = t_.task;
    for (size_t c = 0; c < need_.size(); ++c)
        need_[c] = t_.need(static_cast<int>(c), task.value(task.conditions[c].expression, state));
    left_ = operator_cost_;
    std::fill(label_.begin(), label_.end(), NEVER);
    std::fill(entry_.begin(), entry_.end(), NEVER);
    std::fill(supporter_.begin(), supporter_.end(), NOTHING);
    open_ = open_at_first_;
    queue_.clear();
    true_.clear();
    for (int atom = 0; atom < task.first_disjunction(); ++atom)
        if (!t_.uses[atom].empty() && task.holds(atom, state)) true_.push_back(atom);
    for (int atom : true_) offer(atom, 0);
    for (int action : without_precondition_) {
        entry_[action] = 0;
        offer_effects(action);
    }
    propagate(true);
}

void LandmarkCut::mark_zone() {
    std::fill(in_zone_.begin(), in_zone_.end(), 0);
    zone_.clear();
    auto enter = [&](int atom) {
        if (in_zone_[atom]) return;
        in_zone_[atom] = 1;
        zone_.push_back(atom);
    };
    enter(supporter_[t_.goal]);
    for (size_t i = 0; i < zone_.size(); ++i)
        for (int action : achievers_of_[zone_[i]])
            if (supporter_[action] != NOTHING && cost_of(action) == 0) enter(supporter_[action]);
    for (int atom : zone_)
        for (int action : achievers_of_[atom]) {
            const int op = t_.op[action];
            const bool possible = entry_[action] < NEVER;
            if (op < 0 || !possible || (supporter_[action] != NOTHING && in_zone_[supporter_[action]])) continue;
            double m = 1;
            if (t_.task.is_condition(atom)) {
                const auto raised = t_.raised[action];
                const auto place = std::find(raised.begin(), raised.end(), atom) - raised.begin();
                m = repetitions(action, static_cast<int>(place));
            }
            zone_m_[op] = std::min(zone_m_[op], m);
        }
}

/* The supporter of an action is reached, or it needs none. */
void LandmarkCut::follow(int action) {
    if (action == t_.goal) return;
    const int op = t_.op[action];
    const double m = op < 0 ? NEVER : zone_m_[op];
    if (m < NEVER && !is_cut_[op]) {
        is_cut_[op] = 1;
        cut_.push_back(op);
    }
    auto reach = [&](int atom) {
        if (in_zone_[atom] || reached_[atom]) return;
        reached_[atom] = 1;
        stack_.push_back(atom);
    };
    if (m > 1)
        for (int atom : t_.facts[action]) reach(atom);
    const auto raised = t_.raised[action];
    for (size_t i = 0; i < raised.size(); ++i)
        if (m == NEVER || repetitions(action, static_cast<int>(i)) < m) reach(raised[i]);
}

void LandmarkCut::find_cut() {
    std::fill(reached_.begin(), reached_.end(), 0);
    stack_.clear();
    cut_.clear();
    for (int atom : true_) {
        reached_[atom] = 1;
        stack_.push_back(atom);
    }
    for (int action : without_precondition_) follow(action);
    while (!stack_.empty()) {
        const int atom = stack_.back();
        stack_.pop_back();
        for (int action : t_.uses[atom])
            if (supporter_[action] == atom) follow(action);
    }
}

double LandmarkCut::pay() {
    double price = NEVER;
    for (int op : cut_) price = std::min(price, zone_m_[op] * left_[op]);
    queue_.clear();
    for (int op : cut_) {
        const double rest = left_[op] - price / zone_m_[op];
        left_[op] = rest > ROUNDING * operator_cost_[op] ? rest : 0;
        for (int action : actions_of_[op])
            if (entry_[action] < NEVER) offer_effects(action);
    }
    return price;
}

Estimate LandmarkCut::evaluate(const State &state) {
    if (!t_.ranges.contain(state)) return 0;
    const Estimate other = maximum_.evaluate(state);
    if (other.is_dead_end()) return other;
    explore(state);
    double value = 0;
    while (entry_[t_.goal] > 0) {
        mark_zone();
        find_cut();
        if (!cut_.empty()) value = added(value, pay());
        for (int op : cut_) is_cut_[op] = 0;
        for (int atom : zone_)
            for (int action : achievers_of_[atom])
                if (t_.op[action] >= 0) zone_m_[t_.op[action]] = NEVER;
        if (cut_.empty()) break;
        propagate(false);
    }
    return std::max(value, other.distance());
}

}  // namespace numbat
