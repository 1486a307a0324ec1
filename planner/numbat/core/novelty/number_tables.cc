#include "number_tables.h"

namespace numbat {

namespace {

size_t first_slot(uint64_t entry, size_t slots) {
    const uint64_t h = entry * 0x9e3779b97f4a7c15u;
    return (h ^ h >> 32) & (slots - 1);
}

}  // namespace

bool NumberSet::place(uint64_t entry) {
    size_t slot = first_slot(entry, slots_.size());
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
        if (slots_[slot] == entry) return false;
    slots_[slot] = entry;
    return true;
}

void NumberSet::grow() {
    std::vector<uint64_t> old(slots_.empty() ? 16 : 2 * slots_.size(), 0);
    old.swap(slots_);
    for (uint64_t entry : old)
        if (entry != 0) place(entry);
}

NumberMap::Slot &NumberMap::find(uint64_t entry) {
    size_t slot = first_slot(entry, slots_.size());
    while (slots_[slot].entry != 0 && slots_[slot].entry != entry) slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
}

bool NumberMap::raise(uint64_t number, double value) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    Slot &slot = find(number + 1);
    const bool is_new = slot.entry == 0;
    if (!is_new && value <= slot.value) return false;
    count_ += is_new;
    slot = {number + 1, value};
    return true;
}

void NumberMap::grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old)
        if (slot.entry != 0) find(slot.entry) = slot;
}

}  // namespace numbat
