#include "goal_count.h"

namespace numbat {

Estimate GoalCount::evaluate(const State &state) {
    int open = 0;
    for (int atom : task_.conjunctions[task_.goal]) open += !task_.holds(atom, state);
    return open;
}

}  // namespace numbat
