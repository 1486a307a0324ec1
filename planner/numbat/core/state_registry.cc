#include "state_registry.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace numbat {

namespace {

constexpr uint64_t EMPTY = UINT64_MAX;
constexpr int WIDEST = 3;
constexpr double LARGEST[] = {INT8_MAX, INT16_MAX, INT32_MAX};
constexpr int PLACE_BITS = 30;

template <class Number>
void store(const std::vector<double> &values, char *place) {
    for (double number : values) {
        // adding 0 makes -0.0 and 0.0 one number
        const auto value = static_cast<Number>(number + 0.0);
        std::memcpy(place, &value, sizeof value);
        place += sizeof value;
    }
}

template <class Number>
void load(std::vector<double> &values, const char *place) {
    for (double &number : values) {
        Number value;
        std::memcpy(&value, place, sizeof value);
        number = static_cast<double>(value);
        place += sizeof value;
    }
}

uint32_t hash(const uint32_t *words, int count) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(count);
    for (int i = 0; i < count; ++i) {
        h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    h *= 0xc4ceb9fe1a85ec53u;
    return static_cast<uint32_t>(h >> 32);
}

}  // namespace

StateRegistry::StateRegistry(const Task &task)
    : task_(task), fact_words_((task.facts + 31) / 32), slots_(1 << 10, EMPTY) {
    for (int i = 0; i <= WIDEST; ++i)
        layouts_[i].words = std::max(1, fact_words_ + ((task.variables << i) + 3) / 4);
    scratch_.resize(layouts_[WIDEST].words);
}

size_t StateRegistry::bytes() const {
    size_t sum = places_.bytes() + slots_.size() * sizeof(uint64_t);
    for (const Layout &layout : layouts_) sum += layout.arena.bytes();
    return sum;
}

int StateRegistry::layout_for(const State &state) const {
    if (!task_.exact) return WIDEST;
    double largest = 0;
    for (double value : state.values) largest = std::max(largest, std::abs(value));
    int layout = 0;
    while (layout < WIDEST && largest > LARGEST[layout]) ++layout;
    return layout;
}

void StateRegistry::pack(const State &state, int layout, uint32_t *words) const {
    words[layouts_[layout].words - 1] = 0;
    if (fact_words_ > 0) std::memcpy(words, state.facts.data(), fact_words_ * sizeof(uint32_t));
    char *place = reinterpret_cast<char *>(words + fact_words_);
    if (!task_.exact) return store<double>(state.values, place);
    switch (layout) {
    case 0: return store<int8_t>(state.values, place);
    case 1: return store<int16_t>(state.values, place);
    case 2: return store<int32_t>(state.values, place);
    default: return store<int64_t>(state.values, place);
    }
}

void StateRegistry::unpack(const uint32_t *words, int layout, State &state) const {
    state.facts.assign((task_.facts + 63) / 64, 0);
    state.values.resize(task_.variables);
    if (fact_words_ > 0) std::memcpy(state.facts.data(), words, fact_words_ * sizeof(uint32_t));
    const char *place = reinterpret_cast<const char *>(words + fact_words_);
    if (!task_.exact) return load<double>(state.values, place);
    switch (layout) {
    case 0: return load<int8_t>(state.values, place);
    case 1: return load<int16_t>(state.values, place);
    case 2: return load<int32_t>(state.values, place);
    default: return load<int64_t>(state.values, place);
    }
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

const uint32_t *StateRegistry::packed(StateId id, int &layout) const {
    layout = static_cast<int>(places_[id] >> PLACE_BITS);
    const size_t place = places_[id] & ((1u << PLACE_BITS) - 1);
    return &layouts_[layout].arena[place * layouts_[layout].words];
}

StateRegistry::Insertion StateRegistry::insert(const State &state) {
    if (growth_due(1)) grow_table();
    const int layout = layout_for(state);
    auto &[words, arena] = layouts_[layout];
    pack(state, layout, scratch_.data());
    const uint32_t tag = hash(scratch_.data(), words);
    const size_t mask = slots_.size() - 1;
    size_t slot = tag & mask;
    for (; slots_[slot] != EMPTY; slot = (slot + 1) & mask) {
        if (slots_[slot] >> 32 != tag) continue;
        const auto id = static_cast<StateId>(slots_[slot]);
        int other_layout;
        const uint32_t *other = packed(id, other_layout);
        if (other_layout == layout && std::memcmp(other, scratch_.data(), words * sizeof(uint32_t)) == 0)
            return {id, false};
    }
    const auto id = static_cast<StateId>(size());
    slots_[slot] = uint64_t{tag} << 32 | id;
    places_.push_back(static_cast<uint32_t>(layout) << PLACE_BITS | static_cast<uint32_t>(arena.size() / words));
    std::memcpy(arena.extend(words), scratch_.data(), words * sizeof(uint32_t));
    return {id, true};
}

void StateRegistry::get(StateId id, State &state) const {
    int layout;
    const uint32_t *words = packed(id, layout);
    unpack(words, layout, state);
}

}  // namespace numbat
