/*
  LM-cut over numbers: action landmarks found one after the other, each paid for out of the actions' costs. docs/heuristics.md 10

  H guides: P(u) = max over the precondition, H(atom) = min over its achievers u of P(u) + m(u, atom) * cost(u), where m is 1
  for facts and max(1, need / gain) for conditions. The supporter of an action is its costliest precondition. One round:

      zone      the goal's supporter, and the supporters of all actions that achieve an atom of the zone for nothing
      m(o)      of an operator, the least m of its effects in the zone
      reached   what holds, and what actions with a reached supporter achieve; an operator with effects in the zone is
                cut, and of its other effects only those with a smaller m than m(o) are followed
      landmark  the sum of n(o) / m(o) over the cut operators is at least 1 in every plan that uses o n(o) times; so C, the
                least m(o) * cost(o), is added to the value, and each cut operator's cost is reduced by C / m(o)

  Why: consider the first atom of the zone to become true. Whoever raised it had a supporter that was true before. If all
  that became true until then was reached, all of them are cut, and raising it took sum n(o) / m(o, atom) >= 1. Else take
  the first atom that became true without being reached: only cut operators with m(o, atom) >= m(o) can have raised it, and
  again the sum is at least 1. The reductions split each cost among the landmarks, so their values add up.

  The value is the larger of this and h_max, neither of which is always the better one.
*/
#pragma once

#include "maximum.h"

namespace numbat {

class LandmarkCut : public Heuristic {
public:
    explicit LandmarkCut(std::shared_ptr<const Achievers> achievers);
    Estimate evaluate(const State &state) override;

private:
    std::shared_ptr<const Achievers> achievers_;
    const Achievers &t_;
    Maximum maximum_;
    Rows<int32_t> achievers_of_;    // atom -> actions
    Rows<int32_t> actions_of_;      // operator -> actions
    std::vector<double> operator_cost_;
    std::vector<int32_t> open_at_first_;  // action -> preconditions
    std::vector<int32_t> without_precondition_;

    // of the state and round at hand
    std::vector<double> need_;            // condition
    std::vector<double> left_;            // operator -> what is left of its cost
    std::vector<double> label_;           // atom -> H
    std::vector<int32_t> open_;           // action -> preconditions not settled yet
    std::vector<double> entry_;           // action -> P
    std::vector<int32_t> supporter_;      // action -> atom, or NOTHING
    std::vector<uint8_t> in_zone_, reached_;  // atom
    std::vector<double> zone_m_;          // operator -> m(o), NEVER if it has no effect in the zone
    std::vector<int32_t> true_, zone_, stack_, cut_;
    std::vector<uint8_t> is_cut_;         // operator
    CostQueue queue_;

    double cost_of(int action) const { return t_.op[action] < 0 ? 0 : left_[t_.op[action]]; }
    double repetitions(int action, int place) const;
    void explore(const State &state);
    void propagate(bool first);
    void offer(int atom, double cost);
    void offer_effects(int action);
    void set_supporter(int action);
    void mark_zone();
    void follow(int action);
    void find_cut();
    double pay();
};

}  // namespace numbat
