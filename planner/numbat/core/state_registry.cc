#include "state_registry.h"

#include <algorithm>
#include <cstring>

namespace numbat {

namespace {

constexpr int WIDEST = 3;
constexpr int32_t LARGEST[] = {INT8_MAX, INT16_MAX, INT32_MAX};

template <class Packed, class Number>
void store(const std::vector<Number> &numbers, char *place) {
    for (Number number : numbers) {
        // adding 0 makes -0.0 and 0.0 one number
        const auto packed = static_cast<Packed>(number + Number{0});
        std::memcpy(place, &packed, sizeof packed);
        place += sizeof packed;
    }
}

template <class Packed, class Number>
void load(std::vector<Number> &numbers, const char *place) {
    for (Number &number : numbers) {
        Packed packed;
        std::memcpy(&packed, place, sizeof packed);
        number = static_cast<Number>(packed);
        place += sizeof packed;
    }
}

template <class Number>
void store_integers(const std::vector<Number> &numbers, int layout, char *place) {
    switch (layout) {
    case 0: return store<int8_t>(numbers, place);
    case 1: return store<int16_t>(numbers, place);
    case 2: return store<int32_t>(numbers, place);
    default: return store<int64_t>(numbers, place);
    }
}

template <class Number>
void load_integers(std::vector<Number> &numbers, int layout, const char *place) {
    switch (layout) {
    case 0: return load<int8_t>(numbers, place);
    case 1: return load<int16_t>(numbers, place);
    case 2: return load<int32_t>(numbers, place);
    default: return load<int64_t>(numbers, place);
    }
}

template <class Number>
int narrowest_layout(const std::vector<Number> &numbers) {
    Number largest = 0;
    for (Number number : numbers) largest = std::max(largest, number < 0 ? -number : number);
    int layout = 0;
    while (layout < WIDEST && largest > LARGEST[layout]) ++layout;
    return layout;
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

StateRegistry::StateRegistry(const Task &task) : task_(task), fact_words_((task.facts + 31) / 32) {
    for (int i = 0; i <= WIDEST; ++i) layouts_[i].words = std::max(1, fact_words_ + ((task.variables << i) + 3) / 4);
    scratch_.resize(layouts_[WIDEST].words);
    slots_.resize(1 << 10, EMPTY);
}

size_t StateRegistry::bytes() const {
    size_t sum = places_.bytes() + slots_.bytes();
    for (const Layout &layout : layouts_) sum += layout.arena.bytes();
    return sum;
}

int StateRegistry::layout_for(const State &state) const {
    if (!task_.exact()) return WIDEST;
    return task_.wide() ? narrowest_layout(state.whole) : narrowest_layout(state.values);
}

void StateRegistry::pack(const State &state, int layout, uint32_t *words) const {
    words[layouts_[layout].words - 1] = 0;
    if (fact_words_ > 0) std::memcpy(words, state.facts.data(), fact_words_ * sizeof(uint32_t));
    char *place = reinterpret_cast<char *>(words + fact_words_);
    if (task_.numbers == Numbers::narrow) return store_integers(state.values, layout, place);
    return task_.wide() ? store_integers(state.whole, layout, place) : store<double>(state.values, place);
}

void StateRegistry::unpack(const uint32_t *words, int layout, State &state) const {
    state.facts.assign((task_.facts + 63) / 64, 0);
    state.values.resize(task_.variables);
    if (fact_words_ > 0) std::memcpy(state.facts.data(), words, fact_words_ * sizeof(uint32_t));
    const char *place = reinterpret_cast<const char *>(words + fact_words_);
    if (!task_.exact()) return load<double>(state.values, place);
    load_integers(state.values, layout, place);
    if (!task_.wide()) return;
    state.whole.resize(task_.variables);
    load_integers(state.whole, layout, place);
}

void StateRegistry::grow_table() {
    GrowingArray<uint64_t> grown;
    std::fill_n(grown.extend(2 * slots_.size()), 2 * slots_.size(), EMPTY);
    const size_t mask = grown.size() - 1;
    for (size_t i = 0; i < slots_.size(); ++i) {
        const uint64_t entry = slots_[i];
        if (entry == EMPTY) continue;
        size_t slot = (entry >> 32) & mask;
        while (grown[slot] != EMPTY) slot = (slot + 1) & mask;
        grown[slot] = entry;
    }
    slots_ = std::move(grown);
}

StateRegistry::Packed StateRegistry::prepared(const State &state, uint32_t *words) const {
    const int layout = layout_for(state);
    pack(state, layout, words);
    return {layout, hash(words, layouts_[layout].words)};
}

StateRegistry::Insertion StateRegistry::insert(const State &state) {
    const Packed packed = prepared(state, scratch_.data());
    return insert(packed, scratch_.data());
}

StateRegistry::Insertion StateRegistry::insert(Packed state, const uint32_t *words) {
    if (growth_due(1)) grow_table();
    const auto [layout, tag] = state;
    const size_t bytes = layouts_[layout].words * sizeof(uint32_t);
    const size_t mask = slots_.size() - 1;
    size_t slot = tag & mask;
    for (; slots_[slot] != EMPTY; slot = (slot + 1) & mask) {
        if (slots_[slot] >> 32 != tag) continue;
        const auto id = static_cast<StateId>(slots_[slot]);
        if (layout_of(id) == layout && std::memcmp(packed(id, layout), words, bytes) == 0) return {id, false};
    }
    const StateId id = append(layout, words);
    if (id == NO_STATE) return {NO_STATE, false};
    slots_[slot] = uint64_t{tag} << 32 | id;
    return {id, true};
}

StateId StateRegistry::append(int layout, const uint32_t *state) {
    constexpr size_t MOST_STATES = size_t{1} << PLACE_BITS;  // of one layout
    auto &[words, arena] = layouts_[layout];
    const size_t place = arena.size() / words;
    if (place >= MOST_STATES || size_ >= NO_STATE) return NO_STATE;
    if (size_ == 0) only_layout_ = layout;
    if (places_.empty() && layout != only_layout_)
        for (uint32_t id = 0; id < size_; ++id)
            places_.push_back(static_cast<uint32_t>(only_layout_) << PLACE_BITS | id);
    if (!places_.empty()) places_.push_back(static_cast<uint32_t>(layout) << PLACE_BITS | static_cast<uint32_t>(place));
    std::memcpy(arena.extend(words), state, words * sizeof(uint32_t));
    return static_cast<StateId>(size_++);
}

void StateRegistry::get(StateId id, State &state) const {
    const int layout = layout_of(id);
    unpack(packed(id, layout), layout, state);
}

void StateRegistry::stage(const State &state) {
    const size_t begin = staged_.size() * scratch_.size();
    if (staged_words_.size() < begin + scratch_.size()) staged_words_.resize(begin + scratch_.size());
    staged_.push_back(prepared(state, &staged_words_[begin]));
    __builtin_prefetch(&slots_[staged_.back().tag & (slots_.size() - 1)]);
}

}  // namespace numbat
