/*
  What A* has still to expand: least f first, of those least h, of those the one queued last (or first).

  States with the same f and h are in one bucket, 4 bytes each, and no entry is ever compared with another. That is for few
  different values; where costs are so manifold that there are too many buckets, everything moves into a heap, once and
  for all, in which ties are broken by the states' numbers. Entries are never changed or removed: one whose f is no longer
  the state's own is outdated.
*/
#pragma once

#include "../growing_array.h"
#include "../state_registry.h"

#include <compare>
#include <cstdint>
#include <map>

namespace numbat {

class AStarQueue {
public:
    enum class Ties { newest_first, oldest_first };
    struct Entry {
        int64_t f;
        int32_t h;
        StateId state;
    };
    explicit AStarQueue(Ties ties) : ties_(ties) {}

    bool empty() const { return size_ == 0; }
    void push(const Entry &entry);
    Entry pop();
    /* What will probably be popped next, and after that, as of the last pop. */
    StateId next() const { return next_; }
    StateId after_next() const { return after_next_; }
    size_t bytes() const { return sizeof(StateId) * bucket_entries_ + buckets_.size() * BUCKET_BYTES + heap_.bytes(); }

private:
    struct Key {
        int64_t f;
        int32_t h;
        auto operator<=>(const Key &) const = default;
    };
    struct Bucket {
        GrowingArray<StateId> states;
        size_t first = 0;    // of the oldest; those before have been popped
        size_t highest = 0;  // what it held at most: memory is given back with the bucket
    };
    static constexpr size_t MOST_BUCKETS = 1 << 16;
    static constexpr size_t BUCKET_BYTES = 128;

    const Ties ties_;
    size_t size_ = 0;
    StateId next_ = NO_STATE, after_next_ = NO_STATE;
    std::map<Key, Bucket> buckets_;
    size_t bucket_entries_ = 0;  // of all buckets, at most
    bool heaped_ = false;
    GrowingArray<Entry> heap_;

    bool after(const Entry &a, const Entry &b) const;
    void push_into_bucket(const Entry &entry);
    void push_into_heap(const Entry &entry);
    Entry pop_from_bucket();
    Entry pop_from_heap();
    void move_into_heap();
};

}  // namespace numbat
