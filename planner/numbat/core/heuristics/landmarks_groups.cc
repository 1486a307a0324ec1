#include "landmarks_groups.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr int IMPOSSIBLE = std::numeric_limits<int>::max();

bool contains(std::span<const int32_t> list, int32_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

FactGroups::FactGroups(const Achievers &achievers, const Rows<int32_t> &achieving, size_t most_work)
    : t_(achievers),
      achieving_(achieving),
      of_fact_(t_.task.facts),
      work_left_(most_work),
      is_member_(t_.task.facts),
      is_open_(t_.goal),
      would_close_(t_.task.facts),
      kept_(t_.task.facts) {
    int action = 0;
    for (const Operator &op : t_.task.operators) {
        first_action_.push_back(action);
        action += static_cast<int>(op.blocks.size());
    }
    first_action_.push_back(action);
    for (int fact = 0; fact < t_.task.facts; ++fact)
        for (int adding : achieving[2 * fact]) kept_[fact] += needs(adding, fact);
}

bool FactGroups::spend(size_t work) {
    work_left_ -= std::min(work, work_left_);
    return work_left_ > 0;
}

bool FactGroups::needs(int action, int fact) const { return contains(t_.preconditions[action], 2 * fact); }

/* By any effect of its operator. */
bool FactGroups::adds_anywhere(int action, int fact) const {
    const int op = t_.op[action];
    for (int other = first_action_[op]; other < first_action_[op + 1]; ++other)
        if (contains(t_.facts[other], 2 * fact)) return true;
    return false;
}

/* Does an effect of its operator? */
bool FactGroups::adds_member(int action) const {
    const int op = t_.op[action];
    for (int other = first_action_[op]; other < first_action_[op + 1]; ++other)
        for (int atom : t_.facts[other])
            if (t_.task.is_fact(atom) && atom % 2 == 0 && is_member_[atom / 2] && !needs(other, atom / 2)) return true;
    return false;
}

const std::vector<int32_t> &FactGroups::given_up(int action) {
    given_up_.clear();
    for (int atom : t_.facts[action])
        if (t_.task.is_fact(atom) && atom % 2 == 1 && needs(action, atom / 2) && !adds_anywhere(action, atom / 2))
            given_up_.push_back(atom / 2);
    return given_up_;
}

bool FactGroups::gives_up_member(int action) {
    const auto &facts = given_up(action);
    return std::any_of(facts.begin(), facts.end(), [&](int fact) { return is_member_[fact]; });
}

bool FactGroups::has_both(int one, int other) const {
    const auto &groups = of_fact_[one];
    return std::any_of(groups.begin(), groups.end(), [&](int group) { return contains(of_fact_[other], group); });
}

void FactGroups::find(int fact) {
    for (int action : achieving_[2 * fact]) {
        if (needs(action, fact)) continue;
        const std::vector<int32_t> others = given_up(action);
        for (int other : others)
            if (!has_both(fact, other)) grow(fact, other);
        return;
    }
}

void FactGroups::grow(int one, int other) {
    bool possible = join(one) && left_open(other, IMPOSSIBLE) != IMPOSSIBLE && join(other);
    while (possible && first_open() >= 0) {
        const int next = next_member();
        possible = next >= 0 && join(next);
    }
    if (possible) {
        std::sort(members_.begin(), members_.end());
        for (int fact : members_) of_fact_[fact].push_back(static_cast<int32_t>(groups_.size()));
        groups_.push_back(members_);
    }
    clear();
}

/* False: no work is left. */
bool FactGroups::join(int fact) {
    members_.push_back(fact);
    is_member_[fact] = 1;
    losing_ += achieving_[2 * fact + 1].size();
    for (int action : achieving_[2 * fact + 1])
        if (is_open_[action] && contains(given_up(action), fact)) set_open(action, false);
    for (int action : achieving_[2 * fact])
        if (!needs(action, fact) && !gives_up_member(action)) set_open(action, true);
    return spend(achieving_[2 * fact].size() + achieving_[2 * fact + 1].size());
}

void FactGroups::set_open(int action, bool open) {
    if (is_open_[action] == open) return;
    is_open_[action] = open;
    if (open) opened_.push_back(action);
    for (int fact : given_up(action)) would_close_[fact] += open ? 1 : -1;
}

int FactGroups::first_open() {
    while (front_ < opened_.size() && !is_open_[opened_[front_]]) ++front_;
    return front_ < opened_.size() ? opened_[front_] : -1;
}

/* -1: nobody can join. */
int FactGroups::next_member() {
    std::vector<int32_t> facts = given_up(first_open());
    auto adding = [&](int fact) { return achieving_[2 * fact].size(); };
    std::sort(facts.begin(), facts.end(), [&](int a, int b) { return adding(a) < adding(b); });
    int best = -1, least = IMPOSSIBLE;
    for (int fact : facts) {
        const int left = left_open(fact, least);
        if (left < least || (left == least && best >= 0 && fact < best)) {
            least = left;
            best = fact;
        }
    }
    return best;
}

/* By how many more actions are open once a fact has joined, or a number above `least`. */
int FactGroups::left_open(int fact, int least) {
    const State &initial = t_.task.initial;
    auto holds = [&](int other) { return initial.fact(other); };
    if (holds(fact) && std::any_of(members_.begin(), members_.end(), holds)) return IMPOSSIBLE;
    int left = -would_close_[fact];
    // at most so many of those who add it give up a member
    const auto adding = static_cast<ptrdiff_t>(achieving_[2 * fact].size()) - kept_[fact];
    if (left + adding - static_cast<ptrdiff_t>(losing_) > least) return IMPOSSIBLE;
    size_t looked_at = 0;
    for (int action : achieving_[2 * fact]) {
        if (left > least) break;
        ++looked_at;
        if (needs(action, fact)) continue;
        if (adds_member(action)) {
            left = IMPOSSIBLE;
            break;
        }
        left += !gives_up_member(action);
    }
    return spend(looked_at) ? left : IMPOSSIBLE;
}

void FactGroups::clear() {
    for (int action : opened_) set_open(action, false);
    for (int fact : members_) is_member_[fact] = 0;
    members_.clear();
    opened_.clear();
    front_ = losing_ = 0;
}

}  // namespace numbat
