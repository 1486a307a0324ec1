#include "state_registry.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace numbat {

namespace {

constexpr uint64_t EMPTY = UINT64_MAX;
constexpr int WIDTHS[4] = {8, 4, 2, 1};

double largest_in(int width) { return width == 8 ? 9.3e18 : std::ldexp(1.0, 8 * width - 1) - 1; }

template <class Integer>
char *store(const std::vector<int32_t> &group, const std::vector<double> &values, char *place) {
    for (int variable : group) {
        auto value = static_cast<Integer>(values[variable]);
        std::memcpy(place, &value, sizeof value);
        place += sizeof value;
    }
    return place;
}

template <class Integer>
const char *load(const std::vector<int32_t> &group, std::vector<double> &values, const char *place) {
    for (int variable : group) {
        Integer value;
        std::memcpy(&value, place, sizeof value);
        values[variable] = static_cast<double>(value);
        place += sizeof value;
    }
    return place;
}

}  // namespace

StateRegistry::StateRegistry(const Task &task)
    : task_(task), fact_words_((task.facts + 31) / 32), width_(task.variables, task.exact ? 1 : 8), slots_(1 << 10, EMPTY) {
    lay_out();
}

void StateRegistry::lay_out() {
    for (int g = 0; g < 4; ++g) {
        group_[g].clear();
        for (int v = 0; v < task_.variables; ++v)
            if (width_[v] == WIDTHS[g]) group_[g].push_back(v);
    }
    int bytes = 0;
    for (int width : width_) bytes += width;
    words_ = std::max(1, fact_words_ + (bytes + 3) / 4);
    scratch_.assign(words_, 0);
}

bool StateRegistry::fits(const State &state) const {
    if (!task_.exact) return true;
    // group 0 holds everything that is representable at all
    for (int g = 1; g < 4; ++g) {
        const double largest = largest_in(WIDTHS[g]);
        for (int v : group_[g])
            if (state.values[v] > largest || state.values[v] < -largest) return false;
    }
    return true;
}

void StateRegistry::widen_for(const State &state) {
    StateRegistry old(task_);
    std::swap(old.arena_, arena_);
    old.width_ = width_;
    old.lay_out();
    for (int v = 0; v < task_.variables; ++v)
        while (std::abs(state.values[v]) > largest_in(width_[v])) width_[v] *= 2;
    lay_out();
    std::fill(slots_.begin(), slots_.end(), EMPTY);
    State copy = state;
    for (size_t id = 0; id < count_; ++id) {
        old.unpack(&old.arena_[id * old.words_], copy);
        uint32_t *words = arena_.extend(words_);
        pack(copy, words);
        size_t slot = hash(words) & (slots_.size() - 1);
        while (slots_[slot] != EMPTY) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = uint64_t{hash(words)} << 32 | id;
    }
}

void StateRegistry::pack(const State &state, uint32_t *words) const {
    words[words_ - 1] = 0;
    if (fact_words_ > 0) std::memcpy(words, state.facts.data(), fact_words_ * sizeof(uint32_t));
    char *place = reinterpret_cast<char *>(words + fact_words_);
    if (!task_.exact) {
        for (int v = 0; v < task_.variables; ++v) {
            double value = state.values[v] + 0.0;  // -0.0 and 0.0 are one number
            std::memcpy(place + 8 * v, &value, 8);
        }
        return;
    }
    place = store<int64_t>(group_[0], state.values, place);
    place = store<int32_t>(group_[1], state.values, place);
    place = store<int16_t>(group_[2], state.values, place);
    store<int8_t>(group_[3], state.values, place);
}

void StateRegistry::unpack(const uint32_t *words, State &state) const {
    state.facts.assign((task_.facts + 63) / 64, 0);
    state.values.resize(task_.variables);
    if (fact_words_ > 0) std::memcpy(state.facts.data(), words, fact_words_ * sizeof(uint32_t));
    const char *place = reinterpret_cast<const char *>(words + fact_words_);
    if (!task_.exact) {
        if (task_.variables > 0) std::memcpy(state.values.data(), place, 8 * task_.variables);
        return;
    }
    place = load<int64_t>(group_[0], state.values, place);
    place = load<int32_t>(group_[1], state.values, place);
    place = load<int16_t>(group_[2], state.values, place);
    load<int8_t>(group_[3], state.values, place);
}

uint32_t StateRegistry::hash(const uint32_t *words) const {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < words_; ++i) {
        h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    h *= 0xc4ceb9fe1a85ec53u;
    return static_cast<uint32_t>(h >> 32);
}

void StateRegistry::grow_table() {
    std::vector<uint64_t> grown(2 * slots_.size(), EMPTY);
    const size_t mask = grown.size() - 1;
    for (uint64_t entry : slots_) {
        if (entry == EMPTY) continue;
        size_t slot = (entry >> 32) & mask;
        while (grown[slot] != EMPTY) slot = (slot + 1) & mask;
        grown[slot] = entry;
    }
    slots_.swap(grown);
}

StateRegistry::Insertion StateRegistry::insert(const State &state) {
    if (!fits(state)) widen_for(state);
    if (growth_due()) grow_table();
    pack(state, scratch_.data());
    const uint32_t tag = hash(scratch_.data());
    const size_t mask = slots_.size() - 1;
    size_t slot = tag & mask;
    for (; slots_[slot] != EMPTY; slot = (slot + 1) & mask) {
        if (slots_[slot] >> 32 != tag) continue;
        auto id = static_cast<StateId>(slots_[slot]);
        if (std::memcmp(&arena_[size_t{id} * words_], scratch_.data(), words_ * sizeof(uint32_t)) == 0)
            return {id, false};
    }
    auto id = static_cast<StateId>(count_++);
    slots_[slot] = uint64_t{tag} << 32 | id;
    std::memcpy(arena_.extend(words_), scratch_.data(), words_ * sizeof(uint32_t));
    return {id, true};
}

void StateRegistry::get(StateId id, State &state) const { unpack(&arena_[size_t{id} * words_], state); }

}  // namespace numbat
