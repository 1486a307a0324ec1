/*
  All states the search has met, each once, packed.

  A packed state is a fixed number of 32-bit words: the facts as bits, then the variables, widest first. Variables of an
  exact task are stored as integers of 1, 2, 4 or 8 bytes; each starts narrow, and when a value does not fit, its
  variable is widened and everything stored so far is packed anew (rare: at most three times per variable). Variables of
  a task with doubles take 8 bytes.

  States live one after the other in one arena and are named by StateId, their place in the order of insertion. An
  open-addressing table finds a state's id: each slot holds 32 bits of the hash and the id, so that a look-up touches
  the arena only for real candidates, and growing the table touches only the table.

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

    struct Insertion {
        StateId id;
        bool is_new;
    };
    Insertion insert(const State &state);
    void get(StateId id, State &state) const;

    size_t size() const { return count_; }
    size_t bytes() const { return arena_.bytes() + slots_.size() * sizeof(uint64_t); }
    /* What the next insertion would allocate on top: the doubled table, when it is due. */
    size_t pending_bytes() const { return growth_due() ? 2 * slots_.size() * sizeof(uint64_t) : 0; }

private:
    const Task &task_;
    int fact_words_;                    // 32-bit words of facts
    int words_ = 0;                     // 32-bit words of a packed state
    std::vector<uint8_t> width_;        // bytes per variable
    std::vector<int32_t> group_[4];     // variables of 8, 4, 2, 1 bytes
    GrowingArray<uint32_t> arena_;
    std::vector<uint64_t> slots_;       // hash << 32 | id, or EMPTY
    size_t count_ = 0;
    std::vector<uint32_t> scratch_;

    bool growth_due() const { return 4 * (count_ + 1) > 3 * slots_.size(); }
    void lay_out();
    void grow_table();
    void widen_for(const State &state);
    bool fits(const State &state) const;
    void pack(const State &state, uint32_t *words) const;
    void unpack(const uint32_t *words, State &state) const;
    uint32_t hash(const uint32_t *words) const;
};

}  // namespace numbat
