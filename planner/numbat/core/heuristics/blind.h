/*
  blind: nothing but the goal itself. docs/heuristics.md 10

  0 in goal states, else the costliest unsatisfied part of the goal, each at the cost of the cheapest action that may
  achieve it. A disjunction costs what its cheapest part does. As with all heuristics that rely on the ranges of
  variables, states outside of them have 0. The costliest parts are looked at first: where all cost the same, the first
  one that is unsatisfied decides.
*/
#pragma once

#include "achievers.h"
#include "heuristic.h"

#include <memory>

namespace numbat {

class Blind : public Heuristic {
public:
    explicit Blind(std::shared_ptr<const Achievers> achievers);
    Estimate evaluate(const State &state) override;

private:
    std::shared_ptr<const Achievers> achievers_;
    std::vector<double> most_;  // atom -> cheapest action that may achieve it; of a disjunction, what it costs at most
    std::vector<int32_t> goal_;  // atoms, those that may cost most first

    double atom_cost(int atom, const State &state) const;
    double conjunction_cost(int conjunction, const State &state) const;
};

}  // namespace numbat
