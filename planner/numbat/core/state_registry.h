/*
  All states the search has met, each once, packed.

  They are packed as packing.h tells, in four layouts that need not know of each other, since equal states have the same;
  each layout has an arena of its own. As long as all states have one layout, a state's id is its place in the arena.

  States are named by StateId, their place in the order of insertion. An open-addressing table finds a state's id: each
  slot holds 32 bits of the hash and the id, so that a look-up touches the arena only for real candidates, and growing
  the table touches only the table.

  A look-up in a table that no cache holds waits for memory most of its time. Whoever has several states at once puts them
  into a batch first: they are packed, and what their look-ups will touch is fetched meanwhile.

  Parent, operator and the like are kept by the search in arrays of their own, indexed by StateId.
*/
#pragma once

#include "growing_array.h"
#include "packing.h"

#include <cstdint>
#include <vector>

namespace numbat {

using StateId = uint32_t;
constexpr StateId NO_STATE = UINT32_MAX;

/* States that will be inserted together, packed; they are numbered from 0 on. */
class StateBatch {
public:
    size_t size() const { return entries_.size(); }
    void clear() { entries_.clear(); }

private:
    friend class StateRegistry;
    struct Entry {
        int32_t layout;
        uint32_t tag;     // hash
        size_t slot = 0;  // where the look-up begins, if the table has as many slots as `table_`
    };
    std::vector<Entry> entries_;
    size_t table_ = 0;
    std::vector<uint32_t> words_;  // as many for each as the widest state has
};

/* A known state where it lies; the next insertion may move it. */
struct PackedState {
    const uint32_t *words;
    int layout;
};

class StateRegistry {
public:
    explicit StateRegistry(const Task &task);

    /* NO_STATE: a new state, and there is no room for it: 2^30 of a layout, 2^32 in all. */
    struct Insertion {
        StateId id;
        bool is_new;
    };
    Insertion insert(const State &state);
    void get(StateId id, State &state) const;

    const Packing &packing() const { return packing_; }
    PackedState packed(StateId id) const {
        if (places_.empty()) return {words_at(only_layout_, id), only_layout_};
        const int layout = static_cast<int>(places_[id] >> PLACE_BITS);
        return {words_at(layout, places_[id] & ((1u << PLACE_BITS) - 1)), layout};
    }

    void stage(const State &state, StateBatch &batch) const { add(packed(state, room_in(batch)), batch); }
    /* The same for a state that is packed already: it is written into the room, then it is added with its sum. */
    uint32_t *room_in(StateBatch &batch) const;
    void stage_packed(int layout, uint64_t sum, StateBatch &batch) const {
        add({layout, Packing::mixed(sum), 0}, batch);
    }
    /* Fetches the known states that staged ones may be equal to, and what `also` names by id. */
    template <class Also>
    void fetch(StateBatch &batch, Also also) const {
        batch.table_ = slots_.size();
        for (StateBatch::Entry &entry : batch.entries_) {
            entry.slot = slot_for(entry.tag, home_of(entry.tag));
            if (slots_[entry.slot] == EMPTY) continue;
            const auto id = static_cast<StateId>(slots_[entry.slot]);
            if (!places_.empty()) __builtin_prefetch(&places_[id]);
            also(id);
        }
        for (const StateBatch::Entry &entry : batch.entries_)
            if (slots_[entry.slot] != EMPTY) fetch(static_cast<StateId>(slots_[entry.slot]));
    }
    Insertion insert(const StateBatch &batch, size_t number) {
        const StateBatch::Entry &entry = batch.entries_[number];
        if (growth_due(1)) grow_table();
        const size_t from = batch.table_ == slots_.size() ? entry.slot : home_of(entry.tag);
        return insert(entry, from, &batch.words_[number * scratch_.size()]);
    }
    void get(const StateBatch &batch, size_t number, State &state) const {
        packing_.unpack(&batch.words_[number * scratch_.size()], batch.entries_[number].layout, state);
    }
    /* A known state will be read before long. Always inline: GCC leaves out calls of functions that only prefetch. */
    [[gnu::always_inline]] void fetch(StateId id) const {
        const PackedState known = packed(id);
        __builtin_prefetch(known.words);
        __builtin_prefetch(known.words + packing_.words(known.layout) - 1);
    }

    size_t size() const { return size_; }
    size_t bytes() const;
    /* What will be allocated on top before long: the doubled table, when it is near. */
    size_t pending_bytes() const { return growth_due(size() / 32 + 4096) ? 2 * slots_.bytes() : 0; }

private:
    static constexpr uint64_t EMPTY = UINT64_MAX;
    static constexpr int PLACE_BITS = 30;
    const Packing packing_;
    GrowingArray<uint32_t> arenas_[Packing::LAYOUTS];
    int only_layout_ = 0;              // of all states, while places_ is empty
    GrowingArray<uint32_t> places_;  // state -> layout and place in its arena; empty while all have the same layout
    size_t size_ = 0;
    GrowingArray<uint64_t> slots_;  // hash << 32 | id, or EMPTY
    std::vector<uint32_t> scratch_;  // as long as the widest state

    bool growth_due(size_t more) const { return 4 * (size() + more) > 3 * slots_.size(); }
    void grow_table();
    size_t home_of(uint32_t tag) const { return tag & (slots_.size() - 1); }
    /* The first one from there on that has a state with this hash, else the empty one where such a state would be put. */
    size_t slot_for(uint32_t tag, size_t slot) const {
        const size_t mask = slots_.size() - 1;
        while (slots_[slot] != EMPTY && slots_[slot] >> 32 != tag) slot = (slot + 1) & mask;
        return slot;
    }
    const uint32_t *words_at(int layout, size_t place) const {
        return &arenas_[layout][place * packing_.words(layout)];
    }
    StateBatch::Entry packed(const State &state, uint32_t *words) const;
    void add(StateBatch::Entry entry, StateBatch &batch) const;
    Insertion insert(const StateBatch::Entry &entry, size_t slot, const uint32_t *words);
    StateId append(int layout, const uint32_t *words);
};

}  // namespace numbat
