/* What a heuristic is: an estimate for a state, and for some also advice on what to do next. */
#pragma once

#include "../task.h"
#include "estimate.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace numbat {

struct HeuristicOptions {
    bool metric_cost = false;  // operator costs of the metric instead of 1
    bool compat = false;       // the published code's repetitions and unknown effects
};

/* Apply the operator up to this many times in a row. */
struct Jump {
    int32_t op;
    int32_t repetitions;
    auto operator<=>(const Jump &) const = default;
};

class Heuristic {
public:
    virtual ~Heuristic() = default;
    virtual Estimate evaluate(const State &state) = 0;
    /* Advice for the state evaluated last, both lists ascending. */
    virtual void advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) {
        helpful.clear();
        jumps.clear();
    }
};

}  // namespace numbat
