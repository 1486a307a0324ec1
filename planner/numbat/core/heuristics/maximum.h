/*
  h_max: what the costliest part of the goal costs at least. docs/heuristics.md 10

      P(u) = max over the precondition      H(fact) = min over its achievers u of P(u) + cost(u)
      H(condition) = min over its achievers of P(u)  +  the cheapest way to raise it by what it lacks

  The two parts of the last line are least values of their own: the actions that lead to an achiever may raise the
  condition, too, so that P(u) and the repetitions of u must not be added up per achiever.
*/
#pragma once

#include "achievers.h"
#include "cost_queue.h"
#include "heuristic.h"

#include <memory>

namespace numbat {

class Maximum : public Heuristic {
public:
    explicit Maximum(std::shared_ptr<const Achievers> achievers);
    Estimate evaluate(const State &state) override;

private:
    std::shared_ptr<const Achievers> achievers_;
    const Achievers &t_;
    std::vector<int32_t> open_at_first_;  // action -> preconditions
    std::vector<int32_t> without_precondition_;

    // of the state evaluated last
    std::vector<int32_t> open_;  // action -> preconditions not settled yet
    std::vector<double> cost_;   // atom
    std::vector<double> value_;  // condition
    CostQueue queue_;            // atoms to settle; may hold outdated entries
    bool goal_settled_ = false;

    void read_state(const State &state);
    void offer(int atom, double cost);
    void settle(int action, double entry_cost);
};

}  // namespace numbat
