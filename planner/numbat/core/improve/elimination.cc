#include "elimination.h"

#include <algorithm>

namespace numbat {

namespace {

constexpr int FIRST_LOOK_AHEAD = 16;
constexpr int LOOK_AHEAD_GROWTH = 8;
constexpr int LONGEST_CHAIN = 100;
constexpr int LONG_PLAN = 2000;  // groups of longer ones are taken out in the plan's order, from behind

/* What an action adds to a sum, if that is always the same. */
Whole gain(const Operator &op, const Terms &terms) {
    Whole sum = 0;
    for (const Block &block : op.blocks)
        for (const NumericEffect &effect : block.numeric)
            for (const Term &term : terms)
                if (term.variable == effect.variable && !effect.assign && effect.amount.is_constant() &&
                    block.condition == 0)
                    sum += static_cast<Whole>(term.coefficient) * effect.amount.whole;
    return sum;
}

}  // namespace

/*
  Executes the steps after group.positions[0], without those left out and without those that are not applicable, until
  the rest works and costs less. `state` is where that ended.
*/
bool Elimination::follow(Group &group, std::vector<int> &left_out, int last, State &state) {
    const Task &task = course_.task();
    const int first = left_out[0];
    state = course_.state(first);
    const std::optional<Price> before = course_.rest(first, state);
    if (!before) return false;
    Price paid;
    State next;
    bool overflow = false;
    group.positions.clear();
    for (int at = first;; ++at) {
        const bool skipped_all = std::upper_bound(left_out.begin(), left_out.end(), at - 1) == left_out.end();
        if (at > first && skipped_all && (task.exact() || at == last)) {
            std::optional<Price> rest = course_.rest(at, state);
            if (rest && add_to(*rest, paid) && *rest < *before) {
                group.end = at;
                group.saved = {before->cost - rest->cost, before->steps - rest->steps};
                return true;
            }
        }
        if (at >= last) return false;
        const int op = course_.plan()[at];
        const Operator &action = task.operators[op];
        Price more = paid;
        if (std::binary_search(left_out.begin(), left_out.end(), at) || !task.all_hold(action.precondition, state) ||
            !course_.prices().pay(task, op, state, more) || !task.apply(action, state, next, overflow)) {
            group.positions.push_back(at);
            continue;
        }
        paid = more;
        std::swap(state, next);
    }
}

/* The last step before `last` that lowers the sum of a constraint which the state does not meet. */
bool Elimination::leave_out_one_more(int position, int last, const State &state, std::vector<int> &left_out) {
    const Task &task = course_.task();
    const Requirement &asked = course_.requirement(last);
    for (size_t i = 0; i < asked.must.size(); ++i)
        if ((state.facts[i] & asked.must[i]) != asked.must[i] || (state.facts[i] & asked.must_not[i])) return false;
    for (const Constraint &c : asked.constraints) {
        if (value(task, c.terms, state) >= c.least) continue;
        for (int at = last - 1; at > position; --at) {
            const auto place = std::lower_bound(left_out.begin(), left_out.end(), at);
            if (place != left_out.end() && *place == at) continue;
            if (gain(task.operators[course_.plan()[at]], c.terms) >= 0) continue;
            left_out.insert(place, at);
            return true;
        }
        return false;
    }
    return false;
}

std::optional<Elimination::Group> Elimination::group_at(int position, int look_ahead) {
    Group group;
    State state;
    std::vector<int> left_out{position};
    if (follow(group, left_out, std::min(course_.size(), position + look_ahead), state)) return group;
    return std::nullopt;
}

std::optional<Elimination::Group> Elimination::chain_at(int position) {
    Group group;
    State state;
    std::vector<int> left_out{position};
    for (int tries = 0; tries < LONGEST_CHAIN && !expired_(); ++tries) {
        if (follow(group, left_out, course_.size(), state)) return group;
        if (!leave_out_one_more(position, course_.size(), state, left_out)) break;
    }
    return std::nullopt;
}

Price Elimination::take_chain(int position) {
    const auto group = chain_at(position);
    if (!group) return {};
    take_out(*group);
    return group->saved;
}

void Elimination::take_out(const Group &group) {
    const int begin = group.positions.front(), end = std::max(group.end, group.positions.back() + 1);
    Operators kept;
    for (int at = begin; at < end; ++at)
        if (!std::binary_search(group.positions.begin(), group.positions.end(), at)) kept.push_back(course_.plan()[at]);
    course_.replace(begin, end, kept);
}

bool Elimination::pass(int look_ahead, const std::function<void()> &progress) {
    struct Candidate {
        Price saved;
        int position;  // in the plan as it is now
    };
    std::vector<Candidate> candidates;
    for (int at = course_.size() - 1; at >= 0 && !expired_(); --at)
        if (const auto group = group_at(at, look_ahead)) candidates.push_back({group->saved, at});
    if (course_.size() <= LONG_PLAN)
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Candidate &a, const Candidate &b) { return a.saved > b.saved; });
    std::vector<int> names(course_.size());  // of the steps left: their places before
    for (int i = 0; i < course_.size(); ++i) names[i] = i;
    for (const Candidate &candidate : candidates) {
        const auto place = std::lower_bound(names.begin(), names.end(), candidate.position);
        if (expired_() || place == names.end() || *place != candidate.position) continue;
        const auto group = group_at(static_cast<int>(place - names.begin()), look_ahead);
        if (!group) continue;
        take_out(*group);
        progress();
        for (auto p = group->positions.rbegin(); p != group->positions.rend(); ++p) names.erase(names.begin() + *p);
    }
    return !candidates.empty();
}

void Elimination::run(const std::function<void()> &progress) {
    const int farthest = course_.size() > LONG_PLAN ? FIRST_LOOK_AHEAD * LOOK_AHEAD_GROWTH : course_.size();
    for (int look_ahead = FIRST_LOOK_AHEAD;;) {
        while (pass(look_ahead, progress) && !expired_()) {
        }
        if (look_ahead >= farthest || expired_()) return;
        look_ahead *= LOOK_AHEAD_GROWTH;
    }
}

}  // namespace numbat
