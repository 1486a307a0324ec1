/*
  A priority queue of states: smallest key first.

  Ties   heap   whatever a plain binary heap does when equal keys never pass each other: mostly last in, first out
         fifo   the state met first
         lifo   the state met last
  A key is 64 bits, so that the order of two doubles, or of a novelty value and a heuristic value, is one comparison.
*/
#pragma once

#include "../growing_array.h"
#include "../state_registry.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace numbat {

enum class TieBreaking { heap, fifo, lifo };
using Key = uint64_t;

/* Order-preserving image of a float in 32 bits. */
inline uint32_t ordered(float value) {
    auto bits = std::bit_cast<uint32_t>(value + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline Key heuristic_key(float h) { return Key{ordered(h)} << 32; }
/* By novelty, then by heuristic value. */
inline Key novelty_key(int64_t novelty, float h) {
    constexpr int64_t MOST = (int64_t{1} << 40) - 1;
    return static_cast<Key>(std::min(novelty, MOST)) << 24 | ordered(h) >> 8;
}
/* The same for novelty below 2^32: nothing of the heuristic value is lost. */
inline Key small_novelty_key(int64_t novelty, float h) { return static_cast<Key>(novelty) << 32 | ordered(h); }

class OpenList {
public:
    explicit OpenList(TieBreaking ties) : ties_(ties) {}

    bool empty() const { return heap_.empty(); }
    size_t size() const { return heap_.size(); }
    size_t bytes() const { return heap_.bytes(); }

    Key first_key() const { return heap_[0].key(); }
    StateId first() const { return heap_[0].state; }

    void push(Key key, StateId state) {
        size_t place = heap_.size();
        Entry entry{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key), state};
        heap_.push_back(entry);
        while (place > 0) {
            size_t parent = (place - 1) / 2;
            if (!before(entry, heap_[parent])) break;
            heap_[place] = heap_[parent];
            place = parent;
        }
        heap_[place] = entry;
    }

    StateId pop() {
        StateId best = heap_[0].state;
        Entry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(last);
        return best;
    }

private:
    struct Entry {
        uint32_t high, low;  // halves of the key: keeps an entry at 12 bytes
        StateId state;
        Key key() const { return Key{high} << 32 | low; }
    };
    TieBreaking ties_;
    GrowingArray<Entry> heap_;

    bool before(const Entry &a, const Entry &b) const {
        if (a.key() != b.key()) return a.key() < b.key();
        return ties_ == TieBreaking::fifo ? a.state < b.state : ties_ == TieBreaking::lifo && a.state > b.state;
    }

    void sink(const Entry &entry) {
        size_t place = 0;
        for (size_t child; (child = 2 * place + 1) < heap_.size(); place = child) {
            if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
            if (!before(heap_[child], entry)) break;
            heap_[place] = heap_[child];
        }
        heap_[place] = entry;
    }
};

}  // namespace numbat
