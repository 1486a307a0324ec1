#include "goal_novelty.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = -std::numeric_limits<double>::infinity();

uint64_t pair_of(int32_t a, int32_t b) { return uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b); }

}  // namespace

size_t GoalNovelty::Partition::bytes() const {
    return seen.size() / 8 + nearest.size() * sizeof(double) + pairs.bytes() + nearest_with.bytes();
}

GoalNovelty::GoalNovelty(const Task &task, int k, size_t budget)
    : task_(task), k_(k), budget_(budget), subgoal_of_(task.first_disjunction(), -1) {
    for (int32_t atom : task.conjunctions.data())
        if (atom < task.first_disjunction()) subgoal_of_[atom] = 0;
    std::vector<std::vector<int32_t>> touched(task.variables);
    for (int atom = 0; atom < task.first_disjunction(); ++atom) {
        if (atom == task.first_condition()) first_numeric_ = static_cast<int>(atoms_.size());
        if (subgoal_of_[atom] < 0) continue;
        subgoal_of_[atom] = static_cast<int32_t>(atoms_.size());
        if (task.is_condition(atom))
            for (const LinearTerm &term : task.condition(atom).expression.terms)
                touched[term.variable].push_back(subgoal_of_[atom]);
        atoms_.push_back(atom);
    }
    if (task.conditions.empty()) first_numeric_ = static_cast<int>(atoms_.size());
    touched_by_ = Rows<int32_t>::from(touched);
    held_.resize(atoms_.size());
    is_new_.resize(atoms_.size());
    value_.resize(atoms_.size() - first_numeric_);
}

float GoalNovelty::partition_of(float h) const { return std::min(std::floor(h), top_); }

inline void GoalNovelty::read(int subgoal, const State &state) {
    const int atom = atoms_[subgoal];
    if (subgoal < first_numeric_) {
        held_[subgoal] = state.fact(atom >> 1) != (atom & 1);
        return;
    }
    const Condition &condition = task_.condition(atom);
    const double value = task_.value(condition.expression, state);
    value_[numeric(subgoal)] = value;
    held_[subgoal] = condition.holds_for(value);
}

void GoalNovelty::read_all(const State &state) {
    for (size_t subgoal = 0; subgoal < atoms_.size(); ++subgoal) read(static_cast<int>(subgoal), state);
}

void GoalNovelty::change(int subgoal, const State &state) {
    changes_.push_back({subgoal, held_[subgoal], subgoal < first_numeric_ ? 0 : value_[numeric(subgoal)]});
    read(subgoal, state);
}

/* From the parent, which was read, to its child. */
void GoalNovelty::change_to(const State &state, const State &parent) {
    changes_.clear();
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word] ^ parent.facts[word]; bits; bits &= bits - 1) {
            const int fact = static_cast<int>(64 * word) + std::countr_zero(bits);
            for (int atom : {2 * fact, 2 * fact + 1})
                if (subgoal_of_[atom] >= 0) change(subgoal_of_[atom], state);
        }
    for (int v = 0; v < task_.variables; ++v) {
        if (task_.wide() ? state.whole[v] == parent.whole[v] : state.values[v] == parent.values[v]) continue;
        for (int subgoal : touched_by_[v]) change(subgoal, state);
    }
}

void GoalNovelty::change_back() {
    // a condition over several variables may have been changed more than once: the first is what it was
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        held_[change->subgoal] = change->held;
        if (change->subgoal >= first_numeric_) value_[numeric(change->subgoal)] = change->value;
    }
}

/* What the changes have brought: subgoals that hold now, conditions nearer to holding. */
void GoalNovelty::find_progress() {
    new_.clear();
    nearer_.clear();
    for (const Change &change : changes_) {
        const int subgoal = change.subgoal;
        if (held_[subgoal] && !change.held)
            new_.push_back(subgoal);
        else if (!held_[subgoal] && subgoal >= first_numeric_ && value_[numeric(subgoal)] > change.value)
            nearer_.push_back(subgoal);
    }
}

