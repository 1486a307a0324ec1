/*
  All states the search has met, each once, packed.

  A packed state is a number of 32-bit words: the facts as bits, then the variables. Variables of an exact task are
  stored as integers of 1, 2, 4 or 8 bytes, all of one state alike: as narrow as its largest number allows. Equal states
  are packed alike, so the four layouts need not know of each other, and each has an arena of its own. Variables of a
  task with doubles take 8 bytes.

  States are named by StateId, their place in the order of insertion. An open-addressing table finds a state's id: each
  slot holds 32 bits of the hash and the id, so that a look-up touches the arena only for real candidates, and growing
  the table touches only the table.

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

    size_t size() const { return places_.size(); }
    size_t bytes() const;
    /* What will be allocated on top before long: the doubled table, when it is near. */
    size_t pending_bytes() const { return growth_due(size() / 32 + 4096) ? 2 * slots_.size() * sizeof(uint64_t) : 0; }

private:
    struct Layout {
        int words = 0;  // 32-bit words of a state
        GrowingArray<uint32_t> arena;
    };
    const Task &task_;
    const int fact_words_;
    Layout layouts_[4];                // 1, 2, 4, 8 bytes per variable
    GrowingArray<uint32_t> places_;    // state -> layout and place in its arena
    std::vector<uint64_t> slots_;      // hash << 32 | id, or EMPTY
    std::vector<uint32_t> scratch_;

    bool growth_due(size_t more) const { return 4 * (size() + more) > 3 * slots_.size(); }
    void grow_table();
    int layout_for(const State &state) const;
    const uint32_t *packed(StateId id, int &layout) const;
    void pack(const State &state, int layout, uint32_t *words) const;
    void unpack(const uint32_t *words, int layout, State &state) const;
};

}  // namespace numbat
