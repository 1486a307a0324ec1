/*
  h_aibr: additive interval-based relaxation. docs/heuristics.md 5

  A relaxed state keeps for each fact which truth values, and for each variable which interval, have been seen; both
  only grow. First it is decided whether the goal can be reached at all, with every change taken to its limit. If so,
  the operators are swept in order, each relaxed-applicable one counts 1, until the goal is relaxed-satisfied.
*/
#pragma once

#include "heuristic.h"

namespace numbat {

class IntervalRelaxation : public Heuristic {
public:
    explicit IntervalRelaxation(const Task &task) : task_(task) {}
    Estimate evaluate(const State &state) override;

private:
    struct Interval {
        double low, high;
    };
    const Task &task_;
    std::vector<uint8_t> possible_;  // per fact atom
    std::vector<Interval> range_;    // per variable
    // effects of one operator: all are read before any is applied
    std::vector<std::pair<int32_t, Interval>> pending_;
    std::vector<const Block *> firing_;

    void start(const State &state);
    bool holds(int atom) const;
    bool all_hold(int conjunction) const;
    Interval range(const Linear &expression) const;
    Interval rounded_outwards(Interval sum, const Linear &expression) const;
    bool widen(int variable, Interval by);
    bool apply_facts(const Block &block);
    /* Both tell whether anything grew. */
    bool apply_to_the_limit(const Operator &op);
    bool apply_once(const Operator &op);
    bool reachable();
};

}  // namespace numbat
