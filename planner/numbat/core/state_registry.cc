#include "state_registry.h"

#include <algorithm>
#include <cstring>

namespace numbat {

namespace {

/* Word by word: they are few, and wider loads would have to wait for words that were just stored. */
inline bool same(const uint32_t *a, const uint32_t *b, int count) {
    for (int i = 0; i < count; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

}  // namespace

StateRegistry::StateRegistry(const Task &task) : packing_(task), scratch_(packing_.words(Packing::WIDEST)) {
    slots_.resize(1 << 10, EMPTY);
}

size_t StateRegistry::bytes() const {
    size_t sum = places_.bytes() + slots_.bytes();
    for (const auto &arena : arenas_) sum += arena.bytes();
    return sum;
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

StateRegistry::Insertion StateRegistry::insert(const State &state) {
    const StateBatch::Entry entry = packed(state, scratch_.data());
    if (growth_due(1)) grow_table();
    return insert(entry, home_of(entry.tag), scratch_.data());
}

StateBatch::Entry StateRegistry::packed(const State &state, uint32_t *words) const {
    const int layout = packing_.layout_for(state);
    packing_.pack(state, layout, words);
    return {layout, Packing::mixed(packing_.sum(words, layout)), 0};
}

StateRegistry::Insertion StateRegistry::insert(const StateBatch::Entry &entry, size_t slot, const uint32_t *words) {
    const int layout = entry.layout;
    const uint32_t tag = entry.tag;
    const int count = packing_.words(layout);
    const size_t mask = slots_.size() - 1;
    for (slot = slot_for(tag, slot); slots_[slot] != EMPTY; slot = slot_for(tag, (slot + 1) & mask)) {
        const auto id = static_cast<StateId>(slots_[slot]);
        const PackedState known = packed(id);
        if (known.layout == layout && same(words, known.words, count)) return {id, false};
    }
    const StateId id = append(layout, words);
    if (id == NO_STATE) return {NO_STATE, false};
    slots_[slot] = uint64_t{tag} << 32 | id;
    return {id, true};
}

StateId StateRegistry::append(int layout, const uint32_t *state) {
    constexpr size_t MOST_STATES = size_t{1} << PLACE_BITS;  // of one layout
    const int words = packing_.words(layout);
    GrowingArray<uint32_t> &arena = arenas_[layout];
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
    const PackedState known = packed(id);
    packing_.unpack(known.words, known.layout, state);
}

uint32_t *StateRegistry::room_in(StateBatch &batch) const {
    const size_t begin = batch.entries_.size() * scratch_.size();
    if (batch.words_.size() < begin + scratch_.size()) batch.words_.resize(begin + scratch_.size());
    return &batch.words_[begin];
}

void StateRegistry::add(StateBatch::Entry entry, StateBatch &batch) const {
    batch.entries_.push_back(entry);
    __builtin_prefetch(&slots_[home_of(entry.tag)]);
}

}  // namespace numbat
