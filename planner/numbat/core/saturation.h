/*
  Numbers that have gone too far to matter.

  A variable that operators can only increase, or only decrease, by constants, and that every condition looks at alone,
  has a last threshold: beyond it no condition changes any more, whatever happens. States that differ only beyond it are
  equal for every plan, so they are made equal: the number is brought back to just beyond the threshold.
*/
#pragma once

#include "task.h"

namespace numbat {

class Saturation {
public:
    explicit Saturation(const Task &task);

    void apply(State &state) const {
        for (const Bound &bound : bounds_) {
            if (task_.wide() ? beyond(bound, state.whole[bound.variable], bound.whole)
                             : beyond(bound, state.values[bound.variable], bound.value))
                task_.put(bound.variable, Whole{bound.whole}, state);
        }
    }

    struct Bound {
        int32_t variable;
        bool upper;
        double value;
        int64_t whole;  // the same
    };
    const std::vector<Bound> &bounds() const { return bounds_; }

private:
    const Task &task_;
    std::vector<Bound> bounds_;

    template <class Number>
    static bool beyond(const Bound &bound, Number value, Number limit) {
        return bound.upper ? value > limit : value < limit;
    }
};

}  // namespace numbat
