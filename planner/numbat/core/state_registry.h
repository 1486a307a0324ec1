/*
  All states the search has met, each once, packed.

  A packed state is a number of 32-bit words: the facts as bits, then the variables. Variables of an exact task are
  stored as integers of 1, 2, 4 or 8 bytes, all of one state alike: as narrow as its largest number allows. Equal states
  are packed alike, so the four layouts need not know of each other, and each has an arena of its own. Variables of a
  task with doubles take 8 bytes. As long as all states have one layout, a state's id is its place in the arena.

  States are named by StateId, their place in the order of insertion. An open-addressing table finds a state's id: each
  slot holds 32 bits of the hash and the id, so that a look-up touches the arena only for real candidates, and growing
  the table touches only the table.

  A look-up in a table that no cache holds waits for memory most of its time. Whoever has several states at once stages
  them first: they are packed, and what their look-ups will touch is fetched meanwhile.

  Parent, operator and the like are kept by the search in arrays of their own, indexed by StateId.
*/
#pragma once

#include "growing_array.h"
#include "task.h"

#include <cstdint>
#include <vector>

namespace numbat {

using StateId = uint32_t;
constexpr StateId NO_STATE = UINT32_MAX;

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

    /* Remembers a state that is to be inserted; places are counted from 0 on. */
    void stage(const State &state);
    size_t staged() const { return staged_.size(); }
    /* Fetches the known states that staged ones may be equal to, and what `also` names by id. */
    template <class Also>
    void fetch_staged(Also also) const {
        for (const Packed &packed : staged_) {
            const uint64_t entry = slots_[packed.tag & (slots_.size() - 1)];
            if (entry >> 32 != packed.tag || entry == EMPTY) continue;
            fetch(static_cast<StateId>(entry));
            also(static_cast<StateId>(entry));
        }
    }
    Insertion insert_staged(size_t place) { return insert(staged_[place], &staged_words_[place * scratch_.size()]); }
    void get_staged(size_t place, State &state) const {
        unpack(&staged_words_[place * scratch_.size()], staged_[place].layout, state);
    }
    void clear_staged() { staged_.clear(); }
    /* A known state will be read before long. */
    void fetch(StateId id) const {
        if (places_.empty()) __builtin_prefetch(packed(id, only_layout_));
    }

    size_t size() const { return size_; }
    size_t bytes() const;
    /* What will be allocated on top before long: the doubled table, when it is near. */
    size_t pending_bytes() const { return growth_due(size() / 32 + 4096) ? 2 * slots_.bytes() : 0; }

private:
    static constexpr uint64_t EMPTY = UINT64_MAX;
    static constexpr int PLACE_BITS = 30;
    struct Layout {
        int words = 0;  // 32-bit words of a state
        GrowingArray<uint32_t> arena;
    };
    struct Packed {
        int32_t layout;
        uint32_t tag;  // hash
    };
    const Task &task_;
    const int fact_words_;
    Layout layouts_[4];                // 1, 2, 4, 8 bytes per variable
    int only_layout_ = 0;              // of all states, while places_ is empty
    GrowingArray<uint32_t> places_;  // state -> layout and place in its arena; empty while all have the same layout
    size_t size_ = 0;
    GrowingArray<uint64_t> slots_;  // hash << 32 | id, or EMPTY
    std::vector<uint32_t> scratch_;  // as long as the widest state
    std::vector<Packed> staged_;
    std::vector<uint32_t> staged_words_;

    bool growth_due(size_t more) const { return 4 * (size() + more) > 3 * slots_.size(); }
    void grow_table();
    int layout_for(const State &state) const;
    int layout_of(StateId id) const {
        return places_.empty() ? only_layout_ : static_cast<int>(places_[id] >> PLACE_BITS);
    }
    const uint32_t *packed(StateId id, int layout) const {
        const size_t place = places_.empty() ? id : places_[id] & ((1u << PLACE_BITS) - 1);
        return &layouts_[layout].arena[place * layouts_[layout].words];
    }
    Packed prepared(const State &state, uint32_t *words) const;
    Insertion insert(Packed packed, const uint32_t *words);
    StateId append(int layout, const uint32_t *words);
    void pack(const State &state, int layout, uint32_t *words) const;
    void unpack(const uint32_t *words, int layout, State &state) const;
};

}  // namespace numbat
