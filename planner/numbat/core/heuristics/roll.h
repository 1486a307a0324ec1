/*
  h_roll: where repeating one operator leads. docs/heuristics.md 1.1

  Where the amounts of an operator depend on the state, what it does for the goal shows only after a while: a craft that
  is pushed goes on moving, and comes to rest elsewhere. So each such operator is applied up to 32 times in a row, and
  the value is the least distance to the goal on any of these runs, with a little added for every application. Runs are
  shorter where there are many of them: all together have 1024 applications at most.
*/
#pragma once

#include "roll_distance.h"

namespace numbat {

class Roll : public Heuristic {
public:
    explicit Roll(const Task &task);
    Estimate evaluate(const State &state) override;

private:
    const Task &task_;
    RollDistance distance_;
    std::vector<int32_t> rolled_;  // operators whose amounts depend on the state
    std::vector<int32_t> applicable_;
    State here_, next_;

    void roll(const Operator &op, size_t most, const State &state, double &least);
};

}  // namespace numbat
