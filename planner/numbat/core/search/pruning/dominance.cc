#include "dominance.h"

#include <algorithm>
#include <cstring>

namespace numbat {

namespace {

constexpr uint64_t EMPTY = UINT64_MAX;
constexpr int LONGEST_LOOK = 16;
// After so many questions, one in fifty must have been answered yes.
constexpr size_t TRIAL = 100'000;

}  // namespace

Dominance::Dominance(const Task &task, Read read, Cost cost)
    : task_(task), read_(std::move(read)), cost_of_(std::move(cost)), wanted_(task.variables, 0) {
    find_wanted();
    on_ = std::any_of(wanted_.begin(), wanted_.end(), [](int8_t sign) { return sign != 0; });
    if (on_) slots_.assign(1 << 10, EMPTY);
}

/* Whatever an effect condition reads must not change for the better either. */
void Dominance::withdraw(int conjunction, std::vector<uint8_t> &unfit) const {
    for (int atom : task_.conjunctions[conjunction]) {
        if (task_.is_condition(atom))
            for (const LinearTerm &term : task_.condition(atom).expression.terms) unfit[term.variable] = 1;
        else if (!task_.is_fact(atom))
            for (int part : task_.disjunction(atom)) withdraw(part, unfit);
    }
}

void Dominance::find_wanted() {
    std::vector<uint8_t> unfit(task_.variables, 0), positive(task_.variables, 0), negative(task_.variables, 0);
    auto withdraw_read = [&](const Linear &linear) {
        for (const LinearTerm &term : linear.terms) unfit[term.variable] = 1;
    };
    for (const Condition &condition : task_.conditions)
        for (const LinearTerm &term : condition.expression.terms)
            (term.coefficient > 0 ? positive : negative)[term.variable] = 1;
    for (const Operator &op : task_.operators) {
        withdraw_read(op.cost);
        for (const Block &block : op.blocks) {
            withdraw(block.condition, unfit);
            for (const NumericEffect &effect : block.numeric) {
                withdraw_read(effect.amount);
                if (!effect.amount.is_constant()) unfit[effect.variable] = 1;
            }
        }
    }
    for (int v = 0; v < task_.variables; ++v)
        if (!unfit[v] && positive[v] != negative[v]) wanted_[v] = positive[v] ? 1 : -1;
}

uint32_t Dominance::hash(const State &state) const {
    uint64_t h = 0x9e3779b97f4a7c15u;
    auto mix = [&](uint64_t word) {
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    };
    for (uint64_t word : state.facts) mix(word);
    for (int v = 0; v < task_.variables; ++v) {
        if (wanted_[v]) continue;
        uint64_t bits;
        const double value = state.values[v] + 0.0;
        std::memcpy(&bits, &value, sizeof bits);
        mix(bits);
    }
    return static_cast<uint32_t>((h * 0xc4ceb9fe1a85ec53u) >> 32);
}

bool Dominance::rest_equal(const State &a, const State &b) const {
    if (a.facts != b.facts) return false;
    for (int v = 0; v < task_.variables; ++v)
        if (!wanted_[v] && (task_.wide() ? a.whole[v] != b.whole[v] : a.values[v] != b.values[v])) return false;
    return true;
}

/* Of states whose other parts are equal. */
bool Dominance::as_good(const State &a, const State &b) const {
    for (int v = 0; v < task_.variables; ++v) {
        if (!wanted_[v]) continue;
        const bool more = task_.wide() ? a.whole[v] > b.whole[v] : a.values[v] > b.values[v];
        const bool less = task_.wide() ? a.whole[v] < b.whole[v] : a.values[v] < b.values[v];
        if (wanted_[v] > 0 ? less : more) return false;
    }
    return true;
}

/* Where the list of the state is, or belongs; afterwards the last state of an existing list is in other_. */
size_t Dominance::slot(const State &state) {
    const uint32_t tag = hash(state);
    const size_t mask = slots_.size() - 1;
    size_t place = tag & mask;
    for (; slots_[place] != EMPTY; place = (place + 1) & mask) {
        if (slots_[place] >> 32 != tag) continue;
        read_(static_cast<StateId>(slots_[place]), other_);
        if (rest_equal(other_, state)) break;
    }
    return place;
}

bool Dominance::dominates(const State &state, int64_t cost, StateId self) {
    if (++asked_ == TRIAL && 50 * found_ < asked_) {
        on_ = false;
        slots_ = {};
        next_ = {};
        return false;
    }
    const size_t place = slot(state);
    if (slots_[place] == EMPTY) return false;
    auto id = static_cast<StateId>(slots_[place]);
    bool is_read = true;
    for (int looks = 0; id != NO_STATE && looks < LONGEST_LOOK; id = next_[id], ++looks, is_read = false) {
        if (id == self || cost_of_(id) > cost) continue;
        if (!is_read) read_(id, other_);
        if (!as_good(other_, state)) continue;
        // a state met again is not pruned by this table
        found_ += !as_good(state, other_);
        return true;
    }
    return false;
}

void Dominance::enter(StateId id, const State &state) {
    if (4 * (lists_ + 1) > 3 * slots_.size()) grow();
    const size_t place = slot(state);
    lists_ += slots_[place] == EMPTY;
    next_.push_back(slots_[place] == EMPTY ? NO_STATE : static_cast<StateId>(slots_[place]));
    slots_[place] = uint64_t{hash(state)} << 32 | id;
}

void Dominance::grow() {
    std::vector<uint64_t> grown(2 * slots_.size(), EMPTY);
    const size_t mask = grown.size() - 1;
    for (uint64_t entry : slots_) {
        if (entry == EMPTY) continue;
        size_t place = (entry >> 32) & mask;
        while (grown[place] != EMPTY) place = (place + 1) & mask;
        grown[place] = entry;
    }
    slots_.swap(grown);
}

}  // namespace numbat
