/*
  The atoms still to be settled, cheapest first.

  Costs come in ascending order, so a row of buckets serves: one per unit of cost, the last for everything costlier.
  Where every step costs at least a unit, nothing that follows from an atom lands in the atom's own bucket, and any order
  within a bucket is right; otherwise, and always in the last bucket, the bucket that is being emptied is a heap.
*/
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace numbat {

class CostQueue {
public:
    struct Entry {
        double cost;
        int32_t atom;
    };

    explicit CostQueue(bool steps_cost_a_unit) : buckets_(BUCKETS), unordered_(steps_cost_a_unit) {}

    void clear() {
        for (size_t i = first_; i <= last_; ++i) buckets_[i].clear();
        first_ = last_ = 0;
        heaped_ = !unordered_;
    }

    void push(double cost, int32_t atom) {
        const size_t place = cost < BUCKETS - 1 ? static_cast<size_t>(cost) : BUCKETS - 1;
        buckets_[place].push_back({cost, atom});
        if (place > last_) last_ = place;
        if (place == first_ && heaped_) std::push_heap(buckets_[place].begin(), buckets_[place].end(), costlier);
    }

    /* Moves on to the next bucket with entries; false if there is none. */
    bool advance() {
        if (!buckets_[first_].empty()) return true;
        do {
            if (first_ == last_) return false;
        } while (buckets_[++first_].empty());
        heaped_ = !unordered_ || first_ == BUCKETS - 1;
        if (heaped_) std::make_heap(buckets_[first_].begin(), buckets_[first_].end(), costlier);
        return true;
    }

    /* After advance() said that there is one. */
    Entry pop() {
        std::vector<Entry> &bucket = buckets_[first_];
        if (heaped_) std::pop_heap(bucket.begin(), bucket.end(), costlier);
        const Entry next = bucket.back();
        bucket.pop_back();
        return next;
    }

private:
    static constexpr size_t BUCKETS = 1024;
    std::vector<std::vector<Entry>> buckets_;
    size_t first_ = 0, last_ = 0;
    const bool unordered_;
    bool heaped_ = true;  // the first bucket is a heap

    static bool costlier(const Entry &a, const Entry &b) { return a.cost > b.cost; }
};

}  // namespace numbat