void GoalNovelty::show_everything() {
    new_.clear();
    nearer_.clear();
    for (int subgoal = 0; subgoal < static_cast<int>(atoms_.size()); ++subgoal) {
        if (held_[subgoal])
            new_.push_back(subgoal);
        else if (subgoal >= first_numeric_)
            nearer_.push_back(subgoal);
    }
}

bool GoalNovelty::touch_singles(Partition &partition) {
    bool novel = false;
    for (int subgoal : new_) {
        novel |= !partition.seen[subgoal];
        partition.seen[subgoal] = true;
    }
    for (int subgoal : nearer_) {
        double &nearest = partition.nearest[numeric(subgoal)];
        if (value_[numeric(subgoal)] <= nearest) continue;
        nearest = value_[numeric(subgoal)];
        novel = true;
    }
    return novel;
}

bool GoalNovelty::touch_pairs(Partition &partition) {
    bool novel = false;
    for (int subgoal : new_) is_new_[subgoal] = 1;
    for (int subgoal : new_) {
        for (int other : true_)
            if (other < subgoal || !is_new_[other])
                novel |= partition.pairs.insert(pair_of(std::max(subgoal, other), std::min(subgoal, other)));
        for (int other : missing_)
            novel |= partition.nearest_with.raise(pair_of(subgoal, other), value_[numeric(other)]);
    }
    for (int subgoal : nearer_)
        for (int other : true_)
            if (!is_new_[other])
                novel |= partition.nearest_with.raise(pair_of(other, subgoal), value_[numeric(subgoal)]);
    for (int subgoal : new_) is_new_[subgoal] = 0;
    return novel;
}

/* Of the state that is shown now; all tables learn from it. */
int64_t GoalNovelty::judge(Partition &partition, bool everything) {
    if (everything) show_everything();
    const bool one = touch_singles(partition);
    if (k_ < 2 || pairs_given_up_) return one ? 1 : k_ + 1;
    true_.clear();
    missing_.clear();
    for (int subgoal = 0; subgoal < static_cast<int>(atoms_.size()); ++subgoal) {
        if (held_[subgoal])
            true_.push_back(subgoal);
        else if (subgoal >= first_numeric_)
            missing_.push_back(subgoal);
    }
    if (everything && new_.size() * (new_.size() / 2 + missing_.size()) > MOST_PAIRS) find_progress();
    const size_t before = partition.bytes();
    const bool two = touch_pairs(partition);
    bytes_ += partition.bytes() - before;
    if (bytes_ > budget_) give_up_pairs();
    return one ? 1 : two ? 2 : 3;
}

int64_t GoalNovelty::evaluate(const State &state, float h, const Origin *origin) {
    const bool first = top_ < 0;
    if (first) top_ = std::max(1.0f, std::floor(h));
    const float number = partition_of(h);
    auto [place, is_new] = partitions_.try_emplace(number);
    Partition &partition = place->second;
    if (is_new) {
        partition.seen.resize(atoms_.size());
        partition.nearest.resize(value_.size(), NEVER);
        bytes_ += partition.bytes();
    }
    if (!origin) {
        expansion_ = 0;
        changes_.clear();
        read_all(state);
        const int64_t novelty = judge(partition, true);
        return first ? 1 : novelty;
    }
    if (expansion_ != origin->expansion) read_all(origin->parent);
    expansion_ = origin->expansion;
    change_to(state, origin->parent);
    find_progress();
    const bool everything = number != partition_of(origin->parent_h);
    const int64_t novelty = everything || !new_.empty() || !nearer_.empty() ? judge(partition, everything) : k_ + 1;
    change_back();
    return novelty;
}

void GoalNovelty::give_up_pairs() {
    pairs_given_up_ = true;
    for (auto &[number, partition] : partitions_) {
        bytes_ -= partition.pairs.bytes() + partition.nearest_with.bytes();
        partition.pairs.clear();
        partition.nearest_with.clear();
    }
}

}  // namespace numbat
