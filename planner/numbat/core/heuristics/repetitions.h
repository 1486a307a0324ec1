/* How often an action must be applied until a condition holds. docs/heuristics.md 2 */
#pragma once

#include "estimate.h"

#include <algorithm>

namespace numbat {

/*
  rate     the condition's change per application where it depends on the state; if it is not positive, `change` counts
  change   0: not known, one application is enough
*/
inline double repetitions_for(double need, double rate, double change, double least) {
    const double each = rate > 0 ? rate : change;
    return each > 0 ? std::max(least, saturated(need / each)) : 1;
}

}  // namespace numbat
