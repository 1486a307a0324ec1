/*
  What a heuristic says of a state: a distance to the goal, or that the state is a proved dead end.

  The two are different things, not different numbers. A dead end is dropped for good and counts towards the proof that
  a task is unsolvable; a distance, however large, only decides who comes first. Relaxations produce distances that no
  double holds: h_add may double with every layer of a chain. So no distance is ever infinite, and nobody asks isinf.

  Costs inside a relaxation, and distances, therefore saturate, and keep their order as long as possible:

      up to 2^1000    costs add up as doubles do
      beyond          a sum is a little more than the larger of the two, so that a longer chain still costs more
      queues          keep the order of distances in 32 bits: the float itself up to 2^116, beyond it by the logarithm
*/
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace numbat {

constexpr double LARGEST_COST = std::numeric_limits<double>::max();

/* Any computed cost as one that sums can go on with; what is not a number came from numbers beyond all bounds. */
inline double saturated(double cost) { return cost < LARGEST_COST ? cost : LARGEST_COST; }

constexpr double LARGEST_PLAIN_SUM = 0x1p1000;

/* Not inline: it is hardly ever called, from the innermost loops. */
[[gnu::noinline]] inline double added_beyond_plain_sums(double a, double b) {
    constexpr double STEP = 1 + 0x1p-12;
    return saturated(std::max({saturated(a), saturated(b), LARGEST_PLAIN_SUM}) * STEP);
}

/* The sum of two costs, none of them negative; not less than either. */
inline double added(double a, double b) {
    const double sum = a + b;
    if (sum <= LARGEST_PLAIN_SUM) [[likely]]
        return sum;
    return added_beyond_plain_sums(a, b);
}

class Estimate {
public:
    /* A distance that is not negative. */
    Estimate(double distance) : distance_(saturated(distance)) {}
    static Estimate dead_end() {
        Estimate estimate(LARGEST_COST);
        estimate.dead_end_ = true;
        return estimate;
    }

    bool is_dead_end() const { return dead_end_; }
    double distance() const { return distance_; }

    /* The distance for queues and novelty: a finite float in the order of the distances. */
    float rank() const {
        constexpr double PLAIN = 0x1p116;
        return static_cast<float>(distance_ < PLAIN ? distance_ : PLAIN * (std::log2(distance_) - 115));
    }

private:
    double distance_;
    bool dead_end_ = false;
};

}  // namespace numbat
