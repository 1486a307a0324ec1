/* h_gc: how many conjuncts of the goal do not hold. docs/heuristics.md 1 */
#pragma once

#include "heuristic.h"

namespace numbat {

class GoalCount : public Heuristic {
public:
    explicit GoalCount(const Task &task) : task_(task) {}
    Estimate evaluate(const State &state) override;

private:
    const Task &task_;
};

}  // namespace numbat
