/*
  What is known of the cost of a cheapest plan, in the task's integer costs, by all searches for it together.

  The row lies in memory that other processes may see: the cost of the best plan known, and what every plan costs at
  least. Searches prune by the first, which may fall while they run, and raise the second. A search of one part of a task
  is told what the other parts cost; its own numbers are without that.
*/
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace numbat {

enum BoundsRow { BOUNDS_UPPER, BOUNDS_LOWER, BOUNDS_SIZE };

class SharedBounds {
public:
    SharedBounds(int64_t *row, int64_t elsewhere) : row_(row), elsewhere_(elsewhere) {}

    /* Plans are of interest below this. */
    int64_t upper() const {
        constexpr int64_t NONE = std::numeric_limits<int64_t>::max();
        if (!row_) return NONE;
        const int64_t known = place(BOUNDS_UPPER).load(std::memory_order_relaxed);
        return known == NONE ? NONE : std::max(int64_t{0}, known - elsewhere_);
    }

    /* No plan costs less. */
    void raise_lower(int64_t bound) const {
        if (!row_) return;
        const int64_t whole = bound + elsewhere_;
        int64_t known = place(BOUNDS_LOWER).load();
        while (known < whole && !place(BOUNDS_LOWER).compare_exchange_weak(known, whole)) {
        }
    }

private:
    int64_t *row_;  // may be null
    int64_t elsewhere_;

    std::atomic_ref<int64_t> place(BoundsRow place) const { return std::atomic_ref<int64_t>(row_[place]); }
};

}  // namespace numbat
