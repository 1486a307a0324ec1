#include "packed_successors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace numbat {

PackedSuccessors::PackedSuccessors(const Task &task, const Packing &packing) : task_(task), packing_(packing) {
    constexpr double NONE = std::numeric_limits<double>::infinity();
    ranges_.assign(task.variables, {-NONE, NONE});
    for (const LastValue &last : task.last_values)
        (last.rises ? ranges_[last.variable].greatest : ranges_[last.variable].least) = last.value;
    auto here = [&](bool packed) {
        return Effects{static_cast<uint32_t>(fact_changes_.size()), static_cast<uint32_t>(number_changes_.size()),
                       packed};
    };
    for (const Operator &op : task.operators) {
        const bool packed = task.numbers == Numbers::narrow && op.blocks.size() <= 1 && !op.simultaneous &&
                            (op.blocks.empty() || op.blocks[0].condition == 0);
        effects_.push_back(here(packed));
        if (packed && !op.blocks.empty()) add(op.blocks[0]);
    }
    effects_.push_back(here(false));
}

void PackedSuccessors::add(const Block &block) {
    State deleted, added;
    for (State *state : {&deleted, &added}) state->facts.assign((task_.facts + 63) / 64, 0);
    for (int fact : block.deletes) deleted.set(fact);
    for (int fact : block.adds) added.set(fact);
    auto add_words_of = [&](int fact) {
        uint32_t halves[2][2];  // packed words lie in memory as those of states do
        uint64_t *const words[] = {&deleted.facts[fact / 64], &added.facts[fact / 64]};
        for (int i : {0, 1}) std::memcpy(halves[i], words[i], sizeof halves[i]);
        for (int i : {0, 1}) *words[i] = 0;  // so that they are not added again
        for (int i : {0, 1})
            if (halves[0][i] | halves[1][i]) fact_changes_.push_back({fact / 64 * 2 + i, halves[0][i], halves[1][i]});
    };
    for (int fact : block.deletes) add_words_of(fact);
    for (int fact : block.adds) add_words_of(fact);
    for (const auto &[variable, assign, amount] : block.numeric)
        number_changes_.push_back({variable, assign, amount.constant, amount.is_constant() ? nullptr : &amount});
}

void PackedSuccessors::start_from(const State &state, const PackedState &packed) {
    state_ = &state;
    parent_ = packed;
    sum_ = packing_.sum(packed.words, packed.layout);
    narrower_ = packed.layout == 0 ? -1 : Packing::largest(packed.layout - 1);
    widest_ = Packing::largest(packed.layout);
    wide_numbers_ = static_cast<int>(std::count_if(state.values.begin(), state.values.end(),
                                                   [&](double value) { return std::abs(value) > narrower_; }));
}

inline double PackedSuccessors::value_after(const NumberChange &change) const {
    const double amount = change.amount ? change.amount->value(state_->values) : change.constant;
    return change.assign ? amount : state_->values[change.variable] + amount;
}

PackedSuccessors::Outcome PackedSuccessors::make(int op, uint32_t *words, uint64_t &sum) const {
    const Effects &effects = effects_[op], &end = effects_[op + 1];
    if (!effects.packed) return Outcome::not_packed;
    std::memcpy(words, parent_.words, packing_.words(parent_.layout) * sizeof(uint32_t));
    sum = sum_;
    for (uint32_t i = effects.facts; i < end.facts; ++i) {
        const auto &[place, deleted, added] = fact_changes_[i];
        packing_.replace_word(place, (words[place] & ~deleted) | added, words, sum);
    }
    int wide_numbers = wide_numbers_;
    for (uint32_t i = effects.numbers; i < end.numbers; ++i) {
        const int variable = number_changes_[i].variable;
        double value = value_after(number_changes_[i]);
        if (!task_.in_range(value)) return Outcome::overflow;
        value = std::clamp(value, ranges_[variable].least, ranges_[variable].greatest);
        if (std::abs(value) > widest_) return Outcome::not_packed;
        wide_numbers += (std::abs(value) > narrower_) - (std::abs(state_->values[variable]) > narrower_);
        packing_.replace(variable, static_cast<int64_t>(value), parent_.layout, words, sum);
    }
    return wide_numbers > 0 || parent_.layout == 0 ? Outcome::done : Outcome::not_packed;
}

}  // namespace numbat
